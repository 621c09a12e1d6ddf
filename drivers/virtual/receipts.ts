// The receipts of a terminal with an acquirer of its own, line by line; how they travel is each protocol's own.
import type { BatchTotals, BookCard, BookOperation } from './book/entries.ts';
import type { LedgerTransaction, LedgerView } from './book/ledger.ts';
import { localTimeOf } from './local-time.ts';
import type { PaymentSettings } from './payment.ts';
import { formatAmount, operationName } from './texts.ts';

/** Characters on a line of the printer. */
const PAPER_WIDTH = 24;

/** An authorization as its result and its receipts tell it. */
export interface ReportedAuthorization {
  readonly receipt: number;
  readonly trace: number;
  readonly amountMinor: number;
  readonly card: BookCard;
  readonly authorizationCode: string;
  readonly originalTrace?: number;
  readonly atMs: number;
}

export interface ReceiptContent extends ReportedAuthorization {
  readonly operation: BookOperation;
  readonly batch: number;
}

/** A payment of the book as its receipts tell it. */
export function receiptContent(ledger: LedgerView, transaction: LedgerTransaction): ReceiptContent {
  const original = transaction.originalId === undefined ? undefined : ledger.get(transaction.originalId);
  return {
    ...transaction,
    atMs: Date.parse(transaction.at),
    ...(original === undefined ? {} : { originalTrace: original.trace }),
  };
}

export interface ReceiptLine {
  readonly text: string;
  readonly isCentred: boolean;
}

export interface Receipt {
  readonly type: 'merchant' | 'customer' | 'administration';
  readonly lines: readonly ReceiptLine[];
}

const plain = (text: string): ReceiptLine => ({ isCentred: false, text });
const centred = (text: string): ReceiptLine => ({ isCentred: true, text });
const spread = (left: string, right: string): ReceiptLine =>
  plain(left + right.padStart(Math.max(1, PAPER_WIDTH - left.length)));

/** The merchant's and the customer's receipt of a payment, laid out like those of captured terminals. */
export function paymentReceipts(settings: PaymentSettings, content: ReceiptContent): readonly Receipt[] {
  return [
    { type: 'merchant', lines: [...paymentLines(settings, content, true), ...closing(settings, content, true)] },
    { type: 'customer', lines: [...paymentLines(settings, content, false), ...closing(settings, content, false)] },
  ];
}

function paymentLines(settings: PaymentSettings, content: ReceiptContent, isMerchant: boolean): readonly ReceiptLine[] {
  const { texts } = settings;
  const { card } = content;
  const moment = localTimeOf(content.atMs);
  return [
    centred(`** ${isMerchant ? texts.merchantReceipt : texts.customerReceipt} **`),
    ...settings.merchantLines.map(centred),
    centred(''),
    centred(operationName(texts, content.operation)),
    spread(dottedDate(moment.date), clock(moment.time)),
    spread('Terminal-ID:', settings.terminalId),
    spread('VU-Nr:', settings.vuNumber),
    spread(texts.receiptNumber, `${two(content.batch % 100)}/${String(content.receipt).padStart(4, '0')}`),
    spread('Trace-Nr:', String(content.trace).padStart(6, '0')),
    centred(card.label),
    ...(card.aid === undefined ? [] : [spread('AID:', card.aid), plain(`Crypto: ${cryptogram(content.trace)}`)]),
    plain(`${texts.cardNumber}  ${card.maskedPan.replace(/(.{4})(?=.)/g, '$1 ')}`),
    spread(texts.expiry, `${card.expiry.slice(2)}/${card.expiry.slice(0, 2)}`),
    spread('SEQ:', card.sequence.slice(1)),
    centred(texts.paid),
    plain(authorizationText(content.authorizationCode)),
    spread(
      `${texts.amount}  ${settings.currency}`,
      formatAmount(content.amountMinor, settings.currencyExponent, texts),
    ),
    spread('', '='.repeat(15)),
    plain(' '),
  ];
}

function closing({ texts }: PaymentSettings, { card }: ReceiptContent, isMerchant: boolean): readonly ReceiptLine[] {
  if (!isMerchant) return [centred('-'.repeat(PAPER_WIDTH)), centred(texts.thanks), centred('-'.repeat(PAPER_WIDTH))];
  if (card.verification !== 'SIGNATURE') return [];
  return [plain(texts.signature), plain(' '), plain('_'.repeat(PAPER_WIDTH))];
}

/** The receipt of an end of day or of the turnover so far. */
export function totalsReceipt(settings: PaymentSettings, totals: BatchTotals, atMs: number, isClose: boolean): Receipt {
  const { texts } = settings;
  const moment = localTimeOf(atMs);
  const column = (name: string, count: string, sum: string) =>
    plain(name.padEnd(10) + count.padStart(4) + sum.padStart(10));
  const money = (amountMinor: number) => formatAmount(amountMinor, settings.currencyExponent, texts);
  return {
    type: 'administration',
    lines: [
      centred(`** ${isClose ? texts.dayClose : texts.totals} **`),
      ...settings.merchantLines.map(centred),
      centred(''),
      spread('Terminal-ID:', settings.terminalId),
      plain(`${dottedDate(moment.date)} ${clock(moment.time)}`),
      plain(' '),
      column('', texts.count, settings.currency),
      ...Object.entries(totals.byScheme).map(([scheme, { count, sumMinor }]) =>
        column(scheme, String(count), money(sumMinor)),
      ),
      centred('-'.repeat(PAPER_WIDTH)),
      column(texts.sum, String(totals.count), money(totals.sumMinor)),
      centred('='.repeat(PAPER_WIDTH)),
    ],
  };
}

/** Most lines of its own paper that a terminal remembers. */
const MAX_PAPER_LINES = 200;

/** The paper of a terminal with what it has just printed. */
export function withNewLines(paper: readonly string[], lines: readonly string[]): readonly string[] {
  return [...paper, ...lines].slice(-MAX_PAPER_LINES);
}

/** A line as it looks on paper. */
export function onPaper({ isCentred, text }: ReceiptLine): string {
  return isCentred ? `${' '.repeat(Math.max(0, Math.floor((PAPER_WIDTH - text.length) / 2)))}${text}` : text;
}

/** The words under which captured terminals print the authorization number, whatever their language. */
export function authorizationText(code: string): string {
  return `GEN.NR.:${code}`;
}

/** Stands for the application cryptogram on receipts: the same for the same payment, worth nothing. */
export function cryptogram(trace: number): string {
  const mixed = (BigInt(trace) * 0x9e3779b97f4a7c15n + 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
  return mixed.toString(16).padStart(16, '0').toUpperCase();
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function dottedDate(date: string): string {
  return `${date.slice(6)}.${date.slice(4, 6)}.${date.slice(0, 4)}`;
}

function clock(time: string): string {
  return `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}`;
}
