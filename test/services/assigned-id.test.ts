import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.stop());

const sell = (idempotencyKey: string, amount = 1_000) =>
  call(harness.till, saleOf({ amount }), { transactionId: 'tx-host-1', idempotencyKey });

describe('a transaction whose id the host has chosen', () => {
  test('bears it, and a repeat under its key gives its answer again', async () => {
    const first = await sell('key-1');
    expect(first.transactionId).toBe('tx-host-1');
    expect(await sell('key-1')).toEqual({ ...first, replayed: true });
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('never takes the place of a payment that bears the id', async () => {
    await sell('key-1');
    const first = harness.journal.findTransaction('tx-host-1');
    await expect(sell('key-2', 2_000)).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    expect(harness.journal.findTransaction('tx-host-1')).toEqual(first);
    expect(harness.device.standing()).toEqual([1_000]);
    // The terminal is free again.
    await call(harness.till, saleOf({ amount: 3_000 }), { idempotencyKey: 'key-3' });
    expect(harness.device.standing()).toEqual([1_000, 3_000]);
  });
});
