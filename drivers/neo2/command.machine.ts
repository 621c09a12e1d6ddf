// One command at a time: command → (63, "I work") → answer, and 05-01, after which nothing may be sent before its answer.
import type { NeoCommand } from './codec/command-types.ts';

export type CommandType = Exclude<NeoCommand['type'], 'unknown'>;

interface Running {
  readonly type: CommandType;
  readonly answerTimeoutMs: number;
  readonly hasFirstResponse: boolean;
}

type Phase =
  | { readonly phase: 'IDLE' }
  | { readonly phase: 'RUNNING'; readonly running: Running }
  /** 05-01 was sent; the command it cancels may still be answered before it. `reason`: who cancelled. */
  | { readonly phase: 'CANCELLING'; readonly running?: Running; readonly reason: 'ASKED' | 'TIME_OVER' }
  /** A cancelled command was not answered: its answer may still come, and is dropped. */
  | { readonly phase: 'DRAINING' };

export type CommandState = Phase & {
  /** Commands that the reader was seen to answer with 63 first: an answer before it belongs to something earlier. */
  readonly answersInTwo: ReadonlySet<CommandType>;
  /** Commands that it is believed to answer so, until it was silent to one: that shortens a wait, and drops no answer. */
  readonly presumed: ReadonlySet<CommandType>;
};

export const INITIAL_COMMAND_STATE: CommandState = { phase: 'IDLE', answersInTwo: new Set(), presumed: new Set() };

export interface CommandTimes {
  readonly cancelTimeoutMs: number;
  readonly drainMs: number;
}

export type CommandInput =
  /** `firstResponseTimeoutMs`: how soon a reader that was seen, or is presumed, to send 63 first must do so; without it, as soon as the answer. */
  | {
      readonly type: 'SEND';
      readonly command: CommandType;
      readonly answerTimeoutMs: number;
      readonly firstResponseTimeoutMs?: number;
    }
  | { readonly type: 'CANCEL' }
  /**
   * A reply. FIRST: the reader works on it. ANSWER: what was asked for. REFUSAL: the command was not carried out.
   * `isExpected`: it can be a reply to the command that waits (by its command byte and, for an answer, by what it says).
   */
  | { readonly type: 'REPLY'; readonly kind: 'FIRST' | 'ANSWER' | 'REFUSAL'; readonly isExpected: boolean }
  | { readonly type: 'CANCEL_REPLY'; readonly isDone: boolean }
  | { readonly type: 'TIMER_EXPIRED' }
  | { readonly type: 'LINK_DOWN' };

/** SILENT: no answer in time, and the reader has taken the cancellation. LOST: the link is gone, or not to be trusted any more. */
export type CommandEndKind = 'ANSWERED' | 'CANCELLED' | 'SILENT' | 'LOST';
export type CancelEnd = 'DONE' | 'REFUSED' | 'LOST';

export type CommandAction =
  | { readonly type: 'SEND_COMMAND' }
  | { readonly type: 'SEND_CANCEL' }
  | { readonly type: 'START_TIMER'; readonly delayMs: number }
  | { readonly type: 'STOP_TIMER' }
  /** The reader has taken the command. */
  | { readonly type: 'TAKEN' }
  | { readonly type: 'END'; readonly end: CommandEndKind }
  | { readonly type: 'CANCEL_ENDED'; readonly end: CancelEnd }
  /** The reply that came belongs to nothing that waits. */
  | { readonly type: 'DROP' }
  /** The reader is silent even to a cancellation. */
  | { readonly type: 'CLOSE' }
  /** The next command may be sent. */
  | { readonly type: 'FREE' };

export interface CommandStep {
  readonly state: CommandState;
  readonly actions: readonly CommandAction[];
}

/** (state, input) → (state, actions). SEND is only for an idle machine. */
export function stepCommand(times: CommandTimes, state: CommandState, input: CommandInput): CommandStep {
  switch (input.type) {
    case 'SEND':
      return send(state, input);
    case 'CANCEL':
      return cancel(times, state);
    case 'REPLY':
      return reply(state, input);
    case 'CANCEL_REPLY':
      return cancelReply(times, state, input.isDone);
    case 'TIMER_EXPIRED':
      return timeOver(times, state);
    case 'LINK_DOWN':
      return lost(state);
  }
}

function to({ answersInTwo, presumed }: CommandState, phase: Phase, ...actions: readonly CommandAction[]): CommandStep {
  return { state: { ...phase, answersInTwo, presumed }, actions };
}

function stay(state: CommandState, ...actions: readonly CommandAction[]): CommandStep {
  return { state, actions };
}

