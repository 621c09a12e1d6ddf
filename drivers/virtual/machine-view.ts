import type { MachineState } from './machine.ts';
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

/** A terminal without power. */
export function viewWithoutPower(seen: TerminalView, texts: TerminalTexts): TerminalView {
  return { ...seen, state: 'RESTARTING', display: [texts.restarting], link: 'DOWN' };
}
