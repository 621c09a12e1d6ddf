import { afterEach, describe, expect, test } from 'vitest';
import type { CallContext } from '../../app/services/till.ts';
import { ask, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';

let harness: Harness;
afterEach(() => harness.stop());

const context: CallContext = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'POST /v1/reconciliation' };

test('sales at 02:30 on the night the clocks go back, twice, with a close at each: one business day each, in journal order', async () => {
  harness = createHarness({ startIso: '2026-10-25T00:30:00.000Z', settings: { dayCutOff: '02:30' } });
  const summer = await ask(harness.till, saleOf({ amount: 100 }));
  await harness.till.reconcile({ ...context, idempotencyKey: 'a' }, { closeDay: true });
  harness.clock.setWall('2026-10-25T01:30:00.000Z');
  const winter = await ask(harness.till, saleOf({ amount: 200 }));
  await harness.till.reconcile({ ...context, idempotencyKey: 'b' }, { closeDay: true });
  expect([summer.businessDate, winter.businessDate]).toEqual(['2026-10-25', '2026-10-25']);
  const settlements = harness.till.settlements(context, { limit: 25 }).data;
  expect(settlements.map((each) => each.saleAmount)).toEqual([200, 100]);
});

describe.each([
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'America/St_Johns',
])('in %s', (timeZone) => {
  test('a wall clock set back by a day keeps batches in journal order: each sale in one settlement', async () => {
    harness = createHarness({ settings: { timeZone } });
    await ask(harness.till, saleOf({ amount: 1 }));
    harness.clock.jumpWall(-86_400_000);
    await ask(harness.till, saleOf({ amount: 2 }));
    await harness.till.reconcile({ ...context, idempotencyKey: 'a' }, { closeDay: true });
    harness.clock.jumpWall(7 * 86_400_000);
    await ask(harness.till, saleOf({ amount: 4 }));
    harness.clock.jumpWall(-10 * 86_400_000);
    await harness.till.reconcile({ ...context, idempotencyKey: 'b' }, { closeDay: true });
    const amounts = harness.till.settlements(context, { limit: 25 }).data.map((each) => each.saleAmount);
    expect(amounts.sort()).toEqual([3, 4]);
    expect(harness.till.totals(context).totals.saleCount).toBe(0);
  });
});

test('a clock that jumps during a call moves neither its deadline nor its timers', async () => {
  harness = createHarness();
  harness.device.next({ hold: ['CARD'] });
  const answer = ask(harness.till, saleOf(), { timeoutSeconds: 10 });
  harness.clock.jumpWall(-3_600_000);
  await harness.clock.advance(10_000);
  expect(await answer).toMatchObject({ status: 'CANCELLED', cancelledReason: 'TIMEOUT' });
});
