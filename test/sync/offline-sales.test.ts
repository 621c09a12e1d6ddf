import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saleOf } from '../support/engine-harness.ts';
import { filesBelow } from '../support/files-below.ts';
import { expectBooksAgree } from './support/books.ts';
import { chipCard, secrets } from './support/scripted-reader.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
beforeEach(async () => {
  bench = await openSyncBench();
});
afterEach(() => bench.stop());

/** The identity is known: the host was reached once, as it was before a line fails. */
async function begin(limits = {}) {
  await bench.run(saleOf({ amount: 300 }));
  bench.allowOffline(limits);
}

async function sellOffline(amount = 1000) {
  bench.setReachable(false);
  bench.reader.next({ isPinless: true });
  return await bench.run(saleOf({ amount }));
}

const recordOf = (id: string) => bench.harness.journal.findTransaction(id);
const waiting = () => bench.harness.journal.openOutboxItems().filter(({ kind }) => kind === 'DEFERRED_AUTHORIZATION');
const charges = async (amount: number) =>
  (await bench.acquirerBook()).transactions.filter(({ capturedMinor, stands }) => capturedMinor === amount && stands);

async function forwardAll() {
  bench.setReachable(true);
  // A try that began while the host was away may end first.
  await bench.passUntil(async () => (await bench.outbox().flush('R1')).length === 0);
}

function filesHold(text: string): boolean {
  return filesBelow(bench.harness.dataDir).some(({ content }) => content.includes(text));
}

describe('a sale while the host cannot be reached', () => {
  it('is refused unless it is switched on', async () => {
    await bench.run(saleOf({ amount: 300 }));
    expect(await sellOffline()).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO', safeToRetry: true } });
    expect(waiting()).toEqual([]);
    expect(filesHold(secrets.panEncrypted)).toBe(false);
  });

  it('is accepted, says so, and is authorized once when the host is back', async () => {
    await begin();
    const answer = await sellOffline();
    expect(answer).toMatchObject({
      status: 'APPROVED',
      deferredAuthorization: 'WAITING',
      outcome: { charged: 'YES', safeToRetry: false },
      receiptData: { approvalStatus: 'ACCEPTED OFFLINE' },
    });
    expect(answer.authorizationCode).toBeUndefined();
    expect(bench.reader.completions.at(-1)).toMatchObject({ responseCode: 'Z3' });
    expect(await charges(1000)).toEqual([]);
    await forwardAll();
    const record = recordOf(answer.transactionId);
    expect(record).toMatchObject({ state: 'APPROVED', deferred: 'AUTHORIZED', card: { responseCode: '00' } });
    expect(record?.card.authorizationCode).toMatch(/^[0-9A-Z]{6}$/);
    expect(await charges(1000)).toHaveLength(1);
    expect(bench.harness.events.at(-1)).toMatchObject({
      event: 'outcome_resolved',
      response: { transactionId: answer.transactionId, deferredAuthorization: 'AUTHORIZED' },
    });
    await expectBooksAgree(bench);
  });

  it('keeps the encrypted account on disk only while it waits', async () => {
    await begin({ maxSales: 60, maxTotalUnits: 10_000 });
    const first = await sellOffline();
    expect(filesHold(secrets.panEncrypted)).toBe(true);
    expect(filesHold(secrets.pan)).toBe(false);
    for (let count = 0; count < 11; count += 1) await sellOffline(200 + count);
    expect(JSON.stringify(waiting())).not.toContain(secrets.panEncrypted);
    await forwardAll();
    expect(recordOf(first.transactionId)?.deferred).toBe('AUTHORIZED');
    for (const secret of Object.values(secrets)) expect(filesHold(secret)).toBe(false);
    expect(bench.logged.join('\n')).not.toContain(secrets.panEncrypted);
    expect(bench.harness.journal.findKeptAccount(first.transactionId)).toBeUndefined();
  });

  it('is refused for a PIN that only the issuer checks, an open account, a stripe, cash-back, a hold and a refund', async () => {
    await begin();
    const sold = await bench.run(saleOf({ amount: 400 }));
    bench.setReachable(false);
    const refused = { status: 'ERROR', outcome: { charged: 'NO' } };
    expect(await bench.run(saleOf())).toMatchObject(refused);
    bench.reader.next({ isPinless: true, account: { kind: 'CLEAR', pan: secrets.pan } });
    expect(await bench.run(saleOf())).toMatchObject(refused);
    bench.reader.next({ isPinless: true });
    expect(await bench.run(saleOf({ cashbackAmount: 500 }))).toMatchObject(refused);
    bench.reader.next({ isPinless: true });
    expect(await bench.run({ type: 'PRE_AUTH', amount: 1000, currency: 'EUR' })).toMatchObject(refused);
    bench.reader.next({ isPinless: true });
    const refund = { type: 'REFUND', amount: 400, currency: 'EUR', originalTransactionId: sold.transactionId } as const;
    expect(await bench.run(refund)).toMatchObject(refused);
    bench.reader.next({ isPinless: true, complete: 'LOST' });
    expect(await bench.run(saleOf())).toMatchObject(refused);
    expect(waiting()).toEqual([]);
    for (const secret of Object.values(secrets)) expect(filesHold(secret)).toBe(false);
  });

  it('stays what the chip made of it where that approved by itself', async () => {
    await begin();
    bench.setReachable(false);
    const chipData = { emvTags: { '9F27': '40' }, encryptedPinBlock: null, pinKsn: null, pinBlockFormat: null };
    bench.reader.next({ isPinless: true, complete: { kind: 'CHIP_APPROVED', chipData, card: chipCard } });
    const answer = await bench.run(saleOf());
    expect(answer.status).toBe('APPROVED');
    expect(answer.deferredAuthorization).toBeUndefined();
    expect(waiting()).toEqual([]);
  });

  it('is not taken where the request may have arrived: it ends once, as its authorization does', async () => {
    await begin();
    bench.reader.next({ isPinless: true });
    bench.line.next('/authorize', 'LOSE_AFTER');
    bench.line.next('/authorize', 'HOLD_BEFORE');
    let isOver = false;
    const running = bench.run(saleOf({ amount: 1100 })).finally(() => {
      isOver = true;
    });
    await bench.passUntil(bench.line.isHolding);
    bench.setReachable(false);
    await bench.passUntil(() => isOver);
    expect(await running).toMatchObject({ status: 'ERROR', outcome: { charged: 'UNKNOWN' } });
    bench.line.release();
    expect(waiting()).toEqual([]);
    bench.setReachable(true);
    await bench.passUntil(() => bench.harness.journal.openTasks().length === 0);
    // The authorization goes on: what it ends with is the sale's end, and nobody has forwarded it beside that.
    const { transactionId } = await running;
    const ended = bench.harness.journal.findTransaction(transactionId);
    expect(ended?.deferred).toBeUndefined();
    expect((await charges(1100)).length).toBe(ended?.state === 'APPROVED' ? 1 : 0);
    await expectBooksAgree(bench);
  });

  it('is taken while a reversal waits, and its authorization leaves after that', async () => {
    await begin();
    bench.reader.next({ isPinless: true, hold: 'COMPLETE', complete: { kind: 'DECLINED', card: {}, receipts: [] } });
    const running = bench.run(saleOf({ amount: 1100 }));
    await bench.passUntil(bench.reader.isHeld);
    bench.setReachable(false);
    bench.reader.release();
    expect(await running).toMatchObject({ status: 'DECLINED' });
    expect(await sellOffline(1200)).toMatchObject({ status: 'APPROVED', deferredAuthorization: 'WAITING' });
    const before = bench.line.calls.length;
    await forwardAll();
    const paths = bench.line.calls.slice(before).map((path) => path.split('/').at(-1));
    expect(paths.indexOf('authorize')).toBeGreaterThan(paths.indexOf('reverse'));
    expect(paths).toContain('reverse');
    expect(await charges(1100)).toEqual([]);
    expect(await charges(1200)).toHaveLength(1);
    await expectBooksAgree(bench);
  });
});

