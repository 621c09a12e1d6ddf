import type { WireHooks } from '../support/wire-proxy.ts';

/** What befalls one message: it is lost or cut short with its connection, comes twice, or comes after everything else has stood still. */
export const troubles = ['LOSE', 'TRUNCATE', 'DOUBLE', 'DELAY'] as const;
export type Trouble = (typeof troubles)[number];

const DELAY_MS = 250;

/** Counts the messages of a line, and troubles one of them. */
export interface BadLine {
  readonly hooks: WireHooks;
  /** A run begins: its messages are counted from 0. Without `at` none is troubled. */
  begin(at?: { readonly trouble: Trouble; readonly index: number }): void;
  messages(): number;
  /** Whether the message that was to be troubled has come. */
  isMet(): boolean;
}

export function createBadLine(): BadLine {
  let count = 0;
  let wanted: { readonly trouble: Trouble; readonly index: number } | undefined;
  let isMet = false;
  /** Of the message that is being handed on. */
  let trouble: Trouble | undefined;
  return {
    hooks: {
      async before() {
        trouble = wanted !== undefined && !isMet && count === wanted.index ? wanted.trouble : undefined;
        count += 1;
        if (trouble !== undefined) isMet = true;
        if (trouble === 'DELAY') await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
      },
      fateOf: () => (trouble === undefined || trouble === 'DELAY' ? 'PASS' : trouble),
    },
    begin(at) {
      count = 0;
      wanted = at;
      isMet = false;
    },
    messages: () => count,
    isMet: () => isMet,
  };
}
