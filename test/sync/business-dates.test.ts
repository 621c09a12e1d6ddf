import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BusinessDayRule } from '../../app/domain/business-day.ts';
import type { HostClient } from '../../app/ports/host-client.ts';
import type { Journal } from '../../app/ports/journal.ts';
import { clockSkewOf } from '../../app/sync/clock-skew.ts';
import { closeDates } from '../../app/sync/host-identity.ts';
import type { HostStore } from '../../host/ports/host-store.ts';
import type { DeviceCaller } from '../../host/services/host.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import { type Bench, callOf, deviceOf, openBench, read, secretOf } from '../host/services/services-fixture.ts';
import { openShop, type Shop } from '../host/store-fixture.ts';
import { sqliteDatabases } from '../host/test-databases.ts';
import { ask, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';
import { createManualClock, type ManualClock, settle } from '../support/manual-clock.ts';
import { type BooksSide, startBooksSide } from './support/own-acquirer-till.ts';

const database = sqliteDatabases();
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let store: HostStore;
beforeAll(async () => {
  store = await openHostStore({ database: await database.create(), nowMs: 0 });
});
afterAll(() => store.close());

/** A till whose terminal has an acquirer of its own, and the services of the host that it tells. */
interface Joined {
  readonly harness: Harness;
  readonly side: BooksSide;
  readonly bench: Bench;
  readonly shop: Shop;
  readonly tillClock: ManualClock;
}

interface Setting {
  readonly till: BusinessDayRule;
  /** The till's where it is left out. */
  readonly host?: BusinessDayRule;
  readonly tillStartIso: string;
  /** A clock of its own; the till's where it is left out. */
  readonly hostStartIso?: string;
  /** Whether the host can be reached. */
  readonly isDown?: () => boolean;
}

let open: Joined | undefined;
afterEach(async () => {
  open?.side.outbox.stop();
  await open?.harness.stop();
  open = undefined;
});

async function join({ till, host = till, tillStartIso, hostStartIso, isDown = () => false }: Setting): Promise<Joined> {
  const tillClock = createManualClock(tillStartIso);
  const hostClock = hostStartIso === undefined ? tillClock : createManualClock(hostStartIso);
  // The terminal has been at the host for long.
  const shop = await openShop(store);
  await store.transact((unit) => unit.setBusinessDay(shop, host, 0));
  const bench = openBench(store, { clock: hostClock });
  const caller: DeviceCaller = { ...deviceOf(shop), businessDay: host };
  const client = linkTo(bench, caller, isDown);
  const at = () => tillClock.nowMs();
  const hostDate = () => Math.floor(hostClock.nowMs() / 1_000) * 1_000;
  const skewMs = () => clockSkewOf({ sentAtMs: at(), receivedAtMs: at(), hostDateMs: hostDate() }).skewMs;
  let side: BooksSide | undefined;
  const harness = createHarness({
    clock: tillClock,
    settings: { timeZone: till.timeZone, dayCutOff: till.cutOff },
    makeHostBooks: (journal: Journal) => {
      side = startBooksSide(journal, client, tillClock, skewMs);
      return side.books;
    },
  });
  if (side === undefined) throw new Error('no books');
  open = { harness, side, bench, shop, tillClock };
  return open;
}

type Keyed = Parameters<HostClient['record']>[1];

/** The calls of the till, straight to the host's services. */
function linkTo(bench: Bench, caller: DeviceCaller, isDown: () => boolean): HostClient {
  const down = { kind: 'NOT_SENT', reason: 'connection refused' } as const;
  const call = (route: string, { idempotencyKey }: Keyed) => callOf(route, idempotencyKey);
  return {
    config: async () => (isDown() ? down : { kind: 'ANSWERED', body: await bench.deviceConfig(caller) }),
    record: async (request: Parameters<Bench['record']>[2], keyed: Keyed) =>
      isDown() ? down : { kind: 'ANSWERED', body: read(await bench.record(caller, call('record', keyed), request)) },
    reconcile: async (request: Parameters<Bench['closeOwnDay']>[2], keyed: Keyed) =>
      isDown()
        ? down
        : { kind: 'ANSWERED', body: read(await bench.closeOwnDay(caller, call('close', keyed), request)) },
  } as unknown as HostClient;
}

/** Sells once and closes the day at once. @returns every date of it, at till and host */
async function sellAndClose({ harness, bench, shop, tillClock }: Joined) {
  const sale = await ask(harness.till, saleOf({ amount: 1_000 }));
  const route = 'POST /v1/reconciliation';
  const context = { clientId: 'c', actor: 'console:Anna', requestId: 'q', route, idempotencyKey: 'close' };
  const running = harness.till.reconcile(context, { closeDay: true });
  await settle();
  await tillClock.advance(11_000);
  const answer = JSON.parse((await running).body);
  const settlements = async () => (await bench.settlements(secretOf(shop), { limit: 25 })).data;
  const payment = await store.read.findPaymentByName(shop, sale.transactionId);
  return { sale, answer, settlements, payment: payment?.payment };
}

const at = (timeZone: string, cutOff: string, ...dates: readonly (readonly [instant: string, date: string])[]) =>
  dates.map(([instant, date]) => [timeZone, cutOff, instant, date] as const);

describe('a close on both sides', () => {
  it.each([
    ...at(
      'Pacific/Auckland',
      '04:00',
      ['2026-11-27T14:59:59.000Z', '2026-11-27'],
      ['2026-11-27T15:00:00.000Z', '2026-11-28'],
    ),
    ...at(
      'America/Los_Angeles',
      '04:00',
      ['2026-11-28T11:59:59.999Z', '2026-11-27'],
      ['2026-11-28T12:00:00.000Z', '2026-11-28'],
    ),
    // The year's end, after midnight and before the cut-off.
    ...at(
      'Europe/Vienna',
      '04:00',
      ['2027-01-01T02:59:59.000Z', '2026-12-31'],
      ['2027-01-01T03:00:00.000Z', '2027-01-01'],
    ),
    // 23 hours: from 28 March, 23:00 UTC, to 29 March, 22:00 UTC.
    ...at(
      'Europe/Berlin',
      '00:00',
      ['2026-03-28T23:00:00.000Z', '2026-03-29'],
      ['2026-03-29T21:59:59.000Z', '2026-03-29'],
      ['2026-03-29T22:00:00.000Z', '2026-03-30'],
    ),
    // 25 hours: from 24 October, 22:00 UTC, to 25 October, 23:00 UTC.
    ...at(
      'Europe/Berlin',
      '00:00',
      ['2026-10-24T22:00:00.000Z', '2026-10-25'],
      ['2026-10-25T22:59:59.000Z', '2026-10-25'],
      ['2026-10-25T23:00:00.000Z', '2026-10-26'],
    ),
    // The cut-off is in the hour that is lost, and in the one that comes twice.
    ...at(
      'Europe/Berlin',
      '02:30',
      ['2026-03-29T00:59:59.000Z', '2026-03-28'],
      ['2026-03-29T01:00:00.000Z', '2026-03-29'],
    ),
    ...at(
      'Europe/Berlin',
      '02:30',
      ['2026-10-25T00:29:59.000Z', '2026-10-24'],
      ['2026-10-25T00:30:00.000Z', '2026-10-25'],
      ['2026-10-25T01:29:59.000Z', '2026-10-25'],
    ),
    ...at(
      'America/New_York',
      '01:30',
      ['2026-11-01T05:29:59.000Z', '2026-10-31'],
      ['2026-11-01T06:15:00.000Z', '2026-11-01'],
    ),
  ])('in %s with its day from %s on, at %s, is of %s', async (timeZone, cutOff, tillStartIso, date) => {
    const joined = await join({ till: { timeZone, cutOff }, tillStartIso });
    const { sale, answer, settlements, payment } = await sellAndClose(joined);
    expect(sale.businessDate).toBe(date);
    expect(payment).toMatchObject({ businessDate: date, acceptanceChannel: 'EXTERNAL_RAIL' });
    expect(answer).toMatchObject({ status: 'SUCCESS', businessDate: date, columns: { host: { businessDate: date } } });
    expect(answer).not.toHaveProperty('namedDifferences');
    const [settled] = await settlements();
    expect(settled).toMatchObject({ businessDate: date, externalTotals: { saleAmount: 1_000 } });
    expect(settled).not.toHaveProperty('terminalBusinessDate');
  });

  it('keeps its date though the host hears of it a day later', async () => {
    let isDown = true;
    const till = { timeZone: 'Europe/Vienna', cutOff: '04:00' };
    const joined = await join({ till, tillStartIso: '2026-11-28T22:50:00.000Z', isDown: () => isDown });
    const { answer, settlements } = await sellAndClose(joined);
    expect(answer).toMatchObject({ businessDate: '2026-11-28', columns: { host: { state: 'NOT_YET' } } });
    joined.tillClock.jumpWall(24 * HOUR_MS);
    isDown = false;
    await joined.tillClock.advance(2 * MINUTE_MS);
    const [settled] = await settlements();
    expect(settled?.closedAt).toMatch(/^2026-11-29T2[23]/);
    expect(settled).toMatchObject({ businessDate: '2026-11-28' });
    expect(settled).not.toHaveProperty('terminalBusinessDate');
  });
});

describe('a difference of the dates', () => {
  const vienna = { timeZone: 'Europe/Vienna', cutOff: '04:00' };
  const named = [{ side: 'HOST', cause: 'BUSINESS_DATE', owner: 'SHOP', amount: 0 }];

  it.each([
    ['hours behind', '2026-11-28T02:00:00.000Z', 3 * HOUR_MS, '2026-11-27', '2026-11-28'],
    ['minutes behind', '2026-11-28T02:58:00.000Z', 5 * MINUTE_MS, '2026-11-27', '2026-11-28'],
    ['minutes ahead', '2026-11-28T03:04:00.000Z', -7 * MINUTE_MS, '2026-11-28', '2026-11-27'],
    ['hours ahead', '2026-11-28T08:00:00.000Z', -6 * HOUR_MS, '2026-11-28', '2026-11-27'],
  ])('by a till’s clock that is %s is named, and moves no money', async (_how, tillStartIso, skewMs, ours, theirs) => {
    const hostStartIso = new Date(Date.parse(tillStartIso) + skewMs).toISOString();
    const joined = await join({ till: vienna, tillStartIso, hostStartIso });
    const { answer, settlements } = await sellAndClose(joined);
    expect(answer).toMatchObject({
      ...{ status: 'SUCCESS', businessDate: ours, namedDifferences: named },
      columns: { host: { state: 'TOLD', businessDate: theirs, totals: { saleAmount: 1_000 } } },
    });
    expect(await settlements()).toMatchObject([
      { status: 'SETTLED', businessDate: theirs, terminalBusinessDate: ours, externalTotals: { saleAmount: 1_000 } },
    ]);
    expect(joined.bench.logged).toContainEqual({
      level: 'warn',
      message: 'A terminal has closed its day on another business date.',
      fields: { terminalId: 'T1', reason: `host ${theirs}, terminal ${ours}` },
    });
  });

  it('is none by a clock that is hours off in the middle of the day', async () => {
    const [tillStartIso, hostStartIso] = ['2026-11-28T10:00:00.000Z', '2026-11-28T14:00:00.000Z'];
    const { answer } = await sellAndClose(await join({ till: vienna, tillStartIso, hostStartIso }));
    expect(answer.columns.host.businessDate).toBe('2026-11-28');
    expect(answer).not.toHaveProperty('namedDifferences');
  });

  it.each([
    ['another time zone', { timeZone: 'UTC', cutOff: '04:00' }],
    ['another cut-off', { timeZone: 'Europe/Vienna', cutOff: '05:00' }],
  ])('by %s at the host is named', async (_what, host) => {
    const joined = await join({ till: vienna, host, tillStartIso: '2026-11-28T03:30:00.000Z' });
    const { answer, settlements } = await sellAndClose(joined);
    expect(answer).toMatchObject({ status: 'SUCCESS', businessDate: '2026-11-28', namedDifferences: named });
    expect(await settlements()).toMatchObject([{ businessDate: '2026-11-27', terminalBusinessDate: '2026-11-28' }]);
  });
});

it('does not put a close before the one that came before it, or after now, whatever a clock says', async () => {
  const till = { timeZone: 'UTC', cutOff: '00:00' };
  const { bench, shop } = await join({ till, tillStartIso: '2026-11-29T12:00:00.000Z' });
  const own = { deviceId: 'D1', terminalId: shop.terminalId, closeDay: true };
  const dateOf = async (closedAt: string) => {
    const answer = await bench.closeOwnDay(deviceOf(shop), callOf('close'), { ...own, closedAt });
    return read<{ businessDate: string }>(answer).businessDate;
  };
  // The terminal was added on the 28th.
  expect(await dateOf('1970-01-01T00:00:00.000Z')).toBe('2026-11-28');
  expect(await dateOf('2026-12-24T00:00:00.000Z')).toBe('2026-11-29');
  expect(await dateOf('2026-11-28T12:00:00.000Z')).toBe('2026-11-29');
});

it('is told by the host’s clock, and not to a host that tells no dates of its own', () => {
  const businessDay = { timeZone: 'Europe/Vienna', cutOff: '04:00' };
  const close = { closedAt: '2026-11-28T02:00:00.000Z', businessDate: '2026-11-27' };
  const told = { closedAt: '2026-11-28T05:00:00.000Z', businessDate: '2026-11-27' };
  expect(closeDates({ businessDay }, close, 3 * HOUR_MS)).toEqual(told);
  expect(closeDates({}, close, 3 * HOUR_MS)).toEqual({});
});
