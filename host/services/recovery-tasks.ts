import type { PaymentRecord } from '../ports/host-records.ts';
import type { HostUnit } from '../ports/host-store.ts';
import type { HostDeps } from './host-deps.ts';

/** Why somebody must find out what became of a payment. */
export type TaskReason =
  | 'NO_ANSWER'
  | 'UNCERTAIN_ANSWER'
  | 'WRONG_ANSWER'
  | 'PARTIAL_APPROVAL'
  | 'LEFT_OPEN'
  | 'REVERSAL';

/** One open task per payment; a second reason adds nothing. Its first try is due at once. */
export async function openTask(
  { ids }: Pick<HostDeps, 'ids'>,
  unit: HostUnit,
  { payment, terminalId }: PaymentRecord,
  reason: TaskReason,
  atMs: number,
): Promise<void> {
  const { merchantId, id: paymentId } = payment;
  await unit.openTask({
    merchantId,
    paymentId,
    taskId: ids.next(),
    terminalId,
    reason,
    nextAtMs: atMs,
    createdAtMs: atMs,
  });
}
