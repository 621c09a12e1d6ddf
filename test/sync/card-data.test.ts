import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saleOf } from '../support/engine-harness.ts';
import { filesBelow } from '../support/files-below.ts';
import { chipCard, secrets } from './support/scripted-reader.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
beforeEach(async () => {
  bench = await openSyncBench();
});
afterEach(() => bench.stop());

describe('card data of a sale at the host', () => {
  it('are nowhere on disk and in no log, however the sale ends', async () => {
    // The needles are in what the reader gives: a search that finds none of them is no accident.
    await bench.run(saleOf());
    bench.line.next('/authorize', 'LOSE_AFTER');
    await bench.run(saleOf({ amount: 1051 }));
    bench.reader.next({ complete: { kind: 'DECLINED', card: {}, receipts: [] } });
    await bench.run(saleOf());
    bench.line.next('/authorize', {
      status: 400,
      body: JSON.stringify({ error: 'INVALID_REQUEST', message: 'panEncrypted is wrong', field: 'panEncrypted' }),
    });
    await bench.run(saleOf());
    bench.reader.next({ account: { kind: 'CLEAR', pan: secrets.pan, track2: secrets.track2 } });
    await bench.run(saleOf());
    const emvTags = { '57': secrets.track2, '5A': secrets.pan, '8A': '5931', '9F27': '40' };
    const chipData = { emvTags, encryptedPinBlock: null, pinKsn: null, pinBlockFormat: null };
    bench.reader.next({ run: { kind: 'CHIP_APPROVED', chipData, card: chipCard } });
    await bench.run(saleOf());

    const hidden = Object.values(secrets);
    const kept = filesBelow(bench.harness.dataDir).map(({ path, content }) => ({
      path,
      text: content.toString('latin1'),
    }));
    const logs = { path: 'log', text: bench.logged.join('\n') };
    const events = { path: 'events', text: JSON.stringify(bench.harness.events) };
    for (const { path, text } of [...kept, logs, events]) {
      for (const secret of hidden) expect(text.includes(secret), `${secret.slice(0, 4)}… in ${path}`).toBe(false);
    }
    expect(kept.some(({ text }) => text.includes('476173******0010'))).toBe(true);
  });
});

describe('an approval of the chip alone', () => {
  const chipData = {
    emvTags: { '8A': '5931', '9F26': '1122334455667788', '9F27': '40', '95': '0000008000' },
    encryptedPinBlock: null,
    pinKsn: null,
    pinBlockFormat: null,
  };

  it('is a sale that is owed to the host, over a crash and an outage', async () => {
    bench.reader.next({ run: { kind: 'CHIP_APPROVED', chipData, card: chipCard }, hold: 'CARD' });
    const running = bench.run(saleOf({ amount: 700, tipAmount: 50 }));
    await bench.passUntil(bench.reader.isHeld);
    bench.setReachable(false);
    bench.reader.release();
    const answer = await running;
    expect(answer).toMatchObject({ status: 'APPROVED', outcome: { charged: 'YES' } });
    await bench.crash();
    bench.setReachable(true);
    const { merchantId } = bench.demo;
    await bench.outbox().attempt(answer.transactionId, 'OFFLINE_COMPLETION');
    const found = await bench.store.read.findPayment({ merchantId, paymentId: answer.transactionId });
    expect(found?.payment).toMatchObject({ status: 'SUCCEEDED', amountMinor: 750, tipAmountMinor: 50 });
  });

  it('may be given when the issuer cannot be asked', async () => {
    const card = { ...chipCard, cryptogramType: 'TC' as const };
    bench.reader.next({ complete: { kind: 'CHIP_APPROVED', chipData, card }, hold: 'CARD' });
    const running = bench.run(saleOf());
    await bench.passUntil(bench.reader.isHeld);
    bench.setReachable(false);
    bench.reader.release();
    expect(await running).toMatchObject({ status: 'APPROVED' });
    bench.setReachable(true);
  });

  it('holds no funds and gives no money back', async () => {
    bench.reader.next({ run: { kind: 'CHIP_APPROVED', chipData, card: chipCard } });
    const answer = await bench.run({ type: 'PRE_AUTH', amount: 1000, currency: 'EUR' });
    expect(answer).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });
  });
});
