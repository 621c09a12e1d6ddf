import type { AcquirerReply, MessageAnswer, ReversalReason } from '../ports/acquirer.ts';
import type { PaymentRecord, RecoveryTaskRecord, StoredAcquirerMessage } from '../ports/host-records.ts';
import type { PaymentRef } from '../ports/host-store.ts';
import { acquirerCall } from './acquirer-call.ts';
import { followUpMessage, sendFollowUp, triggerOf } from './follow-up.ts';
import { forEach } from './for-each.ts';
import type { HostDeps } from './host-deps.ts';
import {
  answerRecordOf,
  type Change,
  type FollowUpKind,
  followUpChange,
  foundingChange,
  foundingOutcome,
  isFollowUp,
  lostChange,
  reversedChange,
  unchangedChange,
} from './outcomes.ts';
import { openTask } from './recovery-tasks.ts';
import type { Reversals } from './reversals.ts';
import { tellTruth } from './stored-answers.ts';
import { drawTrace, foundingMessage, originalOf, questionedMessage, traceOf } from './traces.ts';
import { type EndSession, writeOutcome } from './write-outcome.ts';

/**
 * Finds out what became of payments of unknown outcome (decisions: Payment moves, Lost responses). What made a payment is asked for, or reversed
 * where the acquirer cannot be asked; what acts on one is repeated under its first trace. Nothing is ever sent under a new one.
 */
export interface Recovery {
  /** Tries once. @returns whether the outcome is known now */
  recover(ref: PaymentRef): Promise<boolean>;
  /** Takes over what processes that have died have left open, touched last before `beforeMs`. @returns how many */
  takeOver(beforeMs: number, limit: number): Promise<number>;
  /** Tries every task that is due. @returns how many */
  recoverDue(nowMs: number, limit: number): Promise<number>;
}

interface Question {
  readonly record: PaymentRecord;
  readonly founding: StoredAcquirerMessage;
  readonly asked: StoredAcquirerMessage;
}

