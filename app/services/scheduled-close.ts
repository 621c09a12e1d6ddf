import type { ScheduledCloseTime } from '../contract/close-schedule.ts';
import { BridgeError } from '../contract/errors.ts';
import type { ReconciliationResponse } from '../contract/settlements.ts';
import { type BusinessDayOf, createBusinessDay } from '../domain/business-day.ts';
import { addDays, dueDayOf, type ScheduledCloseRecord } from '../domain/close-schedule.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import { dayCloseBlockers } from './day-close-blockers.ts';
import type { Till } from './till.ts';

/** Milliseconds between looks at the clock: short, so that a clock that jumps or a machine that slept is noticed. */
const LOOK_EVERY_MS = 15_000;
/** Milliseconds before a close that could not be done is tried again while nothing changes. */
const TRY_AGAIN_MS = 300_000;
const ACTOR = 'system:schedule';

export interface ScheduledCloseDeps {
  readonly till: Pick<Till, 'terminals' | 'reconcile' | 'subscribe'>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  /** What is in force now. */
  readonly settings: () => { readonly timeZone: string; readonly scheduledClose?: ScheduledCloseTime };
}

export interface ScheduledCloseService {
  start(): void;
  /** Tries nothing more; a close that runs is the engine's. */
  stop(): void;
}

/**
 * Closes each terminal's day at the time that is set, once for each day, a time that was missed included. Nothing is forced: while something runs
 * or is of unknown outcome it waits, and is tried again whenever that changes, until it is done or the next day's close is due.
 */
