import { hostEndpointOf } from '../../app/contract/host/host-endpoints.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import { mayReplace } from '../../app/domain/idempotency.ts';
import type { PaymentRecord, StoredAnswer } from '../ports/host-records.ts';
import type { HostUnit } from '../ports/host-store.ts';
import { authorizeResponseOf } from './authorize-answer.ts';

const authorizeRoute = `POST ${hostEndpointOf('device.authorize').path}`;

/**
 * Tells the truth under every Idempotency-Key that asked for a payment: where no answer is kept (its process has died), and where the kept one
 * says that the outcome is unknown (decisions: Final status). Definitive answers stay, byte for byte.
 */
export async function tellTruth(unit: HostUnit, record: PaymentRecord): Promise<void> {
  const { merchantId, id } = record.payment;
  for (const kept of await unit.listIdempotencyOf(merchantId, id)) {
    const next = answerUnder(kept.scope, record);
    if (kept.answer === undefined) await unit.saveAnswer(kept, next);
    else if (mayReplace(kept.answer, next)) await unit.replaceAnswer(kept, kept.answer, next);
  }
}

/** The answer that a call under this scope gets for the payment as it stands. */
function answerUnder(scope: string, { payment, transactionId }: PaymentRecord): StoredAnswer {
  const isAuthorize = scope.endsWith(JSON.stringify([authorizeRoute]).slice(1));
  return answerWith(isAuthorize ? authorizeResponseOf(payment, transactionId) : payment);
}

/** An answer as it is kept. */
export function answerWith(body: object): StoredAnswer {
  return { statusCode: 200, body: JSON.stringify(body) };
}

/** The payment as a caller reads it after a change that was just committed. */
export function afterMove(record: PaymentRecord, payment: Payment): PaymentRecord {
  const { operation: _, ...rest } = record;
  return { ...rest, payment, revision: record.revision + 1 };
}
