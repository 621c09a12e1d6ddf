import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReconciliationResponse } from '../../../app/contract/settlements.ts';
import type { HostStore } from '../../../host/ports/host-store.ts';
import { settlePending } from '../../../host/services/tell-acquirer.ts';
import { openHostStore } from '../../../host/storage/open-host-store.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openShop, type Shop, sell, startMs } from '../store-fixture.ts';
import { patient, purchase } from '../support/acquirer-messages.ts';
import { openSimulatorBench, type SimulatorBench } from '../support/simulator-bench.ts';
import { until } from '../support/until.ts';
import { sqliteDatabases } from '../test-databases.ts';
import { callOf, openBench, read, secretOf } from './services-fixture.ts';

const databases = sqliteDatabases();

describe('a day close at an acquirer with a book of its own', () => {
  let store: HostStore;
  let simulator: SimulatorBench;
  beforeAll(async () => {
    store = await openHostStore({ database: await databases.create(), nowMs: startMs });
    simulator = await openSimulatorBench();
  });
  afterAll(async () => {
    await simulator.stop();
    await store.close();
  });

  /** A sale in both books. */
  async function sellAt(shop: Shop, amountMinor: number): Promise<void> {
    const { merchantId, terminalId } = shop;
    const message = purchase(simulator.trace(), { merchantId, terminalId, amountMinor });
    expect(await simulator.acquirer.authorize(message, patient())).toMatchObject({ kind: 'ANSWERED' });
    await sell(shop, amountMinor);
  }

  async function open() {
    const shop = await openShop(store);
    const bench = openBench(store, { acquirer: simulator.acquirer, clock: createManualClock() });
    const close = async () => {
      const call = callOf('POST /v1/reconciliation');
      const answer = await bench.closeDay(secretOf(shop), call, undefined, { closeDay: true });
      const { settlementId = '', status } = read<ReconciliationResponse>(answer);
      expect(status).toBe('SUCCESS');
      return () => bench.settlement(secretOf(shop), settlementId);
    };
    const batches = async () =>
      (await simulator.summary()).batches.filter(({ merchantId }) => merchantId === shop.merchantId);
    return { shop, bench, close, batches };
  }

  it('is settled with its reference and the day of funding when both books agree', async () => {
    const { shop, close, batches } = await open();
    await sellAt(shop, 1000);
    await sellAt(shop, 2_147_483_648);
    const settlement = await (await close())();
    expect(settlement).toMatchObject({ status: 'SETTLED', saleAmount: 2_147_484_648, acquirerBatchRef: 'SIM-000001' });
    expect(settlement.fundingDate).toMatch(/^2026-11-\d\dT00:00:00.000Z$|^2026-12-/);
    expect(await batches()).toMatchObject([{ isAgreed: true }]);
  });

  it('is PARTIAL when the acquirer has what the host has not', async () => {
    const { shop, close } = await open();
    await sellAt(shop, 1000);
    const { merchantId, terminalId } = shop;
    await simulator.acquirer.authorize(purchase(simulator.trace(), { merchantId, terminalId }), patient());
    const settlement = await close();
    expect((await settlement()).status).toBe('PARTIAL');
  });

  it('closes the acquirer’s batch once, though its answer is lost and it is told again', async () => {
    const { shop, bench, close, batches } = await open();
    await sellAt(shop, 1000);
    await simulator.control.next({ rule: 'drop-after-host', types: ['CLOSE_BATCH'] });
    const settlement = await close();
    expect((await settlement()).status).toBe('PENDING');
    await until(() => simulator.acquirer.isReady());
    expect(await settlePending(bench.deps, bench.clock.nowMs() + 90_000)).toBe(1);
    expect(await settlement()).toMatchObject({ status: 'SETTLED', saleAmount: 1000 });
    expect(await batches()).toHaveLength(1);
  });
});
