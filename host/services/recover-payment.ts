import { BridgeError } from '../../app/contract/errors.ts';
import type { PaymentRecord } from '../ports/host-records.ts';
import type { Host, SecretCaller } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { Recovery } from './recover.ts';
import type { ReversePayment } from './reverse.ts';
import { notSentError } from './send-founding.ts';

/** POST /v1/payments/{id}/recovery: ask the acquirer now, or reverse (decisions: Secret-key additions). */
export function createRecoverPayment(
  { store, acquirer }: HostDeps,
  { recovery, reversePayment }: { readonly recovery: Recovery; readonly reversePayment: ReversePayment },
): Pick<Host, 'recover'> {
  const requirePayment = async ({ merchantId }: SecretCaller, paymentId: string): Promise<PaymentRecord> => {
    const found = await store.read.findPayment({ merchantId, paymentId });
    if (found === undefined) throw new BridgeError('NOT_FOUND', 'no payment of this merchant has that id');
    return found;
  };

  return {
    async recover(caller, paymentId, { action }) {
      const record = await requirePayment(caller, paymentId);
      const { status } = record.payment;
      if (status === 'PROCESSING') {
        throw new BridgeError('ILLEGAL_STATE', 'the payment is being authorized; look it up', {
          details: { transactionId: paymentId },
        });
      }
      if (action === 'ASK' && status !== 'FAILED') return record.payment;
      if (action === 'ASK' && !acquirer.isReady()) throw notSentError('LINE_DOWN');
      if (action === 'REVERSE') await reversePayment(record, 'CANCELLED');
      else await recovery.recover({ merchantId: caller.merchantId, paymentId });
      return (await requirePayment(caller, paymentId)).payment;
    },
  };
}
