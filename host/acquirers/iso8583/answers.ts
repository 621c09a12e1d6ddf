import { currencyOfNumeric } from '../../../app/contract/currencies.ts';
import type { HostTransactionType } from '../../../app/contract/host/authorize.ts';
import { verdictOf } from '../../../app/contract/issuer-answers.ts';
import type {
  AcquirerReply,
  BatchTotals,
  CloseBatchReply,
  Lost,
  MessageAnswer,
  MessageKind,
  ReversalReply,
} from '../../ports/acquirer.ts';
import { type IsoMessage, textOf } from './codec.ts';
import { decodeTlv } from './emv-tlv.ts';
import { DE } from './fields.ts';

/** What an answer says, as plain values. */
export interface IsoAnswer {
  readonly mti: string;
  readonly stan: number;
  /** DE 41. */
  readonly terminal: string;
  readonly responseCode: string;
  readonly time?: string;
  readonly processingCode?: string;
  readonly amountMinor?: number;
  readonly currencyCode?: string;
  readonly authorizationCode?: string;
  readonly rrn?: string;
  readonly issuerData: Readonly<Partial<Record<'issuerAuthData' | 'issuerScript71' | 'issuerScript72', string>>>;
  readonly settlementCode?: string;
  /** DE 15, MMDD. */
  readonly settlementDate?: string;
  readonly totals?: BatchTotals;
}

/** What was sent, as far as its answer is held against it. */
export interface IsoSent {
  readonly reference: string;
  readonly kind: MessageKind;
  readonly stan: number;
  /** As the host knows it. */
  readonly terminalId: string;
  readonly sentAtMs: number;
  /** DE 7, DE 41 and DE 3 as sent. */
  readonly time: string;
  readonly terminal: string;
  readonly processingCode: string | undefined;
  readonly operation: HostTransactionType;
}

/** Reads an answer; undefined when what names it (DE 11, DE 41) or its code (DE 39) is missing. */
export function readAnswer(message: IsoMessage): IsoAnswer | undefined {
  const stan = textOf(message, DE.stan);
  const terminal = textOf(message, DE.terminal);
  const responseCode = textOf(message, DE.responseCode);
  if (stan === undefined || terminal === undefined || responseCode === undefined) return undefined;
  const amount = textOf(message, DE.amount);
  const currency = textOf(message, DE.currency);
  const totals = readTotals(message);
  return {
    mti: message.mti,
    stan: Number(stan),
    terminal,
    responseCode,
    issuerData: readIssuerData(message),
    ...present('time', textOf(message, DE.transmissionTime)),
    ...present('processingCode', textOf(message, DE.processingCode)),
    ...present('amountMinor', amount === undefined ? undefined : Number(amount)),
    // A number that is no currency is repeated as it is: it matches none that was sent.
    ...present('currencyCode', currency === undefined ? undefined : (currencyOfNumeric(currency) ?? currency)),
    // Acquirers fill what they do not have with spaces.
    ...present('authorizationCode', textOf(message, DE.authorizationCode) || undefined),
    ...present('rrn', textOf(message, DE.rrn) || undefined),
    ...present('settlementCode', textOf(message, DE.settlementCode)),
    ...present('settlementDate', textOf(message, DE.settlementDate)),
    ...present('totals', totals),
  };
}

function present<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [Name in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: Value };
}

const issuerTags: Readonly<Record<string, 'issuerAuthData' | 'issuerScript71' | 'issuerScript72'>> = {
  '91': 'issuerAuthData',
  '71': 'issuerScript71',
  '72': 'issuerScript72',
};

/** Tags 91, 71 and 72 of DE 55; several scripts of one kind follow one another. Whatever else is there is not looked at. */
function readIssuerData(message: IsoMessage): IsoAnswer['issuerData'] {
  const chip = message.fields.get(DE.chip);
  const tags = chip === undefined || typeof chip === 'string' ? [] : (decodeTlv(chip.reveal()) ?? []);
  const data: Partial<Record<'issuerAuthData' | 'issuerScript71' | 'issuerScript72', string>> = {};
  for (const [tag, value] of tags) {
    const name = issuerTags[tag];
    if (name !== undefined && value !== '') data[name] = (data[name] ?? '') + value;
  }
  return data;
}

function readTotals(message: IsoMessage): BatchTotals | undefined {
  const numbers = [
    ...([DE.saleCount, DE.saleAmount, DE.refundCount, DE.refundAmount] as const),
    ...([DE.saleReversalCount, DE.saleReversalAmount] as const),
  ].map((number) => textOf(message, number));
  if (numbers.some((text) => text === undefined)) return undefined;
  const [
    saleCount = 0,
    saleAmountMinor = 0,
    refundCount = 0,
    refundAmountMinor = 0,
    voidCount = 0,
    voidAmountMinor = 0,
  ] = numbers.map(Number);
  return { saleCount, saleAmountMinor, refundCount, refundAmountMinor, voidCount, voidAmountMinor };
}

