// The command machine of a master–slave protocol: command → reply → messages of the terminal, each acknowledged → end.

/**
 * What ends a command: its reply (display), or a message of the terminal (payment, registration …). REPLY_OR_MESSAGE: its reply, and some
 * terminals complete it too (abort of nothing): the completion time passes in silence or an end comes.
 */
export type ExchangeEnding = 'REPLY' | 'MESSAGE' | 'REPLY_OR_MESSAGE';

export interface ExchangeTimes {
  /** Command → reply (T3). */
  readonly replyTimeoutMs: number;
  /** Last sign of the running command → the next (T4). Of a given-up command that ends with its reply: the first answer → rest. */
  readonly completionTimeoutMs: number;
}

export type ExchangeState =
  | { readonly phase: 'NEW' }
  | { readonly phase: 'AWAITING_REPLY' }
  | { readonly phase: 'RUNNING'; readonly completionTimeoutMs: number; readonly hasInterruption: boolean }
  /** Given up by an abort while its reply was still awaited: whatever is answered now says nothing any more. */
  | { readonly phase: 'GIVEN_UP'; readonly isAnswered: boolean }
  | { readonly phase: 'ENDED' };

export const INITIAL_EXCHANGE_STATE: ExchangeState = { phase: 'NEW' };

export type ExchangeInput =
  | { readonly type: 'SENT' }
  | { readonly type: 'REPLY'; readonly isPositive: boolean }
  /** A message of the terminal that wants an acknowledgement. */
  | {
      readonly type: 'MESSAGE';
      /** The terminal works on: T4 starts anew. */
      readonly isSignOfLife: boolean;
      /** The terminal asks for another T4. */
      readonly completionTimeoutMs?: number;
      readonly isEnd: boolean;
      /** Tells what became of money. */
      readonly isResult: boolean;
      /**
       * What it is when it comes before the reply. ANSWER: the command's own end (status enquiry). STRAY: the end of an earlier command, to be
       * acknowledged and nothing concluded. FOREIGN: an end or result of something else, after which the line cannot be trusted.
       */
      readonly beforeReply: 'ANSWER' | 'STRAY' | 'FOREIGN';
    }
  /** A second command was sent into the running one (abort): the next reply is its. One that ends with its reply is given up by it. */
  | { readonly type: 'INTERRUPTION_SENT' }
  /** What was told needs nothing but its end: T4 is this long until the next sign. */
  | { readonly type: 'END_EXPECTED'; readonly withinMs: number }
  | { readonly type: 'TIMER_EXPIRED' }
  | { readonly type: 'LINK_DOWN' };

export type ExchangeEnd =
  | 'REPLIED'
  | 'REFUSED'
  | 'COMPLETED'
  /** Given up, and the terminal is at rest again. */
  | 'GIVEN_UP'
  /** A result before the reply: it belongs to an earlier command. */
  | 'FOREIGN_RESULT'
  | 'REPLY_TIMEOUT'
  | 'COMPLETION_TIMEOUT'
  | 'LINK_LOST';

export type ExchangeAction =
  | { readonly type: 'START_TIMER'; readonly delayMs: number }
  | { readonly type: 'STOP_TIMER' }
  /** Handle the message, then acknowledge it. */
  | { readonly type: 'HANDLE' }
  /** Acknowledge a message that has nothing to do with the command. */
  | { readonly type: 'SERVE' }
  | { readonly type: 'STARTED' }
  | { readonly type: 'INTERRUPTION_REPLIED' }
  | { readonly type: 'IGNORE' }
  | { readonly type: 'END'; readonly end: ExchangeEnd };

export interface ExchangeStep {
  readonly state: ExchangeState;
  readonly actions: readonly ExchangeAction[];
}

const ended: ExchangeState = { phase: 'ENDED' };

function end(reason: ExchangeEnd, ...before: readonly ExchangeAction[]): ExchangeStep {
  return { state: ended, actions: [{ type: 'STOP_TIMER' }, ...before, { type: 'END', end: reason }] };
}