describe('what waits for its issuer', () => {
  it('is charged once when an answer is lost, under the key that it was created with', async () => {
    await begin();
    const { transactionId } = await sellOffline();
    bench.line.next('/authorize', 'LOSE_AFTER');
    bench.setReachable(true);
    await bench.outbox().flush('R1');
    expect(recordOf(transactionId)?.deferred).toBe('WAITING');
    expect(filesHold(secrets.panEncrypted)).toBe(true);
    await forwardAll();
    expect(recordOf(transactionId)?.deferred).toBe('AUTHORIZED');
    expect(await charges(1000)).toHaveLength(1);
    await expectBooksAgree(bench);
  });

  it('is declined afterwards: the sale is, and a person is told who bears it', async () => {
    await begin();
    const { transactionId } = await sellOffline(1051);
    await forwardAll();
    expect(recordOf(transactionId)).toMatchObject({
      state: 'DECLINED',
      deferred: 'DECLINED',
      decline: { category: 'INSUFFICIENT_FUNDS' },
      outcome: { charged: 'NO' },
    });
    const [task] = bench.harness.journal.openTasks();
    expect(task).toMatchObject({
      state: 'NEEDS_PERSON',
      reasonCode: 'OFFLINE_DECLINED',
      subject: { id: transactionId },
    });
    for (const secret of Object.values(secrets)) expect(filesHold(secret)).toBe(false);
    await expectBooksAgree(bench);
    const context = { clientId: 'c', actor: 'console:ben', requestId: 'r', route: 'x' };
    bench.harness.till.resolve(context, transactionId, { charged: false, evidence: 'Written off.' });
    expect(bench.harness.journal.openTasks()).toEqual([]);
    expect(recordOf(transactionId)).toMatchObject({ state: 'DECLINED' });
  });

  it('leaves in its order, after a day without the host, each once', async () => {
    await begin();
    const ids: string[] = [];
    for (const amount of [520, 521, 522]) ids.push((await sellOffline(amount)).transactionId);
    bench.passHours(23.9);
    ids.push((await sellOffline(523)).transactionId);
    bench.passHours(0.2);
    expect(await sellOffline(524)).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });
    const before = bench.line.calls.length;
    await forwardAll();
    expect(bench.line.calls.slice(before).filter((path) => path.endsWith('/authorize'))).toHaveLength(4);
    const { transactions } = await bench.acquirerBook();
    expect(
      transactions.flatMap(({ capturedMinor: minor = 0 }) => (minor >= 520 && minor <= 524 ? [minor] : [])),
    ).toEqual([520, 521, 522, 523]);
    expect(ids.map((id) => recordOf(id)?.deferred)).toEqual(ids.map(() => 'AUTHORIZED'));
    await expectBooksAgree(bench);
    bench.reader.next({ isPinless: true });
    bench.setReachable(false);
    expect((await sellOffline(525)).deferredAuthorization).toBe('WAITING');
  });

  it('is bounded by the settings, each at its edge', async () => {
    await begin({ maxSaleUnits: 10, maxTotalUnits: 20, maxSales: 3 });
    expect((await sellOffline(1001)).status).toBe('ERROR');
    expect((await sellOffline(1000)).status).toBe('APPROVED');
    expect((await sellOffline(900)).status).toBe('APPROVED');
    expect((await sellOffline(101)).status).toBe('ERROR');
    expect((await sellOffline(50)).status).toBe('APPROVED');
    expect((await sellOffline(50)).status).toBe('ERROR');
    expect(waiting()).toHaveLength(3);
  });

  it('ends with agreeing books at a host that was put back to a backup', async () => {
    await begin();
    const known = await sellOffline(620);
    const unknown = await sellOffline(630);
    bench.line.next('/authorize', 'LOSE_AFTER');
    bench.setReachable(true);
    await bench.outbox().attempt(known.transactionId, 'DEFERRED_AUTHORIZATION');
    bench.setReachable(false);
    const putBack = await bench.backUpHost();
    await sellOffline(640);
    await putBack();
    await forwardAll();
    for (const { transactionId } of [known, unknown]) expect(recordOf(transactionId)?.deferred).toBe('AUTHORIZED');
    for (const amount of [620, 630, 640]) expect(await charges(amount)).toHaveLength(1);
    await expectBooksAgree(bench);
  });

  it('is charged once when its answer was lost and the host was put back to a backup from before it', async () => {
    await begin();
    const { transactionId } = await sellOffline(650);
    const putBack = await bench.backUpHost();
    bench.line.next('/authorize', 'LOSE_AFTER');
    bench.setReachable(true);
    await bench.outbox().flush('R1');
    bench.setReachable(false);
    expect(await charges(650)).toHaveLength(1);
    expect(recordOf(transactionId)?.deferred).toBe('WAITING');
    await putBack();
    await forwardAll();
    const [charge, ...more] = await charges(650);
    expect(more).toEqual([]);
    expect(recordOf(transactionId)).toMatchObject({
      deferred: 'AUTHORIZED',
      card: { authorizationCode: charge?.authorizationCode },
    });
    await expectBooksAgree(bench);
  });

  it('keeps its sale from being taken back or refunded, and the day from being closed', async () => {
    await begin();
    const { transactionId: originalTransactionId } = await sellOffline(700);
    const money = { amount: 700, currency: 'EUR', originalTransactionId };
    await expect(bench.run({ ...money, type: 'REFUND' })).rejects.toMatchObject({ code: 'HOST_UNREACHABLE' });
    await expect(bench.run({ ...money, type: 'VOID' })).rejects.toMatchObject({ code: 'HOST_UNREACHABLE' });
    const context = { clientId: 'c', actor: 'console:ben', requestId: 'r', route: 'x', idempotencyKey: 'close' };
    const [item] = waiting();
    const blocker = {
      ...{ transactionId: originalTransactionId, reason: 'NOT_FORWARDED', owner: 'TILL' },
      ...{ amount: 700, currency: 'EUR', since: item?.createdAt },
    };
    await expect(bench.harness.till.reconcile(context, { closeDay: true })).rejects.toMatchObject({
      code: 'DAY_CLOSE_BLOCKED',
      details: { blockers: [blocker] },
    });
    expect(bench.harness.till.totals(context).blockers).toEqual([blocker]);
    const dry = await bench.harness.till.reconcile(context, { closeDay: false });
    expect(JSON.parse(dry.body).namedDifferences).toEqual([
      {
        ...{ side: 'HOST', cause: 'NOT_FORWARDED', owner: 'TILL', transactionId: originalTransactionId },
        ...{ operation: 'SALE', count: -1, amount: -700 },
      },
    ]);
    bench.setReachable(true);
    expect(await bench.run({ ...money, type: 'VOID' })).toMatchObject({ status: 'APPROVED' });
    expect(recordOf(originalTransactionId)?.deferred).toBe('AUTHORIZED');
    await expectBooksAgree(bench);
  });
});

