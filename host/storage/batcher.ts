/** What came of one item of a batch. */
export type ItemResult<Out> =
  | { readonly ok: true; readonly value: Out }
  | { readonly ok: false; readonly error: unknown };

export interface BatcherOptions<In, Out> {
  /** Does several at once, and gives a result for each, in their order; a failure of one is a result of its own. */
  readonly run: (items: readonly In[]) => Promise<readonly ItemResult<Out>[]>;
  readonly maxItems: number;
  readonly maxRunning: number;
  /** Items that wait; more are refused. */
  readonly maxWaiting: number;
  readonly refusal: () => unknown;
}

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (value: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets calls that come while others are being done go together. Nobody waits for company: a call that finds nothing running goes at once.
 */
export function createBatcher<In, Out>(options: BatcherOptions<In, Out>): (item: In) => Promise<Out> {
  const { run, maxItems, maxRunning, maxWaiting, refusal } = options;
  const waiting: Waiting<In, Out>[] = [];
  let running = 0;

  async function runNext(): Promise<void> {
    const batch = waiting.splice(0, maxItems);
    running += 1;
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result?.ok === true) resolve(result.value);
        else reject(result === undefined ? new Error('a batch gave no result for an item') : result.error);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running -= 1;
      startMore();
    }
  }

  function startMore(): void {
    while (waiting.length > 0 && running < maxRunning) void runNext();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) {
        reject(refusal());
        return;
      }
      waiting.push({ item, resolve, reject });
      // Calls of one turn of the event loop go together, too.
      queueMicrotask(startMore);
    });
}
