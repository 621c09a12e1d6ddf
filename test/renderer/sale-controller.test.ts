import { describe, expect, it } from 'vitest';
import type { ConsoleEvent } from '../../app/contract/console/channel.ts';
import type { ConsoleRefusal } from '../../app/contract/console/refusal.ts';
import type { SaleRequest, TransactionResponse } from '../../app/contract/transactions.ts';
import { ConnectionLost, type ConsoleApi, Refusal } from '../../renderer/api/console.ts';
import { createSaleController, type SaleController } from '../../renderer/pages/sell/sale-controller.ts';

const sale: SaleRequest = { type: 'SALE', amount: 1250, currency: 'EUR' };
const approved: TransactionResponse = {
  transactionId: 'TX-1',
  status: 'APPROVED',
  type: 'SALE',
  amount: 1250,
  currency: 'EUR',
  timestamp: '2026-11-28T12:00:00.000Z',
};

interface Call {
  readonly name: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly kept: string | null;
  answer(response: unknown): void;
  reject(error: unknown): void;
}

/** A till that answers when the test says so, and one browser window before it. */
function createRig(storage = new Map<string, string>(), startMs = 1_000_000) {
  const calls: Call[] = [];
  const listeners = new Set<(event: ConsoleEvent) => void>();
  const waits: number[] = [];
  let keys = 0;
  const clock = { ms: startMs };
  const opened: (() => void)[] = [];
  const keeper = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  };
  const call = (name: string, request: object) =>
    new Promise((answer, reject) => {
      calls.push({ name, request: { ...request }, kept: keeper.getItem('console.sale'), answer, reject });
    });
  const controller: SaleController = createSaleController({
    api: {
      call: call as ConsoleApi['call'],
      onEvent(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      whenOpen: () => new Promise((resolve) => opened.push(resolve)),
    },
    storage: keeper,
    newKey: () => `key-${++keys}`,
    now: () => clock.ms,
    wait: async (ms) => void waits.push(ms),
  });
  const emit = (event: object) => {
    for (const listener of listeners) {
      listener({ sequence: 1, at: '2026-11-28T12:00:00.000Z', terminalId: 'T1', ...event } as ConsoleEvent);
    }
  };
  return { controller, calls, storage, waits, clock, opened, emit };
}

function callOf(calls: readonly Call[], index: number): Call {
  const call = calls[index];
  if (call === undefined) throw new Error(`there is no call ${index}`);
  return call;
}

