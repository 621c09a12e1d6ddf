// Fields that several results share: the card and the refusal, at the same places in all of them.
import { Secret } from '../../../app/domain/secret.ts';
import { maskPan } from '../../mask-pan.ts';
import { digitsAt, digitsOf, exactDigits, numberedAt, reaches, textAt, textOf, wordsAt, zeros } from './fields.ts';
import type { EntryCode, HostTime, PaymentReply, WithCard, WithResult } from './message-types.ts';

/** The only result that approves. */
export const APPROVED = '00';
const PAN_CHARACTERS = 19;
const REFUSAL_CHARACTERS = 24;
const ENTRIES: readonly EntryCode[] = ['ICC', 'MAG', 'MAN', 'CLM', 'CLI'];

export function resultOf(text: string): string {
  return digitsAt(text, 11, 2, 'result');
}

/** Positions 13–34 of an approval: card number and how it was read. */
export function cardAt(text: string): Pick<WithCard, 'pan' | 'maskedPan' | 'entry'> {
  const digits = textAt(text, 13, PAN_CHARACTERS, 'card number').trim().replace(/^0+/, '');
  const entry = ENTRIES.find((name) => name === textAt(text, 32, 3, 'entry'));
  return {
    ...(digits === '' ? {} : { pan: new Secret(digits), maskedPan: maskPan(digits) }),
    ...(entry === undefined ? {} : { entry }),
  };
}

export function cardField({ pan, entry }: WithCard): string {
  const digits = pan?.reveal() ?? '';
  return `${textOf(digits, PAN_CHARACTERS, 'card number', 'RIGHT').replaceAll(' ', '0')}${entry ?? '   '}`;
}

/** Positions 13–36 of a refusal. */
export function refusalAt(text: string): Pick<WithResult, 'text'> {
  const words = wordsAt(text, 13, REFUSAL_CHARACTERS);
  return words === undefined ? {} : { text: words };
}

export function refusalField({ text }: WithResult): string {
  return textOf(text ?? '', REFUSAL_CHARACTERS, 'text');
}

/** Six characters; zeros or blanks where the host gave no code. */
export function authorizationAt(text: string, position: number): Pick<WithCard, 'authorizationCode'> {
  const code = wordsAt(text, position, 6);
  return code === undefined || code === zeros(6) ? {} : { authorizationCode: code };
}

export function authorizationField({ authorizationCode }: WithCard): string {
  return authorizationCode === undefined ? zeros(6) : textOf(authorizationCode, 6, 'authorization code');
}

/** DDDHHMM; nothing when it is no time. */
export function hostTimeAt(text: string, position: number): Pick<WithCard, 'hostTime'> {
  const match = /^(\d{3})(\d{2})(\d{2})$/.exec(text.slice(position - 1, position + 6));
  if (match === null) return {};
  const [dayOfYear = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const isTime = dayOfYear >= 1 && dayOfYear <= 366 && hour < 24 && minute < 60;
  return isTime ? { hostTime: { dayOfYear, hour, minute } } : {};
}

export function hostTimeField(time: HostTime | undefined): string {
  if (time === undefined) return zeros(7);
  return `${digitsOf(time.dayOfYear, 3, 'day')}${digitsOf(time.hour, 2, 'hour')}${digitsOf(time.minute, 2, 'minute')}`;
}

/** Acquirer (11), STAN (6) and online id (6), one after the other from `position` on. None is missed in a refusal. */
export function numbersAt(text: string, position: number): Pick<WithCard, 'acquirerId' | 'stan' | 'onlineId'> {
  return { ...acquirerAt(text, position), ...traceAt(text, position + 11) };
}

export function numbersField(reply: WithCard): string {
  return `${acquirerField(reply)}${traceField(reply)}`;
}

export function acquirerAt(text: string, position: number): Pick<WithCard, 'acquirerId'> {
  const acquirerId = wordsAt(text, position, 11);
  return acquirerId === undefined || acquirerId === zeros(11) ? {} : { acquirerId };
}

export function acquirerField({ acquirerId }: WithCard): string {
  return textOf(acquirerId ?? '', 11, 'acquirer');
}

export function traceAt(text: string, position: number): Pick<WithCard, 'stan' | 'onlineId'> {
  const stan = numberedAt(text, position, 6);
  const onlineId = numberedAt(text, position + 6, 6);
  return { ...(stan === undefined ? {} : { stan }), ...(onlineId === undefined ? {} : { onlineId }) };
}

export function traceField({ stan, onlineId }: WithCard): string {
  return `${exactDigits(stan ?? zeros(6), 6, 'STAN')}${exactDigits(onlineId ?? zeros(6), 6, 'online id')}`;
}

/** Three digits of the host. In a refusal 000 means that there is none. */
export function actionAt(text: string, position: number, isApproved: boolean): Pick<PaymentReply, 'actionCode'> {
  if (!reaches(text, position, 3)) return {};
  const actionCode = text.slice(position - 1, position + 2);
  return /^[0-9]{3}$/.test(actionCode) && (isApproved || actionCode !== zeros(3)) ? { actionCode } : {};
}

export function actionField({ actionCode }: WithResult): string {
  return exactDigits(actionCode ?? zeros(3), 3, 'action code');
}
