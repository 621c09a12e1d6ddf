// What the till has learned of one terminal, from connection to connection.
import type { TerminalOriginal } from '../../app/ports/terminal.ts';
import { isApproval, type LastResult } from './last-result.ts';
import { type Mark, markOf, relateToMark, UNKNOWN_MARK } from './mark.ts';

export interface TerminalMemory {
  /** The last result known. */
  mark(): Mark;
  /** The terminal told its last result, or that it tells none. */
  learn(mark: Mark): void;
  /** A command of the till has ended with this result. */
  ended(last: LastResult, what: 'PAYMENT' | 'REVERSAL' | 'OTHER'): void;
  /** Whether the terminal may still take this payment back: it does so with its last one only. It checks that itself by the STAN. */
  canVoid(original: TerminalOriginal): boolean;
  /** False once the terminal has refused X and taken P. */
  hasExtendedPayment: boolean;
  /** False once the terminal has fallen silent at G: asked again it would cost the connection before each payment. */
  tellsLastResult: boolean;
}

export function createTerminalMemory(): TerminalMemory {
  let mark: Mark = UNKNOWN_MARK;
  /** STAN of the last payment; NONE: it was taken back. Unknown as long as nothing was heard of any. */
  let lastPayment: string | 'NONE' | 'UNKNOWN' = 'UNKNOWN';

  /** Something has happened at the terminal without the till: an approval may be a payment, and the last one then. */
  function heardOf(last: LastResult): void {
    const isKnown = mark.knowledge === 'RESULT' && relateToMark(mark, last) === 'SAME';
    const isPayment = last.procedure === 'PAYMENT' || last.procedure === 'CLOSURE';
    if (!isKnown && isPayment && isApproval(last)) lastPayment = last.stan ?? 'UNKNOWN';
  }

  return {
    mark: () => mark,
    learn(next) {
      if (next.last !== undefined) heardOf(next.last);
      mark = next;
    },
    ended(last, what) {
      mark = markOf(last);
      if (!isApproval(last)) return;
      if (what === 'PAYMENT') lastPayment = last.stan ?? 'UNKNOWN';
      if (what === 'REVERSAL') lastPayment = 'NONE';
    },
    canVoid({ kind, reference }) {
      if (kind === 'PRE_AUTH' || typeof reference.stan !== 'string') return false;
      return lastPayment === 'UNKNOWN' || lastPayment === reference.stan;
    },
    hasExtendedPayment: true,
    tellsLastResult: true,
  };
}
