import { isoOf } from '../domain/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeferredSales } from '../ports/deferred.ts';
import type { HostClient } from '../ports/host-client.ts';
import type { Ids } from '../ports/ids.ts';
import type { JournalUnit } from '../ports/journal.ts';
import type { KeptAccount } from '../ports/kept-account.ts';
import type { Log } from '../ports/log.ts';
import type { OutboxItem, OutboxKind } from '../ports/outbox.ts';
import type { OutboxStore } from '../ports/outbox-store.ts';
import { createIdentityOf, type IdentityOf } from './host-identity.ts';
import type { HostRefusals } from './host-refusals.ts';
import { type NewOutboxItem, newOutboxItem } from './outbox-item.ts';
import { createOutboxOrder, isReport } from './outbox-order.ts';
import { type Standing, spreadWaitMs, type Try } from './retry.ts';
import { createSendItem, type SendItem } from './send-item.ts';
import {
  FIRST_OUTBOX_WAIT_MS,
  LONGEST_OUTBOX_WAIT_MS,
  LONGEST_REPORT_WAIT_MS,
  LOOK_AGAIN_MS,
  SHORTEST_ROUND_MS,
  TRIES_BEFORE_PERSON,
} from './sync-limits.ts';

/** What the till owes its host: on disk before anybody relies on it, sent until it is taken, never dropped (decisions: recovery/reverse, section 7). */
export interface Outbox {
  /** On disk when this returns. One that is there already stays as it is. @param account of a deferred authorization. @throws BridgeError JOURNAL_UNAVAILABLE */
  add(item: NewOutboxItem, account?: KeptAccount): void;
  find(transactionId: string, kind: OutboxKind): OutboxItem | undefined;
  /** Tries an item now, unless it is over. Never rejects. */
  attempt(transactionId: string, kind: OutboxKind): Promise<Standing>;
  /** Lets what waits of a terminal leave. @param kinds of these only. @returns what of them has not left */
  flush(terminalId: string, kinds?: readonly OutboxKind[]): Promise<readonly OutboxItem[]>;
  /** What the host has refused for good of a terminal, and nobody has cleared up. */
  refused(terminalId: string): readonly OutboxItem[];
  /** What was refused of a transaction needs nobody: it has been found out that nothing of it stands. */
  settle(transactionId: string): void;
  /** Something was added by a commit of somebody else: it leaves by itself. */
  wake(terminalId: string): void;
  /** Lets what the host is to be told of a terminal's own payments leave at once, whatever its pauses. Never rejects. */
  report(terminalId: string): Promise<void>;
  /** Told of each item after a try of it is on disk. */
  subscribe(listener: (item: OutboxItem) => void): void;
  start(): void;
  /** Ends what is being sent; what is not known to be taken is sent again after the next start. */
  stop(): void;
}

export interface OutboxDeps {
  readonly store: OutboxStore;
  /** The host of a terminal: each has a token of its own. */
  readonly hostOf: (terminalId: string) => HostClient;
  /** Who a terminal is there; asked of its host where it is left out. */
  readonly identityOf?: (terminalId: string) => IdentityOf;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Tells a person what the host does not take. */
  readonly refusals: HostRefusals;
  /** The sales of the till that wait for their authorization; undefined while it does not accept payments yet. */
  readonly deferredSales?: () => DeferredSales | undefined;
}

