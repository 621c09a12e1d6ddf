import { BridgeError, type DayCloseBlocker } from '../contract/errors.ts';
import type { ReconciliationRequest, ReconciliationResponse } from '../contract/settlements.ts';
import { isoOf } from '../domain/instant.ts';
import { missingAtHost } from '../domain/offline-sales.ts';
import type { DayCloseRecord } from '../domain/records.ts';
import type { JournalReader } from '../ports/journal.ts';
import type { CloseMoment, PreparedExchange, TerminalOutcome } from '../ports/terminal.ts';
import { askRepeatedly } from './ask.ts';
import {
  blockersBesidesForwarding,
  dayCloseBlocked,
  dayCloseBlockers,
  openPreAuthsOf,
  salesToForward,
} from './day-close-blockers.ts';
import { dayCloseEndOf, dayCloseQuestion, isOpenClose, nextClose, outcomeEnd } from './day-close-recovery.ts';
import { createDeadline, type Deadline, timedSignal } from './deadline.ts';
import { type DayCloseEnd, endDayClose } from './end-day-close.ts';
import { type Engine, nowIso, pickLane, requireRunning } from './engine.ts';
import { MAX_QUESTIONS_BEFORE_TASK } from './engine-limits.ts';
import type { Reservation } from './idempotency-gate.ts';
import { type Lane, releaseLane, takeLane, type Work } from './lane.ts';
import type { Recovery } from './recover.ts';
import { leftOpen } from './run-transaction.ts';
import { lateTerminal } from './start-transaction.ts';
import { tellHostOfClose } from './tell-host-of-close.ts';
import type { Answer, CallContext } from './till.ts';

const BY = 'system: the terminal answered';
const NO_CLOSE_OF_ITS_OWN =
  "The terminal has no day close of its own: settled from the journal; the terminal's figures are not available.";

interface CloseCall {
  readonly context: CallContext;
  readonly lane: Lane;
  readonly deadline: Deadline;
  readonly dayCloseId: string;
  /** When it was called for: everyone is told the same, though the day may change meanwhile. */
  readonly moment: CloseMoment;
  readonly reservation: Reservation | undefined;
}

