import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallContext } from '../../app/services/till.ts';
import { ask, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.stop());

const second = () => createMemoryDevice({ terminalId: 'T2' });
const attached = (device: ReturnType<typeof second>) => ({
  terminal: device.attach(),
  currency: 'EUR',
  simulated: false,
});
const at = (terminalId: string): CallContext => ({
  clientId: 'client-1',
  actor: 'a',
  requestId: 'q',
  route: 'r',
  terminalId,
});

describe('a terminal that is added while the till runs', () => {
  test('takes payments at once, beside the others', async () => {
    harness.till.attach(attached(second()));
    expect(harness.till.terminals().map(({ terminalId }) => terminalId)).toEqual(['T1', 'T2']);
    expect(await ask(harness.till, saleOf(), { terminalId: 'T2' })).toMatchObject({ status: 'APPROVED' });
    expect(await ask(harness.till, saleOf(), { terminalId: 'T1' })).toMatchObject({ status: 'APPROVED' });
  });

  test('is refused under the id of another', () => {
    expect(() => harness.till.attach(attached(createMemoryDevice({ terminalId: 'T1' })))).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_STATE' }),
    );
  });
});

describe('a terminal that is taken away', () => {
  test('is gone for every call, and comes back with its history and rising numbers of events', async () => {
    const device = second();
    harness.till.attach(attached(device));
    const { transactionId } = await ask(harness.till, saleOf(), { terminalId: 'T2' });
    const before = harness.till.eventsAfter(at('T2'), 0).length;
    device.setConnected(false);
    await harness.till.detach('T2');
    expect(() => harness.till.knownHealth(at('T2'))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    await expect(call(harness.till, saleOf(), { terminalId: 'T2' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    device.setConnected(true);
    harness.till.attach(attached(device));
    expect(harness.till.transaction(at('T2'), transactionId)).toMatchObject({ status: 'APPROVED' });
    await ask(harness.till, saleOf(), { terminalId: 'T2' });
    const numbers = harness.till.eventsAfter(at('T2'), 0).map(({ sequence }) => sequence);
    expect(numbers.length).toBeGreaterThan(before);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  test('is kept while a payment runs on it', async () => {
    harness.device.next({ hold: ['CARD'] });
    const sale = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('CARD'));
    expect(harness.till.openOn('T1')).toBe('AT_WORK');
    await expect(harness.till.detach('T1')).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    harness.device.release('CARD');
    await sale;
  });

  test('is kept until its day is closed, as long as it answers', async () => {
    await ask(harness.till, saleOf());
    expect(harness.till.openOn('T1')).toBe('NOT_CLOSED');
    await expect(harness.till.detach('T1')).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    harness.device.setConnected(false);
    expect(harness.till.openOn('T1')).toBeUndefined();
  });

  test('is kept while a hold on it is open', async () => {
    await ask(harness.till, saleOf({ type: 'PRE_AUTH' }));
    harness.device.setConnected(false);
    expect(harness.till.openOn('T1')).toBe('HAS_HOLDS');
  });
});
