// After a lost answer. The protocol has no question about an earlier payment, so that there is nothing to ask.
import type { Clock } from '../../app/ports/clock.ts';
import type { RecoveryAnswer } from '../../app/ports/terminal.ts';

/** A person decides, by what the terminal's journal or its receipt says. It is never asked again: it would never know. */
export function recoverCommand(clock: Clock): RecoveryAnswer {
  const reason =
    'A Caisse-AP terminal cannot be asked what became of a payment. Look at its receipt or its journal: it may have been charged.';
  return {
    kind: 'UNDECIDED',
    reason,
    reasonCode: 'ANSWER_LOST',
    evidence: [
      {
        at: new Date(clock.nowMs()).toISOString(),
        question: 'What became of the payment?',
        answer: reason,
        questionCode: 'OUTCOME',
        answerCode: 'UNCLEAR',
      },
    ],
  };
}
