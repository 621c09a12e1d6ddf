// The pure machine of a terminal: what is the same for all protocols is done here, the rest by the handlers of one.
import type { CommonInput, MachineHandlers, MachineInput, MachineTimer, MachineTypes, Step } from './machine.ts';
import { isAttended, type MachineTurn, show, startTimer, startTurn, stopTimers } from './machine-turn.ts';
import type { ImmediateFault } from './rules.ts';

type Handlers<T extends MachineTypes> = MachineHandlers<T, MachineTurn<T>>;

const COMMON_INPUTS: ReadonlySet<string> = new Set<CommonInput['type']>([
  'link-up',
  'link-down',
  'timer',
  'card',
  'card-removed',
  'key',
  'arm',
  'disarm',
  'hand',
  'let-go',
  'fault',
  'boot',
]);

/** Makes the step function of a protocol. */
export function createMachine<T extends MachineTypes>(handlers: Handlers<T>): Step<T> {
  return (context, state, input) => {
    const turn = startTurn<T>(context, state);
    if (isCommon<T>(input)) takeCommon(handlers, turn, input);
    else handlers.takeOwn(turn, input);
    return { state: turn.state, outputs: turn.outputs };
  };
}

function isCommon<T extends MachineTypes>(input: MachineInput<T>): input is CommonInput<MachineTimer<T>> {
  return COMMON_INPUTS.has(input.type);
}

function takeCommon<T extends MachineTypes>(
  handlers: Handlers<T>,
  turn: MachineTurn<T>,
  input: CommonInput<MachineTimer<T>>,
): void {
  switch (input.type) {
    case 'timer':
      timerExpired(handlers, turn, input.name);
      return;
    case 'card':
      turn.state = { ...turn.state, card: input.card };
      handlers.cardPresented(turn, input.card);
      return;
    case 'card-removed':
      turn.state = { ...turn.state, card: null };
      handlers.cardRemoved(turn);
      return;
    case 'key':
      handlers.keyPressed(turn, input.key);
      return;
    case 'arm':
      turn.state = { ...turn.state, armed: { rule: input.rule, times: input.times } };
      return;
    case 'disarm':
      turn.state = { ...turn.state, armed: null };
      return;
    case 'hand':
      takeInHand(handlers, turn, input.forMs);
      return;
    case 'let-go':
      letGo(handlers, turn);
      return;
    case 'fault':
      faultHappens(handlers, turn, input.fault);
      return;
    case 'link-up':
      turn.state = { ...turn.state, link: 'UP' };
      return;
    case 'link-down':
      turn.state = { ...turn.state, link: 'DOWN' };
      handlers.linkDown?.(turn);
      return;
    case 'boot':
      handlers.boot(turn);
      show(turn, ...turn.settings.texts.idle);
      return;
  }
}

function timerExpired<T extends MachineTypes>(
  handlers: Handlers<T>,
  turn: MachineTurn<T>,
  name: MachineTimer<T>,
): void {
  if (name === 'hand') letGo(handlers, turn);
  else if (name !== 'display') handlers.timerExpired(turn, name);
  else if (handlers.isIdle(turn.state)) turn.state = { ...turn.state, display: turn.settings.texts.idle };
}

/** A person presents cards and types, at most for `forMs`; said again, the time begins anew. */
function takeInHand<T extends MachineTypes>(handlers: Handlers<T>, turn: MachineTurn<T>, forMs: number): void {
  turn.state = { ...turn.state, isInHand: true };
  startTimer(turn, 'hand', forMs);
  stopTimers(turn, 'think');
  handlers.takenInHand?.(turn);
}

/** The simulated customer goes on: a payment never waits for somebody who has left. */
function letGo<T extends MachineTypes>(handlers: Handlers<T>, turn: MachineTurn<T>): void {
  turn.state = { ...turn.state, isInHand: false };
  stopTimers(turn, 'hand');
  if (!isAttended(turn)) handlers.customerGoesOn(turn);
}

function faultHappens<T extends MachineTypes>(
  handlers: Handlers<T>,
  turn: MachineTurn<T>,
  fault: ImmediateFault,
): void {
  if (fault === 'drop') turn.outputs.push({ type: 'drop-link' });
  else if (fault === 'noise') turn.outputs.push({ type: 'send-noise' });
  else if (fault === 'unplug' || fault === 'reboot') {
    const isPowerKept = fault === 'unplug' && handlers.isPoweredByCable !== true;
    const cause = isPowerKept ? 'UNPLUG' : 'REBOOT';
    turn.outputs.push({ type: 'outage', cause, durationMs: turn.settings.outageMs });
  } else handlers.faultHappens?.(turn, fault);
}
