// The Caisse-AP terminal as a pure function: (state, input) → (state, outputs). Timers, the wire, the book's file and the control interface live around
// it.
import { createMachine } from '../create-machine.ts';
import type { Step } from '../machine.ts';
import { setActivity, stopTimers } from '../machine-turn.ts';
import { paymentHandlers } from '../payment-steps.ts';
import * as payments from './payment.ts';
import { type CaisseApMachine, initialState, type TerminalState, type TimerName } from './state.ts';
import { becomeIdle, sendPiece, type Turn } from './turn.ts';

/** What the terminal does about one input. */
export const step: Step<CaisseApMachine> = createMachine<CaisseApMachine>({
  takeOwn: (turn, input) => payments.takeRequest(turn, input.bytes),
  timerExpired,
  ...paymentHandlers(payments.steps, ({ activity }: TerminalState) =>
    activity.kind === 'PAYMENT' ? activity : undefined,
  ),
  linkDown,
  boot,
  isIdle: ({ activity }) => activity.kind === 'IDLE',
});

function timerExpired(turn: Turn, name: TimerName): void {
  const { activity } = turn.state;
  if (name === 'piece') sendPiece(turn);
  else if (activity.kind !== 'PAYMENT') return;
  else if (name === 'host' && activity.stage === 'HOST') payments.hostAnswers(turn, activity);
  else if (name === 'think') payments.steps.customerActs(turn, activity);
  else if (name === 'card') payments.steps.timesOut(turn, activity);
}

/** The customer in front of it goes on, and pays. His till is not told: a reply on a later connection would be taken for the answer to another request. */
function linkDown(turn: Turn): void {
  const { activity } = turn.state;
  if (activity.kind === 'PAYMENT') setActivity(turn, { ...activity, isAwaited: false });
  else if (activity.kind === 'REPLYING') becomeIdle(turn);
}

/** Power on. What the host has approved stands: nobody can ask for it, and nobody takes it back. */
function boot(turn: Turn): void {
  const { link, armed } = turn.state;
  turn.state = { ...initialState(turn.settings), link, armed };
  stopTimers(turn, 'think', 'card', 'host', 'piece', 'display');
}
