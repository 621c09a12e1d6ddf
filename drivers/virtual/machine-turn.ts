// The working copy of one step, and what every terminal does with it.
import type { MachineContext, MachineOutput, MachineTimer, MachineTypes } from './machine.ts';
import { type Rule, takeRule } from './rules.ts';

/** How long the result of a payment stays on the display. */
const RESULT_SHOWN_MS = 4000;

/** Handlers change it; the caller of step sees only the state before and after. */
export interface MachineTurn<T extends MachineTypes> extends MachineContext<T> {
  state: T['state'];
  readonly outputs: MachineOutput<T>[];
}

export function startTurn<T extends MachineTypes>(context: MachineContext<T>, state: T['state']): MachineTurn<T> {
  return { ...context, state, outputs: [] };
}

export function update<T extends MachineTypes>(turn: MachineTurn<T>, change: Partial<T['state']>): void {
  turn.state = { ...turn.state, ...change };
}

export function setActivity<T extends MachineTypes>(turn: MachineTurn<T>, activity: T['state']['activity']): void {
  turn.state = { ...turn.state, activity };
}

/** Whether somebody is there to present cards and press keys. */
export function isAttended<T extends MachineTypes>({ settings, state }: MachineTurn<T>): boolean {
  return settings.isManual || state.isInHand;
}

/** A customer who is simulated takes his card by himself. */
export function dropCardIfAlone<T extends MachineTypes>(turn: MachineTurn<T>): void {
  if (!isAttended(turn)) turn.state = { ...turn.state, card: null };
}

/** Writes an entry into the book and returns its sequence. */
export function book<T extends MachineTypes>(turn: MachineTurn<T>, entry: T['entry']): number {
  const sequence = turn.ledger.nextSequence() + turn.outputs.filter(({ type }) => type === 'book').length;
  turn.outputs.push({ type: 'book', entry });
  return sequence;
}

export function startTimer<T extends MachineTypes>(turn: MachineTurn<T>, name: MachineTimer<T>, delayMs: number): void {
  turn.outputs.push({ type: 'start-timer', name, delayMs });
}

export function stopTimers<T extends MachineTypes>(turn: MachineTurn<T>, ...names: readonly MachineTimer<T>[]): void {
  for (const name of names) turn.outputs.push({ type: 'stop-timer', name });
}

/** Shows lines on the terminal's own display. */
export function show<T extends MachineTypes>(turn: MachineTurn<T>, ...display: readonly string[]): void {
  stopTimers(turn, 'display');
  turn.state = { ...turn.state, display };
}

/** What is on the display stays for a moment; then the idle display is back. */
export function letDisplayGo<T extends MachineTypes>(turn: MachineTurn<T>): void {
  startTimer(turn, 'display', RESULT_SHOWN_MS);
}

/** Shows something for a moment and then the idle display again. */
export function showBriefly<T extends MachineTypes>(turn: MachineTurn<T>, ...display: readonly string[]): void {
  show(turn, ...display);
  letDisplayGo(turn);
}

/** Takes what was armed for this payment. */
export function takeArmedRule<T extends MachineTypes>(turn: MachineTurn<T>): Rule | null {
  const { rule, left } = takeRule(turn.state.armed);
  turn.state = { ...turn.state, armed: left };
  return rule;
}
