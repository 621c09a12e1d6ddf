import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, saleOf } from '../support/engine-harness.ts';
import { type ConsoleHarness, createConsoleHarness } from './console-harness.ts';

let harness: ConsoleHarness;
afterEach(() => harness.stop());

const stored = () => JSON.parse(readFileSync(join(harness.engine.dataDir, 'settings.json'), 'utf8'));

describe('a change of settings', () => {
  it('is stored, answered as it stands, and audited with what it was and who approved', async () => {
    harness = await createConsoleHarness();
    const cashier = await harness.as('CASHIER');
    const after = await cashier.get('settings.update', {
      changes: { merchantName: 'Corner Café', language: 'de', supportContact: { phone: '+49 30 1234567' } },
      approval: harness.staff.MANAGER,
    });
    expect(after).toMatchObject({ merchantName: 'Corner Café', language: 'de', afterRestart: [] });
    expect(stored()).toEqual({
      merchantName: 'Corner Café',
      language: 'de',
      supportContact: { phone: '+49 30 1234567' },
    });
    expect(harness.audit().at(-1)).toEqual({
      actor: 'console:Anna approved by Ben',
      action: 'SETTINGS_CHANGED',
      text: [
        'merchantName: "Till Bridge" became "Corner Café"',
        'language: null became "de"',
        'supportContact: {} became {"phone":"+49 30 1234567"}',
      ].join('; '),
    });
    await cashier.get('settings.update', { changes: { language: null }, approval: harness.staff.MANAGER });
    expect(stored()).not.toHaveProperty('language');
  });

  it('of sales without their issuer is off at first, holds at once, and is audited', async () => {
    harness = await createConsoleHarness();
    const manager = await harness.as('MANAGER');
    const { offlineSales } = await manager.get('settings.read', {});
    expect(offlineSales).toEqual({ enabled: false, maxSaleUnits: 100, maxTotalUnits: 1_000, maxSales: 50 });
    const change = { enabled: true, maxSaleUnits: 20, maxTotalUnits: 60, maxSales: 5 };
    await manager.get('settings.update', { changes: { offlineSales: change } });
    expect(harness.deps().settingsStore.current().offlineSales).toEqual(change);
    expect(harness.audit().at(-1)?.text).toBe(
      `offlineSales: ${JSON.stringify(offlineSales)} became ${JSON.stringify(change)}`,
    );
    for (const wrong of [{ maxSaleUnits: 1_001 }, { maxTotalUnits: 10_001 }, { maxSales: 201 }, { maxSales: 0 }]) {
      const changes = { offlineSales: { ...change, ...wrong } };
      expect(await manager.refusal('settings.update', { changes })).toMatchObject({ error: 'INVALID_REQUEST' });
    }
    expect(stored().offlineSales).toEqual(change);
  });

  it('of time zone or cut-off says that it waits for the next start, and no longer when it is taken back', async () => {
    harness = await createConsoleHarness();
    const manager = await harness.as('MANAGER');
    const before = await manager.get('settings.read', {});
    const after = await manager.get('settings.update', { changes: { dayCutOff: '04:00' } });
    expect(after.afterRestart).toEqual(['dayCutOff']);
    const again = await manager.get('settings.update', { changes: { dayCutOff: before.dayCutOff } });
    expect(again.afterRestart).toEqual([]);
  });

  it.each([
    ['a time zone that is none', { merchantName: 'New', timeZone: 'Europe/Nowhere' }, 'timeZone'],
    ['a card number in a text', { merchantName: '4111 1111 1111 1111' }, 'changes.merchantName'],
    [
      'a card number in the support contact',
      { supportContact: { name: '4111111111111111' } },
      'changes.supportContact.name',
    ],
  ])('with %s is refused whole, and names the field', async (_name, changes, field) => {
    harness = await createConsoleHarness();
    const manager = await harness.as('MANAGER');
    const audited = harness.audit().length;
    const refusal = await manager.refusal('settings.update', { changes });
    expect(refusal).toMatchObject({ error: 'INVALID_REQUEST', field });
    expect((await manager.get('settings.read', {})).merchantName).toBe('Till Bridge');
    expect(harness.audit()).toHaveLength(audited);
  });
});

describe('taking a payment back', () => {
  const voidOf = (originalTransactionId: string) => ({
    type: 'VOID' as const,
    amount: 0,
    currency: 'EUR',
    originalTransactionId,
    idempotencyKey: `void-${originalTransactionId}`,
  });

  it('needs a manager above the refund limit, as a refund does', async () => {
    harness = await createConsoleHarness();
    const { till } = harness.engine;
    const small = await ask(till, saleOf({ amount: 5_000 }));
    const large = await ask(till, saleOf({ amount: 5_001 }));
    const cashier = await harness.as('CASHIER');
    expect(await cashier.get('sell.start', voidOf(small.transactionId))).toMatchObject({ status: 'APPROVED' });
    const asked = await cashier.refusal('sell.start', voidOf(large.transactionId));
    expect(asked).toMatchObject({ reason: 'APPROVAL_REQUIRED' });
    const approved = { ...voidOf(large.transactionId), approval: harness.staff.MANAGER };
    expect(await cashier.get('sell.start', approved)).toMatchObject({ status: 'APPROVED' });
  });

  it('needs none to release a hold, however large: nothing was charged', async () => {
    harness = await createConsoleHarness();
    const cashier = await harness.as('CASHIER');
    const hold = await cashier.get('sell.start', {
      type: 'PRE_AUTH',
      amount: 90_000,
      currency: 'EUR',
      idempotencyKey: 'hold',
    });
    expect(await cashier.get('sell.start', voidOf(hold.transactionId))).toMatchObject({ status: 'APPROVED' });
    expect((await cashier.get('sell.openPreAuths', {})).preAuths).toEqual([]);
  });
});
