// What a result means for money. Only BMP 27 = 00 in a status information approves.
import type { StatusInformation } from './message-types.ts';
import { RESULT_CODES } from './result-code-table.ts';

/** What a payment's result means for money. */
type ResultKind =
  /** 27 00 and nothing contradicts it */
  | 'approved'
  /** the issuer or the terminal's rules refused this card or amount */
  | 'declined'
  /** ended by a key or by waiting too long (6C) */
  | 'cancelled'
  /** a technical cause; not approved */
  | 'failed'
  /** approved, but another amount or currency than asked: treat as unknown and tell a person */
  | 'mismatch'
  /** no conclusion possible: recover */
  | 'unknown';

/** A judgement with its cause. */
export interface Outcome {
  readonly kind: ResultKind;
  /** two decimal digits from the issuer */
  readonly responseCode?: string;
  /** UPPER_SNAKE cause, e.g. ABORTED, NO_RESULT_CODE, AMOUNT_DIFFERS */
  readonly reason: string;
  /** the cause as a sentence in English */
  readonly meaning: string;
}

/** How a terminal writes issuer codes 01–99: as a binary number (default) or as two BCD digits. */
export type HostCodeForm = 'binary' | 'bcd';

/** What was asked, to hold the answer against. */
export interface AskedPayment {
  readonly amountMinor?: number;
  /** three digits */
  readonly currency?: string;
}

/** 01–63 (hex) come from the issuer's host. */
const LAST_HOST_CODE = 0x63;
/** In BCD the issuer's 64–99 share their bytes with codes of the terminal itself, which then win. */
const LAST_BCD_HOST_CODE = 0x99;

/** Fields that carry money: one of these unreadable or contradicting itself leaves nothing to conclude. */
const MONEY_FIELDS: ReadonlySet<string> = new Set(['27', '04', '49']);

const APPROVED: Outcome = { kind: 'approved', reason: 'APPROVED', meaning: 'Approved.' };

/** Judges a result code alone (BMP 27, the code of 06 1E or of 84 xx). */
export function judgeResultCode(code: number, hostCodes: HostCodeForm = 'binary'): Outcome {
  if (code === 0) return APPROVED;
  const own = RESULT_CODES.get(code);
  if (own !== undefined) return own;
  if (code <= LAST_HOST_CODE || (hostCodes === 'bcd' && code <= LAST_BCD_HOST_CODE))
    return hostDecline(code, hostCodes);
  return { kind: 'failed', reason: 'UNLISTED_RESULT_CODE', meaning: `The terminal reported ${hexByte(code)}.` };
}

function hostDecline(code: number, hostCodes: HostCodeForm): Outcome {
  const responseCode = hostCodes === 'binary' ? String(code).padStart(2, '0') : hexByte(code);
  // A byte with a letter is no BCD: the terminal is set up differently than assumed, and the code stays unnamed.
  const isReadable = /^[0-9]{2}$/.test(responseCode);
  return {
    kind: 'declined',
    ...(isReadable ? { responseCode } : {}),
    reason: 'ISSUER_DECLINED',
    meaning: isReadable ? `The issuer declined with code ${responseCode}.` : 'The issuer declined.',
  };
}

/**
 * Judges the status information of a payment against what was asked. An approval without an amount stands, since nothing
 * contradicts it; one with another amount or currency does not.
 */
export function judgePayment(
  status: StatusInformation,
  asked: AskedPayment = {},
  hostCodes: HostCodeForm = 'binary',
): Outcome {
  const broken = status.problems?.find(({ field }) => MONEY_FIELDS.has(field));
  if (broken !== undefined) {
    return { kind: 'unknown', reason: 'UNREADABLE_FIELD', meaning: `Field ${broken.field} contradicts itself.` };
  }
  if (status.resultCode === undefined) {
    return { kind: 'unknown', reason: 'NO_RESULT_CODE', meaning: 'The terminal named no result.' };
  }
  const outcome = judgeResultCode(status.resultCode, hostCodes);
  return outcome.kind === 'approved' ? (contradiction(status, asked) ?? outcome) : outcome;
}

function contradiction(status: StatusInformation, asked: AskedPayment): Outcome | undefined {
  if (differs(status.amountMinor, asked.amountMinor)) {
    return { kind: 'mismatch', reason: 'AMOUNT_DIFFERS', meaning: 'Approved for another amount than asked.' };
  }
  if (differs(status.currency, asked.currency)) {
    return { kind: 'mismatch', reason: 'CURRENCY_DIFFERS', meaning: 'Approved in another currency than asked.' };
  }
  return undefined;
}

function differs<Value>(told: Value | undefined, asked: Value | undefined): boolean {
  return told !== undefined && asked !== undefined && told !== asked;
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0').toUpperCase();
}
