import type { DeviceStatus, InputResult } from '../../app/contract/device.ts';
import type { TransactionEvent } from '../../app/contract/session.ts';
import type { TransactionRequest, TransactionResponse } from '../../app/contract/transactions.ts';
import type { Answer, CallContext, Credentials, Till } from '../../app/services/till.ts';

/** One call that reached the engine. */
interface TillCall {
  readonly method: keyof Till;
  readonly context: CallContext;
  readonly input: readonly unknown[];
}

/** An engine that takes every call and keeps it: what the server lets through is what counts. */
export interface FakeTill extends Till {
  readonly calls: TillCall[];
  /** What the next calls do instead of answering at once: reject, answer otherwise, or wait. */
  answerWith(method: keyof Till, answer: (call: TillCall) => unknown): void;
  /** Tells the listeners and keeps the event for replay. */
  emit(event: Partial<TransactionEvent> & { event: TransactionEvent['event']; sequence: number }): TransactionEvent;
  listenerCount(): number;
}

const terminalId = 'T1';
export const goodKey = 'pos_good-key';
export const otherKey = 'pos_other-key';

/** Keys as the tests use them; `revoke` makes one unknown at once. */
export interface FakeCredentials extends Credentials {
  revoke(key: string): void;
}

export function createFakeCredentials(): FakeCredentials {
  const clients = new Map([
    [goodKey, { clientId: 'client-1', name: 'front desk' }],
    [otherKey, { clientId: 'client-2', name: 'bar' }],
  ]);
  const revoked = new Set<string>();
  return {
    clientOf: (key) => clients.get(key),
    isRevoked: (clientId) => revoked.has(clientId),
    revoke: (key) => {
      revoked.add(clients.get(key)?.clientId ?? key);
      clients.delete(key);
    },
  };
}

const at = '2026-11-27T10:00:00.000Z';

export function approved(request: Pick<TransactionRequest, 'type' | 'amount' | 'currency'>): TransactionResponse {
  return {
    transactionId: 'tx-1',
    status: 'APPROVED',
    type: request.type,
    amount: request.amount,
    currency: request.currency,
    responseCode: '00',
    timestamp: at,
  };
}

export function answerOf(response: TransactionResponse, replayed = false): Answer {
  return { statusCode: 200, body: JSON.stringify(response), transactionId: response.transactionId, replayed };
}

const idle: DeviceStatus = { connected: true, terminalId, state: 'IDLE' };
const totals = {
  totals: {
    saleCount: 0,
    saleAmount: 0,
    refundCount: 0,
    refundAmount: 0,
    voidCount: 0,
    voidAmount: 0,
    preAuthCount: 0,
    preAuthAmount: 0,
    currency: 'EUR',
  },
  timestamp: at,
};
const settlement = {
  id: 'settlement-1',
  closedAt: at,
  status: 'SETTLED',
  currency: 'EUR',
  saleCount: 0,
  saleAmount: 0,
  refundCount: 0,
  refundAmount: 0,
  voidCount: 0,
  voidAmount: 0,
  netAmount: 0,
  merchantId: 'm',
  terminalId,
};
const sale = approved({ type: 'SALE', amount: 1000, currency: 'EUR' });
const task = {
  taskId: 'task-1',
  state: 'RESOLVED',
  terminalId,
  subject: { kind: 'TRANSACTION', id: 'tx-1' },
  reason: 'lost',
  attempts: 1,
  openedAt: at,
  updatedAt: at,
  evidence: [],
};
const entered: InputResult = { status: 'ENTERED', value: 'yes' };

/** What each method answers when a test says nothing else. */
const defaults: Readonly<Record<string, (call: TillCall) => unknown>> = {
  run: ({ input }) => answerOf(approved(input[0] as TransactionRequest)),
  initiate: ({ input }) => answerOf({ ...approved(input[0] as TransactionRequest), status: 'PENDING_ONLINE' }),
  complete: () => answerOf(sale),
  capture: () => answerOf(sale),
  reconcile: () => ({ ...answerOf(sale), body: JSON.stringify({ status: 'SUCCESS', ...totals }) }),
  abort: () => ({ ...sale, status: 'CANCELLED' }),
  resolve: () => task,
  recoveryTasks: () => ({ data: [] }),
  transaction: () => sale,
  transactions: () => ({ data: [sale], hasMore: false, nextCursor: null }),
  currentTransaction: () => sale,
  lastTransaction: () => sale,
  health: () => idle,
  knownHealth: () => idle,
  display: () => undefined,
  input: () => entered,
  print: () => undefined,
  totals: () => totals,
  settlements: () => ({ data: [settlement], hasMore: false, nextCursor: null }),
  settlement: () => settlement,
};

export function createFakeTill(): FakeTill {
  const calls: TillCall[] = [];
  const answers = new Map<keyof Till, (call: TillCall) => unknown>();
  const listeners = new Set<(event: TransactionEvent) => void>();
  const events: TransactionEvent[] = [];

  /** A method of the engine that keeps its call. */
  function kept(method: keyof Till) {
    return (context: CallContext, ...input: unknown[]): never => {
      const call: TillCall = { method, context, input };
      calls.push(call);
      const answer = answers.get(method) ?? defaults[method];
      return answer?.(call) as never;
    };
  }
  /** As above, for the methods that answer later; what is thrown becomes a rejection. */
  function keptLater(method: keyof Till) {
    const now = kept(method);
    return async (context: CallContext, ...input: unknown[]): Promise<never> => now(context, ...input);
  }

  return {
    calls,
    answerWith: (method, answer) => {
      answers.set(method, answer);
    },
    emit(given) {
      const event = { at, terminalId, ...given } as TransactionEvent;
      events.push(event);
      for (const listener of listeners) listener(event);
      return event;
    },
    listenerCount: () => listeners.size,
    run: keptLater('run'),
    initiate: keptLater('initiate'),
    complete: keptLater('complete'),
    abort: keptLater('abort'),
    capture: keptLater('capture'),
    resolve: kept('resolve'),
    recoveryTasks: kept('recoveryTasks'),
    transaction: kept('transaction'),
    transactions: kept('transactions'),
    currentTransaction: kept('currentTransaction'),
    lastTransaction: kept('lastTransaction'),
    health: keptLater('health'),
    knownHealth: kept('knownHealth'),
    display: keptLater('display'),
    input: keptLater('input'),
    print: keptLater('print'),
    totals: kept('totals'),
    reconcile: keptLater('reconcile'),
    settlements: kept('settlements'),
    settlement: kept('settlement'),
    terminals: () => [
      {
        terminalId,
        protocol: 'zvt',
        currency: 'EUR',
        capabilities: {
          operations: new Set(['SALE', 'VOID'] as const),
          cashback: false,
          maxAmountMinor: 999_999_999_999,
          inputTypes: new Set(),
        },
        canVoid: () => true,
      },
    ],
    eventsAfter(context, sequence) {
      calls.push({ method: 'eventsAfter', context, input: [sequence] });
      return events.filter((event) => event.sequence > sequence);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
