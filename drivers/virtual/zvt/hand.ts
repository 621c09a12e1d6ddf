// The terminal in a person's hand: for a while nobody presents cards and types by itself.
import { completePayment } from './payment-ends.ts';
import { isAttended, startTimer, stopTimers, type Turn, update } from './turn.ts';

/** A person presents cards and types, at most for `forMs`; said again, the time begins anew. */
export function takeInHand(turn: Turn, forMs: number): void {
  const { activity } = turn.state;
  update(turn, { isInHand: true });
  startTimer(turn, 'hand', forMs);
  stopTimers(turn, 'think');
  if (activity.kind === 'PAYMENT' && activity.stage === 'PIN') startTimer(turn, 'card', turn.settings.cardTimeoutMs);
}

/** The simulated customer goes on with whatever is waited for: a payment never waits for somebody who has left. */
export function letGo(turn: Turn): void {
  const { activity } = turn.state;
  update(turn, { isInHand: false });
  stopTimers(turn, 'hand');
  if (isAttended(turn)) return;
  const isWaiting =
    activity.kind === 'PAYMENT'
      ? activity.stage === 'CARD' || activity.stage === 'PIN'
      : activity.kind !== 'IDLE' && activity.kind !== 'REPORT';
  if (isWaiting) {
    startTimer(turn, 'think', turn.settings.thinkMs);
    return;
  }
  // The simulated customer takes the card along.
  update(turn, { card: null });
  if (activity.kind === 'PAYMENT' && activity.stage === 'REMOVE_CARD') completePayment(turn, activity);
}
