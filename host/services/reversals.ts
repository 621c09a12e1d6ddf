import { BridgeError } from '../../app/contract/errors.ts';
import type { MessageTrace, ReversalReason, ReversalReply } from '../ports/acquirer.ts';
import type { PaymentRecord, ReversalRecord, StoredAcquirerMessage } from '../ports/host-records.ts';
import type { HostUnit, PaymentRef, TerminalRef } from '../ports/host-store.ts';
import { acquirerCall } from './acquirer-call.ts';
import { endUnpaidSession } from './end-session.ts';
import { forEach } from './for-each.ts';
import type { HostDeps } from './host-deps.ts';
import { type Change, reversedChange } from './outcomes.ts';
import { openTask } from './recovery-tasks.ts';
import { afterMove, tellTruth } from './stored-answers.ts';
import { drawTrace, foundingMessage, messageOf, originalOf, traceOf } from './traces.ts';

/**
 * Reversals: stored before they are sent, repeated under one trace until they are confirmed, never given up (decisions: recovery/reverse). They
 * name the message that made the payment, and so take back whatever has become of it.
 */
export interface Reversals {
  /**
   * Stores a reversal with the move to FAILED, within the caller's commit.
   * @returns the payment as it is then; undefined when it is not as it was read
   */
  begin(
    unit: HostUnit,
    record: PaymentRecord,
    reason: ReversalReason,
    atMs: number,
  ): Promise<PaymentRecord | undefined>;
  /** Sends the reversal of a payment now, when nobody else does. @returns whether it is confirmed */
  attempt(ref: PaymentRef): Promise<boolean>;
  /** Lets all unconfirmed reversals of a terminal leave, one after the other: before its next online authorization. */
  flush(terminal: TerminalRef): Promise<void>;
  /** Repeats what is due. @returns how many were tried */
  repeatDue(nowMs: number, limit: number): Promise<number>;
  /** An approval has come for a payment that counts as taken back: the reversal is repeated until it is confirmed again. */
  reopen(record: PaymentRecord): Promise<void>;
}

