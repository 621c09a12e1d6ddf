import type { GiveBack } from '../../../app/contract/console/activity.ts';

/** Why money is given back in the way it is, or cannot be: text keys. */
export const giveBackReasons = {
  NOT_SETTLED: 'activity:giveBack.notSettled',
  OPEN_HOLD: 'activity:giveBack.openHold',
  ALREADY_SETTLED: 'activity:giveBack.alreadySettled',
  HAS_REFUNDS: 'activity:giveBack.hasRefunds',
  TERMINAL_CANNOT_VOID: 'activity:giveBack.terminalCannotVoid',
  NOT_A_PAYMENT: 'activity:giveBack.notAPayment',
  NOT_APPROVED: 'activity:giveBack.notApproved',
  OUTCOME_UNKNOWN: 'activity:giveBack.outcomeUnknown',
  ALREADY_VOIDED: 'activity:giveBack.alreadyVoided',
  NOTHING_LEFT: 'activity:giveBack.nothingLeft',
  PAID_THROUGH_POS: 'activity:giveBack.paidThroughPos',
  TERMINAL_CANNOT: 'activity:giveBack.terminalCannot',
  ONLY_LAST_PAYMENT: 'activity:giveBack.onlyLastPayment',
  CANNOT_RELEASE: 'activity:giveBack.cannotRelease',
  CANNOT_REFUND: 'activity:giveBack.cannotRefund',
} as const satisfies Record<GiveBack['reason'], string>;
