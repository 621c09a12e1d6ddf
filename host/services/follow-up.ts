import { BridgeError } from '../../app/contract/errors.ts';
import type { AcquirerReply, FollowUpMessage } from '../ports/acquirer.ts';
import type { NewIdempotency, PaymentRecord, StoredAcquirerMessage } from '../ports/host-records.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import { acquirerCall } from './acquirer-call.ts';
import type { DeviceCaller, HostAnswer, HostCall } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { IdempotencyGate } from './idempotency-gate.ts';
import { answerRecordOf, type FollowUpKind, followUpChange, foundingOutcome, lostChange } from './outcomes.ts';
import { requireOwnPayment } from './own-device.ts';
import { openTask } from './recovery-tasks.ts';
import { notSentError, outcomeNotStored } from './send-founding.ts';
import { answerWith } from './stored-answers.ts';
import { drawTrace, foundingMessage, messageOf, originalOf } from './traces.ts';
import { type EndSession, writeOutcome } from './write-outcome.ts';

/** What a device asks about a payment that stands. */
interface FollowUpAsk {
  readonly kind: FollowUpKind;
  readonly caller: DeviceCaller;
  readonly call: HostCall;
  /** Id of the payment, or the till's name for it. */
  readonly paymentId: string;
  readonly body: object;
  /** Whether it may be, and with how much: the amount of the message, minor units. @throws BridgeError */
  check(record: PaymentRecord): Promise<number>;
  readonly tipSource?: string;
}

/** Asks the acquirer to act on a payment, once: mark and message on disk, message, outcome on disk. */
export type FollowUp = (ask: FollowUpAsk) => Promise<HostAnswer>;

/** A mark that is on disk, with the message that may leave. */
interface Begun {
  readonly marked: PaymentRecord;
  readonly message: FollowUpMessage;
}

/** Times that the mark is tried when others change the payment meanwhile. */
const MAX_MARK_TRIES = 3;

export function createFollowUp(
  deps: HostDeps,
  { gate, endSession }: { readonly gate: IdempotencyGate; readonly endSession: EndSession },
): FollowUp {
  const { store, acquirer, clock, log } = deps;

  const send = (kind: FollowUpKind, message: FollowUpMessage): Promise<AcquirerReply> =>
    sendFollowUp(deps, kind, message, false);

  const begin = async (ask: FollowUpAsk, reservation: NewIdempotency): Promise<Begun | HostAnswer> => {
    const { kind, caller, paymentId } = ask;
    for (let tries = 1; tries <= MAX_MARK_TRIES; tries += 1) {
      const record = await requireOwnPayment(store, caller, paymentId);
      const amountMinor = await ask.check(record);
      requireUnmarked(record);
      if (!acquirer.isReady()) throw notSentError('LINE_DOWN');
      const founding = await requireFounding(record);
      const trace = await drawTrace(deps, caller);
      const result = await store.transact(async (unit) => {
        const found = await unit.reserveIdempotency(reservation);
        if (found !== undefined) return { found };
        const marked = await unit.beginOperation(record, kind, clock.nowMs());
        if (marked === undefined) await unit.releaseIdempotency(reservation);
        else await unit.addMessage(messageOf(deps, record, kind, trace, amountMinor));
        return { marked };
      });
      if (result.found !== undefined) return await gate.repeat(result.found, reservation);
      if (result.marked !== undefined) {
        const message = followUpMessage(record, founding, trace, amountMinor);
        return { marked: result.marked, message };
      }
    }
    throw busyError(paymentId);
  };

  const requireFounding = async (record: PaymentRecord): Promise<StoredAcquirerMessage> => {
    const { merchantId, id: paymentId } = record.payment;
    const founding = foundingMessage(await store.read.listMessages({ merchantId, paymentId }));
    if (founding !== undefined) return founding;
    throw new BridgeError('ILLEGAL_STATE', 'the acquirer was never asked about this payment', {
      details: { transactionId: paymentId },
    });
  };

  /** The payment stays as it was, the key is free again, and the caller is told why. */
  const undo = async (
    begun: Begun,
    ask: FollowUpAsk,
    reservation: NewIdempotency,
    error: BridgeError,
    reply: AcquirerReply,
  ): Promise<never> => {
    const { merchantId, id: paymentId } = begun.marked.payment;
    const atMs = clock.nowMs();
    const answer = answerRecordOf(reply);
    await store.transact(async (unit) => {
      await unit.endOperation({ merchantId, paymentId }, ask.kind, atMs);
      if (answer !== undefined) {
        const { reference: messageId, sentAtMs } = begun.message.trace;
        await unit.answerMessage({ merchantId, paymentId, messageId, sentAtMs }, answer, atMs);
      }
      await unit.releaseIdempotency(reservation);
    });
    throw error;
  };

  const finish = async (
    ask: FollowUpAsk,
    begun: Begun,
    reservation: NewIdempotency,
    reply: AcquirerReply,
  ): Promise<HostAnswer> => {
    if (reply.kind === 'NOT_SENT') return await undo(begun, ask, reservation, notSentError(reply.reason), reply);
    const { marked, message } = begun;
    const { amountMinor } = message;
    const trigger = reply.kind === 'ANSWERED' ? triggerOf(marked, amountMinor, reply) : 'OUTCOME_LOST';
    if (reply.kind === 'ANSWERED' && trigger === 'DECLINED') {
      return await undo(begun, ask, reservation, refusedError(marked, reply.answer.responseCode), reply);
    }
    const atMs = clock.nowMs();
    const isLost = trigger === 'OUTCOME_LOST';
    if (isLost)
      log.warn('the acquirer has given no certain answer', { transactionId: marked.payment.id, command: ask.kind });
    const tip = ask.tipSource === undefined ? {} : { tipSource: ask.tipSource };
    const change = isLost ? lostChange(marked, atMs) : followUpChange(marked, ask.kind, { amountMinor, ...tip }, atMs);
    const kept = answerWith(change.payment);
    const answer = answerRecordOf(reply);
    const { reference: messageId, sentAtMs } = message.trace;
    const isWritten = await writeOutcome(
      { store, endSession },
      {
        from: marked,
        change,
        kept: { reservation, answer: kept },
        ...(answer === undefined ? {} : { message: { messageId, sentAtMs, answer } }),
        ...(isLost ? { also: (unit, after) => openTask(deps, unit, after, 'NO_ANSWER', atMs) } : {}),
      },
    );
    if (!isWritten) return await answerOvertaken(marked, reservation);
    return { ...kept, replayed: false, subjectId: marked.payment.id };
  };

  /** A reversal came meanwhile: it takes back whatever was done. What stands now is the answer. */
  const answerOvertaken = async ({ payment }: PaymentRecord, reservation: NewIdempotency): Promise<HostAnswer> => {
    const now = await store.read.findPayment({ merchantId: payment.merchantId, paymentId: payment.id });
    if (now === undefined) throw new Error('a payment is gone');
    const answer = answerWith(now.payment);
    const kept = await store.transact((unit) => unit.saveAnswer(reservation, answer));
    return { ...(kept ?? answer), replayed: false, subjectId: payment.id };
  };

  return async (ask) => {
    const { caller, call, body } = ask;
    const { payment } = await requireOwnPayment(store, caller, ask.paymentId);
    return await gate.once({ caller, call, body, subjectId: payment.id }, async (reservation) => {
      const begun = await begin(ask, reservation);
      if ('body' in begun) return begun;
      const reply = await send(ask.kind, begun.message);
      try {
        return await finish(ask, begun, reservation, reply);
      } catch (error) {
        if (error instanceof StoreUnavailable) throw outcomeNotStored(payment.id, error);
        throw error;
      }
    });
  };
}

