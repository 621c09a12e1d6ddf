import type { VirtualAction, VirtualCard, VirtualScript, VirtualTerminalView } from '../contract/console/virtual.ts';
import type { TrainingControl } from './training.ts';

/** A virtual terminal as hands and eyes meet it: its control interface (drivers/virtual). Rejects when the terminal does not answer. */
export interface VirtualTerminalControl extends TrainingControl {
  /** What it shows, the cards that it knows, what it can be told to meet, and whether it always waits for a person. */
  look(): Promise<{
    readonly view: VirtualTerminalView;
    readonly cards: readonly VirtualCard[];
    readonly script: VirtualScript;
    readonly isAlwaysInHand: boolean;
  }>;
  act(action: Exclude<VirtualAction, { kind: 'HAND' }>): Promise<VirtualTerminalView>;
  /** A person presents cards and types for so long at most. */
  takeInHand(seconds: number): Promise<VirtualTerminalView>;
  letGo(): Promise<VirtualTerminalView>;
  /** Tells every change until it is ended, or until the terminal is gone: `onEnd` then, once. */
  watch(onView: (view: VirtualTerminalView) => void, onEnd: () => void): () => void;
}

/** The virtual terminals of a training till; a till that moves real money has none. */
export interface VirtualTerminals {
  controlOf(terminalId: string): VirtualTerminalControl | undefined;
  /** The till's own: for a payment that begins at the console, a person presents the card. */
  isOwn(terminalId: string): boolean;
}
