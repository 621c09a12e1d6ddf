import { Secret } from '../../../app/domain/secret.ts';
import type { EndOfDayTotals, SchemeTotal, StatusInformation, ZvtFields } from '../../zvt/codec/message-types.ts';
import type { BatchTotals, BookCard, CountAndSum } from '../book/entries.ts';
import { type CardEntry, firstSixAndLastFour, type TestCard } from '../cards.ts';
import { localTimeOf } from '../local-time.ts';
import { authorizationText, cryptogram, type ReportedAuthorization } from '../receipts.ts';
import type { Turn } from './turn.ts';

/** BMP 8A: card types of the ZVT card type list. No cheque comes into the book of this terminal. */
const CARD_TYPES: Readonly<Record<BookCard['scheme'], number>> = {
  CHEQUE: 0xff,
  GIROCARD: 0x05,
  MASTERCARD: 0x06,
  AMEX: 0x08,
  VISA: 0x0a,
};
/** TLV 1F12 */
const TECHNOLOGIES: Readonly<Record<CardEntry, number>> = { MAGSTRIPE: 0x00, CONTACT: 0x01, CONTACTLESS: 0x02 };
/** TLV 1F10: none, signature, online PIN, offline PIN */
const NO_CVM = 0x00;
const SIGNATURE = 0x01;
const ONLINE_PIN = 0x02;
const OFFLINE_PIN = 0x03;
/** BMP 19 in a result: confirmed by PIN, or online without */
const PAID_WITH_PIN = 0x70;
const PAID_ONLINE = 0x60;
const AUTHORIZATION_ATTRIBUTE_BYTES = 8;
const MAX_SCHEME_COUNT = 0xff;

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

function asciiBytes(text: string, byteCount: number): Uint8Array {
  return Uint8Array.from({ length: byteCount }, (_, index) => (index < text.length ? text.charCodeAt(index) : 0));
}

/** The status information of an approval, in the shape that captured terminals send. */
export function approvedStatus({ settings, state }: Turn, report: ReportedAuthorization): StatusInformation {
  const { card, trace, receipt } = report;
  const moment = localTimeOf(report.atMs);
  return {
    type: 'status-information',
    resultCode: 0x00,
    amountMinor: report.amountMinor,
    trace: digits(trace, 6),
    ...(report.originalTrace === undefined ? {} : { originalTrace: digits(report.originalTrace, 6) }),
    time: moment.time,
    date: moment.date.slice(4),
    expiry: card.expiry,
    cardSequence: card.sequence,
    paymentType: card.verification === 'PIN' ? PAID_WITH_PIN : PAID_ONLINE,
    pan: new Secret(card.maskedPan),
    terminalId: settings.terminalId,
    vuNumber: settings.vuNumber,
    authorizationAttribute: asciiBytes(report.authorizationCode, AUTHORIZATION_ATTRIBUTE_BYTES),
    additionalText: authorizationText(report.authorizationCode),
    currency: settings.currencyNumber,
    receipt: digits(receipt, 4),
    turnover: digits(receipt, 6),
    cardType: CARD_TYPES[card.scheme],
    cardName: card.label,
    ...(state.registration?.usesTlv === true ? approvalTlv(report) : {}),
  };
}

function approvalTlv({ card, authorizationCode, trace }: ReportedAuthorization): ZvtFields {
  const emvReceipt = card.aid === undefined ? undefined : `${card.aid} ${cryptogram(trace)}`;
  return {
    texts: [authorizationText(authorizationCode)],
    ...(card.aid === undefined ? {} : { aid: card.aid }),
    applicationName: card.label,
    ...(emvReceipt === undefined ? {} : { emvReceiptCustomer: emvReceipt, emvReceiptMerchant: emvReceipt }),
    cvm: cvmCode(card),
    technology: TECHNOLOGIES[card.entry],
  };
}

function cvmCode(card: BookCard): number {
  if (card.verification === 'SIGNATURE') return SIGNATURE;
  if (card.verification === 'PIN') return card.entry === 'CONTACT' ? OFFLINE_PIN : ONLINE_PIN;
  return NO_CVM;
}

/** The status information of a refusal: result, terminal, a text, the kind of card if one was read. */
export function refusedStatus(
  { settings, state }: Turn,
  resultCode: number,
  text: string,
  card?: BookCard | TestCard,
): StatusInformation {
  return {
    type: 'status-information',
    resultCode,
    terminalId: settings.terminalId,
    additionalText: text,
    ...(card === undefined ? {} : { cardType: CARD_TYPES[card.scheme] }),
    ...(state.registration?.usesTlv === true && card !== undefined ? { texts: [text] } : {}),
  };
}

/** The answer to a balance enquiry: BMP 04 is the balance. */
export function balanceStatus({ settings }: Turn, card: BookCard, balanceMinor: number): StatusInformation {
  return {
    type: 'status-information',
    resultCode: 0x00,
    amountMinor: balanceMinor,
    pan: new Secret(card.maskedPan),
    terminalId: settings.terminalId,
    currency: settings.currencyNumber,
    cardType: CARD_TYPES[card.scheme],
    cardName: card.label,
  };
}

/** The answer to 06 C0: the masked number and what kind of card it is. Tracks of payment cards do not leave a terminal. */
export function readCardStatus(card: TestCard, usesTlv: boolean): StatusInformation {
  return {
    type: 'status-information',
    pan: new Secret(firstSixAndLastFour(card.pan)),
    cardType: CARD_TYPES[card.scheme],
    cardName: card.label,
    ...(usesTlv ? { technology: TECHNOLOGIES[card.entry], ...(card.aid === undefined ? {} : { aid: card.aid }) } : {}),
  };
}

/** The answer to 06 50 and 06 10. A sum below zero cannot be written in BCD and is told as zero; a count has one byte and wraps. */
export function totalsStatus({ settings, now }: Turn, totals: BatchTotals, trace: number): StatusInformation {
  return {
    type: 'status-information',
    resultCode: 0x00,
    amountMinor: Math.max(0, totals.sumMinor),
    trace: digits(trace, 6),
    time: now.time,
    date: now.date.slice(4),
    terminalId: settings.terminalId,
    currency: settings.currencyNumber,
    totals: endOfDayTotals(totals),
  };
}

function endOfDayTotals({ byScheme, receiptFrom, receiptTo }: BatchTotals): EndOfDayTotals {
  const none: SchemeTotal = { count: 0, amountMinor: 0 };
  return {
    receiptFrom: digits(receiptFrom, 4),
    receiptTo: digits(receiptTo, 4),
    girocard: schemeTotal(byScheme.GIROCARD),
    jcb: none,
    mastercard: schemeTotal(byScheme.MASTERCARD),
    amex: schemeTotal(byScheme.AMEX),
    visa: schemeTotal(byScheme.VISA),
    diners: none,
    other: none,
  };
}

function schemeTotal(total: CountAndSum = { count: 0, sumMinor: 0 }): SchemeTotal {
  return { count: total.count & MAX_SCHEME_COUNT, amountMinor: Math.max(0, total.sumMinor) };
}
