// One command of the till: taken → (progress …) → reply → (receipt) → end. Pure.

/** ACKNOWLEDGEMENT: nothing follows it (E). REPLY: the terminal answers with a message. */
export type ExchangeEnding = 'ACKNOWLEDGEMENT' | 'REPLY';

export interface ExchangeOptions {
  readonly ending: ExchangeEnding;
  /** Taken, or the last sign of life → reply. */
  readonly replyTimeoutMs: number;
  /** Reply, or the last part of the receipt → its next part; absent where the terminal was not asked for a receipt. */
  readonly receiptTimeoutMs?: number;
}

export interface ExchangeState {
  readonly phase: 'NEW' | 'AWAITING_REPLY' | 'AWAITING_RECEIPT' | 'ENDED';
  readonly isReceiptComplete: boolean;
}

export const INITIAL_EXCHANGE_STATE: ExchangeState = { phase: 'NEW', isReceiptComplete: false };

export type ExchangeInput =
  /** The terminal acknowledged the command. */
  | { readonly type: 'TAKEN' }
  /** Each transmission of it was answered by NAK. */
  | { readonly type: 'REFUSED' }
  /** It works on. */
  | { readonly type: 'SIGN_OF_LIFE' }
  /** Its answer, dealt with. */
  | { readonly type: 'REPLY' }
  | { readonly type: 'RECEIPT'; readonly isLast: boolean }
  | { readonly type: 'TIMER_EXPIRED' }
  | { readonly type: 'LINK_DOWN' };

export type ExchangeEnd = 'ACKNOWLEDGED' | 'REFUSED' | 'REPLIED' | 'SILENT' | 'LINK_LOST';

type ExchangeAction =
  | { readonly type: 'START_TIMER'; readonly delayMs: number }
  | { readonly type: 'STOP_TIMER' }
  /** The terminal has the command. */
  | { readonly type: 'STARTED' }
  | { readonly type: 'END'; readonly end: ExchangeEnd };

export interface ExchangeStep {
  readonly state: ExchangeState;
  readonly actions: readonly ExchangeAction[];
}

/** (state, input) → (state, actions). */
export function stepExchange(options: ExchangeOptions, state: ExchangeState, input: ExchangeInput): ExchangeStep {
  if (state.phase === 'ENDED') return { state, actions: [] };
  switch (input.type) {
    case 'TAKEN':
      if (state.phase !== 'NEW') return { state, actions: [] };
      return options.ending === 'ACKNOWLEDGEMENT' ? end(state, 'ACKNOWLEDGED') : started(options, state);
    case 'REFUSED':
      return end(state, 'REFUSED');
    case 'SIGN_OF_LIFE':
      return started(options, state);
    case 'REPLY':
      return afterReply(options, state);
    case 'RECEIPT':
      return afterReceipt(options, { ...state, isReceiptComplete: input.isLast });
    case 'TIMER_EXPIRED':
      // A receipt that does not come changes nothing of what was told.
      return end(state, state.phase === 'AWAITING_RECEIPT' ? 'REPLIED' : 'SILENT');
    case 'LINK_DOWN':
      return end(state, state.phase === 'AWAITING_RECEIPT' ? 'REPLIED' : 'LINK_LOST');
  }
}

function end(state: ExchangeState, how: ExchangeEnd): ExchangeStep {
  return { state: { ...state, phase: 'ENDED' }, actions: [{ type: 'STOP_TIMER' }, { type: 'END', end: how }] };
}

/** Whatever the terminal sends shows that it has the command, even when its acknowledgement got lost; it has more time from now on. */
function started({ replyTimeoutMs }: ExchangeOptions, state: ExchangeState): ExchangeStep {
  if (state.phase === 'AWAITING_RECEIPT') return { state, actions: [] };
  return {
    state: { ...state, phase: 'AWAITING_REPLY' },
    actions: [
      ...(state.phase === 'NEW' ? [{ type: 'STARTED' } as const] : []),
      { type: 'START_TIMER', delayMs: replyTimeoutMs },
    ],
  };
}

function afterReply({ receiptTimeoutMs }: ExchangeOptions, state: ExchangeState): ExchangeStep {
  if (receiptTimeoutMs === undefined || state.isReceiptComplete) return end(state, 'REPLIED');
  return {
    state: { ...state, phase: 'AWAITING_RECEIPT' },
    actions: [{ type: 'START_TIMER', delayMs: receiptTimeoutMs }],
  };
}

/** The receipt comes before the reply with some terminals, after it with others. */
function afterReceipt(options: ExchangeOptions, state: ExchangeState): ExchangeStep {
  if (state.phase !== 'AWAITING_RECEIPT') return started(options, state);
  return afterReply(options, state);
}
