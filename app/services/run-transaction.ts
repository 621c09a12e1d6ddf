import { BridgeError } from '../contract/errors.ts';
import type { TransactionRequest } from '../contract/transactions.ts';
import { isOpen } from '../domain/transaction.machine.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { TerminalOutcome } from '../ports/terminal.ts';
import { applyOutcome, endedWithoutMoney, movesMoney, unknownRecord } from './apply-outcome.ts';
import { withChosenTip } from './choose-tip.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { endTransaction } from './end-transaction.ts';
import { type Engine, nowIso, pickLane } from './engine.ts';
import type { Granular } from './granular.ts';
import { releaseLane, type Work } from './lane.ts';
import type { Recovery } from './recover.ts';
import { cancelReasonOf, committed, type Flight, runExchange, settleOutcome } from './run-exchange.ts';
import {
  checkAndLock,
  lateTerminal,
  persistIntent,
  prepareExchange,
  readyTerminal,
  type StartCall,
  type StartedCall,
} from './start-transaction.ts';
import type { Answer, CallContext } from './till.ts';
import { disarmTraining } from './training.ts';

export interface TransactionRunner {
  run(context: CallContext, request: TransactionRequest): Promise<Answer>;
  initiate(context: CallContext, request: TransactionRequest): Promise<Answer>;
}

/** Every transaction goes through the same stages: validate → load → check → persist intent → call → persist outcome → announce. */
export function createTransactionRunner(engine: Engine, recovery: Recovery, granular: Granular): TransactionRunner {
  async function call(
    context: CallContext,
    request: TransactionRequest,
    mode: TransactionRecord['mode'],
  ): Promise<Answer> {
    const lane = pickLane(engine, context);
    const deadline = createDeadline(engine.deps.clock, context.timeoutSeconds);
    const transactionId = context.transactionId ?? engine.deps.ids.next();
    const keyed = { context, terminalId: lane.terminalId, body: request, deadline, subjectId: transactionId };
    try {
      return await engine.gate.once(keyed, (reservation) =>
        start({ context, lane, request, mode, deadline, transactionId, reservation }),
      );
    } finally {
      deadline.cancel();
    }
  }

  async function start(startCall: StartCall): Promise<Answer> {
    const started = checkAndLock(engine, startCall);
    const ended = fly(startCall, started);
    return answerByDeadline(engine, startCall.deadline, started.work, ended);
  }

  /** From the lock to the release; goes on when the caller has been answered or has hung up. */
  async function fly(startCall: StartCall, started: StartedCall): Promise<Answer> {
    const { lane } = startCall;
    const { work } = started;
    try {
      await readyTerminal(engine, recovery, lane, work);
      const tipped = await withChosenTip(engine, startCall, work);
      const exchange = await prepareExchange(engine, tipped, started);
      try {
        persistIntent(engine, tipped, started, exchange);
      } catch (error) {
        exchange.discard();
        throw error;
      }
      return await conclude({ engine, lane, work, exchange });
    } finally {
      if (work.isArmed) await disarmTraining(engine, lane, work);
      // A granular payment keeps the terminal until the POS has completed it.
      if (!granular.holds(work.id)) {
        releaseLane(lane, work);
        recovery.later(lane);
      }
    }
  }

  async function conclude(flight: Flight): Promise<Answer> {
    const outcome = await outcomeOf(flight);
    try {
      if (outcome.kind === 'PENDING_ONLINE') return await granular.hold(flight, outcome);
      if (outcome.kind === 'NOT_STARTED' && isOpen(committed(flight.work).state)) throw refuse(flight, outcome);
      const answer = await settleOutcome(flight, outcome);
      if (answer !== undefined) return answer;
    } catch (error) {
      if (error instanceof BridgeError && error.code !== 'JOURNAL_UNAVAILABLE') throw error;
      engine.deps.log.error('The end of a transaction could not be written; it is left to recovery.', {
        transactionId: flight.work.id,
        terminalId: flight.lane.terminalId,
        reason: String(error),
      });
    }
    throw leftOpen(flight.work);
  }

  async function outcomeOf(flight: Flight): Promise<TerminalOutcome> {
    // Aborted while the terminal was being made ready: the command never leaves.
    if (flight.work.abortedBy === undefined) {
      const outcome = await runExchange(flight);
      if (outcome.kind !== 'NOT_STARTED') flight.work.isArmed = false;
      return outcome;
    }
    flight.exchange.discard();
    return { kind: 'CANCELLED', reason: cancelReasonOf(flight.work) ?? 'POS_REQUEST', receipts: [] };
  }

  /** The terminal refused before it did anything: the row says so, the key is free again, the caller gets the refusal. */
  function refuse({ lane, work }: Flight, outcome: TerminalOutcome & { kind: 'NOT_STARTED' }): BridgeError {
    const { record } = applyOutcome(committed(work), outcome, nowIso(engine));
    engine.events.commit(lane.terminalId, (unit) => {
      unit.saveTransaction(record);
      unit.releaseIdempotency(work.id);
    });
    work.record = record;
    engine.gate.answered(work.id);
    const details = { transactionId: work.id, outcome: record.outcome };
    return new BridgeError(outcome.errorCode, outcome.message, { details });
  }

  return {
    run: (context, request) => call(context, request, 'ORCHESTRATED'),
    initiate: (context, request) => call(context, request, 'GRANULAR'),
  };
}

