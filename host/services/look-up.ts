import { BridgeError } from '../../app/contract/errors.ts';
import { hostEndpointOf } from '../../app/contract/host/host-endpoints.ts';
import { checkLookUp } from '../../app/domain/authorize-request.ts';
import { scopeText } from '../../app/domain/idempotency.ts';
import type { PaymentRecord } from '../ports/host-records.ts';
import type { DeviceCaller, Host } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { keptKeyOf } from './idempotency-gate.ts';
import { findOwnPayment } from './own-device.ts';

/** The calls that begin a payment: those whose outcome a till may have missed before it knew the payment's id. */
const beginningRoutes = (['device.authorize', 'device.offlineComplete', 'device.record'] as const).map(
  (id) => `POST ${hostEndpointOf(id).path}`,
);

/** GET /api/v1/terminal/transactions: what became of an earlier call (decisions: Lost responses). */
export function createLookUp({ store, hmac }: HostDeps): Pick<Host, 'lookUp'> {
  const findByKey = async (caller: DeviceCaller, idempotencyKey: string): Promise<PaymentRecord | undefined> => {
    const { merchantId, terminalId } = caller;
    const key = keptKeyOf(idempotencyKey, hmac);
    for (const route of beginningRoutes) {
      const scope = scopeText({ clientId: merchantId, terminalId, route });
      const found = await store.read.findIdempotency({ merchantId, scope, key });
      if (found !== undefined) return await store.read.findPayment({ merchantId, paymentId: found.subjectId });
    }
    return undefined;
  };

  return {
    async lookUp(caller, query) {
      checkLookUp(query);
      const { idempotencyKey, transactionId } = query;
      const found =
        idempotencyKey === undefined
          ? await findOwnPayment(store, caller, transactionId ?? '')
          : await findByKey(caller, idempotencyKey);
      if (found === undefined) throw new BridgeError('NOT_FOUND', 'the host has never seen such a call');
      return found.payment;
    },
  };
}
