import { type Static, Type } from 'typebox';
import { BridgeError, type BridgeErrorOptions, type ErrorCode, ErrorResponse } from '../errors.ts';
import { oneOfStrings } from '../parts.ts';
import { strictObject } from './console-parts.ts';

/** Why the console's door refused, where the catalogue's code alone does not tell the screen what to show next. */
export const RefusalReason = oneOfStrings(
  [
    'SIGN_IN_REQUIRED',
    'PIN_WRONG',
    'PIN_LOCKED',
    'ROLE_NOT_ALLOWED',
    'APPROVAL_REQUIRED',
    'NAME_TAKEN',
    'LAST_ADMINISTRATOR',
    'TERMINAL_AT_WORK',
    'TERMINAL_RESULT_UNKNOWN',
    'TERMINAL_HAS_HOLDS',
    'TERMINAL_NOT_CLOSED',
    'LAST_TERMINAL',
    'ADDRESS_TAKEN',
    'HOST_OTHER_TERMINAL',
    'HOST_OTHER_CURRENCY',
    'HOST_OWED',
    'HOST_ADDRESS',
  ],
  [
    'SIGN_IN_REQUIRED: show the sign-in.',
    'PIN_WRONG: ask again; field says whose (pin, approval.pin).',
    'PIN_LOCKED: wait retryAfterSeconds.',
    'ROLE_NOT_ALLOWED: this role may not do it, not with approval either.',
    'APPROVAL_REQUIRED: ask for a manager and send again with approval.',
    'NAME_TAKEN: another active member of the staff has the name.',
    'LAST_ADMINISTRATOR: one administrator must stay.',
    'TERMINAL_AT_WORK, TERMINAL_RESULT_UNKNOWN, TERMINAL_HAS_HOLDS, TERMINAL_NOT_CLOSED: what is open on the terminal.',
    'LAST_TERMINAL: one terminal must stay.',
    'ADDRESS_TAKEN: another terminal has this address.',
    'HOST_OTHER_TERMINAL, HOST_OTHER_CURRENCY: the pairing code is of another terminal or shop, or settles in another currency; it is still good.',
    'HOST_OWED: the host has not taken everything yet. HOST_ADDRESS: this is no address of a host.',
  ].join(' '),
);
export type RefusalReason = Static<typeof RefusalReason>;

/** A refusal as the console reads it: the catalogue's error, and the door's reason. */
export const ConsoleRefusal = strictObject(
  { ...ErrorResponse.properties, reason: Type.Optional(RefusalReason) },
  'A refusal.',
);
export type ConsoleRefusal = Static<typeof ConsoleRefusal>;

const codes: Readonly<Record<RefusalReason, ErrorCode>> = {
  SIGN_IN_REQUIRED: 'UNAUTHENTICATED',
  PIN_WRONG: 'UNAUTHENTICATED',
  PIN_LOCKED: 'RATE_LIMITED',
  ROLE_NOT_ALLOWED: 'FORBIDDEN',
  APPROVAL_REQUIRED: 'FORBIDDEN',
  NAME_TAKEN: 'INVALID_REQUEST',
  LAST_ADMINISTRATOR: 'ILLEGAL_STATE',
  TERMINAL_AT_WORK: 'ILLEGAL_STATE',
  TERMINAL_RESULT_UNKNOWN: 'ILLEGAL_STATE',
  TERMINAL_HAS_HOLDS: 'ILLEGAL_STATE',
  TERMINAL_NOT_CLOSED: 'ILLEGAL_STATE',
  LAST_TERMINAL: 'ILLEGAL_STATE',
  ADDRESS_TAKEN: 'INVALID_REQUEST',
  HOST_OTHER_TERMINAL: 'ILLEGAL_STATE',
  HOST_OTHER_CURRENCY: 'ILLEGAL_STATE',
  HOST_OWED: 'ILLEGAL_STATE',
  HOST_ADDRESS: 'INVALID_REQUEST',
};

/** A refusal of the console's own door: an error of the catalogue that also says what the screen shows next. */
export class ConsoleError extends BridgeError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options: BridgeErrorOptions = {}) {
    super(codes[reason], message, options);
    this.reason = reason;
  }
}

export function refusalOf(error: BridgeError): ConsoleRefusal {
  return { ...error.toResponse(), ...(error instanceof ConsoleError ? { reason: error.reason } : {}) };
}
