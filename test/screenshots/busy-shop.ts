import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_LOCK_AFTER_SECONDS } from '../../app/contract/console/console-limits.ts';
import type { StoredSettings } from '../../app/contract/settings.ts';
import { signIn } from '../support/console-browser.ts';
import { callConsole } from '../support/console-call.ts';
import { sellByPos, sellUnknownByPos } from '../support/console-pos.ts';
import type { Shop, Shops } from '../support/console-shop.ts';
import { addStaff } from '../support/console-staff.ts';
import { createPos } from '../support/pos.ts';
import { startVirtualPrinter } from '../support/virtual-printer.ts';
import { writeHistory } from '../support/write-history.ts';

const minuteMs = 60_000;
const days = 21;
const transactionsPerDay = 64;

const settings: StoredSettings = {
  merchantName: 'Corner Café',
  merchantId: 'MERCHANT-1',
  receiptHeader: ['Corner Café', 'Market Square 4'],
  receiptFooter: ['Thank you and see you soon'],
  allowedOrigins: ['https://pos.example', 'http://localhost:5173'],
  supportContact: { name: 'Till hotline', phone: '+49 30 1234567' },
  lockAfterSeconds: MAX_LOCK_AFTER_SECONDS,
};

/** A till in training after three weeks of a café's trade, with staff, POS clients, and everything open that can be open. */
export async function openBusyShop(shops: Shops): Promise<{ shop: Shop; close(): Promise<void> }> {
  const printer = await startVirtualPrinter();
  printer.behave('NO_PAPER');
  const shop = await shops.open({
    fill(dataDir) {
      mkdirSync(dataDir, { recursive: true });
      writeHistory(dataDir, {
        ...{ seed: 7, transactions: days * transactionsPerDay, transactionsPerDay, terminalId: 'TRAINING-1' },
        endsAtMs: Date.now() - 20 * minuteMs,
      });
      const counter = { printerId: 'counter', name: 'Counter', url: printer.url, autoPrint: 'CARDHOLDER' } as const;
      const printers: StoredSettings['printers'] = [{ ...counter, columns: 42, codepage: 'AUTO', cut: 'PARTIAL' }];
      writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ ...settings, printers }));
    },
  });
  const { page } = shop;
  await signIn(page);
  await page.getByTestId('amount').waitFor();
  for (const name of ['Web shop', 'Bar']) await callConsole(page, 'integrations.clients.create', { name });
  await trade(shop);
  for (const [name, role] of [
    ['Anna', 'CASHIER'],
    ['Ben', 'MANAGER'],
    ['Dana', 'SUPPORT'],
  ] as const) {
    await addStaff(page, { name, role, pin: '1234' });
  }
  return { shop, close: () => printer.off() };
}

/** The last hour: what a POS does on such a day, well and not so well. */
async function trade(shop: Shop): Promise<void> {
  const { posUrl, posKey = '' } = shop.till.ready;
  const pos = createPos(posUrl, posKey);
  const order = (number: number) => `order-2026-${String(number).padStart(7, '0')}`;
  const lunch = await sellByPos(shop, 4800, { referenceId: order(2001), metadata: { table: '7', waiter: 'Anna' } });
  await pos.post('/v1/transaction/refund', {
    ...{ type: 'REFUND', amount: 1200, currency: 'EUR' },
    originalTransactionId: lunch,
  });
  await sellByPos(shop, 4500, { referenceId: order(2002) });
  await sellByPos(shop, 4500, { referenceId: order(2002) });
  for (const [amount, reference] of [
    [15_000, 'room-12'],
    [8_000, 'bicycle-3'],
  ] as const) {
    const hold = { type: 'PRE_AUTH', amount, currency: 'EUR', referenceId: reference };
    await pos.post('/v1/transaction/pre-auth', hold);
  }
  await sellUnknownByPos(shop, 3300, order(2003));
  await pos.post('/v1/transaction/sale', { type: 'SALE', amount: 2651, currency: 'EUR', referenceId: order(2004) });
  // Refused requests, for the list of the Integrations page.
  await pos.get('/v1/transaction/00000000-0000-4000-8000-000000000000');
  await createPos(posUrl, 'not-a-key').get('/v1/transactions');
  await sellByPos(shop, 12_80, { referenceId: order(2005), tipAmount: 120 });
}
