import { useCallback } from 'react';
import type { RefusalReason } from '../../app/contract/console/refusal.ts';
import type { ErrorCode } from '../../app/contract/errors.ts';
import { ConnectionLost, Refusal } from '../api/console.ts';
import { useTexts } from './use-texts.ts';

/** `ABORT_TOO_LATE` → `abortTooLate`: the catalogue's code as the name of its text, at the level of types. */
type CamelCase<Code extends string> = Code extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Code>;

/** The text of a code in the catalogue `errors`; a test holds the catalogue against the contract. */
export function errorTextKey(code: ErrorCode): `errors:${CamelCase<ErrorCode>}` {
  return `errors:${nameOf(code)}`;
}

/** What the developer of a POS does about a code. */
export function adviceTextKey(code: ErrorCode): `advice:${CamelCase<ErrorCode>}` {
  return `advice:${nameOf(code)}`;
}

function nameOf(code: ErrorCode): CamelCase<ErrorCode> {
  return code.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<ErrorCode>;
}

const reasonTexts = {
  SIGN_IN_REQUIRED: 'common:refused.signInRequired',
  PIN_WRONG: 'common:refused.pinWrong',
  PIN_LOCKED: 'common:refused.pinLocked',
  ROLE_NOT_ALLOWED: 'common:refused.roleNotAllowed',
  APPROVAL_REQUIRED: 'common:refused.approvalRequired',
  NAME_TAKEN: 'common:refused.nameTaken',
  LAST_ADMINISTRATOR: 'common:refused.lastAdministrator',
  TERMINAL_AT_WORK: 'common:refused.terminalAtWork',
  TERMINAL_RESULT_UNKNOWN: 'common:refused.terminalResultUnknown',
  TERMINAL_HAS_HOLDS: 'common:refused.terminalHasHolds',
  TERMINAL_NOT_CLOSED: 'common:refused.terminalNotClosed',
  LAST_TERMINAL: 'common:refused.lastTerminal',
  ADDRESS_TAKEN: 'common:refused.addressTaken',
  HOST_OTHER_TERMINAL: 'common:refused.hostOtherTerminal',
  HOST_OTHER_CURRENCY: 'common:refused.hostOtherCurrency',
  HOST_OWED: 'common:refused.hostOwed',
  HOST_ADDRESS: 'common:refused.hostAddress',
} as const satisfies Record<RefusalReason, string>;

export interface RefusalText {
  /** For the person in front of the screen. */
  readonly sentence: string;
  /** For support; absent when there is none. */
  readonly code?: string;
}

/** What a call was rejected with, in the words of the language that is shown. */
export function useRefusalText(): (error: unknown) => RefusalText {
  const { t } = useTexts();
  return useCallback(
    (error) => {
      if (error instanceof ConnectionLost) return { sentence: t('common:offline.short') };
      if (!(error instanceof Refusal)) return { sentence: t('errors:internal') };
      const { refusal } = error;
      if (refusal.reason === undefined) return { sentence: t(errorTextKey(refusal.error)), code: refusal.error };
      const count = refusal.retryAfterSeconds ?? 0;
      return { sentence: t(reasonTexts[refusal.reason], { count }), code: refusal.reason };
    },
    [t],
  );
}