/** Sends a message of this kind; a repeat under its first trace is the same act to the acquirer. */
export function sendFollowUp(
  deps: HostDeps,
  kind: FollowUpKind,
  message: FollowUpMessage,
  isRepeat: boolean,
): Promise<AcquirerReply> {
  const { acquirer } = deps;
  const call = acquirerCall(deps, isRepeat);
  if (kind === 'CAPTURE') return acquirer.capture(message, call);
  return kind === 'VOID' ? acquirer.void(message, call) : acquirer.adjustTip(message, call);
}

/** The message that acts on the payment that `founding` made. */
export function followUpMessage(
  record: PaymentRecord,
  founding: StoredAcquirerMessage,
  trace: FollowUpMessage['trace'],
  amountMinor: number,
): FollowUpMessage {
  const { merchantId, currencyCode } = record.payment;
  const { terminalId } = record;
  return { merchantId, terminalId, trace, amountMinor, currencyCode, original: originalOf(record, founding) };
}

/** What an answer to an act says: done, refused, or nothing certain. */
export function triggerOf(
  record: PaymentRecord,
  amountMinor: number,
  { answer }: Extract<AcquirerReply, { kind: 'ANSWERED' }>,
): 'APPROVED' | 'DECLINED' | 'OUTCOME_LOST' {
  const asked = { ...record, payment: { ...record.payment, amountMinor, captureMethod: 'AUTOMATIC' as const } };
  const { trigger } = foundingOutcome(asked, answer);
  return trigger === 'APPROVED' || trigger === 'DECLINED' ? trigger : 'OUTCOME_LOST';
}

function requireUnmarked({ payment, operation }: PaymentRecord): void {
  if (operation !== undefined) throw busyError(payment.id);
}

function busyError(transactionId: string): BridgeError {
  return new BridgeError('ILLEGAL_STATE', 'another call is at work on the payment; look it up', {
    details: { transactionId },
  });
}

function refusedError({ payment }: PaymentRecord, code: string): BridgeError {
  return new BridgeError('ILLEGAL_STATE', `the acquirer has refused it with code ${code}; the payment is as it was`, {
    details: { transactionId: payment.id },
  });
}
