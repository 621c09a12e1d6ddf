import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { sellByPos } from '../support/console-pos.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import { startVirtualPrinter, type VirtualPrinter } from '../support/virtual-printer.ts';

const shops = createShops();
let printer: VirtualPrinter | undefined;
afterEach(async () => {
  await shops.close();
  await printer?.off();
});
afterAll(() => shops.end());

/** A shop with a printer on the network, set up in Settings as a person does. */
async function openShop(autoPrint: string): Promise<{ shop: Shop; device: VirtualPrinter }> {
  const device = await startVirtualPrinter();
  printer = device;
  const shop = await shops.open();
  const { page } = shop;
  await signIn(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Add a printer' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Counter');
  await form.getByLabel('Address').fill(device.url);
  await form.getByLabel('Print after each payment').selectOption(autoPrint);
  expect(await accessibilityFindings(page)).toEqual([]);
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Test print on Counter' }).click();
  await page.getByText('Printed.').waitFor();
  expect(device.pieces).toHaveLength(1);
  return { shop, device };
}

async function openReceipt(page: Page, reference: string): Promise<void> {
  await page.getByRole('link', { name: /^Activity/ }).click();
  await page.getByRole('option').filter({ hasText: reference }).click();
  await page.getByRole('dialog').getByTestId('receipt').waitFor();
}

describe('printing', () => {
  it('puts both copies on paper, marks the second print of one as a duplicate, and saves it as PDF', async () => {
    const { shop, device } = await openShop('NONE');
    const { page } = shop;
    await sellByPos(shop, 1250, { referenceId: 'order-1' });
    await openReceipt(page, 'order-1');
    const dialog = page.getByRole('dialog');
    const print = dialog.getByRole('button', { name: 'Print on the receipt printer' });
    await print.click();
    await expect.poll(() => device.pieces.length).toBe(2);
    await dialog.getByText('Shop', { exact: true }).click();
    await print.click();
    await expect.poll(() => device.pieces.length).toBe(3);
    const [, customer = '', merchant = ''] = device.pieces;
    expect(customer).toMatch(/TRAINING[\s\S]*CUSTOMER COPY/i);
    expect(merchant).toMatch(/MERCHANT COPY/i);
    expect(`${customer}${merchant}`).not.toContain('DUPLICATE');
    await dialog.getByText('Printed.').waitFor();
    await print.click();
    await expect.poll(() => device.pieces[3] ?? '').toMatch(/DUPLICATE/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save as PDF' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^receipt-.*-merchant\.pdf$/);
    expect(
      readFileSync(await file.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(device.strange).toEqual([]);
    expect(shop.complaints).toEqual([]);
  });

  it('never holds up a payment: a printer that is off becomes a thing to attend to, and prints when it is back', async () => {
    const { shop, device } = await openShop('CARDHOLDER');
    const { page } = shop;
    device.behave('NO_PAPER');
    await sellByPos(shop, 800, { referenceId: 'order-2' });
    expect((await shop.control.book()).standing.charges.sumMinor).toBe(800);
    await page.getByRole('link', { name: /^Attention/ }).click();
    await page.getByText('The printer has no paper.').waitFor();
    await page.getByText('Not printed', { exact: true }).waitFor({ timeout: 60_000 });
    expect(await accessibilityFindings(page)).toEqual([]);
    device.behave('WELL');
    await page.getByRole('button', { name: 'Print again' }).click();
    await expect.poll(() => device.pieces.length).toBe(2);
    await page.getByText('Nothing needs you.').waitFor();
    expect(device.pieces[1]).not.toContain('DUPLICATE');
    expect(shop.complaints).toEqual([]);
  });
});
