// What an ECR17 terminal says to its till in one step.
import type { Ecr17Message } from '../../ecr17/codec/message-types.ts';
import { encodeMessage } from '../../ecr17/codec/messages.ts';
import type { Damage } from '../machine.ts';
import { letDisplayGo, type MachineTurn, setActivity, startTimer, stopTimers, update } from '../machine-turn.ts';
import { withNewLines } from '../receipts.ts';
import { type Ecr17Machine, IDLE, MAX_SENDS, type OutgoingMessage } from './state.ts';

export type Turn = MachineTurn<Ecr17Machine>;

export function printOnPaper(turn: Turn, lines: readonly string[]): void {
  update(turn, { paper: withNewLines(turn.state.paper, lines) });
}

/** The command has arrived, and is known. */
export function acknowledge(turn: Turn): void {
  turn.outputs.push({ type: 'acknowledge' });
}

/** NAK: it has not arrived well, or is not known. */
export function refuse(turn: Turn): void {
  turn.outputs.push({ type: 'refuse' });
}

/** Tells the till how far it is. Nothing comes back, and nothing is repeated. */
export function report(turn: Turn, text: string): void {
  if (turn.state.link === 'UP') turn.outputs.push({ type: 'progress', text });
}

/** Says something that needs no more than one message: an answer to an enquiry. */
export function answer(turn: Turn, message: Ecr17Message): void {
  acknowledge(turn);
  startTelling(turn, [{ text: encodeMessage(message) }]);
}

/** Begins to tell the till everything there is to say, one message after the other. */
export function startTelling(
  turn: Turn,
  messages: readonly OutgoingMessage[],
  facts: { readonly isProcedure?: boolean; readonly dropsLink?: boolean } = {},
): void {
  const { isProcedure = false, dropsLink = false } = facts;
  setActivity(turn, { kind: 'TELLING', isProcedure, dropsLink });
  update(turn, { outbox: [...turn.state.outbox, ...messages] });
  sendNext(turn);
}

/** Lets the next waiting message go; when there is none, all is said. */
export function sendNext(turn: Turn): void {
  const [next, ...outbox] = turn.state.outbox;
  if (next === undefined) {
    finishTelling(turn);
    return;
  }
  update(turn, { outbox, awaiting: { message: next, sends: 1 } });
  transmit(turn, next.text, next.damage);
}

function transmit(turn: Turn, text: string, damage?: Damage): void {
  turn.outputs.push({ type: 'send', text, ...(damage === undefined ? {} : { damage }) });
  startTimer(turn, 'ack', turn.settings.ackTimeoutMs);
}

/** No acknowledgement came, or a NAK: the same bytes again. What was told stays as it is, whether the till has heard it or not. */
export function sendAgain(turn: Turn): void {
  const { awaiting } = turn.state;
  if (awaiting === null) return;
  if (awaiting.sends >= MAX_SENDS) {
    finishTelling(turn);
    return;
  }
  update(turn, { awaiting: { ...awaiting, sends: awaiting.sends + 1 } });
  transmit(turn, awaiting.message.text);
}

/** Everything is said, or nobody listens any more. */
export function finishTelling(turn: Turn): void {
  const { activity, link } = turn.state;
  becomeIdle(turn);
  if (activity.kind !== 'TELLING' || link === 'DOWN') return;
  if (activity.dropsLink || (activity.isProcedure && turn.settings.closesBetween))
    turn.outputs.push({ type: 'drop-link' });
}

/** Back to waiting for commands; what is on the display stays for a moment. */
export function becomeIdle(turn: Turn): void {
  stopTimers(turn, 'ack', 'think', 'card', 'host');
  setActivity(turn, IDLE);
  update(turn, { outbox: [], awaiting: null, running: null });
  letDisplayGo(turn);
}
