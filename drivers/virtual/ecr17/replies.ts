// Results as an ECR17 terminal tells them, in the layout that the command asked for.
import { Secret } from '../../../app/domain/secret.ts';
import { MAX_AMOUNT_MINOR } from '../../ecr17/codec/card-commands.ts';
import type { CardType, Ecr17Message, EntryCode, HostTime } from '../../ecr17/codec/message-types.ts';
import { encodeMessage } from '../../ecr17/codec/messages.ts';
import type { BookCard } from '../book/entries.ts';
import type { CardEntry } from '../cards.ts';
import type { LocalTime } from '../local-time.ts';
import { preAuthorizationCode, type Refusal } from './orders.ts';
import type { Procedure, TerminalSettings } from './state.ts';

const APPROVED = '00';
const REFUSED = '01';
const CARD_NOT_PRESENT = '05';
const NO_ACTION_CODE = '000';

const ENTRIES: Readonly<Record<CardEntry, EntryCode>> = { CONTACT: 'ICC', CONTACTLESS: 'CLI', MAGSTRIPE: 'MAG' };
const CARD_TYPES: Readonly<Record<BookCard['scheme'], CardType>> = {
  CHEQUE: 'OTHER',
  GIROCARD: 'DEBIT',
  MASTERCARD: 'DEBIT',
  AMEX: 'CREDIT',
  VISA: 'CREDIT',
};

/** Answers of an issuer (ISO 8583:1987) in the action codes of the 1993 edition, and in the words of a terminal. */
const DECLINES: ReadonlyMap<number, Refusal> = new Map([
  [41, { text: 'CARTA SMARRITA', actionCode: '208' }],
  [43, { text: 'CARTA RUBATA', actionCode: '209' }],
  [51, { text: 'FONDI INSUFFICIENTI', actionCode: '116' }],
  [54, { text: 'CARTA SCADUTA', actionCode: '101' }],
  [55, { text: 'PIN ERRATO', actionCode: '117' }],
  [65, { text: 'LIMITE SUPERATO', actionCode: '123' }],
  [75, { text: 'TENTATIVI PIN ESAURITI', actionCode: '106' }],
  [91, { text: 'EMITTENTE NON DISPON.', actionCode: '907' }],
]);
const NOT_AUTHORIZED: Refusal = { text: 'TRANSAZIONE NEGATA', actionCode: '100' };

export function declineOf(issuerCode: number): Refusal {
  return DECLINES.get(issuerCode) ?? NOT_AUTHORIZED;
}

export const CANCELLED: Refusal = { text: 'OPERAZIONE ANNULLATA', actionCode: NO_ACTION_CODE };
export const TIMED_OUT: Refusal = { text: 'TEMPO SCADUTO', actionCode: NO_ACTION_CODE };
export const UNREADABLE: Refusal = { text: 'CARTA NON LEGGIBILE', actionCode: NO_ACTION_CODE };
/** Told as result 05: to begin with the card in the slot was asked for, and there is none. */
export const CARD_MISSING: Refusal = { text: 'CARTA NON PRESENTE', actionCode: NO_ACTION_CODE };
export const OTHER_CARD: Refusal = { text: 'CARTA DIVERSA', actionCode: '125' };

/** An approval as its result tells it. */
export interface ToldApproval {
  readonly trace: number;
  readonly amountMinor: number;
  readonly card: BookCard;
  /** absent where the host gives none: a reversal */
  readonly authorizationCode?: string;
}

/** Where a result comes from. */
export interface Teller {
  readonly settings: Pick<TerminalSettings, 'terminalId' | 'vuNumber'>;
  readonly now: LocalTime;
}