/** Day close and its dry run (specification: Reconciliation; decisions: Day close). */
export function createReconcile(engine: Engine, recovery: Recovery) {
  const { journal, clock, ids } = engine.deps;

  async function reconcile(context: CallContext, request: ReconciliationRequest): Promise<Answer> {
    const lane = pickLane(engine, context);
    if (!request.closeDay) return dryRun(engine, lane);
    if (context.idempotencyKey === undefined) {
      throw new BridgeError('INVALID_REQUEST', 'Idempotency-Key is required to close the day', {
        field: 'Idempotency-Key',
      });
    }
    const deadline = createDeadline(clock, context.timeoutSeconds);
    const dayCloseId = ids.next();
    const nowMs = clock.nowMs();
    const moment = { closedAt: isoOf(nowMs), businessDate: engine.businessDay(nowMs) };
    const keyed = { context, terminalId: lane.terminalId, body: request, deadline, subjectId: dayCloseId };
    try {
      return await engine.gate.once(keyed, (reservation) =>
        start({ context, lane, deadline, dayCloseId, moment, reservation }),
      );
    } finally {
      deadline.cancel();
    }
  }

  async function start(call: CloseCall): Promise<Answer> {
    requireRunning(engine);
    const { lane, dayCloseId, deadline } = call;
    if (lane.work?.kind === 'TRANSACTION') throw dayCloseBlocked(blockersOf(lane, journal));
    const work = takeForClose(lane, dayCloseId);
    const ended = close(call, work).then((answer) => tellHostOfClose(engine, answer, deadline));
    return new Promise((resolve, reject) => {
      deadline.onAnswerTime(() => {
        try {
          resolve(endAtDeadline(dayCloseId));
        } catch (error) {
          work.preparation.abort();
          reject(error);
        }
      });
      ended.then(resolve, reject);
    });
  }

  /** What a crash left open is what blocks the close; a close that runs is named like a transaction. */
  function takeForClose(lane: Lane, dayCloseId: string): Work {
    try {
      return takeLane(lane, journal, { kind: 'DAY_CLOSE', id: dayCloseId });
    } catch (error) {
      const blockers = dayCloseBlockers(journal, lane.terminalId);
      throw blockers.length === 0 ? error : dayCloseBlocked(blockers);
    }
  }

  async function close(call: CloseCall, work: Work): Promise<Answer> {
    const { lane } = call;
    try {
      await askWhatIsOpen(lane);
      // What waits for its issuer is forwarded first, where the terminal's host can be reached.
      requireNone(blockersBesidesForwarding(journal, lane.terminalId));
      if (work.preparation.signal.aborted) throw lateTerminal();
      if (!lane.terminal.capabilities.operations.has('DAY_CLOSE')) return settleFromJournal(call);
      const exchange = await prepare(engine, call, work);
      return await closeTerminal(call, work, exchange);
    } finally {
      releaseLane(lane, work);
      recovery.soon(lane);
    }
  }

  async function askWhatIsOpen(lane: Lane): Promise<void> {
    try {
      await recovery.askFirst(lane);
    } catch (error) {
      // What is still open is listed as a blocker, which says more.
      if (dayCloseBlockers(journal, lane.terminalId).length === 0) throw error;
    }
  }

  function settleFromJournal(call: CloseCall): Answer {
    requireNothingOpen(journal, call.lane);
    const record = draft(engine, call, journal);
    const end: DayCloseEnd = { kind: 'CLOSED', message: NO_CLOSE_OF_ITS_OWN, evidence: [] };
    return endDayClose(engine, record, end, 'system: from the journal', call.reservation);
  }

  async function closeTerminal(call: CloseCall, work: Work, exchange: PreparedExchange): Promise<Answer> {
    persistIntent(call, exchange);
    work.exchange = exchange;
    const outcome = await runClose(engine, call, exchange);
    if (outcome.kind === 'NOT_STARTED') throw refuse(call.dayCloseId, outcome);
    try {
      const end = outcome.kind === 'UNKNOWN' ? await askForEnd(call, outcome) : outcomeEnd(outcome);
      if (end !== undefined) return endDayClose(engine, nextClose(openClose(call.dayCloseId)), end, BY);
    } catch (error) {
      engine.deps.log.error('The end of a day close could not be written; it is left to recovery.', {
        transactionId: call.dayCloseId,
        terminalId: call.lane.terminalId,
        reason: String(error),
      });
    }
    throw leftOpen(work);
  }

  function persistIntent(call: CloseCall, exchange: PreparedExchange): void {
    try {
      engine.events.commit(call.lane.terminalId, (unit) => {
        requireNothingOpen(unit, call.lane);
        const record = { ...draft(engine, call, unit), recoveryMark: exchange.mark };
        unit.saveDayClose(record);
        const { reservation, dayCloseId: subjectId } = call;
        if (reservation !== undefined)
          unit.reserveIdempotency({ ...reservation, subjectId, createdAt: record.createdAt });
      });
    } catch (error) {
      exchange.discard();
      throw error;
    }
  }

  async function askForEnd(
    call: CloseCall,
    outcome: TerminalOutcome & { kind: 'UNKNOWN' },
  ): Promise<DayCloseEnd | undefined> {
    if (engine.stopping.aborted) return undefined;
    const question = dayCloseQuestion(openClose(call.dayCloseId));
    const told = await askRepeatedly(engine, call.lane, question, MAX_QUESTIONS_BEFORE_TASK);
    if (told === undefined) return undefined;
    const evidence = [...outcome.evidence, ...told.answer.evidence];
    return dayCloseEndOf({ ...told.answer, evidence }, told.asked);
  }

  function refuse(dayCloseId: string, outcome: TerminalOutcome & { kind: 'NOT_STARTED' }): BridgeError {
    const record = openClose(dayCloseId);
    const { errorCode, message: errorMessage } = outcome;
    engine.events.commit(record.terminalId, (unit) => {
      unit.saveDayClose({ ...nextClose(record), state: 'FAILED', errorCode, errorMessage, updatedAt: nowIso(engine) });
      unit.releaseIdempotency(dayCloseId);
    });
    engine.gate.answered(dayCloseId);
    return new BridgeError(errorCode, errorMessage);
  }

  /** The terminal has not told its end in the time of the call: it goes on, and the truth replaces the answer. @throws before the intent */
  function endAtDeadline(dayCloseId: string): Answer {
    const record = journal.findDayClose(dayCloseId);
    if (record === undefined || !isOpenClose(record)) throw lateTerminal();
    const reason = 'The terminal had not confirmed the day close when the time of the call was over.';
    return endDayClose(
      engine,
      nextClose(record),
      { kind: 'OPEN', question: { reason, reasonCode: 'ANSWER_LOST', canBeAsked: true }, evidence: [] },
      BY,
    );
  }

  function openClose(dayCloseId: string): DayCloseRecord {
    const record = journal.findDayClose(dayCloseId);
    if (record === undefined || !isOpenClose(record)) throw new Error('the day close is not open');
    return record;
  }

  return reconcile;
}

