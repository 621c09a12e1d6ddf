import type { MerchantCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { notFound } from './not-found.ts';
import { instantMs } from './query-instants.ts';

/** GET /v1/payments, and one of them by its id (decisions: Secret-key additions). */
export function createLookUpPayments({ store: { read } }: HostDeps): Pick<MerchantCalls, 'payments' | 'payment'> {
  return {
    async payments({ merchantId }, { from, to, ...filter }) {
      const bounds = { ...instantMs('fromMs', from), ...instantMs('toMs', to) };
      const { rows, nextCursor } = await read.listPayments({ ...filter, ...bounds, merchantId });
      return { data: rows.map(({ payment }) => payment), hasMore: nextCursor !== null, nextCursor };
    },
    async payment({ merchantId }, paymentId) {
      const found = await read.findPayment({ merchantId, paymentId });
      if (found === undefined) throw notFound('payment');
      return found.payment;
    },
  };
}
