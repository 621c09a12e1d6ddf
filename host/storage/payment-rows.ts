import type { Insertable, Selectable } from 'kysely';
import type { Payment } from '../../app/contract/host/payment.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { NewPayment, PaymentOperation, PaymentRecord } from '../ports/host-records.ts';
import type { PaymentsTable } from './schema.ts';

/** What of a payment nothing is looked up by: one column of JSON. Card data have no field of a Payment. */
type Details = Pick<
  Payment,
  | 'tipSource'
  | 'customerId'
  | 'authorizationCode'
  | 'responseCode'
  | 'cardScheme'
  | 'maskedPan'
  | 'rrn'
  | 'decline'
  | 'cardPresent'
  | 'cardNotPresent'
  | 'metadata'
  | 'simulated'
  | 'simulatedRule'
  | 'businessDate'
>;

const detailFields = [
  'tipSource',
  'customerId',
  'authorizationCode',
  'responseCode',
  'cardScheme',
  'maskedPan',
  'rrn',
  'decline',
  'cardPresent',
  'cardNotPresent',
  'metadata',
  'simulated',
  'simulatedRule',
  'businessDate',
] as const satisfies readonly (keyof Details)[];

function detailsText(payment: Payment): string {
  return JSON.stringify(Object.fromEntries(detailFields.map((field) => [field, payment[field]])));
}

/** The columns that a move may change. */
export function changingColumns(payment: Payment, atMs: number) {
  return {
    status: payment.status,
    capture_method: payment.captureMethod ?? null,
    amount_minor: payment.amountMinor,
    base_minor: payment.baseAmountMinor,
    tip_minor: payment.tipAmountMinor,
    cashback_minor: payment.cashbackAmountMinor ?? 0,
    captured_minor: payment.capturedAmountMinor ?? null,
    auth_expires_at: instantMs(payment.authExpiresAt),
    updated_at: atMs,
    details: detailsText(payment),
  };
}

/** A new row; `batchNumber` where it is funded at once. */
export function rowOf(
  { payment, terminalId, transactionId, paymentSessionId }: NewPayment,
  batchNumber: number | undefined,
  atMs: number,
): Insertable<PaymentsTable> {
  return {
    merchant_id: payment.merchantId,
    payment_id: payment.id,
    created_at: createdMs(payment),
    terminal_id: terminalId,
    transaction_id: transactionId,
    session_id: paymentSessionId ?? null,
    channel: payment.acceptanceChannel,
    type: payment.type,
    currency: payment.currencyCode,
    reference_id: payment.referenceId ?? null,
    original_id: payment.originalTransactionId ?? null,
    refunded_minor: 0,
    refund_count: 0,
    batch_number: batchNumber ?? null,
    operation: null,
    revision: 1,
    ...changingColumns(payment, atMs),
  };
}

function instantMs(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text);
}

/** createdAt in ms; it is a part of the payment's key. */
export function createdMs(payment: Pick<Payment, 'createdAt'>): number {
  const ms = Date.parse(payment.createdAt);
  if (Number.isNaN(ms)) throw new RangeError('createdAt is no instant');
  return ms;
}

/** A row as it was stored, with the settlement of its batch. The columns were written from these types, and the CHECKs hold them. */
export function recordOf(row: Selectable<PaymentsTable> & { readonly settlement_id: string | null }): PaymentRecord {
  const details = JSON.parse(row.details) as Details;
  const payment: Payment = {
    id: row.payment_id,
    merchantId: row.merchant_id,
    acceptanceChannel: row.channel as Payment['acceptanceChannel'],
    status: row.status as Payment['status'],
    type: row.type as Payment['type'],
    ...(row.capture_method === null ? {} : { captureMethod: row.capture_method as 'AUTOMATIC' | 'MANUAL' }),
    capturedAmountMinor: row.captured_minor,
    authExpiresAt: row.auth_expires_at === null ? null : isoOf(row.auth_expires_at),
    amountMinor: row.amount_minor,
    baseAmountMinor: row.base_minor,
    currencyCode: row.currency,
    tipAmountMinor: row.tip_minor,
    cashbackAmountMinor: row.cashback_minor,
    ...(row.reference_id === null ? {} : { referenceId: row.reference_id }),
    ...(row.original_id === null ? {} : { originalTransactionId: row.original_id }),
    ...details,
    settlementId: row.settlement_id,
    createdAt: isoOf(row.created_at),
    updatedAt: isoOf(row.updated_at),
  };
  return {
    payment,
    terminalId: row.terminal_id,
    transactionId: row.transaction_id,
    ...(row.session_id === null ? {} : { paymentSessionId: row.session_id }),
    ...(row.batch_number === null ? {} : { batchNumber: row.batch_number }),
    ...(row.operation === null ? {} : { operation: row.operation as PaymentOperation }),
    refundedMinor: row.refunded_minor,
    refundCount: row.refund_count,
    revision: row.revision,
  };
}
