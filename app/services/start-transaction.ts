import { BridgeError } from '../contract/errors.ts';
import type { TransactionRequest } from '../contract/transactions.ts';
import type { TipChoice, TransactionRecord } from '../domain/transaction.ts';
import type { JournalReader } from '../ports/journal.ts';
import type { PreparedExchange } from '../ports/terminal.ts';
import { checkCapabilities, checkTipSource, checkVoidable } from './check-request.ts';
import { commandOf } from './commands.ts';
import { type Deadline, timedSignal, within } from './deadline.ts';
import { type Engine, nowIso, requireRunning } from './engine.ts';
import { DEVICE_JOB_WAIT_MS } from './engine-limits.ts';
import type { Reservation } from './idempotency-gate.ts';
import { type Lane, takeLane, type Work } from './lane.ts';
import type { Plan, PlanContext } from './operations/operation.ts';
import { planOf } from './operations/table.ts';
import type { Recovery } from './recover.ts';
import type { CallContext } from './till.ts';
import { armTraining, type TrainingRule, trainingRuleOf } from './training.ts';

/** One call that starts a transaction. */
export interface StartCall {
  readonly context: CallContext;
  readonly lane: Lane;
  readonly request: TransactionRequest;
  readonly mode: TransactionRecord['mode'];
  readonly deadline: Deadline;
  readonly transactionId: string;
  readonly reservation: Reservation | undefined;
  /** How the tip of the request was chosen; absent where nobody was asked. */
  readonly tip?: TipChoice;
}

/** What stands before the terminal is bothered: nothing is journaled yet, and every failure is a refusal. */
export interface StartedCall {
  readonly work: Work;
  readonly rule: TrainingRule | undefined;
}

/**
 * Check → lock: capabilities, originals and ceilings, then the terminal.
 * @throws BridgeError a refusal; nothing was sent and nothing is journaled
 */
export function checkAndLock(engine: Engine, call: StartCall): StartedCall {
  requireRunning(engine);
  const { lane, request, context } = call;
  const { journal } = engine.deps;
  checkCapabilities(lane, request, call.mode);
  if (context.tipSource !== undefined)
    checkTipSource(context.tipSource, request, engine.deps.tipsOf?.(lane.terminalId));
  checkVoidable(lane, request.type, planOf[request.type](journal, request, planContext(engine, call)).target);
  const rule = trainingRuleOf(lane.attached, request);
  const work = takeLane(lane, journal, {
    kind: 'TRANSACTION',
    id: call.transactionId,
    eventRequestId: context.eventRequestId,
  });
  return { work, rule };
}

/** Waits for what the terminal shows or asks, then for its open recovery questions. @throws BridgeError a refusal */
export async function readyTerminal(engine: Engine, recovery: Recovery, lane: Lane, work: Work): Promise<void> {
  const { clock } = engine.deps;
  if (lane.deviceJob !== undefined)
    await within(
      clock,
      DEVICE_JOB_WAIT_MS,
      lane.deviceJob.catch(() => undefined),
    );
  if (lane.deviceJob !== undefined) throw new BridgeError('TERMINAL_BUSY', 'the terminal shows or asks something');
  await recovery.askFirst(lane);
  requireWanted(work);
}

/**
 * Makes the terminal ready for the command: the sandbox rule, then `prepare`. Nothing that moves money is sent.
 * @throws BridgeError a refusal
 */
export async function prepareExchange(
  engine: Engine,
  call: StartCall,
  { work, rule }: StartedCall,
): Promise<PreparedExchange> {
  const { lane, deadline } = call;
  const { clock, journal } = engine.deps;
  // The cardholder may have been asked meanwhile, for longer than the call or the till has had.
  requireWanted(work);
  if (engine.stopping.aborted) throw lateTerminal();
  await armTraining(lane, work, rule);
  const draft = draftRecord(engine, call, planOf[call.request.type](journal, call.request, planContext(engine, call)));
  const time = timedSignal(clock, deadline.remainingMs(), work.preparation.signal);
  try {
    const exchange = await lane.terminal.prepare(commandOf(draft, journal), time.signal);
    if (time.signal.aborted) {
      exchange.discard();
      throw lateTerminal();
    }
    return exchange;
  } catch (error) {
    if (error instanceof BridgeError) throw error;
    if (time.signal.aborted) throw lateTerminal();
    throw new BridgeError('TERMINAL_NOT_READY', 'the terminal could not be made ready', { cause: error });
  } finally {
    time.done();
  }
}

