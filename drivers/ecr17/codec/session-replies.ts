// s, T, C from the terminal: its state, its totals, the end of its session.
import { digitsAt, digitsOf, exactDigits, numberAt, textAt, textOf, wordsAt, zeros } from './fields.ts';
import { headerOf } from './header.ts';
import type { CloseReply, StatusReply, TotalsReply, WithResult } from './message-types.ts';
import { APPROVED, actionAt, actionField, resultOf } from './reply-fields.ts';

const TOTAL_DIGITS = 16;
const REFUSAL_CHARACTERS = 19;

/** What a terminal says of itself at position 31. The list is an example of the specification: makers may differ. */
export const TERMINAL_STATES: Readonly<Record<string, string>> = {
  0: 'not configured',
  1: 'configured, no first download',
  2: 'operative',
  3: 'not aligned: a first download is needed',
  4: 'key damaged: a first download is needed',
  5: 'a download is asked for by the host',
  6: 'a software update is asked for',
};
/** The state in which a terminal takes payments. */
export const OPERATIVE_STATE = '2';

export function decodeStatusReply(terminalId: string, text: string): StatusReply {
  const localTime = localTimeOf(textAt(text, 21, 10, 'time'));
  return {
    type: 'status-reply',
    terminalId,
    ...(localTime === undefined ? {} : { localTime }),
    state: digitsAt(text, 31, 1, 'state'),
    software: text.slice(31).trim(),
  };
}

/** @throws RangeError when a value does not fit its field */
export function encodeStatusReply({ terminalId, localTime, state, software }: StatusReply): string {
  const time = localTime === undefined ? zeros(10) : timeField(localTime);
  const rest = textOf(software, software.length, 'software');
  return `${headerOf(terminalId, 's')}${zeros(10)}${time}${exactDigits(state, 1, 'state')}${rest}`;
}

function localTimeOf(digits: string): string | undefined {
  const match = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(digits);
  if (match === null) return undefined;
  const [, day = '', month = '', year = '', hour = '', minute = ''] = match;
  const date = new Date(`20${year}-${month}-${day}T${hour}:${minute}:00Z`);
  // A day such as the 30th of February becomes one of March: no such time is told.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  return `20${year}-${month}-${day} ${hour}:${minute}`;
}

function timeField(localTime: string): string {
  const match = /^20(\d{2})-(\d{2})-(\d{2}) (\d{2}):(\d{2})$/.exec(localTime);
  if (match === null) throw new RangeError('The time of a status is YYYY-MM-DD hh:mm of this century');
  const [, year = '', month = '', day = '', hour = '', minute = ''] = match;
  return `${day}${month}${year}${hour}${minute}`;
}

export function decodeTotalsReply(terminalId: string, text: string): TotalsReply {
  const head = { type: 'totals-reply', terminalId, result: resultOf(text) } as const;
  if (head.result !== APPROVED) return { ...head, ...refusalOf(text) };
  return { ...head, terminalTotalMinor: numberAt(text, 13, TOTAL_DIGITS, 'terminal total') };
}

/** @throws RangeError when a value does not fit its field */
export function encodeTotalsReply(reply: TotalsReply): string {
  const { terminalId, result, terminalTotalMinor } = reply;
  const body = result === APPROVED ? `${totalField(terminalTotalMinor)}${zeros(6)}` : refusalField(reply);
  return `${headerOf(terminalId, 'T')}${result}${body}`;
}

export function decodeCloseReply(terminalId: string, text: string): CloseReply {
  const head = { type: 'close-reply', terminalId, result: resultOf(text) } as const;
  if (head.result !== APPROVED) return { ...head, ...refusalOf(text) };
  return {
    ...head,
    terminalTotalMinor: numberAt(text, 13, TOTAL_DIGITS, 'terminal total'),
    hostTotalMinor: numberAt(text, 29, TOTAL_DIGITS, 'host total'),
  };
}

/** @throws RangeError when a value does not fit its field */
export function encodeCloseReply(reply: CloseReply): string {
  const { terminalId, result, terminalTotalMinor, hostTotalMinor } = reply;
  const totals = `${totalField(terminalTotalMinor)}${totalField(hostTotalMinor)}`;
  return `${headerOf(terminalId, 'C')}${result}${result === APPROVED ? totals : refusalField(reply)}`;
}

function totalField(totalMinor: number | undefined): string {
  return digitsOf(totalMinor ?? 0, TOTAL_DIGITS, 'total');
}

/** A refused session has a shorter text than a refused payment. */
function refusalOf(text: string): Pick<WithResult, 'text' | 'actionCode'> {
  const words = wordsAt(text, 13, REFUSAL_CHARACTERS);
  return { ...(words === undefined ? {} : { text: words }), ...actionAt(text, 13 + REFUSAL_CHARACTERS, false) };
}

function refusalField(reply: WithResult): string {
  return `${textOf(reply.text ?? '', REFUSAL_CHARACTERS, 'text')}${actionField(reply)}${zeros(10)}`;
}
