import { BridgeError } from '../../app/contract/errors.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { AcquirerReply, MessageAnswer, MessageTrace, ReversalReason } from '../ports/acquirer.ts';
import type { NewIdempotency, NewPayment, PaymentRecord } from '../ports/host-records.ts';
import type { BeginResult, PaymentRef } from '../ports/host-store.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import type { HostAnswer } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { IdempotencyGate } from './idempotency-gate.ts';
import { answerRecordOf, type Change, foundingChange, foundingOutcome, lostChange } from './outcomes.ts';
import { openTask, type TaskReason } from './recovery-tasks.ts';
import type { Reversals } from './reversals.ts';
import { answerWith } from './stored-answers.ts';
import { messageOf } from './traces.ts';
import { type EndSession, writeOutcome } from './write-outcome.ts';

/** A payment that is about to be asked for. Everything about it has been checked. */
interface Founding {
  readonly payment: NewPayment;
  readonly kind: 'AUTHORIZE' | 'REFUND';
  readonly trace: MessageTrace;
  readonly reservation: NewIdempotency;
  send(): Promise<AcquirerReply>;
  /** What the caller is told. */
  bodyOf(payment: Payment, answer?: MessageAnswer): object;
  /** Says why it cannot begin after all, when others were faster. @throws BridgeError */
  explainCeiling(): Promise<never>;
}

/** How a founding message ends. */
interface OutcomeEnd {
  readonly change: Change;
  readonly task?: TaskReason;
  readonly reversal?: ReversalReason;
}

interface FoundingParts {
  readonly gate: IdempotencyGate;
  readonly reversals: Reversals;
  readonly endSession: EndSession;
  /** Whose answer it is, should it come after its call has ended. */
  readonly noteSent: (reference: string, ref: PaymentRef) => void;
}

/** Sends what makes a payment, once: intent on disk, message, outcome on disk (architecture: Rules that carry the design). */
export type SendFounding = (founding: Founding) => Promise<HostAnswer>;