export function createReversals(deps: HostDeps): Reversals {
  const { store, acquirer, clock, log } = deps;

  /** The try is counted and its message is on disk before it leaves. */
  const prepare = async (found: ReversalRecord, record: PaymentRecord) => {
    const messages = await store.read.listMessages(found);
    const founding = foundingMessage(messages);
    const earlier = messages.find(({ kind }) => kind === 'REVERSE');
    const trace = earlier === undefined ? await drawTrace(deps, found) : traceOf(earlier);
    const claimed = await store.transact(async (unit) => {
      const claim = await unit.claimReversalAttempt(found, clock.nowMs());
      if (claim === undefined) return undefined;
      const message = messageOf(deps, record, 'REVERSE', trace, founding?.amountMinor ?? 0);
      if (earlier === undefined && founding !== undefined) await unit.addMessage(message);
      return claim;
    });
    return claimed === undefined ? undefined : { founding, trace, isRepeat: earlier !== undefined };
  };

  const send = async (
    { payment, terminalId }: PaymentRecord,
    reason: ReversalReason,
    prepared: { founding: StoredAcquirerMessage | undefined; trace: MessageTrace; isRepeat: boolean },
  ): Promise<ReversalReply> => {
    const { founding, trace, isRepeat } = prepared;
    // No acquirer was asked: a kernel has decided, and nothing is out.
    if (founding === undefined) return { kind: 'CONFIRMED' };
    const { merchantId, currencyCode } = payment;
    const original = originalOf({ payment }, founding);
    return await acquirer.reverse(
      { merchantId, terminalId, trace, original, currencyCode, reason },
      acquirerCall(deps, isRepeat),
    );
  };

  const confirm = async (ref: PaymentRef): Promise<boolean> =>
    await store.transact(async (unit) => {
      const record = await unit.lockPayment(ref);
      const atMs = clock.nowMs();
      if (record === undefined || !(await unit.confirmReversal(ref, atMs))) return false;
      if (record.payment.status === 'FAILED') {
        const change = confirmedChange(record, atMs);
        if (!(await unit.movePayment({ from: record, ...change }))) throw new Error('a locked payment has changed');
        const after = afterMove(record, change.payment);
        await tellTruth(unit, after);
        await endUnpaidSession(unit, after, atMs);
      }
      await unit.resolveTask(ref, 'the acquirer has confirmed the reversal', atMs);
      return true;
    });

  const attempt: Reversals['attempt'] = async (ref) => {
    const [found, record] = await Promise.all([store.read.findReversal(ref), store.read.findPayment(ref)]);
    if (found === undefined || record === undefined) return false;
    if (found.state === 'CONFIRMED') return true;
    const prepared = await prepare(found, record);
    if (prepared === undefined) return (await store.read.findReversal(ref))?.state === 'CONFIRMED';
    const reply = await send(record, reasonOf(found.reason), prepared);
    if (reply.kind === 'CONFIRMED' || reply.kind === 'UNKNOWN_ORIGINAL') return await confirm(ref);
    const told = { transactionId: ref.paymentId, terminalId: found.terminalId, attempt: found.attempts + 1 };
    if (reply.kind === 'REFUSED') log.error('the acquirer refuses a reversal', { ...told, code: reply.responseCode });
    else log.warn('a reversal is not confirmed yet', { ...told, reason: reply.reason });
    return false;
  };

  return {
    async begin(unit, record, reason, atMs) {
      const { payment, terminalId } = record;
      const { merchantId, id: paymentId } = payment;
      const failed = { ...payment, status: 'FAILED', updatedAt: new Date(atMs).toISOString() } as const;
      const change: Change = { trigger: 'REVERSAL_BEGUN', payment: failed, events: [], atMs };
      if (!(await unit.movePayment({ from: record, ...change }))) return undefined;
      await unit.addReversal({ merchantId, paymentId, terminalId, reason, nextAtMs: atMs, createdAtMs: atMs });
      const after = afterMove(record, failed);
      await openTask(deps, unit, after, 'REVERSAL', atMs);
      return after;
    },
    attempt,
    async flush(terminal) {
      for (const { merchantId, paymentId } of await store.read.openReversals(terminal)) {
        await attempt({ merchantId, paymentId });
      }
    },
    async repeatDue(nowMs, limit) {
      const due = await store.read.dueReversals(nowMs, limit);
      await forEach(
        log,
        due,
        ({ paymentId }) => paymentId,
        ({ merchantId, paymentId }) => attempt({ merchantId, paymentId }),
      );
      return due.length;
    },
    async reopen(record) {
      const { merchantId, id: paymentId } = record.payment;
      const ref = { merchantId, paymentId };
      await store.transact(async (unit) => {
        const atMs = clock.nowMs();
        const { terminalId } = record;
        const isOpen = await unit.reopenReversal(ref, atMs);
        if (!isOpen) {
          const reversal = { ...ref, terminalId, reason: 'LATE_APPROVAL', nextAtMs: atMs, createdAtMs: atMs };
          await unit.addReversal(reversal);
        }
        await openTask(deps, unit, record, 'REVERSAL', atMs);
      });
      log.error('an approval came after its reversal; it is taken back', { transactionId: paymentId });
      await attempt(ref);
    },
  };
}

/** Taken back; a partial approval that was taken back was a decline (decisions section 4). */
function confirmedChange(record: PaymentRecord, atMs: number): Change {
  const change = reversedChange(record, atMs);
  if (record.payment.responseCode !== '10') return change;
  return { ...change, trigger: 'FOUND_DECLINED', payment: { ...change.payment, status: 'DECLINED' } };
}

const reasons: readonly ReversalReason[] = [
  'NO_ANSWER',
  'WRONG_ANSWER',
  'PARTIAL_APPROVAL',
  'TERMINAL_FAILED',
  'CANCELLED',
  'LATE_APPROVAL',
];

function reasonOf(text: string): ReversalReason {
  const reason = reasons.find((known) => known === text);
  if (reason === undefined) throw new BridgeError('INTERNAL', 'a reversal was stored without its reason');
  return reason;
}
