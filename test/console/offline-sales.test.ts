import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostLinkState, HostLinks, HostLinkView } from '../../app/ports/host-links.ts';
import { type ConsoleHarness, createConsoleHarness, type Screen } from './console-harness.ts';

const hourMs = 3_600_000;
const unused = () => Promise.reject(new Error('nobody pairs here'));

let link: HostLinkView;
let harness: ConsoleHarness;
let screen: Screen;
beforeEach(async () => {
  link = { terminalId: 'T1', state: 'OFFLINE', isReader: true, isKnown: true, owed: [] };
  const hostLinks: HostLinks = { list: () => [link], pair: unused, unpair: unused, check: unused };
  harness = await createConsoleHarness({ hostLinks });
  screen = await harness.as('CASHIER');
});
afterEach(() => harness.stop());

function allow(limits: { maxSaleUnits?: number; maxTotalUnits?: number; maxSales?: number } = {}): void {
  harness.deps().settingsStore.update({ offlineSales: { enabled: true, ...limits } });
}

/** As it is where nobody has switched it on. */
function leaveOff(): void {
  expect(harness.deps().settingsStore.current().offlineSales.enabled).toBe(false);
}

/** A sale that has waited for so long. */
function keep(transactionId: string, amount: number, hours = 0, kind = 'DEFERRED_AUTHORIZATION' as const): void {
  const at = new Date(harness.engine.clock.nowMs() - hours * hourMs).toISOString();
  harness.engine.journal.commit((unit) =>
    unit.saveOutboxItem({
      ...{ terminalId: 'T1', transactionId, kind, idempotencyKey: transactionId, state: 'WAITING', attempts: 0 },
      ...{ body: { amount, currencyCode: 'EUR' }, nextAt: at, createdAt: at, updatedAt: at },
    }),
  );
}

const view = () => screen.get('host.offlineSales', {});
const taking = async () => (await view()).unreached.map((each) => each.taking);

describe('the sales that wait for their issuer', () => {
  it('are counted and summed, with what may still come to them', async () => {
    allow();
    keep('one', 2_500, 2);
    keep('two', 1_050, 1);
    const found = await view();
    expect(found).toMatchObject({
      count: 2,
      sums: [{ currency: 'EUR', amount: 3_550 }],
      isLate: false,
      limits: { maxSaleUnits: 100, maxTotalUnits: 1_000, maxSales: 50 },
      unreached: [{ terminalId: 'T1', taking: 'TAKES', room: { amount: 10_000, total: 96_450, count: 48 } }],
    });
    expect(Date.parse(found.oldestSince ?? '')).toBe(harness.engine.clock.nowMs() - 2 * hourMs);
  });

  it('never leave room for more than is left of the sum', async () => {
    allow({ maxSaleUnits: 20, maxTotalUnits: 30 });
    keep('one', 2_500);
    expect((await view()).unreached).toMatchObject([{ room: { amount: 500, total: 500 } }]);
  });

  it.each([
    ['OFF', leaveOff],
    [
      'TOTAL_REACHED',
      () => {
        allow({ maxTotalUnits: 10 });
        keep('one', 1_000);
      },
    ],
    [
      'TOO_MANY',
      () => {
        allow({ maxSales: 1 });
        keep('one', 100);
      },
    ],
    [
      'TOO_OLD',
      () => {
        allow();
        keep('one', 100, 24);
      },
    ],
    [
      'HOST_UNKNOWN',
      () => {
        allow();
        link = { ...link, isKnown: false };
      },
    ],
  ] as const)('tell why none is taken: %s', async (why, arrange) => {
    arrange();
    expect(await taking()).toEqual([why]);
    expect((await view()).unreached[0]?.room).toBeUndefined();
  });

  it.each(['ONLINE', 'NOT_ASKED', 'NOT_PAIRED', 'REFUSED', 'TOKEN_MISSING'] satisfies HostLinkState[])(
    'say nothing of a host that is %s',
    async (state) => {
      link = { ...link, state };
      expect(await taking()).toEqual([]);
    },
  );

  it('say nothing of a terminal with an acquirer of its own', async () => {
    link = { ...link, isReader: false };
    expect(await taking()).toEqual([]);
  });

  it('need a person once the oldest has waited for twelve hours, and no longer when it is forwarded', async () => {
    allow();
    keep('one', 100, 11.99);
    const late = async () => (await screen.get('attention.list', {})).lateOfflineSales;
    expect(await late()).toEqual([]);
    harness.engine.clock.jumpWall(0.02 * hourMs);
    expect(await late()).toMatchObject([{ count: 1, isLate: true }]);
    const [item] = harness.engine.journal.openOutboxItems();
    if (item === undefined) throw new Error('it is gone');
    harness.engine.journal.commit((unit) => unit.saveOutboxItem({ ...item, state: 'DONE' }));
    expect(await late()).toEqual([]);
  });
});
