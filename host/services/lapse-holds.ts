import { isoOf } from '../../app/domain/instant.ts';
import { forEach } from './for-each.ts';
import type { HostDeps } from './host-deps.ts';

/**
 * Ends holds that the issuer has let go of by their time (decisions: authExpiresAt): nothing of them can be captured any more.
 * @returns how many were due
 */
export async function lapseHolds({ store, clock, log }: HostDeps, nowMs: number, limit: number): Promise<number> {
  const due = await store.read.lapsedHolds(nowMs, limit);
  await forEach(
    log,
    due,
    ({ payment }) => payment.id,
    async (from) => {
      const atMs = clock.nowMs();
      const payment = { ...from.payment, status: 'REVERSED', updatedAt: isoOf(atMs) } as const;
      const events = [{ kind: 'RELEASED', heldMinor: from.payment.amountMinor }] as const;
      const hasMoved = await store.transact((unit) =>
        unit.movePayment({ from, trigger: 'LAPSED', payment, events, atMs }),
      );
      if (hasMoved) log.info('a hold has lapsed', { transactionId: from.payment.id, terminalId: from.terminalId });
    },
  );
  return due.length;
}
