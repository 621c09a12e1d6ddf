// A till with a terminal of its own acquirer and a host, as the programs that they are: what the one tells, the other has.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ReconciliationResponse } from '../../app/contract/settlements.ts';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { endProgram, type Program, startProgram, type TillReady, temporaryFolder } from '../support/processes.ts';

interface HostReady {
  readonly baseUrl: string;
  readonly demo: { readonly deviceToken: string; readonly secretKey: string };
}

const PROGRAMS_MS = 180_000;
const WAIT = { timeout: 60_000, interval: 200 };
const folder = temporaryFolder();
let host: Program<HostReady>;
let till: Program<TillReady>;

const startHost = (port: number) =>
  startProgram<HostReady>('host/main', ['--port', String(port), '--data-dir', `${folder.path}/host`, '--demo']);

beforeAll(async () => {
  host = await startHost(0);
  const args = [
    '--headless',
    '--port',
    '0',
    '--data-dir',
    `${folder.path}/till`,
    '--training',
    '--host',
    host.ready.baseUrl,
  ];
  till = await startProgram('main/headless', args, { TILL_DEVICE_TOKEN: host.ready.demo.deviceToken });
}, PROGRAMS_MS);
afterAll(async () => {
  await endProgram(till);
  await endProgram(host);
  folder.remove();
}, PROGRAMS_MS);

async function ask<T>(url: string, key: string, body?: object, idempotencyKey?: string): Promise<T> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text) as T;
}

const pos = <T>(path: string, body?: object, key?: string) =>
  ask<T>(`${till.ready.posUrl}${path}`, till.ready.posKey ?? '', body, key);
const merchant = <T>(path: string) => ask<T>(`${host.ready.baseUrl}${path}`, host.ready.demo.secretKey);
const sell = (amount: number) =>
  pos<TransactionResponse>('/v1/transaction/sale', { type: 'SALE', amount, currency: 'EUR' });
const closeDay = (key: string) => pos<ReconciliationResponse>('/v1/reconciliation', { closeDay: true }, key);

interface Told {
  readonly data: readonly {
    readonly id: string;
    readonly status: string;
    readonly acceptanceChannel: string;
    readonly amountMinor: number;
  }[];
}
const told = async () => {
  const { data } = await merchant<Told>('/v1/payments?limit=50');
  return Object.fromEntries(
    data.map(({ id, status, acceptanceChannel, amountMinor }) => [id, `${acceptanceChannel} ${status} ${amountMinor}`]),
  );
};

it(
  'tells the host of its payments, closes in three columns, and catches up with a host that was down',
  async () => {
    const kept = await sell(1_500);
    const undone = await sell(2_500);
    const { transactionId: originalTransactionId } = undone;
    await pos('/v1/transaction/void', { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId });
    const declined = await sell(1_051);
    expect([kept.status, undone.status, declined.status]).toEqual(['APPROVED', 'APPROVED', 'DECLINED']);
    const first = {
      [kept.transactionId]: 'EXTERNAL_RAIL SUCCEEDED 1500',
      [undone.transactionId]: 'EXTERNAL_RAIL REVERSED 2500',
      [declined.transactionId]: 'EXTERNAL_RAIL DECLINED 1051',
    };
    await vi.waitFor(async () => expect(await told()).toEqual(first), WAIT);

    const totals = {
      saleCount: 2,
      saleAmount: 4_000,
      voidCount: 1,
      voidAmount: 2_500,
      refundCount: 0,
      refundAmount: 0,
    };
    const closed = await closeDay('close-1');
    expect(closed).toMatchObject({
      ...{ status: 'SUCCESS', totals },
      columns: { terminal: { netAmount: 1_500 }, host: { state: 'TOLD', totals } },
    });
    const settled = await merchant<object>(`/v1/settlements/${closed.columns?.host?.settlementId}`);
    expect(settled).toMatchObject({ externalTotals: totals, saleCount: 0, netAmount: 0, status: 'SETTLED' });

    const { port } = new URL(host.ready.baseUrl);
    await endProgram(host);
    const during = await sell(700);
    const without = await closeDay('close-2');
    expect(without).toMatchObject({
      status: 'SUCCESS',
      totals: { saleAmount: 700 },
      columns: { host: { state: 'NOT_YET' } },
    });
    const after = await sell(800);
    host = await startHost(Number(port));
    await vi.waitFor(
      async () =>
        expect(await told()).toEqual({
          ...first,
          [during.transactionId]: 'EXTERNAL_RAIL SUCCEEDED 700',
          [after.transactionId]: 'EXTERNAL_RAIL SUCCEEDED 800',
        }),
      WAIT,
    );
    const { data } = await merchant<{ data: { externalTotals?: { saleAmount: number } }[] }>(
      '/v1/settlements?limit=10',
    );
    expect(data.map(({ externalTotals }) => externalTotals?.saleAmount)).toEqual([700, 4_000]);
  },
  PROGRAMS_MS,
);
