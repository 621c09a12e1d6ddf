import { expect, it } from 'vitest';
import { createBatcher } from '../../host/storage/batcher.ts';

/** A batcher whose batches end when the test says so. */
function harness(limits: { maxItems: number; maxRunning: number; maxWaiting: number }) {
  const batches: {
    readonly items: readonly number[];
    readonly end: () => void;
    readonly fail: (error: unknown) => void;
  }[] = [];
  const call = createBatcher<number, string>({
    ...limits,
    refusal: () => new Error('full'),
    run: (items) =>
      new Promise((resolve, reject) => {
        const end = () =>
          resolve(
            items.map((item) =>
              item < 0 ? { ok: false, error: new Error(`no ${item}`) } : { ok: true, value: `done ${item}` },
            ),
          );
        batches.push({ items, end, fail: reject });
      }),
  });
  return { call, batches, sizes: () => batches.map(({ items }) => items.length) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('lets what comes in one moment, and what comes while others run, go together', async () => {
  const { call, batches, sizes } = harness({ maxItems: 10, maxRunning: 1, maxWaiting: 100 });
  const first = [call(1), call(2)];
  await turn();
  expect(sizes()).toEqual([2]);
  const later = Array.from({ length: 12 }, (_, index) => call(10 + index));
  await turn();
  expect(sizes()).toEqual([2]);
  batches[0]?.end();
  expect(await Promise.all(first)).toEqual(['done 1', 'done 2']);
  await turn();
  expect(sizes()).toEqual([2, 10]);
  batches[1]?.end();
  await turn();
  batches[2]?.end();
  expect(await Promise.all(later)).toHaveLength(12);
  expect(sizes()).toEqual([2, 10, 2]);
});

it('gives each its own failure, and a failure of the whole to all', async () => {
  const { call, batches } = harness({ maxItems: 10, maxRunning: 1, maxWaiting: 100 });
  const results = Promise.allSettled([call(1), call(-2), call(3)]);
  await turn();
  batches[0]?.end();
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const lost = Promise.allSettled([call(1), call(2)]);
  await turn();
  batches[1]?.fail(new Error('gone'));
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = call(4);
  await turn();
  batches[2]?.end();
  expect(await next).toBe('done 4');
});

it('refuses what is more than may wait', async () => {
  const { call, batches } = harness({ maxItems: 1, maxRunning: 1, maxWaiting: 2 });
  const running = call(1);
  await turn();
  const waiting = [call(2), call(3)];
  await expect(call(4)).rejects.toThrow('full');
  batches[0]?.end();
  await running;
  await turn();
  batches[1]?.end();
  await turn();
  batches[2]?.end();
  expect(await Promise.all(waiting)).toEqual(['done 2', 'done 3']);
});
