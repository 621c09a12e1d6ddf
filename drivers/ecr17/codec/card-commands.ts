// Commands of the till that name the till and may announce data for the acquirer's host.
import type {
  CardChoice,
  PaymentCommand,
  PreAuthorizationCommand,
  ReversalCommand,
  TillCommand,
  VerificationCommand,
} from './command-types.ts';
import { digitsAt, digitsOf, exactDigits, numberAt, textAt, textOf, valueAt, wordsAt, zeros } from './fields.ts';
import { headerOf } from './header.ts';

type CardCommand = PaymentCommand | PreAuthorizationCommand | ReversalCommand | VerificationCommand | TillCommand;

const AMOUNT_DIGITS = 8;
const RECEIPT_TEXT_CHARACTERS = 128;

/** Largest amount of a command, in minor units. */
export const MAX_AMOUNT_MINOR = 10 ** AMOUNT_DIGITS - 1;

const CODES: Readonly<Record<CardCommand['type'], string>> = {
  payment: 'P',
  'extended-payment': 'X',
  'pre-authorization': 'p',
  increment: 'i',
  closure: 'c',
  reversal: 'S',
  verification: 'H',
  'close-session': 'C',
  totals: 'T',
  'last-result': 'G',
};
const TYPES: ReadonlyMap<string, CardCommand['type']> = new Map(
  Object.entries(CODES).map(([type, code]) => [code, type as CardCommand['type']]),
);

const CARD_CHOICES: Readonly<Record<CardChoice, string>> = { ANY: '0', DEBIT: '1', CREDIT: '2', OTHER: '3' };
const CARD_CHOICE_OF: Readonly<Record<string, Exclude<CardChoice, 'ANY'>>> = { 1: 'DEBIT', 2: 'CREDIT', 3: 'OTHER' };

/** @throws RangeError when a value does not fit its field */
export function encodeCardCommand(command: CardCommand): string {
  const beginning = `${headerOf(command.terminalId, CODES[command.type])}${exactDigits(command.tillId, 8, 'till id')}`;
  const flag = command.hasAdditionalData === true ? '1' : '0';
  switch (command.type) {
    case 'reversal':
      return `${beginning}${exactDigits(command.stan ?? zeros(6), 6, 'STAN')}${flag}0`;
    case 'verification':
      return `${beginning}${flag}000${CARD_CHOICES[command.cardChoice ?? 'ANY']}${zeros(16)}`;
    case 'close-session':
    case 'totals':
      return `${beginning}${flag}${zeros(7)}`;
    case 'last-result':
      return `${beginning}${flag}${zeros(3)}`;
    case 'increment':
    case 'closure':
      return `${beginning}${flag}${zeros(4)}${amountOf(command)}${codeField(command)}${zeros(8)}`;
    default:
      return `${beginning}${flag}00${choicesOf(command)}${amountOf(command)}${zeros(8)}`;
  }
}

function choicesOf({ isCardPresent, cardChoice }: PaymentCommand): string {
  return `${isCardPresent === true ? '1' : '0'}${CARD_CHOICES[cardChoice ?? 'ANY']}`;
}

function amountOf({ amountMinor, receiptText }: PaymentCommand | PreAuthorizationCommand): string {
  const text = textOf(receiptText ?? '', RECEIPT_TEXT_CHARACTERS, 'receipt text', 'RIGHT');
  return `${digitsOf(amountMinor, AMOUNT_DIGITS, 'amount')}${text}`;
}

function codeField({ preAuthorizationCode }: PreAuthorizationCommand): string {
  return exactDigits(preAuthorizationCode, 9, 'pre-authorization code');
}

/** A command of this group; undefined for a code of none. @throws FieldError when it is cut or a field holds no digits */
export function decodeCardCommand(terminalId: string, code: string, text: string): CardCommand | undefined {
  const type = TYPES.get(code);
  if (type === undefined) return undefined;
  const head = { terminalId, tillId: digitsAt(text, 11, 8, 'till id') };
  if (type === 'reversal') return decodeReversal(head, text);
  const common = { ...head, ...announced(text, 19) };
  switch (type) {
    case 'verification':
      return { type, ...common, ...chosen(text) };
    case 'close-session':
    case 'totals':
    case 'last-result':
      return { type, ...common };
    case 'increment':
    case 'closure':
      return {
        type,
        ...common,
        ...asked(text),
        preAuthorizationCode: digitsAt(text, 160, 9, 'pre-authorization code'),
      };
    default:
      return {
        type,
        ...common,
        ...(textAt(text, 22, 1, 'card present') === '1' ? { isCardPresent: true } : {}),
        ...chosen(text),
        ...asked(text),
      };
  }
}

function decodeReversal(head: { readonly terminalId: string; readonly tillId: string }, text: string): ReversalCommand {
  const stan = digitsAt(text, 19, 6, 'STAN');
  return { type: 'reversal', ...head, ...(stan === zeros(6) ? {} : { stan }), ...announced(text, 25) };
}

function announced(text: string, position: number): Pick<PaymentCommand, 'hasAdditionalData'> {
  return textAt(text, position, 1, 'additional data') === '1' ? { hasAdditionalData: true } : {};
}

function chosen(text: string): Pick<PaymentCommand, 'cardChoice'> {
  textAt(text, 23, 1, 'card choice');
  const cardChoice = valueAt(text, 23, CARD_CHOICE_OF);
  return cardChoice === undefined ? {} : { cardChoice };
}

function asked(text: string): { readonly amountMinor: number; readonly receiptText?: string } {
  const amountMinor = numberAt(text, 24, AMOUNT_DIGITS, 'amount');
  textAt(text, 32, RECEIPT_TEXT_CHARACTERS, 'receipt text');
  const receiptText = wordsAt(text, 32, RECEIPT_TEXT_CHARACTERS);
  return { amountMinor, ...(receiptText === undefined ? {} : { receiptText }) };
}