describe('the day of a terminal whose sale waits', () => {
  const context = { clientId: 'c', actor: 'console:ben', requestId: 'r', route: 'x', idempotencyKey: 'close' };

  it('is closed by a close that can forward it, with the sale in the batch of both sides', async () => {
    await begin();
    const { transactionId } = await sellOffline(700);
    bench.setReachable(true);
    const answer = await bench.harness.till.reconcile(context, { closeDay: true });
    const { status, totals, columns, namedDifferences } = JSON.parse(answer.body);
    // The till's clock stands days behind the host's here; nothing else differs.
    expect({ status, namedDifferences }).toMatchObject({
      status: 'SUCCESS',
      namedDifferences: [{ cause: 'BUSINESS_DATE', amount: 0 }],
    });
    expect(totals).toMatchObject({ saleCount: 2, saleAmount: 1000 });
    expect(columns.host.totals).toMatchObject({ saleCount: 2, saleAmount: 1000 });
    expect(recordOf(transactionId)).toMatchObject({ deferred: 'AUTHORIZED', batchNumber: 1 });
    expect(bench.harness.till.totals(context).blockers).toBeUndefined();
  });

  it('is not closed from the journal either, where there is no host any more', async () => {
    await begin();
    const { transactionId } = await sellOffline(700);
    bench.serve(false);
    await expect(bench.harness.till.reconcile(context, { closeDay: true })).rejects.toMatchObject({
      code: 'DAY_CLOSE_BLOCKED',
      details: { blockers: [expect.objectContaining({ transactionId, reason: 'NOT_FORWARDED' })] },
    });
  });
});

