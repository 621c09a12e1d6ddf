import { BridgeError, type DayCloseBlocker } from '../../app/contract/errors.ts';
import type { OpenPreAuth, Settlement, TransactionTotals } from '../../app/contract/settlements.ts';
import { isEmpty } from '../../app/domain/close-differences.ts';
import { isoOf } from '../../app/domain/instant.ts';
import { netAmountOf } from '../../app/domain/totals.ts';
import type { BatchTotals, PaymentRecord, SettlementRecord } from '../ports/host-records.ts';
import type { HostReader, TerminalRef } from '../ports/host-store.ts';

/** What a day shows of itself, open or closed. */

/** externalTotals stand where there is something to tell (decisions: EXTERNAL_RAIL). */
export function totalsView({ funded, external }: BatchTotals): {
  readonly totals: TransactionTotals;
  readonly externalTotals?: TransactionTotals;
} {
  return { totals: funded, ...(isEmpty(external) ? {} : { externalTotals: external }) };
}

/** Open pre-authorizations, which carry over a close. */
export async function openPreAuthsOf(read: HostReader, terminal: TerminalRef): Promise<OpenPreAuth[]> {
  const found = await read.openPreAuths(terminal);
  return found.map(({ payment }) => ({
    transactionId: payment.id,
    amount: payment.amountMinor,
    currency: payment.currencyCode,
    timestamp: payment.createdAt,
  }));
}

/** What keeps the day from being closed, with the recovery task of what is unknown (decisions: Day close). */
export async function blockersOf(
  read: HostReader,
  merchantId: string,
  found: readonly PaymentRecord[],
): Promise<DayCloseBlocker[]> {
  const blockers: DayCloseBlocker[] = [];
  for (const record of found) {
    const { id: paymentId } = record.payment;
    const reason = reasonOf(record);
    const task = reason === 'OUTCOME_UNKNOWN' ? await read.findTaskOf({ merchantId, paymentId }) : undefined;
    const recoveryTaskId = task?.state === 'OPEN' ? task.taskId : undefined;
    blockers.push({ transactionId: paymentId, reason, ...(recoveryTaskId === undefined ? {} : { recoveryTaskId }) });
  }
  return blockers;
}

function reasonOf({ payment, operation }: PaymentRecord): DayCloseBlocker['reason'] {
  if (payment.status === 'FAILED') return 'OUTCOME_UNKNOWN';
  return payment.status === 'PROCESSING' || operation !== undefined ? 'IN_PROGRESS' : 'TIP_CAPTURE_PENDING';
}

export function dayCloseBlocked(blockers: readonly DayCloseBlocker[]): BridgeError {
  return new BridgeError('DAY_CLOSE_BLOCKED', 'payments are in progress, of unknown outcome, or wait for their tip', {
    details: { blockers: [...blockers] },
  });
}

/** As a list shows it: without acquirerBatchRef and fundingDate (decisions: Settlements). */
export function settlementItem(settlement: SettlementRecord): Settlement {
  const { businessDate, terminalBusinessDate } = settlement;
  const { funded, external } = settlement.totals;
  return {
    id: settlement.id,
    closedAt: isoOf(settlement.closedAtMs),
    status: settlement.status,
    currency: funded.currency,
    saleCount: funded.saleCount,
    saleAmount: funded.saleAmount,
    refundCount: funded.refundCount,
    refundAmount: funded.refundAmount,
    voidCount: funded.voidCount,
    voidAmount: funded.voidAmount,
    netAmount: netAmountOf(funded),
    merchantId: settlement.merchantId,
    terminalId: settlement.terminalId,
    ...(businessDate === undefined ? {} : { businessDate }),
    ...(terminalBusinessDate === undefined ? {} : { terminalBusinessDate }),
    ...(isEmpty(external) ? {} : { externalTotals: external }),
  };
}

export function settlementDetail(settlement: SettlementRecord): Settlement {
  const { acquirerBatchRef, fundingDateMs } = settlement;
  return {
    ...settlementItem(settlement),
    ...(acquirerBatchRef === undefined ? {} : { acquirerBatchRef }),
    ...(fundingDateMs === undefined ? {} : { fundingDate: isoOf(fundingDateMs) }),
  };
}
