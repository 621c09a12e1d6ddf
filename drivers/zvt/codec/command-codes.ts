// Control fields of what a till sends.
import type { DisplayCommand, PasswordCommand } from './command-types.ts';

export const REGISTRATION = 0x0600;
export const AUTHORIZATION = 0x0601;
export const LOG_OFF = 0x0602;
export const BALANCE = 0x0603;
export const REPRINT_RANGE = 0x0612;
export const REPEAT_RECEIPT = 0x0620;
export const PRE_AUTHORIZATION = 0x0622;
export const PARTIAL_REVERSAL = 0x0623;
export const BOOK_TOTAL = 0x0624;
export const PRE_AUTHORIZATION_REVERSAL = 0x0625;
export const REVERSAL = 0x0630;
export const REFUND = 0x0631;
export const DIAGNOSIS = 0x0670;
export const ABORT_COMMAND = 0x06b0;
export const READ_CARD = 0x06c0;
export const STATUS_ENQUIRY = 0x0501;

/** Commands that are a password and nothing more. */
export const PASSWORD_COMMANDS: readonly (readonly [controlField: number, type: PasswordCommand['type']])[] = [
  [0x0650, 'end-of-day'],
  [0x0610, 'turnover-totals'],
  [0x0693, 'initialisation'],
];

export const DISPLAY_COMMANDS: readonly (readonly [controlField: number, type: DisplayCommand['type']])[] = [
  [0x06e0, 'display'],
  [0x06e1, 'display-key'],
  [0x06e2, 'numeric-input'],
];

/** Receipt number that stands for "which are open?" in 06 23 and for "none" in its answer. */
export const NO_RECEIPT = 'FFFF';

/** Service byte of 06 20 for recovery: send status information (bit 0), do not print (bit 1). */
export const REPEAT_WITHOUT_PRINTING = 0x03;