export function createSendFounding(deps: HostDeps, parts: FoundingParts): SendFounding {
  const { store, acquirer, clock, log } = deps;
  const { gate, reversals, endSession, noteSent } = parts;

  const refuseBegin = async (founding: Founding, result: Exclude<BeginResult, { kind: 'INSERTED' }>) => {
    switch (result.kind) {
      case 'KEY_TAKEN':
        return await gate.repeat(result.found, founding.reservation);
      case 'NAME_TAKEN':
        throw new BridgeError('ILLEGAL_STATE', 'transactionId names a payment that was begun, or reversed, before', {
          field: 'transactionId',
          details: { transactionId: result.paymentId },
        });
      case 'SESSION_TAKEN':
        throw new BridgeError('ILLEGAL_STATE', 'the payment session has had its one authorization attempt');
      case 'CEILING':
        return await founding.explainCeiling();
    }
  };

  /** Nothing has left: the payment was never authorized, and the key is free again. */
  const withdraw = async (founding: Founding, from: PaymentRecord, error: BridgeError): Promise<never> => {
    const atMs = clock.nowMs();
    const payment = { ...from.payment, status: 'CANCELED', updatedAt: isoOf(atMs) } as const;
    await store.transact(async (unit) => {
      const moved = await unit.movePayment({ from, trigger: 'NOT_SENT', payment, events: [], atMs });
      if (moved) await unit.releaseIdempotency(founding.reservation);
    });
    throw error;
  };

  /** The commit found the payment changed: a reversal came while the acquirer was being asked. What stands now is the answer. */
  const answerOvertaken = async (founding: Founding, from: PaymentRecord, isApproved: boolean): Promise<HostAnswer> => {
    const { merchantId, id: paymentId } = from.payment;
    const now = await store.read.findPayment({ merchantId, paymentId });
    if (now === undefined) throw new Error('a payment is gone');
    const isOver = now.payment.status === 'REVERSED' || now.payment.status === 'DECLINED';
    if (isApproved && isOver) await reversals.reopen(now);
    const answer = answerWith(founding.bodyOf(now.payment));
    const kept = await store.transact((unit) => unit.saveAnswer(founding.reservation, answer));
    return { ...(kept ?? answer), replayed: false, subjectId: paymentId };
  };

  const write = async (
    founding: Founding,
    from: PaymentRecord,
    reply: AcquirerReply,
    end: OutcomeEnd,
  ): Promise<HostAnswer> => {
    const { change, task, reversal } = end;
    const { atMs } = change;
    const answered = reply.kind === 'ANSWERED' ? reply.answer : undefined;
    const kept = answerWith(founding.bodyOf(change.payment, answered));
    const { reference: messageId, sentAtMs } = founding.trace;
    const record = answerRecordOf(reply);
    const isWritten = await writeOutcome(
      { store, endSession },
      {
        from,
        change,
        kept: { reservation: founding.reservation, answer: kept },
        ...(record === undefined ? {} : { message: { messageId, sentAtMs, answer: record } }),
        ...(task === undefined
          ? {}
          : {
              also: async (unit, after) => {
                await openTask(deps, unit, after, task, atMs);
                if (reversal !== undefined) await reversals.begin(unit, after, reversal, atMs);
              },
            }),
      },
    );
    const isApproved = change.payment.status === 'SUCCEEDED' || change.payment.status === 'REQUIRES_CAPTURE';
    if (!isWritten) return await answerOvertaken(founding, from, isApproved);
    return { ...kept, replayed: false, subjectId: from.payment.id };
  };

  const finish = async (founding: Founding, from: PaymentRecord, reply: AcquirerReply): Promise<HostAnswer> => {
    const atMs = clock.nowMs();
    if (reply.kind === 'NOT_SENT') return await withdraw(founding, from, notSentError(reply.reason));
    if (reply.kind === 'LOST') {
      log.warn('the acquirer has not answered', { transactionId: from.payment.id, reason: reply.reason });
      const reversal = acquirer.capabilities.canAsk ? {} : { reversal: 'NO_ANSWER' as const };
      return await write(founding, from, reply, { change: lostChange(from, atMs), task: 'NO_ANSWER', ...reversal });
    }
    const { answer } = reply;
    const outcome = foundingOutcome(from, answer);
    const validDays = acquirer.capabilities.authorizationValidDays;
    const change = foundingChange(from, outcome, answer, { atMs, validDays });
    if (outcome.recovery === undefined) return await write(founding, from, reply, { change });
    const isWrong = outcome.mismatches.length > 0;
    if (isWrong) log.error('the acquirer answers something else than was asked', { transactionId: from.payment.id });
    const isReversed = outcome.recovery === 'REVERSE' || !acquirer.capabilities.canAsk;
    const task = isWrong
      ? 'WRONG_ANSWER'
      : isReversed && outcome.decline !== undefined
        ? 'PARTIAL_APPROVAL'
        : 'UNCERTAIN_ANSWER';
    const reversal: ReversalReason = isWrong
      ? 'WRONG_ANSWER'
      : answer.responseCode === '10'
        ? 'PARTIAL_APPROVAL'
        : 'NO_ANSWER';
    return await write(founding, from, reply, { change, task, ...(isReversed ? { reversal } : {}) });
  };

  return async (founding) => {
    const { payment, kind, trace, reservation } = founding;
    const message = messageOf(deps, payment, kind, trace, payment.payment.amountMinor);
    const intent = { payment, trigger: 'AUTHORIZATION_BEGUN', idempotency: reservation, message } as const;
    const begun = await store.beginAuthorization(intent);
    if (begun.kind !== 'INSERTED') return await refuseBegin(founding, begun);
    const from = recordOf(payment);
    noteSent(trace.reference, { merchantId: payment.payment.merchantId, paymentId: payment.payment.id });
    const reply = await founding.send();
    try {
      return await finish(founding, from, reply);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw outcomeNotStored(payment.payment.id, error);
      throw error;
    }
  };
}

/** As it was just stored. */
function recordOf(payment: NewPayment): PaymentRecord {
  return { ...payment, refundedMinor: 0, refundCount: 0, revision: 1 };
}

/** Of a message of which nothing has left. */
export function notSentError(reason: 'LINE_DOWN' | 'BUSY' | 'ABORTED' | 'UNSUPPORTED' | 'DOES_NOT_FIT'): BridgeError {
  if (reason === 'DOES_NOT_FIT')
    return new BridgeError('AMOUNT_TOO_LARGE', 'the payment does not fit a message of the acquirer');
  if (reason === 'UNSUPPORTED') return new BridgeError('OPERATION_NOT_SUPPORTED', 'the acquirer does not offer this');
  return new BridgeError('HOST_UNREACHABLE', 'the acquirer cannot be reached; nothing was sent');
}

/** The acquirer was asked, and what it said could not be stored: recovery finds it, and the key then tells it. */
export function outcomeNotStored(transactionId: string, cause: unknown): BridgeError {
  const evidence = 'the acquirer was asked, and the database went away before its answer was stored';
  return new BridgeError('INTERNAL', `${evidence}; repeat the same call under the same key`, {
    cause,
    details: { transactionId, outcome: { charged: 'UNKNOWN', safeToRetry: false, evidence } },
  });
}
