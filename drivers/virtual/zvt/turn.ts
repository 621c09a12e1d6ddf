import type { ZvtMessage } from '../../zvt/codec/message-types.ts';
import { encodeMessage } from '../../zvt/codec/messages.ts';
import type { BookEntry } from '../book/entries.ts';
import type { LocalTime } from '../local-time.ts';
import {
  type Activity,
  type Damage,
  IDLE,
  MAX_OUTBOX_MESSAGES,
  MAX_PAPER_LINES,
  type MessagePurpose,
  type PaymentActivity,
  type TerminalContext,
  type TerminalOutput,
  type TerminalSettings,
  type TerminalState,
  type TimerName,
} from './state.ts';

/** How long the result of a payment stays on the display. */
const RESULT_SHOWN_MS = 4000;

/** The working copy of one step: handlers change it, the caller of step sees only the state before and after. */
export interface Turn {
  state: TerminalState;
  readonly outputs: TerminalOutput[];
  readonly settings: TerminalSettings;
  readonly ledger: TerminalContext['ledger'];
  readonly now: LocalTime;
}

export function startTurn(context: TerminalContext, state: TerminalState): Turn {
  return { state, outputs: [], ...context };
}

export function update(turn: Turn, change: Partial<TerminalState>): void {
  turn.state = { ...turn.state, ...change };
}

/** Whether somebody is there to present cards and press keys. */
export function isAttended({ settings, state }: Turn): boolean {
  return settings.isManual || state.isInHand;
}

export function setActivity(turn: Turn, activity: Activity): void {
  update(turn, { activity });
}

export function setPayment(turn: Turn, payment: PaymentActivity, change: Partial<PaymentActivity>): PaymentActivity {
  const next = { ...payment, ...change };
  setActivity(turn, next);
  return next;
}

/** Writes an entry into the book and returns its sequence. */
export function book(turn: Turn, entry: BookEntry): number {
  const sequence = turn.ledger.nextSequence() + turn.outputs.filter(({ type }) => type === 'book').length;
  turn.outputs.push({ type: 'book', entry });
  return sequence;
}

export function startTimer(turn: Turn, name: TimerName, delayMs: number): void {
  turn.outputs.push({ type: 'start-timer', name, delayMs });
}

export function stopTimers(turn: Turn, ...names: readonly TimerName[]): void {
  for (const name of names) turn.outputs.push({ type: 'stop-timer', name });
}

export function show(turn: Turn, ...display: readonly string[]): void {
  stopTimers(turn, 'display');
  update(turn, { display });
}

/** Shows something for a moment and then the idle display again. */
export function showBriefly(turn: Turn, ...display: readonly string[]): void {
  show(turn, ...display);
  startTimer(turn, 'display', RESULT_SHOWN_MS);
}

export function printOnPaper(turn: Turn, lines: readonly string[]): void {
  if (turn.state.conditions.isOutOfPaper) return;
  update(turn, { paper: [...turn.state.paper, ...lines].slice(-MAX_PAPER_LINES) });
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
  startTimer(turn, 'display', RESULT_SHOWN_MS);
}

export function isDrained(state: TerminalState): boolean {
  return state.awaiting === null && state.outbox.length === 0;
}
