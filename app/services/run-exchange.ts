import { isOpen, isUnknown, standingOf } from '../domain/transaction.machine.ts';
import type { CancelReason, Evidence } from '../domain/transaction.ts';
import type { PreparedExchange, TerminalOutcome } from '../ports/terminal.ts';
import {
  type AppliedOutcome,
  applyOutcome,
  applyProvisional,
  approvalDoubt,
  type DecidingOutcome,
  movesMoney,
  withEvidence,
} from './apply-outcome.ts';
import { applyAnswer, askRepeatedly, questionAbout } from './ask.ts';
import { endTransaction, withRequestId } from './end-transaction.ts';
import { type Engine, nowIso } from './engine.ts';
import { MAX_QUESTIONS_BEFORE_TASK } from './engine-limits.ts';
import type { Lane, Work } from './lane.ts';
import { createProgressEvents } from './progress-events.ts';
import type { Answer } from './till.ts';

/** A transaction in flight: its lane, its work with the committed intent, and the exchange that is to run. */
export interface Flight {
  readonly engine: Engine;
  readonly lane: Lane;
  readonly work: Work;
  readonly exchange: PreparedExchange;
}

/** Call: runs the command once, commits what must be on disk before it is acknowledged, and tells the progress. Never rejects. */
export async function runExchange({ engine, lane, work, exchange }: Flight): Promise<TerminalOutcome> {
  const record = committed(work);
  const { terminalId } = lane;
  const progress = createProgressEvents(record, (event) =>
    engine.events.emit(terminalId, withRequestId(event, work.eventRequestId)),
  );
  try {
    const outcome = await exchange.run({
      onProgress: (step) => progress.onProgress(step),
      // Async, so that a failing commit is a rejection that the driver answers by not acknowledging.
      onProvisional: async (provisional) => persistProvisional({ engine, lane, work, exchange }, provisional),
    });
    progress.beforeResult(outcome);
    return outcome;
  } catch (error) {
    engine.deps.log.error('A driver failed while a command was out.', {
      transactionId: work.id,
      terminalId,
      reason: String(error),
    });
    return { kind: 'UNKNOWN', message: 'The connection to the terminal failed.', evidence: [] };
  }
}

/** The result is on disk before the terminal may rely on us (issue: "provisional"). @throws what keeps it from being acknowledged */
function persistProvisional({ engine, lane, work }: Flight, outcome: TerminalOutcome): void {
  const before = committed(work);
  const isStillWanted = isOpen(before.state) || isUnknown(standingOf(before));
  if (!isStillWanted) throw new Error('the transaction has ended without this result');
  const after = applyProvisional(before, outcome, nowIso(engine));
  if (after === before) return;
  engine.events.commit(lane.terminalId, (unit) => unit.saveTransaction(after));
  work.record = after;
  const doubt = outcome.kind === 'APPROVED' ? approvalDoubt(after, outcome) : undefined;
  // Not acknowledged, the terminal takes back by itself what was not asked for.
  if (doubt !== undefined) throw new Error(doubt);
}

/**
 * Persist outcome: what the command's end makes of the record. A lost answer is asked for first.
 * @returns undefined when a person has decided it first, or when the till ends before it is known: the row is then left open for the recovery of
 * the next start
 * @throws BridgeError JOURNAL_UNAVAILABLE
 */
export async function settleOutcome(flight: Flight, outcome: DecidingOutcome): Promise<Answer | undefined> {
  const { engine, work } = flight;
  const found = await findOutcome(flight, outcome);
  if (found === undefined) return undefined;
  const before = committed(work);
  // The deadline may have ended an operation that moves no money.
  if (!isOpen(before.state) && !isUnknown(standingOf(before))) return undefined;
  const applied = found.apply(before);
  const answer = endTransaction(engine, before, applied, {
    by: 'system: the terminal answered',
    evidence: found.evidence,
    asked: found.asked,
    eventRequestId: work.eventRequestId,
  });
  work.record = applied.record;
  return answer;
}

interface FoundOutcome {
  readonly asked: number;
  readonly evidence: readonly Evidence[];
  apply(record: ReturnType<typeof committed>): AppliedOutcome;
}

async function findOutcome(flight: Flight, outcome: DecidingOutcome): Promise<FoundOutcome | undefined> {
  const { engine, lane, work } = flight;
  const at = () => nowIso(engine);
  if (outcome.kind !== 'UNKNOWN' || !movesMoney(committed(work))) {
    return { asked: 0, evidence: [], apply: (record) => applyOutcome(record, outcome, at(), cancelReasonOf(work)) };
  }
  if (engine.stopping.aborted) return undefined;
  engine.deps.log.warn('An answer was lost; the terminal is asked.', {
    transactionId: work.id,
    terminalId: lane.terminalId,
    reason: outcome.message,
  });
  const question = questionAbout(engine, committed(work));
  work.isAsking = true;
  const isDecided = () => !isOpen(committed(work).state) && !isUnknown(standingOf(committed(work)));
  const told = await askRepeatedly(engine, lane, question, MAX_QUESTIONS_BEFORE_TASK, isDecided);
  if (told === undefined) return undefined;
  const { answer, asked } = told;
  return {
    asked,
    evidence: [...outcome.evidence, ...answer.evidence],
    apply: (record) => applyAnswer(withEvidence(record, outcome.evidence), answer, at()),
  };
}

/** A cancellation that the terminal did not choose has the reason of who asked for it. */
export function cancelReasonOf(work: Work): CancelReason | undefined {
  switch (work.abortedBy) {
    case 'POS':
      return 'POS_REQUEST';
    case 'DEADLINE':
      return 'TIMEOUT';
    case 'CARDHOLDER':
      return 'CARDHOLDER';
    default:
      return undefined;
  }
}

/** The newest committed revision of a work that has its intent on disk. */
export function committed(work: Work) {
  if (work.record === undefined) throw new Error('there is no committed intent');
  return work.record;
}
