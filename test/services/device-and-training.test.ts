import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BridgeError } from '../../app/contract/errors.ts';
import { terminalInfoOf } from '../../app/services/terminal-info.ts';
import type { CallContext } from '../../app/services/till.ts';
import { ask, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';

let harness: Harness;
let armed: string[];
beforeEach(() => {
  armed = [];
  harness = createHarness();
});
afterEach(() => harness.stop());

const context: CallContext = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'r' };

describe('the device', () => {
  test('tells its health with the running and the last transaction', async () => {
    expect(await harness.till.health(context)).toEqual({ terminalId: 'T1', connected: true, state: 'IDLE' });
    harness.device.next({ hold: ['CARD'] });
    const sale = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('CARD'));
    const { transactionId } = harness.till.currentTransaction(context);
    expect(await harness.till.health(context)).toMatchObject({ state: 'BUSY', currentTransactionId: transactionId });
    harness.device.release('CARD');
    await sale;
    expect(await harness.till.health(context)).toMatchObject({
      state: 'IDLE',
      lastTransactionTime: '2026-11-27T10:00:00.000Z',
    });
    harness.device.setConnected(false);
    expect(await harness.till.health(context)).toMatchObject({ connected: false, state: 'DISCONNECTED' });
  });

  test('shows, asks and prints, with events', async () => {
    await harness.till.display(context, { lines: ['Welcome'] });
    expect(await harness.till.input(context, { prompt: 'Table?', inputType: 'DIGITS' })).toEqual({
      status: 'ENTERED',
      value: '42',
    });
    await harness.till.print(context, { lines: ['Thanks'] });
    expect(harness.device.shown).toEqual(['Welcome', 'Thanks']);
    expect(harness.names()).toEqual(['display_shown', 'input_result']);
  });

  test('refuses what it cannot do, and everything while a transaction runs', async () => {
    await expect(harness.till.input(context, { prompt: 'Sign', inputType: 'SIGNATURE' })).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
      field: 'inputType',
    });
    harness.device.next({ hold: ['CARD'] });
    const sale = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('CARD'));
    await expect(harness.till.display(context, { lines: ['x'] })).rejects.toMatchObject({
      code: 'TRANSACTION_IN_PROGRESS',
    });
    harness.device.release('CARD');
    await sale;
  });

  test('without a display or cash-back says so before anything is sent', async () => {
    await harness.stop();
    const device = createMemoryDevice({ without: ['DISPLAY', 'REFUND'], capabilities: { cashback: false } });
    harness = createHarness({ devices: [device] });
    await expect(harness.till.display(context, { lines: ['x'] })).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
    });
    await expect(call(harness.till, saleOf({ cashbackAmount: 1 }))).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
      field: 'cashbackAmount',
    });
  });

  test('is listed with its capabilities', () => {
    expect(harness.till.terminals()).toMatchObject([{ terminalId: 'T1', protocol: 'memory', currency: 'EUR' }]);
  });

  test('can be told to stop unless its protocol knows no way to', async () => {
    expect(harness.till.terminals().map((terminal) => terminalInfoOf(terminal).capabilities.abort)).toEqual([true]);
    await harness.stop();
    harness = createHarness({ devices: [createMemoryDevice({ capabilities: { abort: false } })] });
    expect(harness.till.terminals().map((terminal) => terminalInfoOf(terminal).capabilities.abort)).toEqual([false]);
  });
});

describe('a training till', () => {
  beforeEach(async () => {
    await harness.stop();
    const training = {
      arm: async (rule: string) => void armed.push(rule),
      disarm: async () => void armed.push('nothing'),
    };
    harness = createHarness({ attached: { simulated: true, training } });
  });

  test('arms the issuer answer that the amount names, before the payment; the answer says so', async () => {
    harness.device.next({ outcome: { kind: 'DECLINED', card: { responseCode: '75' }, receipts: [] } });
    const response = await ask(harness.till, saleOf({ amount: 3_675, tipAmount: 51 }));
    expect(armed).toEqual(['decline-75']);
    expect(response).toMatchObject({ status: 'DECLINED', simulated: true, simulatedRule: 'amount-ending-75' });
  });

  test('arms what metadata names instead, which wins over the amount', async () => {
    const response = await ask(harness.till, saleOf({ amount: 3_675, metadata: { simulate: 'slow' } }));
    expect(armed).toEqual(['slow']);
    expect(response).toMatchObject({ simulated: true, simulatedRule: 'slow' });
  });

  test('arms nothing for any other amount, and refuses a name that is none', async () => {
    expect(await ask(harness.till, saleOf())).toMatchObject({ status: 'APPROVED', simulated: true });
    expect(armed).toEqual([]);
    for (const simulate of ['declin-05', 'decline-R1']) {
      await expect(call(harness.till, saleOf({ metadata: { simulate } }))).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        field: 'metadata.simulate',
      });
    }
    expect(armed).toEqual([]);
  });

  test('takes the rule back when the payment never starts, before the next one can', async () => {
    harness.device.next({ refusal: new BridgeError('TERMINAL_NOT_READY', 'no') });
    await expect(call(harness.till, saleOf({ amount: 105 }))).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
    expect(armed).toEqual(['decline-05', 'nothing']);
    harness.device.next({ hold: ['PREPARE'] });
    const aborted = ask(harness.till, saleOf({ amount: 151 }));
    await until(() => harness.device.isHeld('PREPARE'));
    const { currentTransactionId = '' } = await harness.till.health(context);
    const abort = harness.till.abort(context, currentTransactionId);
    harness.device.release('PREPARE');
    await abort;
    expect((await aborted).status).toBe('CANCELLED');
    expect(armed.slice(2)).toEqual(['decline-51', 'nothing']);
    const refused = { kind: 'NOT_STARTED', errorCode: 'TERMINAL_BUSY', message: 'busy' } as const;
    harness.device.next({ outcome: refused });
    await expect(call(harness.till, saleOf({ amount: 154 }))).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    expect(armed.slice(4)).toEqual(['decline-54', 'nothing']);
  });

  test('whose virtual terminal cannot be told is not ready: nothing is sent', async () => {
    await harness.stop();
    const training = {
      arm: () => Promise.reject(new Error('refused')),
      disarm: () => Promise.reject(new Error('refused')),
    };
    harness = createHarness({ attached: { simulated: true, training } });
    await expect(call(harness.till, saleOf({ amount: 105 }))).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
    expect(harness.device.commands).toEqual([]);
    expect((await ask(harness.till, saleOf())).status).toBe('APPROVED');
  });
});

test('a live till evaluates no sandbox rule', async () => {
  const response = await ask(harness.till, saleOf({ amount: 3_675, metadata: { simulate: 'slow' } }));
  expect(response.status).toBe('APPROVED');
  expect(response.simulated).toBeUndefined();
});