const unreadable: Lost = { kind: 'LOST', reason: 'UNREADABLE_ANSWER' };
const uncertain: Lost = { kind: 'LOST', reason: 'UNCERTAIN_ANSWER' };

/** The answer to a message that moves money; undefined when it repeats another operation in a way that no fact of the port can tell. */
export function moneyAnswer(answer: IsoAnswer, sent: IsoSent): MessageAnswer | undefined {
  const operation = echoedOperation(answer.processingCode, sent);
  if (operation === 'UNREADABLE') return undefined;
  const isPartial = answer.responseCode === '10';
  const { amountMinor, currencyCode, authorizationCode, rrn } = answer;
  return {
    responseCode: answer.responseCode,
    echo: {
      terminalId: answer.terminal === sent.terminal ? sent.terminalId : answer.terminal,
      ...present('operation', operation),
      ...present('amountMinor', isPartial ? undefined : amountMinor),
      ...present('currencyCode', currencyCode),
    },
    ...present('authorizationCode', authorizationCode),
    ...present('rrn', rrn),
    ...present('approvedAmountMinor', isPartial ? amountMinor : undefined),
    ...answer.issuerData,
  };
}

function echoedOperation(code: string | undefined, sent: IsoSent): HostTransactionType | undefined | 'UNREADABLE' {
  if (code === undefined) return undefined;
  if (code === sent.processingCode) return sent.operation;
  const told = code.startsWith('20')
    ? 'refund'
    : code.startsWith('00') || code.startsWith('09')
      ? 'purchase'
      : undefined;
  return told === undefined || told === sent.operation ? 'UNREADABLE' : told;
}

/** An answer to a message that nobody here knows: only what it says by itself. */
export function strayAnswer(answer: IsoAnswer): MessageAnswer {
  const { responseCode, terminal, amountMinor, currencyCode, authorizationCode, rrn } = answer;
  return {
    responseCode,
    echo: { terminalId: terminal, ...present('amountMinor', amountMinor), ...present('currencyCode', currencyCode) },
    ...present('authorizationCode', authorizationCode),
    ...present('rrn', rrn),
  };
}

export function moneyReply(answer: IsoAnswer, sent: IsoSent): AcquirerReply {
  const read = moneyAnswer(answer, sent);
  return read === undefined ? unreadable : { kind: 'ANSWERED', answer: read };
}

const CODE_APPROVED = '00';
const CODE_NO_SUCH_ORIGINAL = '25';
const CODE_OUT_OF_BALANCE = '95';

/** 0430: 00 confirms, 25 knows no such message; what the acquirer does not know either is asked again. */
export function reversalReply(answer: IsoAnswer, sent: IsoSent): ReversalReply {
  const { responseCode } = answer;
  if (answer.processingCode !== undefined && answer.processingCode !== sent.processingCode) return unreadable;
  if (responseCode === CODE_APPROVED) return { kind: 'CONFIRMED' };
  if (responseCode === CODE_NO_SUCH_ORIGINAL) return { kind: 'UNKNOWN_ORIGINAL' };
  return verdictOf(responseCode, 0) === 'UNKNOWN' ? uncertain : { kind: 'REFUSED', responseCode };
}

/** 0510: DE 66 tells 1 in balance, 2 out of balance; where it is missing, DE 39 does (00, 95). */
export function closeBatchReply(answer: IsoAnswer, sent: IsoSent): CloseBatchReply {
  const { responseCode, settlementCode, settlementDate, totals, rrn } = answer;
  const isClosed = responseCode === CODE_APPROVED || responseCode === CODE_OUT_OF_BALANCE;
  if (!isClosed) return verdictOf(responseCode, 0) === 'UNKNOWN' ? uncertain : { kind: 'REFUSED', responseCode };
  if (settlementCode !== undefined && settlementCode !== '1' && settlementCode !== '2') return unreadable;
  return {
    kind: 'CLOSED',
    isAgreed: settlementCode === undefined ? responseCode === CODE_APPROVED : settlementCode === '1',
    ...present('totals', totals),
    ...present('batchReference', rrn),
    ...present('fundingDate', settlementDate === undefined ? undefined : dateAfter(settlementDate, sent.sentAtMs)),
  };
}

/** MMDD as the first such date that is not before the message's own, YYYY-MM-DD; undefined when there is none. */
function dateAfter(monthDay: string, sentAtMs: number): string | undefined {
  const today = new Date(sentAtMs).toISOString().slice(0, 10);
  const year = Number(today.slice(0, 4));
  const dates = [year, year + 1].map((each) => `${each}-${monthDay.slice(0, 2)}-${monthDay.slice(2)}`);
  return dates.find((date) => date >= today && isDay(date));
}

function isDay(date: string): boolean {
  const atMs = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(date);
}
