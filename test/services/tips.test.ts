import { afterEach, describe, expect, it } from 'vitest';
import type { InputRequest, InputResult } from '../../app/contract/device.ts';
import type { TransactionRequest } from '../../app/contract/transactions.ts';
import type { TipsInForce } from '../../app/ports/tips.ts';
import type { CallContext } from '../../app/services/till.ts';
import { ask, bodyOf, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';

const shop: TipsInForce = {
  configVersion: 7,
  currency: 'EUR',
  largestTotalMinor: 1_000_000,
  enabled: true,
  presetBasisPoints: [1_000, 1_500, 2_000],
  allowCustomAmount: true,
  maxAmountMinor: 5_000,
  maxBasisPoints: 3_000,
  fixedAmountMinor: null,
  fixedAmountThresholdMinor: null,
};

let harness: Harness;
afterEach(() => harness.stop());

interface Shop {
  readonly tips?: TipsInForce | undefined;
  readonly asksTip?: boolean;
  readonly inputTypes?: readonly InputRequest['inputType'][];
  readonly language?: string;
}

function open({ tips = shop, asksTip = true, inputTypes = ['MENU', 'DIGITS'], language }: Shop = {}): void {
  harness = createHarness({
    devices: [createMemoryDevice({ capabilities: { inputTypes: new Set(inputTypes) } })],
    attached: { asksTip },
    tipsOf: () => tips,
    settings: { language },
  });
}

async function sell(
  entries: readonly (InputResult | 'HANGS' | 'FAILS')[],
  request: TransactionRequest = saleOf({ amount: 1_000 }),
  context: Partial<CallContext> = {},
) {
  harness.device.enter(...entries);
  const response = await ask(harness.till, request, context);
  const record = harness.journal.findTransaction(response.transactionId);
  return { response, record, charged: harness.device.standing() };
}

const key = (optionIndex: number): InputResult => ({ status: 'ENTERED', optionIndex });
const digits = (value: string): InputResult => ({ status: 'ENTERED', value });
const prompts = () => harness.device.asked.map(({ inputType, prompt, options }) => options ?? `${inputType} ${prompt}`);

describe('a tip that the cardholder chooses at the terminal', () => {
  it('is charged, told to the POS and journaled with how it was chosen', async () => {
    open();
    const { response, record, charged } = await sell([key(0)]);
    expect(response).toMatchObject({ status: 'APPROVED', amount: 1_000, tipAmount: 100 });
    expect(response.receiptData).toMatchObject({ amount: 1_000, tipAmount: 100, totalAmount: 1_100 });
    expect(charged).toEqual([1_100]);
    expect(record).toMatchObject({ tipAmountMinor: 100, tipChoice: { source: 'preset:1000', configVersion: 7 } });
  });

  it('is chosen four at a time, and to give none is on each page', async () => {
    open();
    const { record } = await sell([key(3), key(0)]);
    expect(prompts()).toEqual([
      ['10 %  1.00 EUR', '15 %  1.50 EUR', 'No tip', 'More'],
      ['20 %  2.00 EUR', 'Other amount', 'No tip', 'More'],
    ]);
    expect(record?.tipChoice?.source).toBe('preset:2000');
    expect((await sell([key(3), key(3), key(2)])).record).toMatchObject({
      tipAmountMinor: 0,
      tipChoice: { source: 'none' },
    });
  });

  it('is entered in minor units where the keypad has no point', async () => {
    open();
    const { record, charged } = await sell([key(3), key(1), digits('250')]);
    expect(prompts().at(-1)).toBe('DIGITS Tip (250 = 2.50 EUR)');
    expect(record).toMatchObject({ tipAmountMinor: 250, tipChoice: { source: 'custom' } });
    expect(charged).toEqual([1_250]);
  });

  it('is entered at once where the terminal has no menu, and never passes the caps', async () => {
    open({ inputTypes: ['DECIMAL'], language: 'de-AT' });
    const { record } = await sell([digits('3.01'), digits('x'), digits('3.00')]);
    expect(prompts()).toEqual(['DECIMAL Trinkgeld EUR', 'DECIMAL Max 3.00 EUR', 'DECIMAL Max 3.00 EUR']);
    expect(record).toMatchObject({ tipAmountMinor: 300, tipChoice: { source: 'custom' } });
    const stubborn = await sell([digits('30'), digits('30'), digits('30')]);
    expect(stubborn.response.status).toBe('APPROVED');
    expect(stubborn.record).toMatchObject({ tipAmountMinor: 0, tipChoice: { source: 'none' } });
  });

  it.each([
    ['he chooses none', [{ status: 'ENTERED', value: '0' }]],
    ['he types nothing', [{ status: 'ENTERED', value: '' }]],
    ['he does not answer', [{ status: 'TIMEOUT' }]],
  ] as const)('is none when %s: the shop gets what it asked for', async (_, entries) => {
    open({ inputTypes: ['DIGITS'] });
    const { response, record, charged } = await sell(entries);
    expect(response).toMatchObject({ status: 'APPROVED', amount: 1_000 });
    expect(response.tipAmount).toBeUndefined();
    expect(record?.tipChoice).toEqual({ source: 'none', configVersion: 7 });
    expect(charged).toEqual([1_000]);
  });

  it('is no payment at all when he presses stop', async () => {
    open();
    const { response, charged } = await sell([{ status: 'CANCELLED' }]);
    expect(response).toMatchObject({ status: 'CANCELLED', cancelledReason: 'CARDHOLDER', amount: 1_000 });
    expect(response.outcome?.charged).toBe('NO');
    expect(charged).toEqual([]);
    expect(harness.device.commands).toEqual([]);
    // The terminal is free again.
    expect((await sell([key(0)])).response.status).toBe('APPROVED');
  });

  it('leaves the sale as it is when the terminal cannot ask after all', async () => {
    open();
    const { response, record } = await sell(['FAILS']);
    expect(response.status).toBe('APPROVED');
    expect(record?.tipAmountMinor).toBe(0);
    expect(record?.tipChoice).toBeUndefined();
  });

  it('is answered once: the same key gives the same answer, and asks nobody', async () => {
    open();
    harness.device.enter(key(0));
    const first = await call(harness.till, saleOf(), { idempotencyKey: 'k1' });
    const second = await call(harness.till, saleOf(), { idempotencyKey: 'k1' });
    expect(second).toMatchObject({ replayed: true, body: first.body });
    expect(harness.device.asked).toHaveLength(1);
    expect(harness.device.standing()).toEqual([1_100]);
  });

  it('ends with the payment when the POS aborts, and nothing is charged', async () => {
    open();
    harness.device.enter('HANGS');
    const running = call(harness.till, saleOf());
    await until(() => harness.device.asked.length === 1);
    const { currentTransactionId = '' } = harness.till.knownHealth({
      ...{ clientId: 'c', actor: 'a', requestId: 'r', route: 'x' },
    });
    const context = { clientId: 'c', actor: 'a', requestId: 'r', route: 'x' };
    expect(await harness.till.abort(context, currentTransactionId)).toMatchObject({ status: 'CANCELLED' });
    expect(bodyOf(await running)).toMatchObject({ status: 'CANCELLED', cancelledReason: 'POS_REQUEST' });
    expect(harness.device.commands).toEqual([]);
  });

  it('is refused with the call when the time of the call is over first', async () => {
    open();
    harness.device.enter('HANGS');
    const running = call(harness.till, saleOf(), { timeoutSeconds: 10 });
    running.catch(() => undefined);
    await until(() => harness.device.asked.length === 1);
    await harness.clock.advance(10_000);
    await expect(running).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
    expect(harness.device.commands).toEqual([]);
    expect(harness.journal.listTransactions({ limit: 10 }).rows).toEqual([]);
  });

  it('begins nothing when the till dies at the question', async () => {
    open();
    harness.device.enter('HANGS');
    call(harness.till, saleOf(), { idempotencyKey: 'k1' }).catch(() => undefined);
    await until(() => harness.device.asked.length === 1);
    harness.crashAndRestart();
    expect(harness.journal.listTransactions({ limit: 10 }).rows).toEqual([]);
    // The POS asks again under its key: now it is charged, once.
    expect((await ask(harness.till, saleOf(), { idempotencyKey: 'k1' })).status).toBe('APPROVED');
    expect(harness.device.standing()).toEqual([1_000]);
  });
});

describe('nobody is asked for a tip', () => {
  it.each<[string, Shop, Partial<TransactionRequest>]>([
    ['where the terminal is not settled to', { asksTip: false }, {}],
    ['that the POS has named', {}, { tipAmount: 50 }],
    ['where the POS says that there is none', {}, { tipAmount: 0 }],
    ['where the merchant takes none', { tips: { ...shop, enabled: false } }, {}],
    ['in another currency than the merchant has configured', { tips: { ...shop, currency: 'CHF' } }, {}],
    ['beyond what the acquirer takes', { tips: { ...shop, largestTotalMinor: 1_000 } }, {}],
    ['for a hold', {}, { type: 'PRE_AUTH' }],
    ['where the terminal has no keys for it', { inputTypes: ['CONFIRM'] }, {}],
    [
      'where the terminal has no menu, and no amount may be entered',
      { inputTypes: ['DIGITS'], tips: { ...shop, allowCustomAmount: false } },
      {},
    ],
  ])('%s', async (_, how, fields) => {
    open(how);
    const { response, record } = await sell([key(0)], saleOf(fields));
    expect(response.status).toBe('APPROVED');
    expect(harness.device.asked).toEqual([]);
    expect(record?.tipChoice).toBeUndefined();
    expect(record?.tipAmountMinor).toBe(fields.tipAmount ?? 0);
  });
});
