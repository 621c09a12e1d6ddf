import type { ConsoleEvent } from '../../../app/contract/console/channel.ts';
import type { ConsoleRefusal } from '../../../app/contract/console/refusal.ts';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { ConnectionLost, type ConsoleApi, Refusal } from '../../api/console.ts';
import { forgetIntent, keepIntent, keptIntent, type SaleIntent, type SellRequest } from './kept-intent.ts';

export type SaleStep = 'SENT' | 'WAITING' | 'CARD' | 'PIN' | 'PROCESSING';

/** NONE: nobody asked. ASKED: the terminal is being told. TOO_LATE: the card is being authorized, and the payment runs on. */
type AbortState = 'NONE' | 'ASKED' | 'TOO_LATE';

export interface RunningSale {
  readonly phase: 'RUNNING';
  readonly intent: SaleIntent;
  readonly step: SaleStep;
  /** The last words of the terminal. */
  readonly message?: string;
  /** Known from its first event. */
  readonly transactionId?: string;
  readonly abort: AbortState;
}

/**
 * ENTERING: an amount is typed. RUNNING: the terminal works, or its answer is asked for. ENDED: the till has answered. REFUSED: nothing was
 * started. UNSEEN: a payment was begun before, its answer was not seen here, and a person says when to ask.
 */
export type SaleState =
  | { readonly phase: 'ENTERING' }
  | RunningSale
  | { readonly phase: 'ENDED'; readonly intent: SaleIntent; readonly response: TransactionResponse }
  | { readonly phase: 'REFUSED'; readonly intent: SaleIntent; readonly refusal: ConsoleRefusal }
  | { readonly phase: 'UNSEEN'; readonly intent: SaleIntent };

export interface SaleControllerDeps {
  readonly api: Pick<ConsoleApi, 'call' | 'onEvent' | 'whenOpen'>;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly newKey: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/** The one sale of this window. */
export interface SaleController {
  readonly state: SaleState;
  subscribe(listener: () => void): () => void;
  /** Does nothing unless an amount is being entered or the last sale has ended: a second press is the same press. */
  charge(terminalId: string, request: SellRequest): void;
  /** Tells the terminal to stop. The end itself is told by the answer of the payment. */
  abort(transactionId: string): void;
  /** Takes up what a reload or a sign-in has left open: asks for its answer, or lets a person ask when it is old. */
  resume(): void;
  /** Asks for the answer of an UNSEEN payment. */
  askAgain(): void;
  /** Back to an amount. Does nothing while a payment runs. */
  leave(): void;
}

/** Within this time of the press, asking under its key can only find or finish what the person has just begun. */
const RESUME_WITHIN_MS = 240_000;
const DEFAULT_RETRY_SECONDS = 2;

export function createSaleController(deps: SaleControllerDeps): SaleController {
  const { api, storage } = deps;
  const listeners = new Set<() => void>();
  let state: SaleState = { phase: 'ENTERING' };

  function become(next: SaleState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function runs(intent: SaleIntent): RunningSale | undefined {
    return state.phase === 'RUNNING' && state.intent.idempotencyKey === intent.idempotencyKey ? state : undefined;
  }

  /** Asks until there is an answer. Every try carries the same key, so that the till finds the same sale. */
  async function ask(intent: SaleIntent): Promise<void> {
    become({ phase: 'RUNNING', intent, step: 'SENT', abort: 'NONE' });
    const { idempotencyKey, terminalId, request } = intent;
    while (runs(intent) !== undefined) {
      try {
        const response = await api.call('sell.start', { ...request, terminalId, idempotencyKey });
        forgetIntent(storage);
        return become({ phase: 'ENDED', intent, response });
      } catch (error) {
        if (!(await mayAskAgain(intent, error))) return;
      }
    }
  }

  async function mayAskAgain(intent: SaleIntent, error: unknown): Promise<boolean> {
    if (error instanceof ConnectionLost) {
      await api.whenOpen();
      return true;
    }
    const refusal = error instanceof Refusal ? error.refusal : undefined;
    if (refusal?.error === 'IDEMPOTENCY_IN_PROGRESS') {
      await deps.wait((refusal.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS) * 1000);
      return true;
    }
    // Whether the terminal has started is not known here: the key is kept, and a person asks again.
    if (refusal === undefined || refusal.error === 'INTERNAL' || refusal.reason === 'SIGN_IN_REQUIRED') {
      become({ phase: 'UNSEEN', intent });
      return false;
    }
    forgetIntent(storage);
    become({ phase: 'REFUSED', intent, refusal });
    return false;
  }

  api.onEvent((event) => {
    if (state.phase === 'RUNNING') become(afterEvent(state, event));
    const resolved = event.event === 'outcome_resolved' ? event : undefined;
    if (state.phase === 'ENDED' && state.response.transactionId === resolved?.transactionId) {
      become({ ...state, response: resolved.response });
    }
  });

  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    charge(terminalId, request) {
      if (state.phase === 'RUNNING' || state.phase === 'UNSEEN') return;
      const intent = { idempotencyKey: deps.newKey(), startedAtMs: deps.now(), terminalId, request };
      keepIntent(storage, intent);
      void ask(intent);
    },
    abort(transactionId) {
      if (state.phase !== 'RUNNING' || state.abort !== 'NONE') return;
      const { intent } = state;
      become({ ...state, abort: 'ASKED' });
      api.call('sell.abort', { transactionId }).catch((error: unknown) => {
        const running = runs(intent);
        if (running === undefined) return;
        const isTooLate = error instanceof Refusal && error.refusal.error === 'ABORT_TOO_LATE';
        become({ ...running, abort: isTooLate ? 'TOO_LATE' : 'NONE' });
      });
    },
    resume() {
      if (state.phase === 'RUNNING') return;
      const intent = state.phase === 'UNSEEN' ? state.intent : keptIntent(storage);
      if (intent === undefined) return;
      if (deps.now() - intent.startedAtMs < RESUME_WITHIN_MS) void ask(intent);
      else become({ phase: 'UNSEEN', intent });
    },
    askAgain() {
      if (state.phase === 'UNSEEN') void ask(state.intent);
    },
    leave() {
      if (state.phase === 'ENDED' || state.phase === 'REFUSED') become({ phase: 'ENTERING' });
    },
  };
}

/** A running sale after an event of the till; events of other sales change nothing. */
function afterEvent(running: RunningSale, event: ConsoleEvent): RunningSale {
  if (event.requestId !== running.intent.idempotencyKey) return running;
  switch (event.event) {
    case 'waiting_for_card':
      return { ...running, step: 'WAITING', transactionId: event.transactionId, message: event.message };
    case 'card_detected':
      return { ...running, step: 'CARD', transactionId: event.transactionId };
    case 'pin_required':
      return { ...running, step: 'PIN', transactionId: event.transactionId };
    case 'processing':
      return { ...running, step: 'PROCESSING', transactionId: event.transactionId, message: event.message };
    default:
      return running;
  }
}
