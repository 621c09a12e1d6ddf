import type { TransactionEvent } from '../contract/session.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, JournalUnit } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import { EVENT_BLOCK_SIZE, EVENT_FLUSH_DELAY_MS, MAX_BUFFERED_EVENTS, MAX_EVENTS_PER_COMMIT } from './engine-limits.ts';

type Unnumbered<E> = E extends TransactionEvent ? Omit<E, 'sequence' | 'at' | 'terminalId'> : never;
/** An event before it has its number. */
export type EventBody = Unnumbered<TransactionEvent>;

/**
 * The numbered events of all terminals (decisions: Events). Events wait in memory and are written with the next commit, or by themselves after
 * a short idle time; results are written in the commit that makes them true.
 */
export interface EventLog {
  /** Numbers and announces an event that need not be on disk first. Never throws: without a number to give, the event is dropped and logged. */
  emit(terminalId: string, body: EventBody): void;
  /**
   * One commit of the journal that also writes the waiting events of the terminal and those that `work` announces; these are told to listeners
   * after the commit, in order. @throws what `Journal.commit` throws; then nothing was written or told.
   */
  commit<T>(terminalId: string, work: (unit: JournalUnit, announce: (body: EventBody) => void) => T): T;
  /** Stored and waiting events after a sequence number, oldest first. */
  after(terminalId: string, sequence: number, limit: number): readonly TransactionEvent[];
  /** Forgets the chip data of a transaction that waits no longer (decisions: chipData). */
  forgetChipData(terminalId: string, transactionId: string): void;
  subscribe(listener: (event: TransactionEvent) => void): () => void;
  /** Writes what waits and ends the timer. */
  stop(): void;
}

interface TerminalEvents {
  nextSequence: number;
  /** First number that is not reserved. */
  blockEnd: number;
  waiting: TransactionEvent[];
  /** Events that must never be written: chip data live in memory only. */
  unwritten: TransactionEvent[];
}

export interface EventLogDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
}

export function createEventLog({ journal, clock, log }: EventLogDeps): EventLog {
  const terminals = new Map<string, TerminalEvents>();
  const listeners = new Set<(event: TransactionEvent) => void>();
  let cancelFlush: (() => void) | undefined;

  function eventsOf(terminalId: string): TerminalEvents {
    const known = terminals.get(terminalId);
    if (known !== undefined) return known;
    const fresh: TerminalEvents = { nextSequence: 0, blockEnd: 0, waiting: [], unwritten: [] };
    terminals.set(terminalId, fresh);
    return fresh;
  }

  function ensureNumbers(terminalId: string, count: number): TerminalEvents {
    const events = eventsOf(terminalId);
    if (events.blockEnd - events.nextSequence < count) {
      events.nextSequence = journal.reserveEventBlock(terminalId, EVENT_BLOCK_SIZE);
      events.blockEnd = events.nextSequence + EVENT_BLOCK_SIZE;
    }
    return events;
  }

  function numbered(terminalId: string, events: TerminalEvents, body: EventBody): TransactionEvent {
    const sequence = events.nextSequence;
    events.nextSequence += 1;
    return { ...body, sequence, at: new Date(clock.nowMs()).toISOString(), terminalId };
  }

  function tell(event: TransactionEvent): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error('An event listener failed.', { terminalId: event.terminalId, reason: String(error) });
      }
    }
  }

  function keep(events: TerminalEvents, event: TransactionEvent): void {
    if (event.event === 'online_authorization') {
      events.unwritten.push(event);
      return;
    }
    events.waiting.push(event);
    if (events.waiting.length > MAX_BUFFERED_EVENTS) events.waiting.shift();
  }

  function emit(terminalId: string, body: EventBody): void {
    try {
      const events = ensureNumbers(terminalId, 1);
      const event = numbered(terminalId, events, body);
      keep(events, event);
      tell(event);
      cancelFlush ??= clock.after(EVENT_FLUSH_DELAY_MS, flush);
    } catch (error) {
      log.error('An event was lost: the journal gives no number.', { terminalId, reason: String(error) });
    }
  }

  function commit<T>(terminalId: string, work: (unit: JournalUnit, announce: (body: EventBody) => void) => T): T {
    const events = ensureNumbers(terminalId, MAX_EVENTS_PER_COMMIT);
    const fresh: TransactionEvent[] = [];
    const result = journal.commit((unit) => {
      const value = work(unit, (body) => fresh.push(numbered(terminalId, events, body)));
      const written = [...events.waiting, ...fresh.filter((event) => event.event !== 'online_authorization')];
      if (written.length > 0) unit.appendEvents(written);
      return value;
    });
    events.waiting = [];
    events.unwritten.push(...fresh.filter((event) => event.event === 'online_authorization'));
    for (const event of fresh) tell(event);
    return result;
  }

  function flush(): void {
    cancelFlush?.();
    cancelFlush = undefined;
    const waiting = [...terminals.values()].filter((events) => events.waiting.length > 0);
    if (waiting.length === 0) return;
    try {
      journal.commit((unit) => unit.appendEvents(waiting.flatMap((events) => events.waiting)));
      for (const events of waiting) events.waiting = [];
    } catch (error) {
      // They stay in memory and ride along with the next commit that succeeds.
      log.warn('Events could not be written.', { reason: String(error) });
    }
  }

  function after(terminalId: string, sequence: number, limit: number): readonly TransactionEvent[] {
    const stored = journal.eventsAfter(terminalId, sequence, limit);
    const { waiting, unwritten } = eventsOf(terminalId);
    const inMemory = [...waiting, ...unwritten].filter((event) => event.sequence > sequence);
    if (inMemory.length === 0) return stored;
    const all = [...stored, ...inMemory].sort((a, b) => a.sequence - b.sequence);
    // A full page of stored events may be followed by more stored ones: nothing after its end may be told yet.
    const last = stored.length < limit ? Number.POSITIVE_INFINITY : (stored.at(-1)?.sequence ?? 0);
    return all.filter((event) => event.sequence <= last).slice(0, limit);
  }

  return {
    emit,
    commit,
    after,
    forgetChipData(terminalId, transactionId) {
      const events = eventsOf(terminalId);
      events.unwritten = events.unwritten.filter(
        (event) => !('transactionId' in event) || event.transactionId !== transactionId,
      );
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: flush,
  };
}
