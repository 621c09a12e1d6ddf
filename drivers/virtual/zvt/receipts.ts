import type { ReceiptType } from '../../zvt/codec/message-types.ts';
import type { BatchTotals, BookOperation } from '../book/entries.ts';
import { localTimeOf } from '../local-time.ts';
import { formatAmount, type TerminalTexts } from '../texts.ts';
import type { TerminalSettings } from './state.ts';
import { authorizationText, cryptogram, type ReportedAuthorization } from './status-fields.ts';

/** Characters on a line of the printer. */
const PAPER_WIDTH = 24;

/** Attribute bytes of a print line. */
const PLAIN = 0x00;
const CENTRED = 0x40;
export const LAST_LINE = 0x81;

export interface ReceiptLine {
  readonly attribute: number;
  readonly text: string;
}

export interface Receipt {
  readonly type: ReceiptType;
  /** without the last-line mark */
  readonly lines: readonly ReceiptLine[];
}

export interface ReceiptContent extends ReportedAuthorization {
  readonly operation: BookOperation;
  readonly batch: number;
}

const plain = (text: string): ReceiptLine => ({ attribute: PLAIN, text });
const centred = (text: string): ReceiptLine => ({ attribute: CENTRED, text });
const spread = (left: string, right: string): ReceiptLine =>
  plain(left + right.padStart(Math.max(1, PAPER_WIDTH - left.length)));

/** The merchant's and the customer's receipt of a payment, laid out like those of captured terminals. */
export function paymentReceipts(settings: TerminalSettings, content: ReceiptContent): readonly Receipt[] {
  return [
    { type: 'merchant', lines: [...paymentLines(settings, content, true), ...closing(settings, content, true)] },
    { type: 'customer', lines: [...paymentLines(settings, content, false), ...closing(settings, content, false)] },
  ];
}

function paymentLines(
  settings: TerminalSettings,
  content: ReceiptContent,
  isMerchant: boolean,
): readonly ReceiptLine[] {
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

function closing({ texts }: TerminalSettings, { card }: ReceiptContent, isMerchant: boolean): readonly ReceiptLine[] {
  if (!isMerchant) return [centred('-'.repeat(PAPER_WIDTH)), centred(texts.thanks), centred('-'.repeat(PAPER_WIDTH))];
  if (card.verification !== 'SIGNATURE') return [];
  return [plain(texts.signature), plain(' '), plain('_'.repeat(PAPER_WIDTH))];
}

/** The receipt of an end of day or of the turnover so far. */
export function totalsReceipt(
  settings: TerminalSettings,
  totals: BatchTotals,
  atMs: number,
  isClose: boolean,
): Receipt {
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

/** A line as it looks on paper. */
export function onPaper({ attribute, text }: ReceiptLine): string {
  if (attribute !== CENTRED) return text;
  return `${' '.repeat(Math.max(0, Math.floor((PAPER_WIDTH - text.length) / 2)))}${text}`;
}

export function operationName(texts: TerminalTexts, operation: BookOperation | 'BALANCE'): string {
  const names: Readonly<Record<BookOperation | 'BALANCE', string>> = {
    SALE: texts.sale,
    PRE_AUTH: texts.preAuth,
    COMPLETION: texts.completion,
    RELEASE: texts.release,
    VOID: texts.void,
    REFUND: texts.refund,
    BALANCE: texts.balance,
  };
  return names[operation];
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
