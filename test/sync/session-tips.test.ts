import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InputResult } from '../../app/contract/device.ts';
import type { SessionStatus } from '../../app/contract/host/payment-session.ts';
import { Secret } from '../../app/domain/secret.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createSessionTill } from '../../app/services/session-till.ts';
import { createRemoteSessions } from '../../app/sync/sessions/remote-sessions.ts';
import { createSessionStore } from '../../app/sync/sessions/session-store.ts';
import { createHarness, quietLog, until } from '../support/engine-harness.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';
import { realClock } from '../support/zvt-clock.ts';
import { expectBooksAgree } from './support/books.ts';
import { startBooksSide } from './support/own-acquirer-till.ts';
import { linkTo, openSessionBench, type SessionBench } from './support/session-bench.ts';

let bench: SessionBench;
beforeEach(async () => {
  bench = await openSessionBench();
});
afterEach(() => bench.stop());

const shares = {
  enabled: true,
  presetBasisPoints: [1_000, 2_000] as number[],
  allowCustomAmount: true,
  maxBasisPoints: 5_000,
  fixedAmountMinor: 100,
  fixedAmountThresholdMinor: 1_000,
};
const key = (optionIndex: number): InputResult => ({ status: 'ENTERED', optionIndex });
const kept = () => bench.harness.journal.openPaymentSessions();
const sessionOf = async (sessionId: string) => (await bench.detail(sessionId)).session;
const becomes = (sessionId: string, status: SessionStatus) =>
  bench.passUntil(async () => (await sessionOf(sessionId)).status === status && kept().length === 0);
const own = () => bench.harness.journal.listTransactions({ limit: 10 }).rows;
const paymentOf = async (sessionId: string) => await bench.payment((await sessionOf(sessionId)).paymentId ?? '');

async function ordered(amountMinor: number): Promise<string> {
  const { id } = await bench.create(amountMinor);
  bench.sessions().wake();
  return id;
}

describe('the tip on a payment that the merchant’s server asked for', () => {
  it('is chosen at the terminal by the configuration of its merchant, and authorized with it', async () => {
    await bench.setTips(shares);
    bench.reader.enter(key(1));
    const id = await ordered(2_000);
    await becomes(id, 'SUCCEEDED');
    expect(bench.reader.asked[0]?.options).toEqual(['10 %  2.00 EUR', '20 %  4.00 EUR', 'Other amount', 'No tip']);
    expect(await sessionOf(id)).toMatchObject({ amountMinor: 2_000, finalAmountMinor: 2_400, tipAmountMinor: 400 });
    expect(await paymentOf(id)).toMatchObject({ tipSource: 'preset:2000', tipAmountMinor: 400, amountMinor: 2_400 });
    expect(own()).toMatchObject([{ tipAmountMinor: 400, tipChoice: { source: 'preset:2000', configVersion: 1 } }]);
    expect(bench.reader.commands).toMatchObject([{ amountMinor: 2_400 }]);
    await expectBooksAgree(bench);
  });

  it('is the fixed one below the threshold, a free one up to the caps, or none, and the host takes each', async () => {
    await bench.setTips(shares);
    bench.reader.enter(key(0), key(2), { status: 'ENTERED', value: '9.99' }, key(3));
    const ids: string[] = [];
    for (const amountMinor of [999, 2_000, 3_000]) {
      const id = await ordered(amountMinor);
      await becomes(id, 'SUCCEEDED');
      ids.push(id);
    }
    const payments = await Promise.all(ids.map(paymentOf));
    expect(payments.map(({ tipSource, tipAmountMinor }) => [tipSource, tipAmountMinor])).toEqual([
      ['fixed:100', 100],
      ['custom', 999],
      ['none', 0],
    ]);
    await expectBooksAgree(bench);
  });

  it('is offered by the configuration of now, which is read again for each session', async () => {
    await bench.setTips(shares);
    bench.reader.enter(key(0));
    await becomes(await ordered(2_000), 'SUCCEEDED');
    await bench.setTips({ ...shares, presetBasisPoints: [500] });
    bench.reader.enter(key(0));
    await becomes(await ordered(2_000), 'SUCCEEDED');
    expect(own()[0]).toMatchObject({ tipChoice: { source: 'preset:500', configVersion: 2 } });
  });

  it('is not asked for where the merchant takes none', async () => {
    const id = await ordered(2_000);
    await becomes(id, 'SUCCEEDED');
    expect(bench.reader.asked).toEqual([]);
    expect((await paymentOf(id)).tipSource).toBeNull();
  });

  it('cancels the session when the cardholder presses stop, and nothing is authorized', async () => {
    await bench.setTips(shares);
    bench.reader.enter({ status: 'CANCELLED' });
    const id = await ordered(2_000);
    await becomes(id, 'CANCELED');
    expect(await sessionOf(id)).toMatchObject({ failureCode: 'CARDHOLDER_CANCELLED' });
    expect(bench.reader.commands).toEqual([]);
    expect((await bench.acquirerBook()).transactions).toEqual([]);
    await expectBooksAgree(bench);
  });

  it('is none when the cardholder does not answer', async () => {
    await bench.setTips(shares);
    bench.reader.enter({ status: 'TIMEOUT' });
    const id = await ordered(2_000);
    await becomes(id, 'SUCCEEDED');
    expect(await paymentOf(id)).toMatchObject({ tipSource: 'none', tipAmountMinor: 0 });
  });

  it('is not asked for on a refund', async () => {
    await bench.setTips(shares);
    bench.reader.enter(key(3));
    await becomes(await ordered(2_000), 'SUCCEEDED');
    const { id } = await bench.create(500, own()[0]?.transactionId);
    bench.sessions().wake();
    await becomes(id, 'SUCCEEDED');
    expect(bench.reader.asked).toHaveLength(1);
  });
});

