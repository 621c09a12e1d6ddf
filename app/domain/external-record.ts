import { looksLikeCardNumber } from '../contract/card-number.ts';
import { RecordRequest } from '../contract/host/record.ts';
import { validate } from '../contract/validate.ts';
import { hostAmountsOf } from './money.ts';
import type { TransactionRecord } from './transaction.ts';

/** What the host is told of a payment; who tells it is added when it is sent. */
export type ExternalRecord = Omit<RecordRequest, 'deviceId' | 'terminalId'>;

/** One thing that the host is to be told, under the name of the payment that it is about. */
export interface ToldPayment {
  readonly kind: 'EXTERNAL_RECORD' | 'EXTERNAL_VOID';
  readonly transactionId: string;
  readonly body: ExternalRecord;
}

/** What a terminal tells of card and authorization: each is left out where the host would not take it, rather than the payment. */
const facts = [
  ...(['authorizationCode', 'responseCode', 'rrn', 'cardScheme', 'maskedPan', 'entryMode'] as const),
  ...(['aid', 'applicationLabel', 'cryptogramType', 'tvr', 'cvmResult'] as const),
] as const;

/**
 * What our host is to be told of an end at a terminal with an acquirer of its own (decisions: EXTERNAL_RAIL); undefined where there is nothing to tell:
 * what is open or unknown, what ended without an issuer's word, an open pre-authorization and its release, what the POS's own acquirer authorized.
 * @param record as it has ended. @param target the payment that it acts on
 */
export function externalRecordOf(
  record: TransactionRecord,
  target: TransactionRecord | undefined,
): ToldPayment | undefined {
  if (record.mode !== 'ORCHESTRATED') return undefined;
  if (record.type === 'VOID') return takenBack(record, target);
  const type = typeOf(record);
  const status = statusOf(record);
  if (type === undefined || status === undefined) return undefined;
  return {
    kind: 'EXTERNAL_RECORD',
    transactionId: record.transactionId,
    body: bodyOf(record, type, status, record.updatedAt),
  };
}

/** The payment once more, as taken back; the host knows it by its name. */
function takenBack(record: TransactionRecord, target: TransactionRecord | undefined): ToldPayment | undefined {
  if (record.state !== 'APPROVED' || target === undefined || target.type === 'PRE_AUTH') return undefined;
  const type = typeOf(target);
  if (type === undefined) return undefined;
  return {
    kind: 'EXTERNAL_VOID',
    transactionId: target.transactionId,
    body: bodyOf(target, type, 'REVERSED', record.updatedAt),
  };
}

/** A completion is told as the pre-authorization that it makes a payment of. */
function typeOf({ type }: TransactionRecord): ExternalRecord['type'] | undefined {
  if (type === 'PRE_AUTH_COMPLETE') return 'PRE_AUTH';
  return type === 'SALE' || type === 'PRE_AUTH' || type === 'REFUND' ? type : undefined;
}

function statusOf({ type, state }: TransactionRecord): 'SUCCEEDED' | 'DECLINED' | undefined {
  if (state === 'DECLINED') return 'DECLINED';
  return state === 'APPROVED' && type !== 'PRE_AUTH' ? 'SUCCEEDED' : undefined;
}

function bodyOf(
  record: TransactionRecord,
  type: ExternalRecord['type'],
  status: ExternalRecord['status'],
  occurredAt: string,
): ExternalRecord {
  const { amountMinor: amount, ...parts } = hostAmountsOf(record);
  const { transactionId, currency, referenceId, metadata, targetTransactionId, paymentSession, tipChoice } = record;
  return {
    transactionId,
    type,
    status,
    amount,
    ...amountPartsOf(type, parts),
    ...(tipChoice === undefined ? {} : { tipSource: tipChoice.source }),
    currencyCode: currency,
    ...(type === 'REFUND' && targetTransactionId !== undefined ? { originalTransactionId: targetTransactionId } : {}),
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
    ...(paymentSession === undefined
      ? {}
      : { paymentSessionId: paymentSession.sessionId, claimToken: paymentSession.claimToken }),
    ...factsOf(record),
    occurredAt,
  };
}

/** Only a sale has cash-back, and a refund no tip (record-payment.ts). */
function amountPartsOf(
  type: ExternalRecord['type'],
  {
    baseAmountMinor,
    tipAmountMinor,
    cashbackAmountMinor,
  }: Record<'baseAmountMinor' | 'tipAmountMinor' | 'cashbackAmountMinor', number>,
): Partial<ExternalRecord> {
  if (type === 'REFUND') return {};
  return { baseAmountMinor, tipAmountMinor, ...(type === 'SALE' ? { cashbackAmountMinor } : {}) };
}

function factsOf({ card }: TransactionRecord): Partial<ExternalRecord> {
  return Object.fromEntries(
    facts.flatMap((field) => {
      const value = card[field];
      return value !== undefined && isTaken(field, value) ? [[field, value]] : [];
    }),
  );
}

function isTaken(field: (typeof facts)[number], value: string): boolean {
  if (looksLikeCardNumber(value)) return false;
  try {
    validate(RecordRequest.properties[field], value);
    return true;
  } catch {
    return false;
  }
}
