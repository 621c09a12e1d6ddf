import type { SettlementRecord } from '../ports/host-records.ts';
import { settlementDetail, settlementItem } from './day-view.ts';
import type { MerchantCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { notFound } from './not-found.ts';
import { instantMs } from './query-instants.ts';

/** GET /v1/settlements, one of them, and its export (specification: Reconciliation and settlements; decisions: Settlements, Exports). */
export function createSettlements({
  store: { read },
}: HostDeps): Pick<MerchantCalls, 'settlements' | 'settlement' | 'settlementExport'> {
  async function find(merchantId: string, settlementId: string): Promise<SettlementRecord> {
    const found = await read.findSettlement(merchantId, settlementId);
    if (found === undefined) throw notFound('settlement');
    return found;
  }

  return {
    async settlements({ merchantId }, { limit, cursor, currency, from, to }) {
      const { rows, nextCursor } = await read.listSettlements({
        merchantId,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
        ...(currency === undefined ? {} : { currency }),
        ...instantMs('fromMs', from),
        ...instantMs('toMs', to),
      });
      return { data: rows.map(settlementItem), hasMore: nextCursor !== null, nextCursor };
    },
    async settlement({ merchantId }, settlementId) {
      return settlementDetail(await find(merchantId, settlementId));
    },
    async settlementExport({ merchantId }, settlementId) {
      const settlement = await find(merchantId, settlementId);
      return { settlement: settlementDetail(settlement), payments: [...(await read.settlementRows(settlement))] };
    },
  };
}
