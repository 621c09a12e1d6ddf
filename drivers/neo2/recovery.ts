// After a lost answer. A reader keeps nothing about money, so there is nothing to ask it.
import type { Clock } from '../../app/ports/clock.ts';
import type { RecoveryAnswer, RecoveryQuestion } from '../../app/ports/terminal.ts';

export function recoverCommand(clock: Clock, { command, state }: RecoveryQuestion): RecoveryAnswer {
  const isCardOnly = command.operation === 'GRANULAR' || command.operation === 'CARD_READ';
  const isBeforeIssuer = isCardOnly && state === 'INTENT';
  const answer = isBeforeIssuer
    ? 'The card was not done: nothing was handed out that could have been authorized.'
    : 'A reader keeps nothing about a payment. The card step was lost: its issuer may have approved.';
  const evidence = [
    {
      at: new Date(clock.nowMs()).toISOString(),
      question: 'What became of the payment?',
      answer,
      questionCode: 'OUTCOME',
      answerCode: isBeforeIssuer ? 'NOT_DONE' : 'UNCLEAR',
    } as const,
  ];
  if (!isBeforeIssuer) return { kind: 'UNDECIDED', reason: answer, reasonCode: 'ANSWER_LOST', evidence };
  const message = 'The payment ended before the card was done; no money has moved.';
  return {
    kind: 'SETTLED',
    outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message, receipts: [] },
    evidence,
  };
}
