import { commonView, NO_CONDITIONS } from '../machine-view.ts';
import type { PaymentStep } from '../payment.ts';
import type { TerminalView } from '../terminal-view.ts';
import type { Activity, TerminalState } from './state.ts';

const PAYMENT_STATES: Readonly<Record<PaymentStep, string>> = {
  CARD: 'WAITING_FOR_CARD',
  PIN: 'WAITING_FOR_PIN',
  HOST: 'ASKING_HOST',
};

/** What a person in front of the terminal sees. Nobody has to register with it. */
export function viewOf(state: TerminalState): TerminalView {
  const { activity } = state;
  return {
    state: nameOf(activity),
    ...commonView(state),
    isCardReaderLit: activity.kind === 'PAYMENT' && activity.stage === 'CARD',
    isRegistered: true,
    conditions: NO_CONDITIONS,
    paper: state.paper,
  };
}

function nameOf(activity: Activity): string {
  if (activity.kind === 'PAYMENT') return PAYMENT_STATES[activity.stage];
  return activity.kind === 'REPLYING' ? 'TELLING_RESULT' : 'IDLE';
}
