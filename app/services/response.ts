import type { ChipData, ReceiptData, TransactionResponse } from '../contract/transactions.ts';
import { totalMinor } from '../domain/money.ts';
import { awaitsCapture } from '../domain/tip-capture.ts';
import { posStatusOf } from '../domain/transaction.machine.ts';
import type { CardFacts, TransactionRecord } from '../domain/transaction.ts';
import type { TillSettings } from './till-deps.ts';

/** What is reported as `responseCode` of every approval, 08 and 11 included (decisions section 4). */
const APPROVED_RESPONSE_CODE = '00';

/** The record as a POS reads it (specification: TransactionResponse; decisions: Response fields, Extra response fields). */
export function responseOf(
  record: TransactionRecord,
  settings: TillSettings,
  chipData?: ChipData | undefined,
): TransactionResponse {
  const status = posStatusOf(record.state);
  return defined({
    transactionId: record.transactionId,
    status,
    type: record.type,
    amount: record.type === 'BALANCE_INQUIRY' ? (record.balanceMinor ?? 0) : record.amountMinor,
    currency: record.currency,
    tipAmount: orAbsent(record.tipAmountMinor),
    cashbackAmount: orAbsent(record.cashbackAmountMinor),
    ...(status === 'IN_PROGRESS' ? {} : resultFieldsOf(record)),
    chipData: status === 'PENDING_ONLINE' ? chipData : undefined,
    referenceId: record.referenceId,
    originalTransactionId: record.originalTransactionId,
    timestamp: record.updatedAt,
    receiptData: status === 'APPROVED' ? receiptDataOf(record, settings) : undefined,
    metadata: record.metadata,
    possibleDuplicate: record.possibleDuplicateOf === undefined ? undefined : true,
    tipCapturePending: awaitsCapture(record) ? true : undefined,
    simulated: record.simulated ? true : undefined,
    simulatedRule: record.simulatedRule,
    batchNumber: String(record.batchNumber),
    businessDate: record.businessDate,
  });
}

function resultFieldsOf(record: TransactionRecord): Partial<TransactionResponse> {
  const message = record.state === 'ERROR' || record.state === 'CANCELLED' ? record.errorMessage : undefined;
  return defined({
    ...cardFieldsOf(record.card),
    responseCode: record.state === 'APPROVED' ? APPROVED_RESPONSE_CODE : record.card.responseCode,
    outcome: record.outcome,
    decline: record.decline,
    deferredAuthorization: record.deferred,
    errorCode: record.state === 'ERROR' ? record.errorCode : undefined,
    message,
    cancelledReason: record.cancelReason,
    cardToken: record.type === 'CARD_READ' ? record.card.cardToken : undefined,
  });
}

function cardFieldsOf(card: CardFacts): Partial<TransactionResponse> {
  const { responseCode: _responseCode, cardToken: _cardToken, ...fields } = card;
  return fields;
}

/** What a receipt of an approval shows (specification: ReceiptData). */
function receiptDataOf(record: TransactionRecord, settings: TillSettings): ReceiptData {
  const { card } = record;
  return defined({
    merchantName: settings.merchantName,
    merchantId: record.merchantId,
    terminalId: record.terminalId,
    transactionId: record.transactionId,
    dateTime: record.updatedAt,
    cardScheme: card.cardScheme,
    maskedPan: card.maskedPan,
    applicationLabel: card.applicationLabel,
    aid: card.aid,
    authorizationCode: card.authorizationCode,
    amount: record.amountMinor,
    tipAmount: orAbsent(record.tipAmountMinor),
    cashbackAmount: orAbsent(record.cashbackAmountMinor),
    totalAmount: totalMinor(record),
    entryMode: card.entryMode,
    cvmPerformed: card.cvmResult,
    approvalStatus: record.deferred === 'WAITING' ? 'ACCEPTED OFFLINE' : record.state,
  });
}

/** Tip and cash-back of 0 are as good as not sent. */
function orAbsent(amountMinor: number): number | undefined {
  return amountMinor === 0 ? undefined : amountMinor;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** What is unknown is absent, not null and not undefined (decisions: Response fields). */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