function send(state: CommandState, input: CommandInput & { type: 'SEND' }): CommandStep {
  const { command: type, answerTimeoutMs, firstResponseTimeoutMs = answerTimeoutMs } = input;
  if (state.phase !== 'IDLE') throw new RangeError(`${type} cannot be sent while the reader is ${state.phase}`);
  const running = { type, answerTimeoutMs, hasFirstResponse: false };
  const isFirstAwaited = state.answersInTwo.has(type) || state.presumed.has(type);
  const delayMs = isFirstAwaited ? firstResponseTimeoutMs : answerTimeoutMs;
  return to(state, { phase: 'RUNNING', running }, { type: 'SEND_COMMAND' }, { type: 'START_TIMER', delayMs });
}

function cancel({ cancelTimeoutMs }: CommandTimes, state: CommandState): CommandStep {
  if (state.phase === 'CANCELLING' || state.phase === 'DRAINING') return stay(state);
  const running = state.phase === 'RUNNING' ? { running: state.running } : {};
  return to(
    state,
    { phase: 'CANCELLING', ...running, reason: 'ASKED' },
    { type: 'SEND_CANCEL' },
    { type: 'START_TIMER', delayMs: cancelTimeoutMs },
  );
}

function reply(state: CommandState, { kind, isExpected }: CommandInput & { type: 'REPLY' }): CommandStep {
  const running = state.phase === 'RUNNING' || state.phase === 'CANCELLING' ? state.running : undefined;
  if (running === undefined || !isExpected) return stay(state, { type: 'DROP' });
  if (kind === 'FIRST') return firstResponse(state, running);
  const isEarlier = kind === 'ANSWER' && !running.hasFirstResponse && state.answersInTwo.has(running.type);
  if (isEarlier) return stay(state, { type: 'DROP' });
  const end: CommandAction = { type: 'END', end: 'ANSWERED' };
  if (state.phase === 'CANCELLING') return to(state, { phase: 'CANCELLING', reason: state.reason }, end);
  return to(state, { phase: 'IDLE' }, { type: 'STOP_TIMER' }, end, { type: 'FREE' });
}

/** Only the first 63 of a command starts its time anew: one that repeats it for ever is not waited for. */
function firstResponse(state: CommandState, running: Running): CommandStep {
  if (running.hasFirstResponse) return stay(state);
  const answersInTwo = new Set([...state.answersInTwo, running.type]);
  const next = { ...running, hasFirstResponse: true };
  const learned = { ...state, answersInTwo };
  if (state.phase === 'CANCELLING')
    return to(learned, { phase: 'CANCELLING', running: next, reason: state.reason }, { type: 'TAKEN' });
  return to(
    learned,
    { phase: 'RUNNING', running: next },
    { type: 'START_TIMER', delayMs: running.answerTimeoutMs },
    { type: 'TAKEN' },
  );
}

function cancelReply({ drainMs }: CommandTimes, state: CommandState, isDone: boolean): CommandStep {
  if (state.phase !== 'CANCELLING') return stay(state, { type: 'DROP' });
  const { running, reason } = state;
  const ended: CommandAction = { type: 'CANCEL_ENDED', end: isDone ? 'DONE' : 'REFUSED' };
  if (running === undefined) return to(state, { phase: 'IDLE' }, { type: 'STOP_TIMER' }, ended, { type: 'FREE' });
  if (!isDone && reason === 'ASKED')
    return to(state, { phase: 'RUNNING', running }, { type: 'START_TIMER', delayMs: running.answerTimeoutMs }, ended);
  return to(
    state,
    { phase: 'DRAINING' },
    { type: 'START_TIMER', delayMs: drainMs },
    { type: 'END', end: reason === 'ASKED' ? 'CANCELLED' : 'SILENT' },
    ended,
  );
}

function timeOver({ cancelTimeoutMs }: CommandTimes, state: CommandState): CommandStep {
  switch (state.phase) {
    case 'IDLE':
      return stay(state);
    case 'RUNNING':
      return to(
        { ...state, presumed: without(state.presumed, state.running.type) },
        { phase: 'CANCELLING', running: state.running, reason: 'TIME_OVER' },
        { type: 'SEND_CANCEL' },
        { type: 'START_TIMER', delayMs: cancelTimeoutMs },
      );
    case 'CANCELLING':
      return lost(state, { type: 'CLOSE' });
    case 'DRAINING':
      return to(state, { phase: 'IDLE' }, { type: 'FREE' });
  }
}

function without(types: ReadonlySet<CommandType>, type: CommandType): ReadonlySet<CommandType> {
  return new Set([...types].filter((each) => each !== type));
}

function lost(state: CommandState, ...more: readonly CommandAction[]): CommandStep {
  const hasCommand = state.phase === 'RUNNING' || (state.phase === 'CANCELLING' && state.running !== undefined);
  return to(
    state,
    { phase: 'IDLE' },
    { type: 'STOP_TIMER' },
    ...(hasCommand ? [{ type: 'END', end: 'LOST' } as const] : []),
    ...(state.phase === 'CANCELLING' ? [{ type: 'CANCEL_ENDED', end: 'LOST' } as const] : []),
    ...more,
    { type: 'FREE' },
  );
}
