import { BridgeError } from '../contract/errors.ts';
import type { TransactionResponse } from '../contract/transactions.ts';
import { createDeadline, within } from './deadline.ts';
import { type Engine, seenBy } from './engine.ts';
import { inProgress, type Lane, type Work } from './lane.ts';
import { responseOf } from './response.ts';
import type { CallContext } from './till.ts';

/**
 * Asks the terminal to stop, and waits for the end that the terminal itself tells: a request is not the end (decisions: Abort).
 * @throws BridgeError NOT_FOUND, ILLEGAL_STATE when it does not run, ABORT_TOO_LATE when the card is being authorized or the approval has won,
 * TRANSACTION_IN_PROGRESS when this call's time is over before the terminal has ended
 */
export async function abortTransaction(
  engine: Engine,
  context: CallContext,
  transactionId: string,
): Promise<TransactionResponse> {
  const running = [...engine.lanes.values()].find((each) => each.work?.id === transactionId);
  const lane = seenBy(context, running);
  const work = lane?.work;
  if (lane === undefined || work === undefined) throw notRunning(engine, context, transactionId);
  if (work.kind === 'DAY_CLOSE')
    throw new BridgeError('ILLEGAL_STATE', 'a day close cannot be aborted', { details: { transactionId } });
  const deadline = createDeadline(engine.deps.clock, context.timeoutSeconds);
  try {
    await requestStop(lane, work);
    const ended = await within(
      engine.deps.clock,
      deadline.remainingMs(),
      work.ended.then(() => true),
    );
    if (ended === undefined) throw inProgress(transactionId);
  } finally {
    deadline.cancel();
  }
  return endedResponse(engine, transactionId);
}

async function requestStop(lane: Lane, work: Work): Promise<void> {
  if (work.record?.state === 'PENDING_ONLINE') {
    throw tooLate(work.id, 'the POS is authorizing: complete it with a declining response code instead');
  }
  if (work.exchange === undefined) {
    // Still being made ready: the command will not leave.
    work.abortedBy ??= 'POS';
    work.question?.abort();
    return;
  }
  const taken = await work.exchange.requestAbort().catch(() => 'NOT_TAKEN' as const);
  if (taken === 'TOO_LATE') throw tooLate(work.id, 'the card is being authorized');
  if (taken === 'NOT_TAKEN') throw tooLate(work.id, 'the terminal did not take the request');
  if (lane.work === work) work.abortedBy ??= 'POS';
}

function endedResponse(engine: Engine, transactionId: string): TransactionResponse {
  const record = engine.deps.journal.findTransaction(transactionId);
  if (record === undefined) throw new BridgeError('NOT_FOUND', 'the transaction ended before anything was journaled');
  if (record.state === 'APPROVED') throw tooLate(transactionId, 'the approval came first', record.outcome);
  return responseOf(record, engine.deps.settings);
}

function notRunning(engine: Engine, context: CallContext, transactionId: string): BridgeError {
  const record = seenBy(context, engine.deps.journal.findTransaction(transactionId));
  if (record === undefined) return new BridgeError('NOT_FOUND', 'there is no transaction with this id');
  return new BridgeError('ILLEGAL_STATE', 'the transaction does not run', { details: { transactionId } });
}

function tooLate(transactionId: string, why: string, outcome?: TransactionResponse['outcome']): BridgeError {
  const details = outcome === undefined ? { transactionId } : { transactionId, outcome };
  return new BridgeError('ABORT_TOO_LATE', `too late to abort: ${why}`, { details });
}
