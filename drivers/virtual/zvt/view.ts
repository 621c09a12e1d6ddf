import { commonView, STEP_STATES } from '../machine-view.ts';
import type { TerminalView } from '../terminal-view.ts';
import type { Activity, PaymentStage, TerminalState } from './state.ts';

const PAYMENT_STATES: Readonly<Record<PaymentStage, string>> = {
  ...STEP_STATES,
  RESULT: 'TELLING_RESULT',
  RECEIPTS: 'PRINTING',
  REMOVE_CARD: 'WAITING_FOR_CARD_REMOVAL',
  END: 'ENDING',
};

/** What a person in front of the terminal sees. */
export function viewOf(state: TerminalState): TerminalView {
  return {
    state: nameOf(state.activity),
    ...commonView(state),
    isCardReaderLit: isWaitingForCard(state.activity),
    isRegistered: state.registration !== null,
    conditions: state.conditions,
    paper: state.paper,
  };
}

function nameOf(activity: Activity): string {
  switch (activity.kind) {
    case 'PAYMENT':
      return PAYMENT_STATES[activity.stage];
    case 'READ_CARD':
      return 'WAITING_FOR_CARD';
    case 'WAIT_FOR_KEY':
      return 'WAITING_FOR_KEY';
    case 'NUMBER_INPUT':
      return 'WAITING_FOR_NUMBER';
    case 'REPORT':
      return 'REPORTING';
    case 'IDLE':
      return 'IDLE';
  }
}

function isWaitingForCard(activity: Activity): boolean {
  return activity.kind === 'READ_CARD' || (activity.kind === 'PAYMENT' && activity.stage === 'CARD');
}
