import type { ErrorCode } from '../../errors.ts';

/** Columns that most endpoints of the host share. */

const call = {
  idempotency: 'none',
  movesMoney: false,
  picksTerminal: false,
  waitsForTerminal: false,
  successStatus: 200,
  successMediaType: 'application/json',
} as const;

/** A call of a paired terminal, by its device token. */
export const deviceCall = { ...call, method: 'POST', credential: 'device', tag: 'Terminal device API' } as const;

export const deviceMoney = { ...deviceCall, idempotency: 'required', movesMoney: true } as const;

/** A call of a merchant's server, by its secret key. */
export const secretLookUp = { ...call, method: 'GET', credential: 'secret' } as const;

export const secretCommand = { ...secretLookUp, method: 'POST' } as const;

/** What the service tells of itself, to anybody. */
export const openCall = { ...call, method: 'GET', credential: 'none', tag: 'Service' } as const;

/** Codes of a call that sends something to the acquirer; OUTCOME_UNKNOWN is told by a payment that is FAILED. */
export const acquirerErrors = ['HOST_UNREACHABLE', 'AMOUNT_TOO_LARGE'] as const satisfies readonly ErrorCode[];

/** Codes of a call that names a payment session by its claim. */
export const sessionErrors = [
  'NOT_FOUND',
  'STALE_CLAIM_TOKEN',
  'ILLEGAL_STATE',
] as const satisfies readonly ErrorCode[];
