import type { ErrorCode } from '../contract/errors.ts';
import type { Payment } from '../contract/host/payment.ts';
import type { ReconciliationResponse, TransactionTotals } from '../contract/settlements.ts';
import type { JsonObject } from '../domain/json-value.ts';
import { netAmountOf } from '../domain/totals.ts';
import type { HostCall, HostClient, HostReply } from '../ports/host-client.ts';
import type { Log } from '../ports/log.ts';
import type { DefiniteOutcome, RecoveryAnswer, TerminalCommand, TerminalOutcome } from '../ports/terminal.ts';
import { unreachable } from './ask-issuer.ts';
import { type Asking, askUntilKnown } from './ask-until-known.ts';
import { hostPaymentIdOf } from './authorize-request.ts';
import { againLater, noteOf, settled } from './recovery-answers.ts';
import { CALL_TIMEOUT_MS } from './sync-limits.ts';

/** What the host does without a card. */
export type HostCommand = Extract<TerminalCommand, { operation: 'VOID' | 'PRE_AUTH_COMPLETE' | 'DAY_CLOSE' }>;

export interface HostCommandDeps extends Asking {
  readonly host: HostClient;
  readonly log: Log;
}

/** Refusals that say nothing of an earlier try: the host did not look at the call. */
const unlooked: ReadonlySet<ErrorCode> = new Set([
  ...(['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'HOST_UNREACHABLE', 'JOURNAL_UNAVAILABLE'] as const),
]);

type Reply = HostReply<Payment | ReconciliationResponse>;

/** Who the terminal is at the host, and what its journal counts: the mark of a day close, so that a repeat says the same. */
interface CloseMark {
  readonly deviceId: string;
  readonly terminalId: string;
  readonly journalTotals: TransactionTotals;
  readonly businessDate?: string;
  readonly closedAt?: string;
}

/** Has the host do it: one call under a key of the transaction, repeated under it until it is known (decisions: Lost responses). */
export async function runHostCommand(
  deps: HostCommandDeps,
  command: HostCommand,
  mark: JsonObject,
): Promise<TerminalOutcome> {
  const outcome = await askUntilKnown(
    deps,
    (call) => send(deps.host, command, mark, call),
    (reply, mayHaveArrived) => outcomeOf(deps.log, command, reply, mayHaveArrived),
  );
  return outcome ?? { kind: 'UNKNOWN', message: 'The host has not told what it did.', evidence: [] };
}

/** Repeats the call under its key: the host does it once, and tells what it did. */
export async function recoverHostCommand(
  { host, clock, log }: HostCommandDeps,
  command: HostCommand,
  mark: JsonObject,
  signal: AbortSignal,
): Promise<RecoveryAnswer> {
  const reply = await send(host, command, mark, { timeoutMs: REPEAT_TIMEOUT_MS, signal });
  const outcome = outcomeOf(log, command, reply, true);
  const question = 'Has the host done it? (the same call under the same key)';
  if (outcome !== undefined) return settled(outcome, noteOf(clock, question, wordsOf(outcome)));
  const reason = reply.kind === 'ANSWERED' ? 'The host does not know yet what became of it.' : wordsOfReply(reply);
  return againLater(clock, question, reason);
}

/** Milliseconds for a repeat: it ends within the time of one question of recovery. */
const REPEAT_TIMEOUT_MS = 50_000;

function send(host: HostClient, command: HostCommand, mark: JsonObject, call: HostCall): Promise<Reply> {
  const { transactionId } = command;
  switch (command.operation) {
    case 'VOID': {
      const keyed = { ...call, idempotencyKey: `void-${transactionId}` };
      return host.voidPayment(hostPaymentIdOf(command.original), {}, keyed);
    }
    case 'PRE_AUTH_COMPLETE': {
      const keyed = { ...call, idempotencyKey: `capture-${transactionId}` };
      return host.capture(hostPaymentIdOf(command.original), { amountMinor: command.amountMinor }, keyed);
    }
    case 'DAY_CLOSE': {
      const timeoutMs = Math.min(call.timeoutMs, 2 * CALL_TIMEOUT_MS);
      const keyed = { ...call, timeoutMs, idempotencyKey: `close-${transactionId}` };
      return host.reconcile({ ...(mark as unknown as CloseMark), closeDay: true }, keyed);
    }
  }
}

/** undefined: nobody knows yet. @param mayHaveArrived of an earlier try */
function outcomeOf(log: Log, command: HostCommand, reply: Reply, mayHaveArrived: boolean): DefiniteOutcome | undefined {
  switch (reply.kind) {
    case 'LOST':
      return undefined;
    case 'NOT_SENT':
      return mayHaveArrived ? undefined : failed(unreachable(reply.reason));
    case 'REFUSED':
      // Somebody else has taken it back: it is void, which is what was asked for.
      if (command.operation === 'VOID' && reply.errorCode === 'ALREADY_VOIDED') return voided(command.original);
      if (mayHaveArrived && unlooked.has(reply.errorCode)) return undefined;
      return failed(`The host refused (${reply.errorCode}: ${reply.message}).`);
    case 'ANSWERED':
      return 'totals' in reply.body ? closed(log, command, reply.body) : changed(command, reply.body);
  }
}

function changed(command: HostCommand, payment: Payment): DefiniteOutcome | undefined {
  if (command.operation === 'VOID') return payment.status === 'REVERSED' ? voided(command.original) : undefined;
  if (command.operation !== 'PRE_AUTH_COMPLETE' || payment.status !== 'SUCCEEDED') return undefined;
  const { id, authorizationCode, rrn, cardScheme, maskedPan, capturedAmountMinor } = payment;
  return {
    kind: 'APPROVED',
    card: {
      responseCode: '00',
      ...(authorizationCode === undefined ? {} : { authorizationCode }),
      ...(rrn === undefined ? {} : { rrn }),
      ...(cardScheme === undefined ? {} : { cardScheme }),
      ...(maskedPan === undefined ? {} : { maskedPan }),
    },
    ...(capturedAmountMinor === undefined || capturedAmountMinor === null ? {} : { chargedMinor: capturedAmountMinor }),
    reference: { paymentId: id },
    receipts: [],
  };
}

function voided(original: Parameters<typeof hostPaymentIdOf>[0]): DefiniteOutcome {
  return { kind: 'APPROVED', card: {}, reference: { paymentId: hostPaymentIdOf(original) }, receipts: [] };
}

/** The figures of the host, for the comparison with the journal. */
function closed(log: Log, { transactionId }: HostCommand, answer: ReconciliationResponse): DefiniteOutcome {
  if (answer.status === 'FAILED') return failed(answer.message ?? 'The host did not close the day.');
  for (const difference of answer.differences ?? []) {
    log.warn('The host counts otherwise than the journal.', { transactionId, reason: difference });
  }
  const { settlementId, businessDate } = answer;
  return {
    kind: 'APPROVED',
    card: {},
    reference: {},
    receipts: [],
    batch: {
      totalMinor: netAmountOf(answer.totals),
      totals: answer.totals,
      schemes: [],
      ...(businessDate === undefined ? {} : { businessDate }),
      ...(settlementId === undefined ? {} : { batchReference: settlementId }),
    },
  };
}

function failed(message: string): DefiniteOutcome {
  return { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message, receipts: [] };
}

function wordsOf(outcome: DefiniteOutcome): string {
  return 'message' in outcome ? outcome.message : 'Done.';
}

function wordsOfReply(reply: Exclude<Reply, { kind: 'ANSWERED' }>): string {
  return reply.kind === 'REFUSED' ? `The host refused (${reply.errorCode}).` : `The host: ${reply.reason}.`;
}