describe('a till that dies', () => {
  it('while the cardholder is asked has begun nothing: the session fails, and nobody is asked or charged anew', async () => {
    await bench.setTips(shares);
    bench.reader.enter('HANGS');
    const id = await ordered(2_000);
    await bench.passUntil(() => bench.reader.asked.length === 1);
    await bench.restart();
    await becomes(id, 'FAILED');
    expect(await sessionOf(id)).toMatchObject({ failureCode: 'NOT_STARTED' });
    expect(bench.reader.asked).toHaveLength(1);
    expect(bench.reader.commands).toEqual([]);
    expect(own()).toEqual([]);
    await expectBooksAgree(bench);
  });

  it('after the choice has it on disk with the payment, and charges at most that', async () => {
    await bench.setTips(shares);
    bench.reader.enter(key(1));
    bench.reader.next({ hold: 'CARD' });
    const id = await ordered(2_000);
    await bench.passUntil(bench.reader.isHeld);
    expect(own()).toMatchObject([{ state: 'INTENT', tipAmountMinor: 400, tipChoice: { source: 'preset:2000' } }]);
    bench.reader.abandon();
    await bench.restart();
    await bench.passUntil(() => kept().length === 0);
    expect(bench.reader.asked).toHaveLength(1);
    expect(bench.reader.commands).toHaveLength(1);
    expect(await sessionOf(id)).toMatchObject({ status: 'FAILED' });
    await expectBooksAgree(bench);
  });

  it('once the authorization was on its way finds the payment with its tip', async () => {
    await bench.setTips(shares);
    bench.reader.enter(key(0));
    bench.holdAt('BEFORE_PROVISIONAL');
    const id = await ordered(2_000);
    await bench.passUntil(bench.isHeld);
    await bench.restart();
    await bench.passUntil(() => kept().length === 0);
    const { tipAmountMinor, finalAmountMinor } = await sessionOf(id);
    expect({ tipAmountMinor, finalAmountMinor }).toEqual({ tipAmountMinor: 200, finalAmountMinor: 2_200 });
    expect(bench.reader.asked).toHaveLength(1);
    await expectBooksAgree(bench);
  });
});

it('a terminal with an acquirer of its own charges the tip, and tells the host how it was chosen', async () => {
  await bench.setTips(shares);
  const device = createMemoryDevice({ capabilities: { inputTypes: new Set(['MENU', 'DIGITS']) } });
  const link = linkTo({ url: bench.line.url, deviceToken: new Secret(bench.demo.deviceToken) }, 'T1');
  const harness = createHarness({
    devices: [device],
    tipsOf: () => link.tips(),
    makeHostBooks: (journal) => startBooksSide(journal, link.client, realClock).books,
  });
  const sessions = createRemoteSessions({
    till: createSessionTill(harness.till, harness.journal),
    store: createSessionStore(harness.journal, 'T1'),
    host: link.client,
    identityOf: link.identityOf,
    readConfiguration: async (signal) => void (await link.check(signal)),
    terminalId: 'T1',
    ...{ clock: realClock, ids: nodeIds, log: quietLog },
  });
  try {
    sessions.start();
    device.enter(key(0));
    const { id } = await bench.create(2_000);
    sessions.wake();
    await bench.passUntil(async () => (await sessionOf(id)).status === 'SUCCEEDED');
    await until(() => harness.journal.openOutboxItems().length === 0);
    expect(device.standing()).toEqual([2_200]);
    expect(await sessionOf(id)).toMatchObject({ finalAmountMinor: 2_200, tipAmountMinor: 200 });
    expect(await paymentOf(id)).toMatchObject({ tipSource: 'preset:1000', tipAmountMinor: 200, amountMinor: 2_200 });
  } finally {
    sessions.stop();
    await harness.stop();
  }
});