export function createOutbox({
  store,
  hostOf,
  identityOf,
  clock,
  ids,
  log,
  refusals,
  deferredSales: sales = () => undefined,
}: OutboxDeps): Outbox {
  const deferred = { sales, account: store.account, nowIso: () => isoOf(clock.nowMs()) };
  const senders = new Map<string, SendItem>();
  const running = new Map<string, Promise<Standing>>();
  const stopping = new AbortController();
  let cancelTimer: (() => void) | undefined;
  let cancelErasing: (() => void) | undefined;
  let isStarted = false;
  const listeners = new Set<(item: OutboxItem) => void>();
  /** Rounds that run. */
  const rounds = { MONEY: 0, REPORTS: 0 };
  /** Without a connection one report is tried for all of its terminal: milliseconds since 1970 of the next try. */
  const reportsFrom = new Map<string, number>();

  const nowIso = () => isoOf(clock.nowMs());

  function reportsFromMs({ terminalId }: OutboxItem): number {
    return reportsFrom.get(terminalId) ?? 0;
  }

  function senderOf({ terminalId }: OutboxItem): SendItem {
    const found = senders.get(terminalId);
    if (found !== undefined) return found;
    const host = hostOf(terminalId);
    const made = createSendItem(host, identityOf?.(terminalId) ?? createIdentityOf(host), nowIso, deferred);
    senders.set(terminalId, made);
    return made;
  }

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
        // A round looks once, at its end.
        if (rounds.MONEY + rounds.REPORTS === 0) schedule();
      });
    running.set(name, made);
    return made;
  }

  async function attemptOnce(transactionId: string, kind: OutboxKind): Promise<Standing> {
    const item = store.find(transactionId, kind);
    if (item === undefined) throw new Error('there is no such item');
    if (item.state !== 'WAITING') return item.state;
    const made = await senderOf(item)(item, stopping.signal);
    if (stopping.signal.aborted && made.standing === 'WAITING') return made.standing;
    note(item, made);
    return made.standing;
  }

  function note(item: OutboxItem, made: Try): void {
    const { standing, trouble, isUnreached, alongside } = made;
    const { trouble: _before, ...kept } = item;
    const attempts = item.attempts + 1;
    const nextAtMs = clock.nowMs() + waitMs(item, attempts);
    if (isReport(item)) reportsFrom.set(item.terminalId, isUnreached === true ? nextAtMs : 0);
    const state = standing === 'TAKEN' ? 'WAITING' : standing;
    const told = trouble === undefined ? {} : { trouble };
    const at = { nextAt: isoOf(nextAtMs), updatedAt: isoOf(clock.nowMs()) };
    store.save({ ...kept, state, attempts, ...told, ...at }, alongside);
    if (item.kind === 'DEFERRED_AUTHORIZATION' && state !== 'WAITING') eraseTraces();
    tell(item, made, attempts);
    for (const listener of listeners) listener(item);
  }

  /** Who reads meanwhile keeps the log from being emptied: then again, until it is. */
  function eraseTraces(): void {
    cancelErasing?.();
    cancelErasing = undefined;
    try {
      if (store.eraseTraces()) return;
    } catch (error) {
      log.error('An account that is not kept any more could not be erased; tried again.', { reason: String(error) });
    }
    if (!stopping.signal.aborted) cancelErasing = clock.after(LOOK_AGAIN_MS, eraseTraces);
  }

  function tell(item: OutboxItem, { standing, trouble, isUnreached }: Try, attempts: number): void {
    const fields = { transactionId: item.transactionId, terminalId: item.terminalId, command: item.kind };
    const told = { ...fields, attempt: attempts, ...(trouble === undefined ? {} : { reason: trouble }) };
    if (standing === 'SETTLED') log.warn('The host refuses what it was asked for, and it is asked for no more.', told);
    else if (standing === 'SET_ASIDE')
      log.error('The host refuses for good what it is owed; a person must look.', told);
    else if (standing === 'DONE') log.info('The host has taken what it was owed.', told);
    // A host that is down for a day is no trouble of one report; one that answers the others and not this is.
    else if (attempts >= TRIES_BEFORE_PERSON && !(isPatient(item) && isUnreached === true))
      log.error('What is owed to the host is still not taken; it is tried on, and a person should look.', told);
    else log.warn('What is owed to the host is not taken yet.', told);
  }

  function waitMs(item: OutboxItem, attempts: number): number {
    const longestMs = isPatient(item) ? LONGEST_REPORT_WAIT_MS : LONGEST_OUTBOX_WAIT_MS;
    return spreadWaitMs(ids, attempts, FIRST_OUTBOX_WAIT_MS, longestMs);
  }

  /**
   * One after the other, each if it still may when its turn comes.
   * @param isMeant those of them that are to be tried. @returns what of them has not left
   */
  async function sendAll(isMeant: (item: OutboxItem) => boolean): Promise<readonly OutboxItem[]> {
    const order = createOutboxOrder();
    const left: OutboxItem[] = [];
    for (const item of waitingItems()) {
      const isTried = isMeant(item);
      if (isTried && order.mayLeave(item) && !stopping.signal.aborted) {
        const standing = await attempt(item.transactionId, item.kind);
        if (standing !== 'WAITING' && standing !== 'TAKEN') continue;
        order.hold(item);
        if (standing === 'TAKEN') continue;
      } else order.hold(item);
      if (isTried) left.push(item);
    }
    return left;
  }

  /** Whether it is time to try it; without a connection the reports wait for the first of them. */
  function isDue(item: OutboxItem): boolean {
    const nowMs = clock.nowMs();
    return Date.parse(item.nextAt) <= nowMs && (!isReport(item) || reportsFromMs(item) <= nowMs);
  }

  /** When each that may leave is tried next, milliseconds since 1970. */
  function nextTimes(): number[] {
    const order = createOutboxOrder();
    return waitingItems().flatMap((item) => {
      if (rounds[classOf(item)] > 0) return [];
      const mayLeave = order.mayLeave(item);
      order.hold(item);
      const nextMs = Date.parse(item.nextAt);
      return mayLeave ? [isReport(item) ? Math.max(nextMs, reportsFromMs(item)) : nextMs] : [];
    });
  }

  /** From the oldest; what asks for an authorization comes last, so that it overtakes no reversal. */
  function waitingItems(): readonly OutboxItem[] {
    const waiting = store.open().filter(({ state }) => state === 'WAITING');
    const isDeferred = ({ kind }: OutboxItem) => kind === 'DEFERRED_AUTHORIZATION';
    return [...waiting.filter((item) => !isDeferred(item)), ...waiting.filter(isDeferred)];
  }

  function schedule(): void {
    if (!isStarted || stopping.signal.aborted) return;
    cancelTimer?.();
    cancelTimer = undefined;
    try {
      const times = nextTimes();
      if (refusals.look()) times.push(clock.nowMs() + LOOK_AGAIN_MS);
      if (times.length === 0) return;
      // A clock that was set back must not put a reversal off for long, and a disk that fails must not be asked without a pause.
      const waitMs = Math.min(LONGEST_OUTBOX_WAIT_MS, Math.max(SHORTEST_ROUND_MS, Math.min(...times) - clock.nowMs()));
      cancelTimer = clock.after(waitMs, sendDue);
    } catch (error) {
      // Whatever fails here must not end the tries: money may have to be taken back.
      cancelTimer = clock.after(FIRST_OUTBOX_WAIT_MS, sendDue);
      log.error('What is owed to the host cannot be read, or a person cannot be told; tried again.', {
        reason: String(error),
      });
    }
  }

  /** Lets what may leave, of one class, in its order; money never waits for reports. */
  async function round(of: keyof typeof rounds, isMeant: (item: OutboxItem) => boolean): Promise<void> {
    rounds[of] += 1;
    try {
      await sendAll((item) => classOf(item) === of && isMeant(item));
    } catch (error) {
      log.error('What is owed to the host could not be sent.', { reason: String(error) });
    } finally {
      rounds[of] -= 1;
      schedule();
    }
  }

  function sendDue(): void {
    for (const of of ['MONEY', 'REPORTS'] as const) if (rounds[of] === 0) void round(of, isDue);
  }

  return {
    add(item, account) {
      const { transactionId } = item;
      if (store.find(transactionId, item.kind) !== undefined) return;
      const keep = account === undefined ? undefined : (unit: JournalUnit) => unit.keepAccount(transactionId, account);
      store.save(newOutboxItem(item, isoOf(clock.nowMs())), keep);
      schedule();
    },
    find: store.find,
    attempt,
    flush: (terminalId, kinds) =>
      sendAll((item) => item.terminalId === terminalId && (kinds === undefined || kinds.includes(item.kind))),
    async report(terminalId) {
      reportsFrom.delete(terminalId);
      // The first that finds no connection says enough.
      await round('REPORTS', (item) => item.terminalId === terminalId && reportsFromMs(item) === 0);
    },
    wake(terminalId) {
      // Whoever ends a sale does not wait for a long list to be read: a round looks at its end, and without a connection the next try is set already.
      if (rounds.REPORTS === 0 && (reportsFrom.get(terminalId) ?? 0) <= clock.nowMs()) schedule();
    },
    refused: (terminalId) =>
      store.open().filter((item) => item.terminalId === terminalId && item.state === 'SET_ASIDE'),
    settle: (transactionId) => store.settle(transactionId, isoOf(clock.nowMs())),
    subscribe: (listener) => void listeners.add(listener),
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
      // A till that ended between the answer and the erasing does it now.
      eraseTraces();
      schedule();
    },
    stop() {
      stopping.abort();
      cancelTimer?.();
      cancelErasing?.();
    },
  };
}

/** What a host that is down for a day may keep waiting, without pauses of an hour once it is back. */
function isPatient(item: OutboxItem): boolean {
  return isReport(item) || item.kind === 'DEFERRED_AUTHORIZATION';
}

function classOf(item: OutboxItem): 'MONEY' | 'REPORTS' {
  return isReport(item) ? 'REPORTS' : 'MONEY';
}