describe('a till that is killed', () => {
  it('before the sale is on disk has charged nothing', async () => {
    await begin();
    bench.setReachable(false);
    bench.reader.next({ isPinless: true, hold: 'COMPLETE' });
    void bench.run(saleOf({ amount: 800 }));
    await bench.passUntil(bench.reader.isHeld);
    await bench.crash();
    bench.setReachable(true);
    await bench.passUntil(() => bench.harness.journal.currentTransaction('R1') === undefined);
    await bench.passUntil(() => bench.harness.journal.openTasks().length === 0);
    expect(await charges(800)).toEqual([]);
    await expectBooksAgree(bench);
  });

  it.each(['BEFORE_PROVISIONAL', 'AFTER_PROVISIONAL'] as const)(
    '%s has the sale, and charges it once',
    async (place) => {
      await begin();
      bench.setReachable(false);
      bench.reader.next({ isPinless: true });
      bench.holdAt(place);
      void bench.run(saleOf({ amount: 810 }));
      await bench.passUntil(bench.isHeld);
      // Its end is not on disk: the issuer is not asked yet.
      bench.setReachable(true);
      await bench.outbox().flush('R1');
      expect(await charges(810)).toEqual([]);
      await bench.crash();
      await bench.passUntil(() => bench.harness.journal.currentTransaction('R1') === undefined);
      await bench.passUntil(async () => (await bench.outbox().flush('R1')).length === 0);
      expect(bench.harness.journal.lastTransaction('R1')).toMatchObject({ state: 'APPROVED', deferred: 'AUTHORIZED' });
      expect(await charges(810)).toHaveLength(1);
      await expectBooksAgree(bench);
    },
  );

  it.each(['HOLD_BEFORE', 'HOLD_AFTER'] as const)(
    'while the issuer is asked (%s) asks again, once charged',
    async (fault) => {
      await begin();
      const { transactionId } = await sellOffline(820);
      bench.line.next('/authorize', fault);
      bench.setReachable(true);
      void bench.outbox().flush('R1');
      await bench.passUntil(bench.line.isHolding);
      await bench.crash();
      bench.line.release();
      await bench.passUntil(async () => (await bench.outbox().flush('R1')).length === 0);
      expect(recordOf(transactionId)).toMatchObject({ state: 'APPROVED', deferred: 'AUTHORIZED' });
      expect(await charges(820)).toHaveLength(1);
      for (const secret of Object.values(secrets)) expect(filesHold(secret)).toBe(false);
      await expectBooksAgree(bench);
    },
  );
});