/** @throws BridgeError a refusal: nothing was sent */
async function prepare(engine: Engine, call: CloseCall, work: Work): Promise<PreparedExchange> {
  const { lane, deadline, dayCloseId: transactionId, moment: close } = call;
  const time = timedSignal(engine.deps.clock, deadline.remainingMs(), work.preparation.signal);
  try {
    const { currency } = lane.attached;
    const command = { transactionId, operation: 'DAY_CLOSE', currency, close } as const;
    const exchange = await lane.terminal.prepare(command, time.signal);
    if (!time.signal.aborted) return exchange;
    exchange.discard();
    throw lateTerminal();
  } catch (error) {
    if (error instanceof BridgeError) throw error;
    if (time.signal.aborted) throw lateTerminal();
    throw new BridgeError('TERMINAL_NOT_READY', 'the terminal could not be made ready', { cause: error });
  } finally {
    time.done();
  }
}

async function runClose(engine: Engine, call: CloseCall, exchange: PreparedExchange): Promise<TerminalOutcome> {
  try {
    return await exchange.run({
      onProgress: () => undefined,
      // The intent is on disk, and the terminal's turnover tells later whether it closed: nothing more is needed to acknowledge.
      onProvisional: () => Promise.resolve(),
    });
  } catch (error) {
    engine.deps.log.error('A driver failed during a day close.', {
      transactionId: call.dayCloseId,
      reason: String(error),
    });
    return { kind: 'UNKNOWN', message: 'The connection to the terminal failed.', evidence: [] };
  }
}

function draft(engine: Engine, call: CloseCall, reader: JournalReader): DayCloseRecord {
  const { lane, context } = call;
  const { terminalId } = lane;
  const batchNumber = reader.openBatchNumber(terminalId);
  return {
    dayCloseId: call.dayCloseId,
    terminalId,
    merchantId: engine.deps.settings.merchantId,
    actor: context.actor,
    clientId: context.clientId,
    state: 'INTENT',
    revision: 1,
    batchNumber,
    businessDate: call.moment.businessDate,
    createdAt: call.moment.closedAt,
    updatedAt: nowIso(engine),
    recoveryMark: {},
    totals: reader.totals(terminalId, batchNumber, lane.attached.currency),
    differences: [],
    startedByTerminal: false,
    evidence: [],
  };
}

function blockersOf(lane: Lane, reader: JournalReader) {
  const blockers = dayCloseBlockers(reader, lane.terminalId);
  const running = lane.work?.id;
  if (running === undefined || blockers.some((blocker) => blocker.transactionId === running)) return blockers;
  return [{ transactionId: running, reason: 'IN_PROGRESS' as const }, ...blockers];
}

function requireNothingOpen(reader: JournalReader, lane: Lane): void {
  requireNone(dayCloseBlockers(reader, lane.terminalId));
}

/** @throws BridgeError DAY_CLOSE_BLOCKED */
function requireNone(blockers: readonly DayCloseBlocker[]): void {
  if (blockers.length > 0) throw dayCloseBlocked(blockers);
}

/** The totals as they would be settled now; changes no byte. */
function dryRun(engine: Engine, lane: Lane): Answer {
  const { journal } = engine.deps;
  const { terminalId, attached } = lane;
  const openPreAuths = openPreAuthsOf(journal, terminalId);
  const namedDifferences = salesToForward(journal, terminalId).map(missingAtHost);
  const response: ReconciliationResponse = {
    status: 'SUCCESS',
    totals: journal.totals(terminalId, journal.openBatchNumber(terminalId), attached.currency),
    timestamp: nowIso(engine),
    businessDate: engine.businessDay(engine.deps.clock.nowMs()),
    ...(namedDifferences.length === 0 ? {} : { namedDifferences }),
    ...(openPreAuths.length === 0 ? {} : { openPreAuths }),
  };
  return { statusCode: 200, body: JSON.stringify(response), transactionId: '', replayed: false };
}