export function lateTerminal(): BridgeError {
  return new BridgeError('TERMINAL_NOT_READY', 'the terminal was not ready in time; nothing was sent');
}

function requireWanted(work: Work): void {
  if (work.preparation.signal.aborted) throw lateTerminal();
}

/**
 * Persist intent: one commit with the row, the reserved key, the waiting events and the checks once more, where nothing can come between.
 * @throws BridgeError a refusal, or JOURNAL_UNAVAILABLE; the exchange has not run
 */
export function persistIntent(
  engine: Engine,
  call: StartCall,
  { work, rule }: StartedCall,
  exchange: PreparedExchange,
): void {
  const { lane, request, reservation, transactionId } = call;
  work.record = engine.events.commit(lane.terminalId, (unit) => {
    // An id that somebody else has chosen never takes the place of a payment.
    if (unit.findTransaction(transactionId) !== undefined)
      throw new BridgeError('ILLEGAL_STATE', 'a transaction with this id exists; nothing was sent');
    const plan = planOf[request.type](unit, request, planContext(engine, call));
    const draft = draftRecord(engine, call, plan, unit);
    const record: TransactionRecord = {
      ...draft,
      recoveryMark: exchange.mark,
      ...(rule === undefined ? {} : { simulatedRule: rule.simulatedRule }),
    };
    unit.saveTransaction(record);
    if (reservation !== undefined) {
      unit.reserveIdempotency({ ...reservation, subjectId: transactionId, createdAt: record.createdAt });
    }
    return record;
  });
  work.exchange = exchange;
}

function planContext(engine: Engine, call: StartCall): PlanContext {
  return {
    clientId: call.context.clientId,
    terminalId: call.lane.terminalId,
    mode: call.mode,
    nowMs: engine.deps.clock.nowMs(),
  };
}

function draftRecord(
  engine: Engine,
  call: StartCall,
  plan: Plan,
  reader: JournalReader = engine.deps.journal,
): TransactionRecord {
  const { context, lane, request } = call;
  const at = nowIso(engine);
  return {
    transactionId: call.transactionId,
    terminalId: lane.terminalId,
    merchantId: engine.deps.settings.merchantId,
    actor: context.actor,
    clientId: context.clientId,
    type: request.type,
    mode: call.mode,
    state: 'INTENT',
    revision: 1,
    ...plan.amounts,
    currency: request.currency,
    ...(request.entryMode === undefined ? {} : { requestedEntryMode: request.entryMode }),
    ...(request.referenceId === undefined ? {} : { referenceId: request.referenceId }),
    ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
    ...(call.tip === undefined ? {} : { tipChoice: call.tip }),
    ...(context.paymentSession === undefined ? {} : { paymentSession: context.paymentSession }),
    ...(request.originalTransactionId === undefined ? {} : { originalTransactionId: request.originalTransactionId }),
    ...(plan.target === undefined ? {} : { targetTransactionId: plan.target.transactionId }),
    ...(plan.possibleDuplicateOf === undefined ? {} : { possibleDuplicateOf: plan.possibleDuplicateOf }),
    businessDate: engine.businessDay(engine.deps.clock.nowMs()),
    batchNumber: reader.openBatchNumber(lane.terminalId),
    createdAt: at,
    updatedAt: at,
    recoveryMark: {},
    card: {},
    receipts: [],
    outcome: { charged: 'UNKNOWN', safeToRetry: false, evidence: 'The transaction is in progress.' },
    evidence: [],
    simulated: lane.attached.simulated,
  };
}
