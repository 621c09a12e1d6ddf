import { numericCodeOf } from '../../../app/contract/currencies.ts';
import type { Secret } from '../../../app/domain/secret.ts';
import type {
  Acceptor,
  AuthorizeMessage,
  CloseBatchMessage,
  FollowUpMessage,
  MessageTrace,
  OriginalMessage,
  ReversalMessage,
  ReversalReason,
} from '../../ports/acquirer.ts';
import { cardFields, entryModeCode } from './card-fields.ts';
import type { IsoMessage } from './codec.ts';
import { DE } from './fields.ts';

/** What every message of this host says. */
export interface IsoOrigin {
  /** DE 41 and DE 42: terminal and merchant as the acquirer knows them. */
  readonly acceptor: Acceptor;
  /** DE 32, up to eleven digits; also in DE 90. */
  readonly acquirerId: string;
}

const processingCodes = { purchase: '000000', cashback: '090000', adjustment: '020000', refund: '200000' } as const;
const conditions = { normal: '00', preAuthorized: '06' } as const;
/** Amount type 40: cash-back, as a debit. */
const CASHBACK_AMOUNT = '0040';

/** DE 39 of a reversal says why (ISO 8583:1987, response codes of reversals). */
const reversalCodes: Readonly<Record<ReversalReason, string>> = {
  NO_ANSWER: '68',
  WRONG_ANSWER: '22',
  PARTIAL_APPROVAL: '32',
  TERMINAL_FAILED: '22',
  CANCELLED: '17',
  LATE_APPROVAL: '68',
};

type Fields = Readonly<Record<number, string | Secret<string> | undefined>>;

/** 0100 for what holds, 0200 for what captures at once or gives back. */
export function authorizeMessage(message: AuthorizeMessage, origin: IsoOrigin, isRepeat: boolean): IsoMessage {
  const { operation, amountMinor, currencyCode, cashbackMinor = 0, entryMode, original } = message;
  const { secrets, cardSequence } = cardFields(message);
  return build(repeated(originalMti({ ...message, kind: 'AUTHORIZE' }), isRepeat), message.trace, origin, {
    ...Object.fromEntries(secrets),
    [DE.processingCode]: processingCode({ kind: 'AUTHORIZE', operation, cashbackMinor }),
    [DE.amount]: digits(amountMinor, 12),
    [DE.entryMode]: entryMode === undefined ? undefined : entryModeCode(entryMode),
    [DE.cardSequence]: cardSequence,
    [DE.conditionCode]: operation === 'pre_auth' ? conditions.preAuthorized : conditions.normal,
    [DE.currency]: numericCodeOf(currencyCode),
    [DE.additionalAmounts]:
      cashbackMinor === 0 ? undefined : `${CASHBACK_AMOUNT}${numericCodeOf(currencyCode)}D${digits(cashbackMinor, 12)}`,
    ...(original === undefined ? {} : ofOriginal(original, origin)),
  });
}

/** 0220: tells a capture, or a new total with another tip. */
export function adviceMessage(
  kind: 'CAPTURE' | 'ADJUST_TIP',
  message: FollowUpMessage,
  origin: IsoOrigin,
  isRepeat: boolean,
): IsoMessage {
  const { original } = message;
  return build(repeated('0220', isRepeat), message.trace, origin, {
    ...moneyOf(message),
    [DE.processingCode]: kind === 'ADJUST_TIP' ? processingCodes.adjustment : processingCode(original),
    [DE.conditionCode]: original.operation === 'pre_auth' ? conditions.preAuthorized : conditions.normal,
    ...ofOriginal(original, origin),
  });
}

/** 0400: asks for a hold or a capture to be taken back. */
export function voidMessage(message: FollowUpMessage, origin: IsoOrigin, isRepeat: boolean): IsoMessage {
  return build(repeated('0400', isRepeat), message.trace, origin, {
    ...moneyOf(message),
    [DE.processingCode]: processingCode(message.original),
    ...ofOriginal(message.original, origin),
  });
}

/** 0200 without a card: gives back. */
export function refundMessage(message: FollowUpMessage, origin: IsoOrigin, isRepeat: boolean): IsoMessage {
  return build(repeated('0200', isRepeat), message.trace, origin, {
    ...moneyOf(message),
    [DE.processingCode]: processingCodes.refund,
    [DE.conditionCode]: conditions.normal,
    ...ofOriginal(message.original, origin),
  });
}

/** 0420: tells that a message is taken back. */
export function reversalMessage(message: ReversalMessage, origin: IsoOrigin, isRepeat: boolean): IsoMessage {
  const { original, currencyCode, reason } = message;
  return build(repeated('0420', isRepeat), message.trace, origin, {
    [DE.processingCode]: processingCode(original),
    [DE.amount]: digits(original.amountMinor, 12),
    [DE.responseCode]: reversalCodes[reason],
    [DE.currency]: numericCodeOf(currencyCode),
    ...ofOriginal(original, origin),
  });
}

