import { parse } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProcedureRequest } from '../../app/contract/console/procedures.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';
import { type ConsoleHarness, createConsoleHarness } from './console-harness.ts';

let harness: ConsoleHarness;
afterEach(() => harness.stop());

let attempts = 0;
interface Fields {
  readonly amount: number;
  readonly tipAmount?: number;
  readonly cashbackAmount?: number;
}

function payment(fields: Fields): ProcedureRequest<'sell.start'> {
  return { type: 'SALE', currency: 'EUR', idempotencyKey: nextKey(), ...fields };
}

function nextKey(): string {
  attempts += 1;
  return `attempt-${attempts}`;
}

describe('X and Z reports', () => {
  it('say the same of the same batch: by who began it, by kind, tips and cash-back', async () => {
    harness = await createConsoleHarness();
    const anna = await harness.as('CASHIER');
    const ben = await harness.as('MANAGER');
    await anna.get('sell.start', payment({ amount: 1_000, tipAmount: 100 }));
    const undone = await anna.get('sell.start', payment({ amount: 500, cashbackAmount: 200 }));
    await ben.get('sell.start', payment({ amount: 300, cashbackAmount: 1_000 }));
    await anna.get('sell.start', {
      type: 'VOID',
      amount: 0,
      currency: 'EUR',
      originalTransactionId: undone.transactionId,
      idempotencyKey: nextKey(),
      approval: harness.staff.MANAGER,
    });
    const x = await anna.get('day.xReport', {});
    expect(x).toMatchObject({
      number: 1,
      netAmount: 2_400,
      tipAmount: 100,
      cashbackAmount: 1_000,
      byType: [
        { type: 'SALE', count: 3, amount: 3_100 },
        { type: 'VOID', count: 1, amount: 700 },
      ],
      byCashier: [
        { actor: 'console:Anna', saleCount: 2, saleAmount: 1_800, voidAmount: 700, tipAmount: 100, netAmount: 1_100 },
        { actor: 'console:Ben', saleCount: 1, saleAmount: 1_300, netAmount: 1_300 },
      ],
    });
    const { settlementId = '' } = await ben.get('day.close', { idempotencyKey: 'close-1' });
    const z = await anna.get('day.report', { settlementId });
    const { byCashier, byType, tipAmount, cashbackAmount } = x;
    expect(z).toMatchObject({ byCashier, byType, tipAmount, cashbackAmount, number: 1, differences: [] });
    expect((await anna.get('day.xReport', {})).number).toBe(2);
  });

  it('explain a difference by the payment that the terminal does not have', async () => {
    const device = createMemoryDevice();
    harness = await createConsoleHarness({ devices: [device] });
    const ben = await harness.as('MANAGER');
    const missing = await ben.get('sell.start', payment({ amount: 777 }));
    await ben.get('sell.start', payment({ amount: 500 }));
    device.next({ batch: { totalMinor: 500, schemes: [{ scheme: 'VISA', count: 1, amountMinor: 500 }] } });
    const { status, settlementId = '' } = await ben.get('day.close', { idempotencyKey: 'close-1' });
    expect(status).toBe('PARTIAL');
    const { differences } = await ben.get('day.report', { settlementId });
    expect(differences).toMatchObject([
      {
        kind: 'JOURNAL_ONLY',
        scheme: 'VISA',
        journal: { count: 2, amount: 1_277 },
        terminal: { count: 1, amount: 500 },
        candidates: [
          { transactionId: missing.transactionId, reason: 'NOT_AT_TERMINAL', amount: 777, lastFour: '1111' },
        ],
      },
    ]);
  });
});

describe('the cash count', () => {
  it('is offered only where the shop counts, shows what is expected only afterwards, and stays with the close', async () => {
    harness = await createConsoleHarness();
    const anna = await harness.as('CASHIER');
    const ben = await harness.as('MANAGER');
    expect((await anna.get('day.preview', {})).cash).toBeUndefined();
    await ben.get('day.changeSettings', { blindCashCount: true });
    await anna.get('sell.start', payment({ amount: 300, cashbackAmount: 1_000 }));
    const before = await anna.get('day.preview', {});
    expect(before.cash).toEqual({ denominations: expect.arrayContaining([50_000, 1]) });
    const pieces = [{ valueMinor: 5_000, quantity: 3 }];
    await anna.get('day.countCash', { openingFloat: 10_000, pieces, other: 0 });
    const second = await anna.get('day.countCash', { openingFloat: 10_000, pieces, other: 250 });
    expect(second).toMatchObject({
      counted: 15_250,
      cashback: 1_000,
      fromCashSales: 6_250,
      countNumber: 2,
      countedBy: 'console:Anna',
    });
    await harness.restart();
    const later = await harness.as('MANAGER');
    const { settlementId = '' } = await later.get('day.close', { idempotencyKey: 'close-1' });
    expect((await later.get('day.report', { settlementId })).cashCount).toEqual(second);
    expect((await later.get('day.preview', {})).cash?.count).toBeUndefined();
  });
});

describe('the history', () => {
  it('sums the closes of each business day in the time that is asked for', async () => {
    harness = await createConsoleHarness();
    const ben = await harness.as('MANAGER');
    for (const [key, amount] of [
      ['c1', 100],
      ['c2', 250],
    ] as const) {
      await ben.get('sell.start', payment({ amount }));
      await ben.get('day.close', { idempotencyKey: key });
    }
    const range = { from: '2026-11-27T00:00:00Z', to: '2026-11-28T00:00:00Z' };
    expect((await ben.get('day.history', range)).days).toEqual([
      { businessDate: '2026-11-27', currency: 'EUR', closes: 2, saleCount: 2, netAmount: 350 },
    ]);
    const other = { from: '2026-11-28T00:00:00Z', to: '2026-11-29T00:00:00Z' };
    expect((await ben.get('day.history', other)).days).toEqual([]);
    expect((await ben.get('day.settlements', { limit: 5, ...other })).data).toEqual([]);
    expect((await ben.get('day.settlements', { limit: 5, ...range })).data).toHaveLength(2);
  });
});

describe('an export', () => {
  it('is recorded with who asked, and names a file', async () => {
    harness = await createConsoleHarness();
    const ben = await harness.as('MANAGER');
    const format = { delimiter: ';', decimal: ',' } as const;
    const range = { from: '2026-11-27T00:00:00Z', to: '2026-11-28T00:00:00Z' };
    const { url, fileName } = await ben.get('exports.transactions', { ...range, format });
    expect(url).toMatch(/^\/downloads\//);
    expect(parse(fileName).ext).toBe('.csv');
    expect(harness.audit().at(-1)).toMatchObject({ actor: 'console:Ben', action: 'EXPORTED' });
  });
});
