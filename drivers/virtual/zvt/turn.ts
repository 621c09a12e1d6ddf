// What a ZVT terminal says to its till in one step.
import type { ZvtMessage } from '../../zvt/codec/message-types.ts';
import { encodeMessage } from '../../zvt/codec/messages.ts';
import type { Damage } from '../machine.ts';
import { letDisplayGo, type MachineTurn, setActivity, startTimer, stopTimers, update } from '../machine-turn.ts';
import { withNewLines } from '../receipts.ts';
import { IDLE, MAX_OUTBOX_MESSAGES, type MessagePurpose, type TerminalState, type ZvtMachine } from './state.ts';

export type Turn = MachineTurn<ZvtMachine>;

export function printOnPaper(turn: Turn, lines: readonly string[]): void {
  if (turn.state.conditions.isOutOfPaper) return;
  update(turn, { paper: withNewLines(turn.state.paper, lines) });
}

function encode(turn: Turn, message: ZvtMessage): Uint8Array {
  const charset = turn.state.registration?.charset;
  return encodeMessage(message, charset === undefined ? {} : { charset });
}

/** Answers a command of the till. An answer is never answered. */
export function reply(turn: Turn, message: ZvtMessage): void {
  turn.outputs.push({ type: 'send', apdu: encode(turn, message) });
}

export function acknowledge(turn: Turn): void {
  reply(turn, { type: 'positive' });
}

export function refuse(turn: Turn, errorId: number): void {
  reply(turn, { type: 'negative', errorId });
}

/** Sends a message that the till must acknowledge; one is on its way at a time, the others wait. */
export function send(turn: Turn, purpose: MessagePurpose, message: ZvtMessage, damage?: Damage): void {
  sendApdu(turn, purpose, encode(turn, message), damage);
}

function sendApdu(turn: Turn, purpose: MessagePurpose, apdu: Uint8Array, damage?: Damage): void {
  if (turn.state.outbox.length >= MAX_OUTBOX_MESSAGES) return;
  const message = { apdu, purpose, ...(damage === undefined ? {} : { damage }) };
  update(turn, { outbox: [...turn.state.outbox, message] });
  sendNext(turn);
}

/** The size of a message as it would travel. */
export function sizeOf(turn: Turn, message: ZvtMessage): number {
  return encode(turn, message).length;
}

/** Sends an intermediate status, if the till asked for them (config bit 08). */
export function report(turn: Turn, status: number): void {
  if (turn.state.registration?.wantsIntermediateStatus !== true) return;
  send(turn, 'PROGRESS', { type: 'intermediate-status', status });
}

/** Lets the next waiting message go, when none is on its way. */
export function sendNext(turn: Turn): void {
  const [next, ...outbox] = turn.state.outbox;
  if (next === undefined || turn.state.awaiting !== null || turn.state.link === 'DOWN') return;
  update(turn, { outbox, awaiting: next });
  const { apdu, damage } = next;
  turn.outputs.push({ type: 'send', apdu, ...(damage === undefined ? {} : { damage }) });
  startTimer(turn, 'ack', turn.settings.ackTimeoutMs);
}

/** Forgets every message that is not acknowledged. */
export function dropMessages(turn: Turn): void {
  if (turn.state.awaiting !== null || turn.state.outbox.length > 0) turn.outputs.push({ type: 'flush-link' });
  stopTimers(turn, 'ack');
  update(turn, { outbox: [], awaiting: null });
}

/** Back to waiting for commands; what is on the display stays for a moment. */
export function becomeIdle(turn: Turn): void {
  stopTimers(turn, 'think', 'card', 'host', 'input', 'remove');
  setActivity(turn, IDLE);
  letDisplayGo(turn);
}

export function isDrained(state: TerminalState): boolean {
  return state.awaiting === null && state.outbox.length === 0;
}