/** 0500: compares totals and closes the batch. */
export function closeBatchMessage(message: CloseBatchMessage, origin: IsoOrigin, isRepeat: boolean): IsoMessage {
  const { totals, currencyCode } = message;
  const net = totals.saleAmountMinor - totals.refundAmountMinor - totals.voidAmountMinor;
  return build(repeated('0500', isRepeat), message.trace, origin, {
    [DE.settlementCurrency]: numericCodeOf(currencyCode),
    [DE.refundCount]: digits(totals.refundCount, 10),
    [DE.refundReversalCount]: digits(0, 10),
    [DE.saleCount]: digits(totals.saleCount, 10),
    [DE.saleReversalCount]: digits(totals.voidCount, 10),
    [DE.refundAmount]: digits(totals.refundAmountMinor, 16),
    [DE.refundReversalAmount]: digits(0, 16),
    [DE.saleAmount]: digits(totals.saleAmountMinor, 16),
    [DE.saleReversalAmount]: digits(totals.voidAmountMinor, 16),
    [DE.netAmount]: `${net < 0 ? 'C' : 'D'}${digits(Math.abs(net), 16)}`,
  });
}

/** 0800 and 0810: sign-on 001, sign-off 002, echo 301. */
export function networkMessage(
  mti: string,
  facts: { readonly stan: string; readonly time: string; readonly code: string; readonly responseCode?: string },
): IsoMessage {
  return toMessage(mti, {
    [DE.transmissionTime]: facts.time,
    [DE.stan]: facts.stan,
    [DE.responseCode]: facts.responseCode,
    [DE.networkCode]: facts.code,
  });
}

function build(mti: string, trace: MessageTrace, { acceptor, acquirerId }: IsoOrigin, rest: Fields): IsoMessage {
  const time = transmissionTime(trace.sentAtMs);
  return toMessage(mti, {
    ...rest,
    [DE.transmissionTime]: time,
    [DE.stan]: digits(trace.stan, 6),
    // The host knows no time zone of the shop: both times are UTC.
    [DE.localTime]: time.slice(4),
    [DE.localDate]: time.slice(0, 4),
    [DE.acquirerId]: acquirerId,
    [DE.rrn]: trace.rrn,
    [DE.terminal]: acceptor.terminalId,
    [DE.merchant]: acceptor.merchantId,
  });
}

function toMessage(mti: string, values: Fields): IsoMessage {
  const present = Object.entries(values).flatMap(([number, value]) =>
    value === undefined ? [] : [[Number(number), value] as const],
  );
  return { mti, fields: new Map(present) };
}

function moneyOf({ amountMinor, currencyCode }: FollowUpMessage): Fields {
  return { [DE.amount]: digits(amountMinor, 12), [DE.currency]: numericCodeOf(currencyCode) };
}

/** DE 38 and DE 90: type, trace number and time of the original, the acquirer, and no forwarder. */
function ofOriginal(original: OriginalMessage, { acquirerId }: IsoOrigin): Fields {
  const { stan, sentAtMs } = original.trace;
  const id = acquirerId.padStart(11, '0');
  return {
    [DE.authorizationCode]: original.authorizationCode,
    [DE.original]: `${originalMti(original)}${digits(stan, 6)}${transmissionTime(sentAtMs)}${id}${digits(0, 11)}`,
  };
}

function originalMti({
  kind,
  operation,
  captureMethod,
}: Pick<OriginalMessage, 'kind' | 'operation' | 'captureMethod'>): string {
  switch (kind) {
    case 'CAPTURE':
    case 'ADJUST_TIP':
      return '0220';
    case 'VOID':
      return '0400';
    case 'REVERSE':
      return '0420';
    case 'CLOSE_BATCH':
      return '0500';
    case 'REFUND':
      return '0200';
    case 'AUTHORIZE':
      if (operation === 'refund') return '0200';
      return operation === 'pre_auth' || captureMethod === 'MANUAL' ? '0100' : '0200';
  }
}

function processingCode({
  kind,
  operation,
  cashbackMinor = 0,
}: Pick<OriginalMessage, 'kind' | 'operation' | 'cashbackMinor'>): string {
  if (kind === 'ADJUST_TIP') return processingCodes.adjustment;
  if (kind === 'REFUND' || operation === 'refund') return processingCodes.refund;
  return cashbackMinor > 0 ? processingCodes.cashback : processingCodes.purchase;
}

/** The same type as a repeat: 0100 → 0101, 0420 → 0421. */
function repeated(mti: string, isRepeat: boolean): string {
  return isRepeat ? `${mti.slice(0, 3)}1` : mti;
}

/** The type of the answer to a message: 0100 and 0101 → 0110, 0220 and 0221 → 0230, 0400 → 0410, 0420 and 0421 → 0430. */
export function answerMti(mti: string): string {
  return `${mti.slice(0, 2)}${Number(mti.charAt(2)) + 1}0`;
}

/** MMDDhhmmss, UTC. */
export function transmissionTime(atMs: number): string {
  return new Date(atMs).toISOString().replace(/^\d{4}-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d).*$/, '$1$2$3$4$5');
}

/** A number with zeros in front. One that is longer is not cut: the codec refuses it. */
export function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
