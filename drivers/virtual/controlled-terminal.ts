import type { TestCard } from './cards.ts';
import type { ImmediateFault, Rule } from './rules.ts';
import type { Key, TerminalView } from './terminal-view.ts';

/** A virtual terminal as hands and eyes meet it, whatever protocol it speaks; the control interface works on this. */
export interface ControlledTerminal {
  view(): TerminalView;
  presentCard(card: TestCard): void;
  removeCard(): void;
  pressKey(key: Key): void;
  /** tells the next `times` payments what they meet, in place of what was armed before */
  arm(rule: Rule, times: number): void;
  /** forgets a rule that no payment has met yet */
  disarm(): void;
  /** A person presents cards and types for so long, instead of the simulated customer. */
  takeInHand(forMs: number): void;
  /** The simulated customer goes on, also in the middle of something. */
  letGo(): void;
  causeFault(fault: ImmediateFault): void;
  /** Starts an end of day by itself; false when it is doing something else. */
  closeDay(): boolean;
  /** Called after every change of the view; the returned function ends it. */
  subscribe(listener: (view: TerminalView) => void): () => void;
}