/**
 * The caller is answered by the deadline whatever happens (decisions: Time-outs): first the terminal is asked to stop; without its confirmed end
 * the answer is OUTCOME_UNKNOWN, and what `ended` brings later resolves it.
 */
function answerByDeadline(engine: Engine, deadline: Deadline, work: Work, ended: Promise<Answer>): Promise<Answer> {
  const logLate = (error: unknown) =>
    engine.deps.log.warn('A transaction ended badly.', { transactionId: work.id, reason: String(error) });
  return new Promise((resolve, reject) => {
    deadline.onAbortTime(() => {
      if (work.record === undefined) {
        work.preparation.abort();
        return;
      }
      work.abortedBy ??= 'DEADLINE';
      work.exchange?.requestAbort().catch(logLate);
    });
    deadline.onAnswerTime(() => {
      if (work.record === undefined) {
        work.preparation.abort();
        reject(lateTerminal());
        return;
      }
      try {
        const answer = endAtDeadline(engine, work);
        if (answer !== undefined) resolve(answer);
      } catch (error) {
        logLate(error);
        reject(leftOpen(work));
      }
    });
    ended
      .catch((error: unknown) => {
        // A refusal is the caller's answer, and the line of the call tells it.
        if (!(error instanceof BridgeError)) logLate(error);
        throw error;
      })
      .then(resolve, reject);
  });
}

/** @returns undefined when it has just ended by itself */
function endAtDeadline(engine: Engine, work: Work): Answer | undefined {
  const before = committed(work);
  if (!isOpen(before.state)) return undefined;
  const reason = 'The terminal had not confirmed the end of the transaction when the time of the call was over.';
  const at = nowIso(engine);
  const applied = movesMoney(before)
    ? {
        record: unknownRecord(before, reason, at),
        open: { reason, reasonCode: 'ANSWER_LOST' as const, canBeAsked: true },
      }
    : { record: endedWithoutMoney(before, reason, at) };
  const circumstances = { by: 'system', evidence: [], eventRequestId: work.eventRequestId };
  const answer = endTransaction(engine, before, applied, circumstances);
  work.record = applied.record;
  return answer;
}

/** The command may have left and its end is not on disk: the caller must ask for the transaction, never start another. */
export function leftOpen(work: Work): BridgeError {
  const evidence = 'The till could not write the end of the transaction; it asks the terminal again.';
  return new BridgeError('INTERNAL', 'the outcome of the transaction is not known yet; look it up', {
    details: { transactionId: work.id, outcome: { charged: 'UNKNOWN', safeToRetry: false, evidence } },
  });
}