/** (state, input) → (state, actions). */
export function stepExchange(
  ending: ExchangeEnding,
  times: ExchangeTimes,
  state: ExchangeState,
  input: ExchangeInput,
): ExchangeStep {
  if (state.phase === 'ENDED') return { state, actions: input.type === 'MESSAGE' ? [{ type: 'SERVE' }] : [] };
  switch (input.type) {
    case 'SENT':
      // The reply may overtake the news that the command was taken.
      if (state.phase !== 'NEW') return { state, actions: [] };
      return awaitReply(times);
    case 'REPLY':
      return reply(ending, times, state, input.isPositive);
    case 'MESSAGE':
      return message(state, input);
    case 'INTERRUPTION_SENT':
      return interruption(ending, times, state);
    case 'END_EXPECTED':
      return { state, actions: state.phase === 'RUNNING' ? [{ type: 'START_TIMER', delayMs: input.withinMs }] : [] };
    case 'TIMER_EXPIRED':
      if (state.phase === 'NEW') return { state, actions: [] };
      if (state.phase === 'GIVEN_UP' && state.isAnswered) return end('GIVEN_UP');
      if (state.phase !== 'RUNNING') return end('REPLY_TIMEOUT');
      return end(ending === 'REPLY_OR_MESSAGE' ? 'REPLIED' : 'COMPLETION_TIMEOUT');
    case 'LINK_DOWN':
      return end('LINK_LOST');
  }
}

function awaitReply(times: ExchangeTimes): ExchangeStep {
  return { state: { phase: 'AWAITING_REPLY' }, actions: [{ type: 'START_TIMER', delayMs: times.replyTimeoutMs }] };
}

function interruption(ending: ExchangeEnding, times: ExchangeTimes, state: ExchangeState): ExchangeStep {
  if (state.phase === 'RUNNING') return { state: { ...state, hasInterruption: true }, actions: [] };
  if (state.phase !== 'AWAITING_REPLY' || ending !== 'REPLY') return { state, actions: [] };
  return {
    state: { phase: 'GIVEN_UP', isAnswered: false },
    actions: [{ type: 'START_TIMER', delayMs: times.replyTimeoutMs }],
  };
}

function reply(ending: ExchangeEnding, times: ExchangeTimes, state: ExchangeState, isPositive: boolean): ExchangeStep {
  if (state.phase === 'RUNNING') {
    if (!state.hasInterruption) return { state, actions: [{ type: 'IGNORE' }] };
    return { state: { ...state, hasInterruption: false }, actions: [{ type: 'INTERRUPTION_REPLIED' }] };
  }
  // The abort's reply, the command's, or one for both: terminals differ, so a short rest tells that no more comes.
  if (state.phase === 'GIVEN_UP')
    return {
      state: { phase: 'GIVEN_UP', isAnswered: true },
      actions: [{ type: 'START_TIMER', delayMs: times.completionTimeoutMs }],
    };
  if (!isPositive) return end('REFUSED');
  if (ending === 'REPLY') return end('REPLIED');
  const { completionTimeoutMs } = times;
  return {
    state: { phase: 'RUNNING', completionTimeoutMs, hasInterruption: false },
    actions: [{ type: 'STARTED' }, { type: 'START_TIMER', delayMs: completionTimeoutMs }],
  };
}

function message(state: ExchangeState, input: ExchangeInput & { type: 'MESSAGE' }): ExchangeStep {
  if (state.phase !== 'RUNNING') {
    const isTelling = input.isEnd || input.isResult;
    if (input.isEnd && input.beforeReply === 'ANSWER') return end('COMPLETED', { type: 'HANDLE' });
    return isTelling && input.beforeReply !== 'STRAY' ? end('FOREIGN_RESULT') : { state, actions: [{ type: 'SERVE' }] };
  }
  if (input.isEnd) return end('COMPLETED', { type: 'HANDLE' });
  const completionTimeoutMs = input.completionTimeoutMs ?? state.completionTimeoutMs;
  return {
    state: { ...state, completionTimeoutMs },
    actions: [
      ...(input.isSignOfLife ? [{ type: 'START_TIMER', delayMs: completionTimeoutMs } as const] : []),
      { type: 'HANDLE' },
    ],
  };
}
