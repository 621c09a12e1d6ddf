// E, V, c, v: the result of a payment, its reversal, a card verification, the closure of a pre-authorization.
import { digitsOf, numberAt, reaches, textAt, textOf, valueAt, zeros } from './fields.ts';
import { headerOf } from './header.ts';
import type { CardType, CurrencyExchange, PaymentReply } from './message-types.ts';
import {
  APPROVED,
  actionAt,
  actionField,
  authorizationAt,
  authorizationField,
  cardAt,
  cardField,
  hostTimeAt,
  hostTimeField,
  numbersAt,
  numbersField,
  refusalAt,
  refusalField,
  resultOf,
} from './reply-fields.ts';

/** What the till asked, where it changes the layout of a refusal. */
export type AnswerTo = 'REVERSAL' | 'OTHER';

/** Up to here every approval has the same fields; a plain payment and a verification end with them. */
const PLAIN_CHARACTERS = 71;
/** Positions behind the plain fields. */
const ACTION = 72;
const AMOUNT = 75;
/** Where the flag of the currency exchange is: behind the amount in V, in its place in v. */
const EXCHANGE = { V: 83, v: 75 } as const;
const RESERVED = zeros(10);

const CARD_TYPE_OF: Readonly<Record<string, CardType>> = { 1: 'DEBIT', 2: 'CREDIT', 3: 'OTHER' };
const CARD_TYPE_CODES: Readonly<Record<CardType, string>> = { DEBIT: '1', CREDIT: '2', OTHER: '3' };

/** @throws FieldError when an approval is cut, or tells an amount that is none: such a message approves nothing */
export function decodePaymentReply(terminalId: string, code: PaymentReply['code'], text: string): PaymentReply {
  const head = { type: 'payment-reply', code, terminalId, result: resultOf(text) } as const;
  const isApproved = head.result === APPROVED;
  if (isApproved) textAt(text, 1, PLAIN_CHARACTERS, 'online id');
  const cardType = valueAt(text, 48, CARD_TYPE_OF);
  return {
    ...head,
    ...(isApproved ? approvalOf(text) : refusalAt(text)),
    ...(cardType === undefined ? {} : { cardType }),
    ...numbersAt(text, 49),
    ...actionOf(text, isApproved),
    ...amountAt(code, text, isApproved),
    ...exchangeAt(code, text, isApproved),
  };
}

function approvalOf(text: string): Partial<PaymentReply> {
  return { ...cardAt(text), ...authorizationAt(text, 35), ...hostTimeAt(text, 41) };
}

/** Behind the plain fields; a refusal that ends with them may have it behind its text (verification). */
function actionOf(text: string, isApproved: boolean): Pick<PaymentReply, 'actionCode'> {
  if (isApproved || reaches(text, ACTION, 3)) return actionAt(text, ACTION, isApproved);
  return actionAt(text, 37, isApproved);
}

/**
 * E has an amount only in full length (the reply to X): a reversal ends with reserved zeros at the same place. What a refusal says there is told
 * where it is a number.
 */
function amountAt(code: PaymentReply['code'], text: string, isApproved: boolean): Pick<PaymentReply, 'amountMinor'> {
  const isTold = code === 'V' ? reaches(text, AMOUNT, 8) : code === 'E' && reaches(text, AMOUNT, 18);
  if (!isTold || (!isApproved && !/^[0-9]{8}$/.test(text.slice(AMOUNT - 1, AMOUNT + 7)))) return {};
  return { amountMinor: numberAt(text, AMOUNT, 8, 'amount') };
}

function exchangeAt(code: PaymentReply['code'], text: string, isApproved: boolean): Pick<PaymentReply, 'exchange'> {
  if (!isApproved || (code !== 'V' && code !== 'v')) return {};
  const flag = EXCHANGE[code];
  if (text.charAt(flag - 1) !== '1') return {};
  const exchange: CurrencyExchange = {
    rate: textAt(text, flag + 1, 8, 'rate'),
    currency: textAt(text, flag + 9, 3, 'exchange currency'),
    amountMinor: numberAt(text, flag + 12, 12, 'exchange amount'),
    decimals: numberAt(text, flag + 24, 1, 'exchange decimals'),
  };
  return { exchange };
}

/**
 * @param answerTo a refused reversal has its action code at another place than a refused verification
 * @throws RangeError when a value does not fit its field
 */
export function encodePaymentReply(reply: PaymentReply, answerTo: AnswerTo = 'OTHER'): string {
  const isApproved = reply.result === APPROVED;
  const tail = tailOf(reply, answerTo);
  const beginning = isApproved
    ? `${cardField(reply)}${authorizationField(reply)}${hostTimeField(reply.hostTime)}`
    : `${refusalField(reply)}${tail === '' ? actionField(reply) : zeros(3)}${zeros(8)}`;
  const cardType = reply.cardType === undefined ? ' ' : CARD_TYPE_CODES[reply.cardType];
  return `${headerOf(reply.terminalId, reply.code)}${reply.result}${beginning}${cardType}${numbersField(reply)}${tail}`;
}

/** What follows the plain fields. */
function tailOf(reply: PaymentReply, answerTo: AnswerTo): string {
  const { code, amountMinor, exchange } = reply;
  const action = actionField(reply);
  if (code === 'c') return action;
  if (code === 'v') return `${action}${exchangeField(exchange)}${RESERVED}`;
  const amount = digitsOf(amountMinor ?? 0, 8, 'amount');
  if (code === 'V') return `${action}${amount}${exchangeField(exchange)}${RESERVED}`;
  if (amountMinor !== undefined) return `${action}${amount}${RESERVED}`;
  const hasAction = answerTo === 'REVERSAL' || (reply.result === APPROVED && reply.actionCode !== undefined);
  return hasAction ? `${action}${RESERVED}` : '';
}

function exchangeField(exchange: CurrencyExchange | undefined): string {
  if (exchange === undefined) return `0${zeros(8)}   ${zeros(13)}`;
  const { rate, currency, amountMinor, decimals } = exchange;
  const value = `${digitsOf(amountMinor, 12, 'exchange amount')}${digitsOf(decimals, 1, 'exchange decimals')}`;
  return `1${textOf(rate, 8, 'rate')}${textOf(currency, 3, 'exchange currency')}${value}`;
}
