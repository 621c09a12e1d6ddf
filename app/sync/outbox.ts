import type { AuthorizeRequest } from '../contract/host/authorize.ts';
import type { PaymentCaptureRequest } from '../contract/host/payment-changes.ts';
import type { ReverseRequest } from '../contract/host/reverse.ts';
import { isoOf } from '../domain/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostClient, HostReply } from '../ports/host-client.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { OutboxItem, OutboxKind, OutboxStore } from '../ports/outbox.ts';
import type { HostRefusals } from './host-refusals.ts';
import { passingRefusals, spreadWaitMs } from './retry.ts';
import {
  CALL_TIMEOUT_MS,
  FIRST_OUTBOX_WAIT_MS,
  LONGEST_OUTBOX_WAIT_MS,
  LOOK_AGAIN_MS,
  MONEY_CALL_TIMEOUT_MS,
  SHORTEST_ROUND_MS,
  TRIES_BEFORE_PERSON,
} from './sync-limits.ts';

/**
 * Where an item stands after a try. TAKEN: the host has a reversal on its own books and repeats it; until the acquirer confirms, it is asked again.
 * WAITING: not taken, it is tried again. SET_ASIDE: refused for good. SETTLED: that has been cleared up.
 */
type Standing = OutboxItem['state'] | 'TAKEN';

type NewOutboxItem = Pick<OutboxItem, 'terminalId' | 'transactionId' | 'kind' | 'body'>;

/** What the till owes its host: on disk before anybody relies on it, sent until it is taken, never dropped (decisions: recovery/reverse, section 7). */
export interface Outbox {
  /** On disk when this returns. One that is there already stays as it is. @throws BridgeError JOURNAL_UNAVAILABLE */
  add(item: NewOutboxItem): void;
  find(transactionId: string, kind: OutboxKind): OutboxItem | undefined;
  /** Tries an item now, unless it is over. Never rejects. */
  attempt(transactionId: string, kind: OutboxKind): Promise<Standing>;
  /** Lets what waits of a terminal leave. @param kinds of these only. @returns what of them has not left */
  flush(terminalId: string, kinds?: readonly OutboxKind[]): Promise<readonly OutboxItem[]>;
  /** What the host has refused for good of a terminal, and nobody has cleared up. */
  refused(terminalId: string): readonly OutboxItem[];
  /** What was refused of a transaction needs nobody: it has been found out that nothing of it stands. */
  settle(transactionId: string): void;
  start(): void;
  /** Ends what is being sent; what is not known to be taken is sent again after the next start. */
  stop(): void;
}

export interface OutboxDeps {
  readonly store: OutboxStore;
  readonly host: HostClient;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Tells a person what the host does not take. */
  readonly refusals: HostRefusals;
}

interface Try {
  readonly standing: Standing;
  readonly trouble?: string;
}

