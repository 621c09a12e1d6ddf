import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { saleOf } from '../support/engine-harness.ts';
import { expectBooksAgree } from './support/books.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
beforeAll(async () => {
  bench = await openSyncBench();
});
afterAll(() => bench.stop());
afterEach(() => expectBooksAgree(bench));

/** Where a till may die in a sale, and whether the card had taken its approval by then. */
const places = [
  { place: 'while the card is read', hold: () => bench.reader.next({ hold: 'CARD' }), isCharged: false },
  {
    place: 'before the host has seen the authorization',
    hold: () => bench.line.next('/authorize', 'HOLD_BEFORE'),
    isCharged: false,
  },
  {
    place: 'before the host’s approval has come back',
    hold: () => bench.line.next('/authorize', 'HOLD_AFTER'),
    isCharged: false,
  },
  { place: 'while the card takes the approval', hold: () => bench.reader.next({ hold: 'COMPLETE' }), isCharged: false },
  {
    place: 'after the card, before the approval is on disk',
    hold: () => bench.holdAt('BEFORE_PROVISIONAL'),
    isCharged: false,
  },
  {
    place: 'after the approval is on disk, before it is told',
    hold: () => bench.holdAt('AFTER_PROVISIONAL'),
    isCharged: true,
  },
] as const;

const isHeld = () => bench.reader.isHeld() || bench.line.isHolding() || bench.isHeld();

describe('a till that dies in a sale', () => {
  it.each(places)('$place tells the truth after its start', async ({ hold, isCharged }) => {
    hold();
    bench.run(saleOf()).catch(() => undefined);
    await bench.passUntil(isHeld);
    const transactionId = bench.harness.journal.currentTransaction('R1')?.transactionId ?? '';
    expect(transactionId).not.toBe('');
    await bench.crash();
    bench.line.release();
    await bench.passUntil(() => bench.harness.journal.currentTransaction('R1') === undefined);
    await bench.passUntil(() => bench.harness.journal.openTasks().length === 0);
    expect(bench.harness.journal.findTransaction(transactionId)?.outcome.charged).toBe(isCharged ? 'YES' : 'NO');
    const found = await bench.store.read.findPayment({
      merchantId: bench.demo.merchantId,
      paymentId: transactionId,
    });
    // A payment that was never finished stands nowhere; one that the host had not seen is kept out for good.
    expect(found?.payment.status).toMatch(isCharged ? /^SUCCEEDED$/ : /^(REVERSED|CANCELED)$/);
    expect((await bench.run(saleOf())).status).toBe('APPROVED');
  });

  it('after its outbox had something sends it before the next sale', async () => {
    bench.reader.next({ complete: { kind: 'DECLINED', card: {}, receipts: [] }, hold: 'COMPLETE' });
    const running = bench.run(saleOf());
    await bench.passUntil(bench.reader.isHeld);
    bench.setReachable(false);
    bench.reader.release();
    const declined = await running;
    expect(declined.status).toBe('DECLINED');
    await bench.crash();
    await expect(bench.run(saleOf())).rejects.toMatchObject({ code: 'HOST_UNREACHABLE' });
    bench.setReachable(true);
    const from = bench.line.calls.length;
    expect((await bench.run(saleOf())).status).toBe('APPROVED');
    const paths = bench.line.calls.slice(from).filter((path) => /(reverse|authorize)$/.test(path));
    expect(paths.at(0)).toMatch(/reverse$/);
    expect(paths.at(-1)).toMatch(/authorize$/);
    expect(bench.harness.journal.findOutboxItem(declined.transactionId, 'REVERSAL')).toMatchObject({ state: 'DONE' });
  });
});