/** Lets what was answered or rejected take effect. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

const refusal = (error: ConsoleRefusal['error'], more: Partial<ConsoleRefusal> = {}) =>
  new Refusal({ error, message: 'm', ...more });

describe('Charge', () => {
  it('fixes and keeps its key before the first try', () => {
    const { controller, calls } = createRig();
    controller.charge('T1', sale);
    expect(calls).toHaveLength(1);
    expect(callOf(calls, 0)).toMatchObject({
      name: 'sell.start',
      request: { ...sale, terminalId: 'T1', idempotencyKey: 'key-1' },
    });
    expect(JSON.parse(callOf(calls, 0).kept ?? '')).toMatchObject({ idempotencyKey: 'key-1', request: sale });
  });

  it('is one sale however often it is pressed while it runs', () => {
    const { controller, calls } = createRig();
    for (let press = 0; press < 5; press += 1) controller.charge('T1', sale);
    expect(calls).toHaveLength(1);
  });

  it('ends with the answer, keeps nothing, and the next press has a new key', async () => {
    const { controller, calls, storage } = createRig();
    controller.charge('T1', sale);
    callOf(calls, 0).answer(approved);
    await settle();
    expect(controller.state).toMatchObject({ phase: 'ENDED', response: approved });
    expect(storage.size).toBe(0);
    controller.leave();
    controller.charge('T1', sale);
    expect(callOf(calls, 1).request.idempotencyKey).toBe('key-2');
  });

  it('follows the events of its own key and of no other', () => {
    const { controller, emit } = createRig();
    controller.charge('T1', sale);
    emit({ event: 'waiting_for_card', requestId: 'of-a-pos', transactionId: 'TX-9', message: 'no' });
    expect(controller.state).toMatchObject({ step: 'SENT' });
    emit({ event: 'waiting_for_card', requestId: 'key-1', transactionId: 'TX-1', message: 'Present card' });
    expect(controller.state).toMatchObject({ step: 'WAITING', transactionId: 'TX-1', message: 'Present card' });
    emit({ event: 'card_detected', requestId: 'key-1', transactionId: 'TX-1', entryMode: 'CONTACT' });
    emit({ event: 'pin_required', requestId: 'key-1', transactionId: 'TX-1' });
    expect(controller.state).toMatchObject({ step: 'PIN' });
  });
});

describe('a lost connection', () => {
  it('is waited out, and the same sale is asked for under the same key', async () => {
    const { controller, calls, opened, storage } = createRig();
    controller.charge('T1', sale);
    callOf(calls, 0).reject(new ConnectionLost('gone'));
    await settle();
    expect(controller.state.phase).toBe('RUNNING');
    expect(calls).toHaveLength(1);
    opened[0]?.();
    await settle();
    expect(callOf(calls, 1).request).toEqual(callOf(calls, 0).request);
    expect(storage.size).toBe(1);
    callOf(calls, 1).answer(approved);
    await settle();
    expect(controller.state.phase).toBe('ENDED');
  });

  it('that leaves the till still busy with the same key is waited for as long as the till says', async () => {
    const { controller, calls, waits } = createRig();
    controller.charge('T1', sale);
    callOf(calls, 0).reject(refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 3 }));
    await settle();
    expect(waits).toEqual([3000]);
    expect(callOf(calls, 1).request.idempotencyKey).toBe('key-1');
  });
});

describe('a reload', () => {
  it('in mid-sale asks under the kept key', async () => {
    const before = createRig();
    before.controller.charge('T1', sale);
    const after = createRig(before.storage);
    after.controller.resume();
    expect(callOf(after.calls, 0).request).toEqual(callOf(before.calls, 0).request);
    callOf(after.calls, 0).answer(approved);
    await settle();
    expect(after.controller.state.phase).toBe('ENDED');
    expect(after.storage.size).toBe(0);
  });

  it('long after the press starts nothing by itself: a person asks', () => {
    const before = createRig();
    before.controller.charge('T1', sale);
    const after = createRig(before.storage, 1_000_000 + 240_000);
    after.controller.resume();
    expect(after.controller.state.phase).toBe('UNSEEN');
    expect(after.calls).toHaveLength(0);
    after.controller.charge('T1', sale);
    expect(after.calls).toHaveLength(0);
    after.controller.askAgain();
    expect(callOf(after.calls, 0).request.idempotencyKey).toBe('key-1');
  });

  it('after the answer does nothing', async () => {
    const before = createRig();
    before.controller.charge('T1', sale);
    callOf(before.calls, 0).answer(approved);
    await settle();
    const after = createRig(before.storage);
    after.controller.resume();
    expect(after.controller.state.phase).toBe('ENTERING');
    expect(after.calls).toHaveLength(0);
  });
});

describe('a refusal', () => {
  it('before anything was started keeps nothing and says why', async () => {
    const { controller, calls, storage } = createRig();
    controller.charge('T1', sale);
    callOf(calls, 0).reject(refusal('TERMINAL_UNREACHABLE'));
    await settle();
    expect(controller.state).toMatchObject({ phase: 'REFUSED', refusal: { error: 'TERMINAL_UNREACHABLE' } });
    expect(storage.size).toBe(0);
  });

  it.each([refusal('INTERNAL'), refusal('UNAUTHENTICATED', { reason: 'SIGN_IN_REQUIRED' }), new Error('?')])(
    'that leaves open whether the terminal has started keeps the key: %s',
    async (error) => {
      const { controller, calls, storage } = createRig();
      controller.charge('T1', sale);
      callOf(calls, 0).reject(error);
      await settle();
      expect(controller.state.phase).toBe('UNSEEN');
      expect(storage.size).toBe(1);
    },
  );
});

describe('Abort', () => {
  it('is sent once, and the end is told by the answer of the payment', async () => {
    const { controller, calls } = createRig();
    controller.charge('T1', sale);
    controller.abort('TX-1');
    controller.abort('TX-1');
    expect(calls.filter(({ name }) => name === 'sell.abort')).toHaveLength(1);
    callOf(calls, 1).answer(approved);
    await settle();
    expect(controller.state).toMatchObject({ phase: 'RUNNING', abort: 'ASKED' });
  });

  it('that comes too late says so, and the payment runs on', async () => {
    const { controller, calls } = createRig();
    controller.charge('T1', sale);
    controller.abort('TX-1');
    callOf(calls, 1).reject(refusal('ABORT_TOO_LATE'));
    await settle();
    expect(controller.state).toMatchObject({ phase: 'RUNNING', abort: 'TOO_LATE' });
  });
});

describe('the truth about an unknown outcome', () => {
  it('replaces what the page says', async () => {
    const { controller, calls, emit } = createRig();
    controller.charge('T1', sale);
    callOf(calls, 0).answer({ ...approved, status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN' });
    await settle();
    emit({ event: 'outcome_resolved', transactionId: 'TX-other', response: approved });
    expect(controller.state).toMatchObject({ response: { status: 'ERROR' } });
    emit({ event: 'outcome_resolved', transactionId: 'TX-1', response: approved });
    expect(controller.state).toMatchObject({ response: { status: 'APPROVED' } });
  });
});
