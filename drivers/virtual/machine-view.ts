import type { MachineState } from './machine.ts';
import type { PaymentStep } from './payment.ts';
import type { TerminalView } from './terminal-view.ts';
import type { TerminalTexts } from './texts.ts';

/** A terminal that has no printer and knows no state in which it refuses payments. */
export const NO_CONDITIONS: TerminalView['conditions'] = {
  isOutOfPaper: false,
  isDayCloseNeeded: false,
  isInitialisationNeeded: false,
  isIdleAbortCompleted: false,
};

type SeenOnAll = Pick<TerminalView, 'display' | 'card' | 'link' | 'armed' | 'isInHand'>;

/** What a person sees of every terminal, whatever protocol it speaks. */
export function commonView({ display, card, link, armed, isInHand }: MachineState): SeenOnAll {
  return { display, card: card?.id ?? null, link, armed, isInHand };
}

/** What a terminal with an acquirer of its own waits for, up to the host's answer. */
export const STEP_STATES: Readonly<Record<PaymentStep, string>> = {
  CARD: 'WAITING_FOR_CARD',
  PIN: 'WAITING_FOR_PIN',
  HOST: 'ASKING_HOST',
};

interface PaymentTerminalState extends MachineState {
  readonly activity: { readonly kind: string; readonly stage?: PaymentStep };
  readonly paper: readonly string[];
}

/** What a person sees of a terminal that nobody has to register with, and that takes payments and tells their results. */
export function viewOfPaymentTerminal(state: PaymentTerminalState): TerminalView {
  const { kind, stage } = state.activity;
  const telling = kind === 'IDLE' ? 'IDLE' : 'TELLING_RESULT';
  return {
    state: stage === undefined ? telling : STEP_STATES[stage],
    ...commonView(state),
    isCardReaderLit: stage === 'CARD',
    isRegistered: true,
    conditions: NO_CONDITIONS,
    paper: state.paper,
  };
}

/** A terminal without power. */
export function viewWithoutPower(seen: TerminalView, texts: TerminalTexts): TerminalView {
  return { ...seen, state: 'RESTARTING', display: [texts.restarting], link: 'DOWN' };
}