export function createScheduledClose(deps: ScheduledCloseDeps): ScheduledCloseService {
  const { till, journal, clock, log } = deps;
  const trying = new Set<string>();
  /** Monotonic time before which a terminal's blocked close is not tried again by itself. */
  const notBefore = new Map<string, number>();
  let days: { readonly key: string; readonly dayOf: BusinessDayOf } | undefined;
  let closers: (() => void)[] = [];
  let isRunning = false;

  function dayOfSchedule(schedule: ScheduledCloseTime, timeZone: string): BusinessDayOf {
    const key = `${timeZone} ${schedule.time}`;
    if (days?.key !== key) days = { key, dayOf: createBusinessDay({ timeZone, cutOff: schedule.time }) };
    return days.dayOf;
  }

  function save(record: ScheduledCloseRecord): ScheduledCloseRecord {
    journal.commit((unit) => unit.saveScheduledClose(record));
    return record;
  }

  /** The record of what is due now; undefined when nothing is. */
  function dueRecord(terminalId: string): ScheduledCloseRecord | undefined {
    const { scheduledClose, timeZone } = deps.settings();
    if (scheduledClose === undefined) return undefined;
    const { time } = scheduledClose;
    const day = dueDayOf(scheduledClose, dayOfSchedule(scheduledClose, timeZone), clock.nowMs());
    const batchNumber = journal.openBatchNumber(terminalId);
    const fresh = { terminalId, time, day, batchNumber, attempts: 0, blockers: [] };
    const known = journal.scheduledClose(terminalId);
    // A schedule that was just set begins with its next time; and a record from far ahead was made by a clock that was wrong.
    if (known === undefined || known.time !== time || known.day > addDays(day, 1)) {
      save({ ...fresh, state: 'SKIPPED' });
      return undefined;
    }
    if (known.day < day) return save({ ...fresh, state: 'DUE' });
    return known.state === 'DUE' || known.state === 'BLOCKED' ? known : undefined;
  }

  function look(terminalId: string): void {
    if (!isRunning || trying.has(terminalId)) return;
    const record = dueRecord(terminalId);
    if (record === undefined) return;
    if (journal.openBatchNumber(terminalId) > record.batchNumber) {
      save({ ...record, state: 'CLOSED', blockers: [] });
      return;
    }
    const blockers = dayCloseBlockers(journal, terminalId);
    if (blockers.length === 0 && isEmpty(terminalId, record.batchNumber)) {
      save({ ...record, state: 'NOTHING', blockers: [] });
      return;
    }
    // A close of unknown end is being asked for; another one before it is known might close twice.
    if (journal.openDayCloses().some((close) => close.terminalId === terminalId)) return;
    const waited = clock.monotonicMs() >= (notBefore.get(terminalId) ?? 0);
    const isFree = blockers.length === 0 && record.errorCode === 'DAY_CLOSE_BLOCKED';
    if (waited || isFree) void attempt(record);
  }

  function isEmpty(terminalId: string, batchNumber: number): boolean {
    const currency = till.terminals().find((terminal) => terminal.terminalId === terminalId)?.currency ?? '';
    const { saleCount, refundCount, voidCount } = journal.totals(terminalId, batchNumber, currency);
    return saleCount + refundCount + voidCount === 0;
  }

  async function attempt(due: ScheduledCloseRecord): Promise<void> {
    const { terminalId } = due;
    trying.add(terminalId);
    try {
      const { errorCode: _code, message: _message, ...kept } = due;
      const lastAttemptAt = new Date(clock.nowMs()).toISOString();
      const record = save({ ...kept, attempts: due.attempts + 1, lastAttemptAt });
      const end = await close(record);
      notBefore.set(terminalId, clock.monotonicMs() + TRY_AGAIN_MS);
      if (isRunning) save(end);
      log.info('The scheduled day close was tried.', { terminalId, state: end.state });
    } catch (error) {
      // The journal refuses: it is logged where it fails, and nothing was closed.
      notBefore.set(terminalId, clock.monotonicMs() + TRY_AGAIN_MS);
      log.error('The scheduled day close failed.', { terminalId, reason: String(error) });
    } finally {
      trying.delete(terminalId);
    }
  }

  async function close(record: ScheduledCloseRecord): Promise<ScheduledCloseRecord> {
    const { terminalId, day, attempts } = record;
    const key = `schedule-${terminalId}-${day}-${attempts}`;
    const context = {
      ...{ clientId: 'system', actor: ACTOR, requestId: key, terminalId, idempotencyKey: key },
      route: 'SCHEDULE day.close',
    };
    try {
      const answer = await till.reconcile(context, { closeDay: true });
      const { status, errorCode, message } = JSON.parse(answer.body) as ReconciliationResponse;
      if (status !== 'FAILED') return { ...record, state: 'CLOSED', blockers: [] };
      return blocked(record, errorCode ?? 'TERMINAL_ERROR', message ?? 'the terminal did not close');
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      return blocked(record, error.code, error.message);
    }
  }

  function blocked(
    record: ScheduledCloseRecord,
    errorCode: NonNullable<ScheduledCloseRecord['errorCode']>,
    message: string,
  ): ScheduledCloseRecord {
    return {
      ...record,
      ...{ state: 'BLOCKED' as const, errorCode, message },
      blockers: [...dayCloseBlockers(journal, record.terminalId)],
    };
  }

  function lookAtAll(): void {
    for (const { terminalId } of till.terminals()) {
      try {
        look(terminalId);
      } catch (error) {
        log.error('The scheduled day close could not be looked at.', { terminalId, reason: String(error) });
      }
    }
  }

  return {
    start() {
      isRunning = true;
      let cancel = () => {};
      const turn = () => {
        lookAtAll();
        cancel = clock.after(LOOK_EVERY_MS, turn);
      };
      closers = [
        till.subscribe(({ event }) => {
          // What kept the day open may have ended; the event comes in the middle of the engine's own work.
          if (event === 'result' || event === 'outcome_resolved' || event === 'cancelled') {
            cancel();
            cancel = clock.after(0, turn);
          }
        }),
        () => cancel(),
      ];
      turn();
    },
    stop() {
      isRunning = false;
      for (const close of closers.splice(0)) close();
    },
  };
}
