// A sale that waits for its tip, captured at the console, by the books of till, host and acquirer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Demo } from '../../host/program/demo.ts';
import { accessibilityFindings } from '../support/accessibility.ts';
import { type ConsoleWindow, openConsole, signIn, startBrowser } from '../support/console-browser.ts';
import { temporaryFolder } from '../support/processes.ts';
import { openReaderShop, type ReaderShop } from '../support/reader-shop.ts';

const PROGRAMS_MS = 180_000;
const folder = temporaryFolder();
let shop: ReaderShop;
let browser: Browser;
let window: ConsoleWindow;

beforeAll(async () => {
  shop = await openReaderShop(folder.path);
  browser = await startBrowser();
  window = await openConsole(browser, shop.till().ready.consoleUrl ?? '');
}, PROGRAMS_MS);
afterAll(async () => {
  await window?.context.close();
  await browser?.close();
  await shop?.close();
  folder.remove();
}, PROGRAMS_MS);

async function allowTipsAfterwards(): Promise<void> {
  const { merchantId, secretKey } = JSON.parse(readFileSync(join(shop.dataDir, 'host', 'demo.json'), 'utf8')) as Demo;
  const url = `${shop.till().ready.hostUrl}/v1/staff/merchants/${merchantId}/terminal-tip-config`;
  const config = {
    ...{ enabled: true, presetBasisPoints: [], allowCustomAmount: true, postAuthAdjustEnabled: true },
    ...{ maxAmountMinor: 5_000, maxBasisPoints: 10_000, fixedAmountMinor: null, fixedAmountThresholdMinor: null },
  };
  const headers = { 'x-api-key': secretKey, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(config) });
  expect(answer.status, await answer.text()).toBe(200);
}

async function sell(amount: number): Promise<void> {
  await shop.reader.send('POST', '/card', { card: 'visa-chip' });
  const sale = { type: 'SALE', amount, currency: 'EUR', entryMode: 'CONTACT', tipAmount: 0 };
  const { body, text } = await shop.pos().post('/v1/transaction/sale', sale);
  expect(body, text).toMatchObject({ status: 'APPROVED', tipCapturePending: true });
}

it('sales that wait for their tip keep the day open, and are taken with and without one', {
  timeout: PROGRAMS_MS,
}, async () => {
  await allowTipsAfterwards();
  for (const amount of [10_000, 11_000, 12_000]) await sell(amount);
  const { page, complaints } = window;
  await signIn(page);
  await page.getByRole('link', { name: 'Day' }).click();
  await page.getByRole('heading', { name: 'Sales that wait for their tip' }).waitFor();
  await page.getByRole('heading', { name: '3 things are open.' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFindings(page)).toEqual([]);
  }
  // By the keyboard alone: amount, Enter.
  await page.getByRole('textbox', { name: 'Tip for €100.00' }).focus();
  await page.keyboard.type('15.00');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '2 things are open.' }).waitFor();
  await page.getByRole('textbox', { name: 'Tip for €110.00' }).fill('60');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('This tip is larger than the shop allows.').waitFor();
  await page.getByRole('button', { name: 'Take all 2 without a tip' }).click();
  await page.getByText('Nothing is open. The day can be closed.').waitFor();
  const { journal, host, acquirer } = await shop.books();
  expect(host).toEqual(journal);
  expect(acquirer).toEqual(journal);
  const { body } = await shop.pos().get('/v1/reconciliation/totals');
  expect(body).toMatchObject({ totals: { saleCount: 3, saleAmount: 34_500 } });
  expect(complaints).toEqual([]);
});
