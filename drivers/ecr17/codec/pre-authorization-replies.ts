// e and i: the results of a pre-authorization and of its increase, each with an order of its own.
import { digitsAt, digitsOf, exactDigits, numberAt, textAt, zeros } from './fields.ts';
import { headerOf } from './header.ts';
import type { IncrementReply, PreAuthorizationReply } from './message-types.ts';
import {
  APPROVED,
  acquirerAt,
  acquirerField,
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
  traceAt,
  traceField,
} from './reply-fields.ts';

const CODE_DIGITS = 9;
/** Between the time and the acquirer of e; no table describes it. */
const GAP = '000 ';

/** @throws FieldError when an approval is cut, or its amount or code are no digits */
export function decodePreAuthorizationReply(terminalId: string, text: string): PreAuthorizationReply {
  const head = { type: 'pre-authorization-reply', terminalId, result: resultOf(text) } as const;
  const isApproved = head.result === APPROVED;
  return {
    ...head,
    ...(isApproved ? approvalOf(text) : refusalAt(text)),
    ...actionAt(text, isApproved ? 58 : 37, isApproved),
    ...numbersAt(text, 72),
  };
}

function approvalOf(text: string): Partial<PreAuthorizationReply> {
  textAt(text, 61, 7, 'time');
  return {
    ...cardAt(text),
    ...authorizationAt(text, 35),
    amountMinor: numberAt(text, 41, 8, 'amount'),
    preAuthorizationCode: digitsAt(text, 49, CODE_DIGITS, 'pre-authorization code'),
    ...hostTimeAt(text, 61),
  };
}

/** @throws RangeError when a value does not fit its field */
export function encodePreAuthorizationReply(reply: PreAuthorizationReply): string {
  const middle = reply.result === APPROVED ? approvalField(reply) : refusalOf(reply);
  return `${headerOf(reply.terminalId, 'e')}${reply.result}${middle}${GAP}${numbersField(reply)}${zeros(12)}`;
}

function approvalField(reply: PreAuthorizationReply): string {
  const amount = digitsOf(reply.amountMinor ?? 0, 8, 'amount');
  const code = exactDigits(reply.preAuthorizationCode ?? zeros(CODE_DIGITS), CODE_DIGITS, 'pre-authorization code');
  const host = `${actionField(reply)}${hostTimeField(reply.hostTime)}`;
  return `${cardField(reply)}${authorizationField(reply)}${amount}${code}${host}`;
}

/** Positions 13–67. */
function refusalOf(reply: PreAuthorizationReply): string {
  return `${refusalField(reply)}${actionField(reply)}${zeros(28)}`;
}

/** @throws FieldError when an approval is cut */
export function decodeIncrementReply(terminalId: string, text: string): IncrementReply {
  const head = { type: 'increment-reply', terminalId, result: resultOf(text) } as const;
  const isApproved = head.result === APPROVED;
  if (isApproved) textAt(text, 64, 7, 'time');
  return {
    ...head,
    ...(isApproved ? { ...cardAt(text), ...authorizationAt(text, 46), ...acquirerAt(text, 35) } : refusalAt(text)),
    ...traceAt(text, 52),
    ...(isApproved ? hostTimeAt(text, 64) : {}),
    ...actionAt(text, 71, isApproved),
  };
}

/** @throws RangeError when a value does not fit its field */
export function encodeIncrementReply(reply: IncrementReply): string {
  const beginning =
    reply.result === APPROVED
      ? `${cardField(reply)}${acquirerField(reply)}${authorizationField(reply)}`
      : `${refusalField(reply)}${zeros(15)}`;
  const end = `${traceField(reply)}${hostTimeField(reply.hostTime)}${actionField(reply)}${zeros(2)}`;
  return `${headerOf(reply.terminalId, 'i')}${reply.result}${beginning}${end}`;
}
