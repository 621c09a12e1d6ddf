import { BridgeError } from '../../app/contract/errors.ts';
import type { Payment, PaymentRefundRequest } from '../../app/contract/host/payment.ts';
import { checkPaymentRefund } from '../../app/domain/host-ceilings.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { NewPayment, PaymentRecord } from '../ports/host-records.ts';
import { acquirerCall } from './acquirer-call.ts';
import { followUpMessage } from './follow-up.ts';
import type { Host } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { IdempotencyGate } from './idempotency-gate.ts';
import { notSentError, type SendFounding } from './send-founding.ts';
import { drawFoundingTrace, foundingMessage } from './traces.ts';

/** POST /v1/payments/{id}/refunds: a payment of its own, without a card (decisions: Secret-key additions, Refund ceiling). */
export function createRefund(
  deps: HostDeps,
  { gate, sendFounding }: { readonly gate: IdempotencyGate; readonly sendFounding: SendFounding },
): Pick<Host, 'refund'> {
  const { store, acquirer, businessDateOf } = deps;

  const requireOriginal = async (merchantId: string, paymentId: string): Promise<PaymentRecord> => {
    const found = await store.read.findPayment({ merchantId, paymentId });
    if (found === undefined) throw new BridgeError('NOT_FOUND', 'no payment of this merchant has that id');
    return found;
  };

  return {
    async refund(caller, call, paymentId, request) {
      const { merchantId } = caller;
      await requireOriginal(merchantId, paymentId);
      return await gate.once({ caller, call, body: request }, async (reservation) => {
        const original = await requireOriginal(merchantId, paymentId);
        checkPaymentRefund(original, request);
        if (!acquirer.isReady()) throw notSentError('LINE_DOWN');
        const founding = foundingMessage(await store.read.listMessages({ merchantId, paymentId }));
        if (founding === undefined) {
          throw new BridgeError(
            'OPERATION_NOT_SUPPORTED',
            'the acquirer was never asked about this payment; refund it with its card',
          );
        }
        const { isSimulated } = acquirer.capabilities;
        const terminal = await store.read.findTerminal({ merchantId, terminalId: original.terminalId });
        if (terminal === undefined) throw new Error('a payment has no terminal');
        const { subjectId: id, createdAtMs: atMs } = reservation;
        const businessDate = businessDateOf(terminal.businessDay, atMs);
        const payment = refundOf(original, request, { id, isSimulated, businessDate, atMs });
        const trace = await drawFoundingTrace(deps, payment);
        const message = followUpMessage(original, founding, trace, request.amountMinor);
        return await sendFounding({
          payment,
          kind: 'REFUND',
          trace,
          reservation,
          send: () => acquirer.refund(message, acquirerCall(deps)),
          bodyOf: (now) => now,
          async explainCeiling() {
            checkPaymentRefund(await requireOriginal(merchantId, paymentId), request);
            throw new BridgeError('ILLEGAL_STATE', 'the payment is being worked on; try again', {
              details: { transactionId: paymentId },
            });
          },
        });
      });
    },
  };
}

function refundOf(
  original: PaymentRecord,
  request: PaymentRefundRequest,
  facts: {
    readonly id: string;
    readonly isSimulated: boolean;
    readonly businessDate: string;
    readonly atMs: number;
  },
): NewPayment {
  const {
    merchantId,
    currencyCode,
    acceptanceChannel,
    cardScheme,
    maskedPan,
    id: originalTransactionId,
  } = original.payment;
  const { amountMinor, referenceId, metadata } = request;
  const { id, isSimulated, businessDate, atMs } = facts;
  const payment: Payment = {
    id,
    merchantId,
    acceptanceChannel,
    status: 'PROCESSING',
    type: 'REFUND',
    captureMethod: 'AUTOMATIC',
    capturedAmountMinor: null,
    authExpiresAt: null,
    amountMinor,
    baseAmountMinor: amountMinor,
    tipAmountMinor: 0,
    cashbackAmountMinor: 0,
    tipSource: null,
    currencyCode,
    originalTransactionId,
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(cardScheme === undefined ? {} : { cardScheme }),
    ...(maskedPan === undefined ? {} : { maskedPan }),
    settlementId: null,
    ...(isSimulated ? { simulated: true } : {}),
    createdAt: isoOf(atMs),
    businessDate,
    updatedAt: isoOf(atMs),
  };
  return { payment, terminalId: original.terminalId, transactionId: id };
}