export function approvalText({ settings, now }: Teller, procedure: Procedure, told: ToldApproval): string {
  const { trace, card, authorizationCode } = told;
  const stan = stanOf(trace);
  const common = {
    terminalId: settings.terminalId,
    result: APPROVED,
    pan: new Secret(card.maskedPan),
    entry: ENTRIES[card.entry],
    ...(authorizationCode === undefined || procedure === 'S' ? {} : { authorizationCode }),
    hostTime: hostTimeOf(now),
    acquirerId: settings.vuNumber,
    stan,
    onlineId: onlineId(trace),
    actionCode: NO_ACTION_CODE,
  };
  // The field holds no more, whatever the rule wrong-amount adds.
  const amountMinor = Math.min(told.amountMinor, MAX_AMOUNT_MINOR);
  const cardType = CARD_TYPES[card.scheme];
  switch (procedure) {
    case 'p':
      return encodeMessage({
        type: 'pre-authorization-reply',
        ...common,
        amountMinor,
        preAuthorizationCode: preAuthorizationCode(trace),
      });
    case 'i':
      return encodeMessage({ type: 'increment-reply', ...common });
    case 'c':
      return encodeMessage({ type: 'payment-reply', code: 'c', ...common, cardType });
    case 'X':
      return encodeMessage({ type: 'payment-reply', code: 'E', ...common, cardType, amountMinor });
    case 'S':
      return encodeMessage({ type: 'payment-reply', code: 'E', ...common, cardType }, 'REVERSAL');
    default: {
      // P and H end with the online id: their results have neither action code nor amount.
      const { actionCode: _, ...plain } = common;
      return encodeMessage({ type: 'payment-reply', code: 'E', ...plain, cardType });
    }
  }
}

export interface ToldRefusal extends Refusal {
  /** absent when the host was not asked */
  readonly trace?: number;
  readonly amountMinor: number;
  readonly card?: Pick<BookCard, 'scheme'>;
}

export function refusalText({ settings }: Teller, procedure: Procedure, told: ToldRefusal): string {
  const { text, actionCode, trace, card, amountMinor } = told;
  const common = {
    terminalId: settings.terminalId,
    result: text === CARD_MISSING.text ? CARD_NOT_PRESENT : REFUSED,
    text,
    ...(actionCode === NO_ACTION_CODE ? {} : { actionCode }),
    ...(trace === undefined ? {} : { acquirerId: settings.vuNumber, stan: stanOf(trace), onlineId: onlineId(trace) }),
  };
  const cardType = card === undefined ? {} : { cardType: CARD_TYPES[card.scheme] };
  switch (procedure) {
    case 'p':
      return encodeMessage({ type: 'pre-authorization-reply', ...common });
    case 'i':
      return encodeMessage({ type: 'increment-reply', ...common });
    case 'c':
      return encodeMessage({ type: 'payment-reply', code: 'c', ...common, ...cardType });
    case 'X':
      return encodeMessage({ type: 'payment-reply', code: 'E', ...common, ...cardType, amountMinor });
    case 'S':
      return encodeMessage({ type: 'payment-reply', code: 'E', ...common, ...cardType }, 'REVERSAL');
    default:
      return encodeMessage(withoutActionCode(procedure, { type: 'payment-reply', code: 'E', ...common, ...cardType }));
  }
}

/** Only a verification has an action code in the short layout. */
function withoutActionCode(procedure: Procedure, message: Ecr17Message): Ecr17Message {
  if (procedure === 'H' || message.type !== 'payment-reply') return message;
  const { actionCode: _, ...rest } = message;
  return rest;
}

function stanOf(trace: number): string {
  return String(trace).padStart(6, '0');
}

/** Number of the dialogue with the host: not the STAN, so that nobody takes one for the other. */
function onlineId(trace: number): string {
  return String((trace + 500_000) % 1_000_000).padStart(6, '0');
}

function hostTimeOf({ atMs }: LocalTime): HostTime {
  const moment = new Date(atMs);
  const day = Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate());
  const dayOfYear = (day - Date.UTC(moment.getFullYear(), 0, 0)) / 86_400_000;
  return { dayOfYear, hour: moment.getHours(), minute: moment.getMinutes() };
}
