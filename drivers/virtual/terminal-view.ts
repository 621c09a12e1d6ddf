import type { ArmedRule } from './rules.ts';

/** Keys on a terminal's pad. */
export const KEYS = [
  'OK',
  'STOP',
  'CORR',
  'F1',
  'F2',
  'F3',
  'F4',
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
] as const;
export type Key = (typeof KEYS)[number];

export function parseKey(text: string): Key | undefined {
  return KEYS.find((key) => key === text);
}

/** What a person in front of the terminal sees, whatever protocol it speaks: for drawings of it. */
export interface TerminalView {
  /** IDLE, or what it is doing, e.g. WAITING_FOR_CARD */
  readonly state: string;
  readonly display: readonly string[];
  /** id of the card in the slot, else null */
  readonly card: string | null;
  readonly isCardReaderLit: boolean;
  readonly link: 'UP' | 'DOWN';
  readonly isRegistered: boolean;
  /** what the next payment will meet */
  readonly armed: ArmedRule | null;
  /** a person presents cards and types for a while, instead of the simulated customer */
  readonly isInHand: boolean;
  readonly conditions: {
    readonly isOutOfPaper: boolean;
    readonly isDayCloseNeeded: boolean;
    readonly isInitialisationNeeded: boolean;
    readonly isIdleAbortCompleted: boolean;
  };
  /** what the terminal's own printer printed, the newest line last */
  readonly paper: readonly string[];
}