export function createRecovery(
  deps: HostDeps,
  parts: { readonly reversals: Reversals; readonly endSession: EndSession },
): Recovery {
  const { store, acquirer, clock, log } = deps;
  const { reversals, endSession } = parts;

  const settle = async ({ record, asked }: Question, change: Change, reply: AcquirerReply, resolution: string) => {
    const answer = answerRecordOf(reply);
    const { merchantId, id: paymentId } = record.payment;
    const { messageId, sentAtMs } = asked;
    return await writeOutcome(
      { store, endSession },
      {
        from: record,
        change,
        ...(answer === undefined ? {} : { message: { messageId, sentAtMs, answer } }),
        also: async (unit, after) => {
          await tellTruth(unit, after);
          await unit.resolveTask({ merchantId, paymentId }, resolution, change.atMs);
        },
      },
    );
  };

  const reverse = async ({ record }: Question, reason: ReversalReason): Promise<boolean> => {
    const { merchantId, id: paymentId } = record.payment;
    const begun = await store.transact((unit) => reversals.begin(unit, record, reason, clock.nowMs()));
    return begun !== undefined && (await reversals.attempt({ merchantId, paymentId }));
  };

  /** What the message that makes the payment was answered, told late or found by asking. */
  const settleFounding = async (question: Question, answer: MessageAnswer): Promise<boolean> => {
    const { record } = question;
    const outcome = foundingOutcome(record, answer);
    const reply = { kind: 'ANSWERED', answer } as const;
    if (outcome.to === 'FAILED') {
      if (outcome.recovery === 'ASK') return false;
      return await reverse(question, outcome.mismatches.length > 0 ? 'WRONG_ANSWER' : 'PARTIAL_APPROVAL');
    }
    const validDays = acquirer.capabilities.authorizationValidDays;
    const change = foundingChange(record, outcome, answer, { atMs: clock.nowMs(), validDays });
    return await settle(question, change, reply, `the acquirer had answered ${answer.responseCode}`);
  };

  const askFounding = async (question: Question): Promise<boolean> => {
    const { record, asked } = question;
    if (!acquirer.capabilities.canAsk) return await reverse(question, 'NO_ANSWER');
    const { merchantId } = record.payment;
    const { terminalId } = record;
    const trace = await drawTrace(deps, { merchantId, terminalId });
    const reply = await acquirer.ask(
      { merchantId, terminalId, trace, original: originalOf(record, asked) },
      acquirerCall(deps),
    );
    if (reply.kind === 'NOT_FOUND') return await reverse(question, 'NO_ANSWER');
    if (reply.kind !== 'FOUND') return false;
    if (reply.standing === 'TAKEN_BACK') {
      const change = reversedChange(record, clock.nowMs());
      return await settle(
        question,
        change,
        { kind: 'ANSWERED', answer: reply.answer },
        'the acquirer had taken it back',
      );
    }
    return await settleFounding(question, reply.answer);
  };

  const repeatFollowUp = async (question: Question, kind: FollowUpKind): Promise<boolean> => {
    const { record, founding, asked } = question;
    const { amountMinor } = asked;
    const message = followUpMessage(record, founding, traceOf(asked), amountMinor);
    const reply = await sendFollowUp(deps, kind, message, true);
    if (reply.kind !== 'ANSWERED') return false;
    const atMs = clock.nowMs();
    switch (triggerOf(record, amountMinor, reply)) {
      case 'APPROVED':
        return await settle(
          question,
          followUpChange(record, kind, { amountMinor }, atMs),
          reply,
          'the acquirer has done it',
        );
      case 'DECLINED':
        return await settle(question, unchangedChange(record, atMs), reply, 'the acquirer has refused it');
      case 'OUTCOME_LOST':
        return false;
    }
  };

  const questionOf = async (record: PaymentRecord): Promise<Question | undefined> => {
    const { merchantId, id: paymentId } = record.payment;
    const messages = await store.read.listMessages({ merchantId, paymentId });
    const founding = foundingMessage(messages);
    const asked = questionedMessage(messages);
    return founding === undefined || asked === undefined ? undefined : { record, founding, asked };
  };

  /** From here on it is of unknown outcome, with a task; only one process gets it. */
  const leaveOpen = async (record: PaymentRecord): Promise<boolean> => {
    const atMs = clock.nowMs();
    const also: NonNullable<Parameters<typeof writeOutcome>[1]['also']> = (unit, after) =>
      openTask(deps, unit, after, 'LEFT_OPEN', atMs);
    return await writeOutcome({ store, endSession }, { from: record, change: lostChange(record, atMs), also });
  };

  const recover: Recovery['recover'] = async (ref) => {
    const record = await store.read.findPayment(ref);
    if (record === undefined) return false;
    if (record.payment.status !== 'FAILED') return record.payment.status !== 'PROCESSING';
    const reversal = await store.read.findReversal(ref);
    if (reversal !== undefined && reversal.state !== 'CONFIRMED') return await reversals.attempt(ref);
    const question = await questionOf(record);
    if (question === undefined) return await reverseUnasked(record);
    const { kind } = question.asked;
    return isFollowUp(kind) ? await repeatFollowUp(question, kind) : await askFounding(question);
  };

  /** No acquirer was ever asked: taking it back needs nobody. */
  const reverseUnasked = async (record: PaymentRecord): Promise<boolean> => {
    const { merchantId, id: paymentId } = record.payment;
    const begun = await store.transact((unit) => reversals.begin(unit, record, 'TERMINAL_FAILED', clock.nowMs()));
    return begun !== undefined && (await reversals.attempt({ merchantId, paymentId }));
  };

  /** One that was resolved another way, e.g. by its reversal, leaves no task behind. */
  const closeTask = async (ref: PaymentRef): Promise<void> => {
    const reversal = await store.read.findReversal(ref);
    if (reversal !== undefined && reversal.state !== 'CONFIRMED') return;
    await store.transact((unit) => unit.resolveTask(ref, 'the outcome is known', clock.nowMs()));
  };

  const recoverTask = async (task: RecoveryTaskRecord): Promise<void> => {
    const claimed = await store.transact((unit) => unit.claimTaskAttempt(task, clock.nowMs()));
    if (claimed === undefined) return;
    const { merchantId, paymentId, terminalId, attempts: attempt } = claimed;
    const ref = { merchantId, paymentId };
    if (await recover(ref)) await closeTask(ref);
    else log.warn('the outcome of a payment is still unknown', { transactionId: paymentId, terminalId, attempt });
  };

  return {
    recover,
    async takeOver(beforeMs, limit) {
      const left = await store.read.stalePayments(beforeMs, limit);
      await forEach(
        log,
        left,
        ({ payment }) => payment.id,
        async (record) => {
          if (!(await leaveOpen(record))) return;
          log.warn('a payment was left open', { transactionId: record.payment.id, terminalId: record.terminalId });
        },
      );
      return left.length;
    },
    async recoverDue(nowMs, limit) {
      const due = await store.read.dueTasks(nowMs, limit);
      await forEach(log, due, ({ paymentId }) => paymentId, recoverTask);
      return due.length;
    },
  };
}