export function createOutbox({ store, host, clock, ids, log, refusals }: OutboxDeps): Outbox {
  const running = new Map<string, Promise<Standing>>();
  const stopping = new AbortController();
  let cancelTimer: (() => void) | undefined;
  let isStarted = false;

  function attempt(transactionId: string, kind: OutboxKind): Promise<Standing> {
    const name = `${kind} ${transactionId}`;
    const found = running.get(name);
    if (found !== undefined) return found;
    const made = attemptOnce(transactionId, kind)
      .catch((error: unknown): Standing => {
        log.error('What is owed to the host could not be written.', { transactionId, reason: String(error) });
        return 'WAITING';
      })
      .finally(() => {
        running.delete(name);
        schedule();
      });
    running.set(name, made);
    return made;
  }

  async function attemptOnce(transactionId: string, kind: OutboxKind): Promise<Standing> {
    const item = store.find(transactionId, kind);
    if (item === undefined) throw new Error('there is no such item');
    if (item.state !== 'WAITING') return item.state;
    const { standing, trouble } = await send(item);
    if (stopping.signal.aborted && standing === 'WAITING') return standing;
    note(item, standing, trouble);
    return standing;
  }

  function note(item: OutboxItem, standing: Standing, trouble: string | undefined): void {
    const { trouble: _before, ...kept } = item;
    const attempts = item.attempts + 1;
    store.save({
      ...kept,
      state: standing === 'TAKEN' ? 'WAITING' : standing,
      attempts,
      nextAt: isoOf(clock.nowMs() + spreadWaitMs(ids, attempts, FIRST_OUTBOX_WAIT_MS, LONGEST_OUTBOX_WAIT_MS)),
      ...(trouble === undefined ? {} : { trouble }),
      updatedAt: isoOf(clock.nowMs()),
    });
    const fields = { transactionId: item.transactionId, terminalId: item.terminalId, command: item.kind };
    const told = { ...fields, attempt: attempts, ...(trouble === undefined ? {} : { reason: trouble }) };
    if (standing === 'SET_ASIDE') log.error('The host refuses for good what it is owed; a person must look.', told);
    else if (standing === 'DONE') log.info('The host has taken what it was owed.', told);
    else if (attempts >= TRIES_BEFORE_PERSON)
      log.error('What is owed to the host is still not taken; it is tried on, and a person should look.', told);
    else log.warn('What is owed to the host is not taken yet.', told);
  }

  async function send({ kind, transactionId, idempotencyKey, body }: OutboxItem): Promise<Try> {
    const { signal } = stopping;
    const keyed = { idempotencyKey, timeoutMs: MONEY_CALL_TIMEOUT_MS, signal };
    switch (kind) {
      case 'REVERSAL': {
        const call = { timeoutMs: MONEY_CALL_TIMEOUT_MS, signal };
        const reply = await host.reverse(body as unknown as ReverseRequest, call);
        if (reply.kind !== 'ANSWERED') return notTaken(reply);
        if (reply.body.status === 'reversed') return { standing: 'DONE' };
        return { standing: 'TAKEN', trouble: 'The acquirer has not confirmed it yet; the host repeats it.' };
      }
      case 'OFFLINE_COMPLETION': {
        const call = { ...keyed, timeoutMs: CALL_TIMEOUT_MS };
        const reply = await host.offlineComplete(body as unknown as AuthorizeRequest, call);
        return reply.kind === 'ANSWERED' ? { standing: 'DONE' } : notTaken(reply);
      }
      case 'CAPTURE': {
        const reply = await host.capture(transactionId, body as unknown as PaymentCaptureRequest, keyed);
        if (reply.kind !== 'ANSWERED')
          return reply.kind === 'REFUSED' && reply.errorCode === 'ALREADY_COMPLETED'
            ? { standing: 'DONE' }
            : notTaken(reply);
        // FAILED: nobody knows yet; the same key tells once the host has found out.
        if (reply.body.status !== 'FAILED') return { standing: 'DONE' };
        return { standing: 'TAKEN', trouble: 'The host does not know yet what became of it.' };
      }
    }
  }

  /** An item waits for the earlier ones of its transaction, but nothing keeps money from being taken back. */
  function mayLeave({ transactionId, kind }: OutboxItem): boolean {
    if (kind === 'REVERSAL') return true;
    return waitingItems().find((item) => item.transactionId === transactionId)?.kind === kind;
  }

  /** One after the other, each if it still may when its turn comes. */
  async function sendAll(items: readonly OutboxItem[]): Promise<void> {
    for (const item of items) {
      if (stopping.signal.aborted) return;
      if (mayLeave(item)) await attempt(item.transactionId, item.kind);
    }
  }

  function waitingItems(): readonly OutboxItem[] {
    return store.open().filter(({ state }) => state === 'WAITING');
  }

  function schedule(): void {
    if (!isStarted || stopping.signal.aborted) return;
    cancelTimer?.();
    cancelTimer = undefined;
    try {
      const times = waitingItems()
        .filter(mayLeave)
        .map(({ nextAt }) => Date.parse(nextAt));
      if (refusals.look()) times.push(clock.nowMs() + LOOK_AGAIN_MS);
      if (times.length === 0) return;
      // A clock that was set back must not put a reversal off for long, and a disk that fails must not be asked without a pause.
      const waitMs = Math.min(LONGEST_OUTBOX_WAIT_MS, Math.max(SHORTEST_ROUND_MS, Math.min(...times) - clock.nowMs()));
      cancelTimer = clock.after(waitMs, () => void sendDue());
    } catch (error) {
      // Whatever fails here must not end the tries: money may have to be taken back.
      cancelTimer = clock.after(FIRST_OUTBOX_WAIT_MS, () => void sendDue());
      log.error('What is owed to the host cannot be read, or a person cannot be told; tried again.', {
        reason: String(error),
      });
    }
  }

  async function sendDue(): Promise<void> {
    try {
      const nowMs = clock.nowMs();
      await sendAll(waitingItems().filter(({ nextAt }) => Date.parse(nextAt) <= nowMs));
    } catch (error) {
      log.error('What is owed to the host could not be sent.', { reason: String(error) });
    }
    schedule();
  }

  return {
    add(item) {
      if (store.find(item.transactionId, item.kind) !== undefined) return;
      const at = isoOf(clock.nowMs());
      const idempotencyKey = `${item.kind.toLowerCase()}-${item.transactionId}`;
      store.save({
        ...item,
        idempotencyKey,
        state: 'WAITING',
        attempts: 0,
        nextAt: at,
        createdAt: at,
        updatedAt: at,
      });
      schedule();
    },
    find: store.find,
    attempt,
    async flush(terminalId, kinds) {
      const isMeant = (item: OutboxItem) =>
        item.terminalId === terminalId && (kinds === undefined || kinds.includes(item.kind));
      const left: OutboxItem[] = [];
      for (const item of waitingItems().filter(isMeant)) {
        if (!mayLeave(item) || (await attempt(item.transactionId, item.kind)) === 'WAITING') left.push(item);
      }
      return left;
    },
    refused: (terminalId) =>
      store.open().filter((item) => item.terminalId === terminalId && item.state === 'SET_ASIDE'),
    settle: (transactionId) => store.settle(transactionId, isoOf(clock.nowMs())),
    start() {
      isStarted = true;
      for (const { transactionId, terminalId, kind, trouble } of store.open()) {
        const told = {
          transactionId,
          terminalId,
          command: kind,
          ...(trouble === undefined ? {} : { reason: trouble }),
        };
        log.warn('The host is still owed something from before.', told);
      }
      schedule();
    },
    stop() {
      stopping.abort();
      cancelTimer?.();
    },
  };
}

function notTaken(reply: Exclude<HostReply<unknown>, { kind: 'ANSWERED' }>): Try {
  if (reply.kind !== 'REFUSED') return { standing: 'WAITING', trouble: reply.reason };
  const trouble = `${reply.errorCode}: ${reply.message}`;
  return { standing: passingRefusals.has(reply.errorCode) ? 'WAITING' : 'SET_ASIDE', trouble };
}
