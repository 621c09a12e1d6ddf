// A till that is started while its host cannot be reached, as programs: it takes a sale offline, and its issuer is asked once when the line is back.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openSettings } from '../../app/config/settings-store.ts';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { openPairedShop, type PairedShop } from '../support/paired-shop.ts';
import { temporaryFolder } from '../support/processes.ts';

const PROGRAMS_MS = 300_000;
const WAIT = { timeout: 120_000, interval: 250 };
const folder = temporaryFolder();
let shop: PairedShop;

beforeAll(async () => {
  shop = await openPairedShop(folder.path, { kind: 'READER' });
}, PROGRAMS_MS);
afterAll(async () => {
  await shop?.close();
  folder.remove();
}, PROGRAMS_MS);

/** A card that is tapped, below the amount from which it asks for a PIN. */
async function sell(amount: number): Promise<TransactionResponse> {
  await shop.terminal.send('POST', '/card', { card: 'visa-contactless' });
  const answer = await shop.pos().post('/v1/transaction/sale', { type: 'SALE', amount, currency: 'EUR' });
  return answer.body as TransactionResponse;
}

const find = async (transactionId: string) =>
  (await shop.pos().get(`/v1/transactions/${transactionId}`)).body as TransactionResponse;

it(
  'takes a sale, and has it authorized once',
  async () => {
    await vi.waitFor(async () => expect(await sell(1_000)).toMatchObject({ status: 'APPROVED' }), WAIT);
    await shop.kill('TILL');
    await shop.hostLine.unplug();
    openSettings(shop.tillDir).update({ offlineSales: { enabled: true } });
    await shop.start('TILL');
    const sold = await vi.waitFor(async () => {
      const answer = await sell(2_000);
      expect(answer).toMatchObject({ status: 'APPROVED', deferredAuthorization: 'WAITING' });
      return answer;
    }, WAIT);
    await shop.kill('TILL');
    await shop.start('TILL');
    expect(await find(sold.transactionId)).toMatchObject({ deferredAuthorization: 'WAITING' });
    await shop.hostLine.plugIn();
    await vi.waitFor(async () => {
      expect(await find(sold.transactionId)).toMatchObject({ status: 'APPROVED', deferredAuthorization: 'AUTHORIZED' });
    }, WAIT);
    const { transactions } = await shop.acquirer().book();
    expect(transactions.filter(({ capturedMinor, stands }) => capturedMinor === 2_000 && stands)).toHaveLength(1);
  },
  PROGRAMS_MS,
);
