// The last result that a terminal has saved (G), without card data: what a payment is compared with. Pure.
import type { JsonObject } from '../../app/domain/json-value.ts';
import type { Reply } from './connection.ts';

/** Which procedure a result ended. PAYMENT is also a reversal and a card verification: nothing in a result tells them apart. */
type Procedure = 'PAYMENT' | 'CLOSURE' | 'PRE_AUTHORIZATION' | 'INCREMENT' | 'SESSION' | 'TOTALS';

export type LastResult = {
  readonly procedure: Procedure;
  /** Two digits; 00 approves. */
  readonly result: string;
  /** Six digits. */
  readonly stan?: string;
  readonly onlineId?: string;
  /** Told by the extended payment and the pre-authorization only. */
  readonly amountMinor?: number;
  /** DDDHHMM as the host answered; there is no year. */
  readonly hostTime?: string;
  /** The terminal's words for a refusal. */
  readonly text?: string;
  readonly actionCode?: string;
  /** Of a session that was closed, and of totals. */
  readonly totalMinor?: number;
};

/** Undefined for a message that is no result of a procedure. */
export function lastResultOf(reply: Reply): LastResult | undefined {
  switch (reply.type) {
    case 'payment-reply':
      return resultOf(reply.code === 'c' || reply.code === 'v' ? 'CLOSURE' : 'PAYMENT', reply);
    case 'pre-authorization-reply':
      return resultOf('PRE_AUTHORIZATION', reply);
    case 'increment-reply':
      return resultOf('INCREMENT', reply);
    case 'close-reply':
      return resultOf('SESSION', { ...reply, totalMinor: reply.terminalTotalMinor });
    case 'totals-reply':
      return resultOf('TOTALS', { ...reply, totalMinor: reply.terminalTotalMinor });
    default:
      return undefined;
  }
}

interface ToldFields {
  readonly result: string;
  readonly stan?: string;
  readonly onlineId?: string;
  readonly amountMinor?: number;
  readonly hostTime?: { readonly dayOfYear: number; readonly hour: number; readonly minute: number };
  readonly text?: string;
  readonly actionCode?: string;
  readonly totalMinor?: number | undefined;
}

function resultOf(procedure: Procedure, told: ToldFields): LastResult {
  const { result, stan, onlineId, amountMinor, hostTime, text, actionCode, totalMinor } = told;
  return {
    procedure,
    result,
    ...(stan === undefined ? {} : { stan }),
    ...(onlineId === undefined ? {} : { onlineId }),
    ...(amountMinor === undefined ? {} : { amountMinor }),
    ...(hostTime === undefined ? {} : { hostTime: hostTimeDigits(hostTime) }),
    ...(text === undefined ? {} : { text }),
    ...(actionCode === undefined ? {} : { actionCode }),
    ...(totalMinor === undefined ? {} : { totalMinor }),
  };
}

/** DDDHHMM */
export function hostTimeDigits(time: NonNullable<ToldFields['hostTime']>): string {
  const { dayOfYear, hour, minute } = time;
  return [String(dayOfYear).padStart(3, '0'), ...[hour, minute].map((part) => String(part).padStart(2, '0'))].join('');
}

/** 00 is the only result that approves. */
export function isApproval({ result }: LastResult): boolean {
  return result === '00';
}

/** A result in words; never card data. */
export function inWords(last: LastResult): string {
  const parts = [
    `${procedures[last.procedure]} with result ${last.result}`,
    last.text,
    last.stan === undefined ? 'no STAN' : `STAN ${last.stan}`,
    last.amountMinor === undefined ? undefined : `${last.amountMinor} minor units`,
    last.totalMinor === undefined ? undefined : `total ${last.totalMinor} minor units`,
    last.hostTime === undefined ? undefined : `day and time ${last.hostTime}`,
    last.actionCode === undefined ? undefined : `action code ${last.actionCode}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

const procedures: { readonly [Name in Procedure]: string } = {
  PAYMENT: 'payment',
  CLOSURE: 'charge of a pre-authorization',
  PRE_AUTHORIZATION: 'pre-authorization',
  INCREMENT: 'increase of a pre-authorization',
  SESSION: 'end of session',
  TOTALS: 'totals',
};

const textFields = ['stan', 'onlineId', 'hostTime', 'text', 'actionCode'] as const;
const numberFields = ['amountMinor', 'totalMinor'] as const;

/** Reads a stored result; undefined when it is none. */
export function readLastResult(stored: JsonObject[string] | undefined): LastResult | undefined {
  if (typeof stored !== 'object' || stored === null || !('procedure' in stored) || !('result' in stored))
    return undefined;
  const { procedure, result } = stored;
  if (typeof procedure !== 'string' || !isProcedure(procedure) || typeof result !== 'string') return undefined;
  const fields: { [name: string]: string | number } = {};
  for (const name of textFields) if (typeof stored[name] === 'string') fields[name] = stored[name];
  for (const name of numberFields) if (typeof stored[name] === 'number') fields[name] = stored[name];
  return { procedure, result, ...fields };
}

function isProcedure(name: string): name is Procedure {
  return name in procedures;
}
