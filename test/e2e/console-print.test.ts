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

const manyPrintsTimeoutMs = 180_000;

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

  it(
    'puts the day so far, the day just closed and an earlier one on paper, and saves them as PDF, each with the journal’s hash',
    async () => {
      const { shop, device } = await openShop('NONE');
      const { page } = shop;
      await sellByPos(shop, 1250);
      await page.getByRole('link', { name: 'Day' }).click();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('X report: the day so far').first().waitFor();
      const onScreen = await hashOn(page);
      await print(page);
      await expect.poll(() => device.pieces.length).toBe(2);
      expect(paperOf(device, 1)).toMatch(/X report[\s\S]*EUR 12\.50/);
      expect(paperOf(device, 1).replaceAll(/\s/g, '')).toContain(onScreen);
      expect(await savePdf(page)).toBe('x-report.pdf');
      expect(await accessibilityFindings(page)).toEqual([]);

      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Close the day' }).click();
      await page.getByRole('main').getByText('Z report No. 1').waitFor();
      const closedWith = await hashOn(page);
      await print(page);
      await expect.poll(() => device.pieces.length).toBe(3);
      expect(paperOf(device, 2)).toMatch(/Z report No. 1[\s\S]*EUR 12\.50/);
      expect(paperOf(device, 2).replaceAll(/\s/g, '')).toContain(closedWith);
      expect(await savePdf(page)).toMatch(/^z-report-.*-1-.*\.pdf$/);
      expect(await accessibilityFindings(page)).toEqual([]);

      await page.getByRole('button', { name: 'Back to the day' }).click();
      await page.getByRole('listitem').filter({ hasText: '€12.50' }).getByRole('button').click();
      await page.getByRole('main').getByText('Z report No. 1').waitFor();
      // What the page hands to the system's printer is the report, and nothing else.
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('main').isVisible()).toBe(false);
      expect(await page.getByText(closedWith).last().isVisible()).toBe(true);
      await page.emulateMedia({ media: 'screen' });
      await print(page);
      await expect.poll(() => device.pieces.length).toBe(4);
      expect(paperOf(device, 3)).toBe(paperOf(device, 2));
      expect(device.strange).toEqual([]);
      expect(shop.complaints).toEqual([]);
    },
    manyPrintsTimeoutMs,
  );

  it(
    'keeps a report that the printer could not print under Attention, and prints it from there',
    async () => {
      const { shop, device } = await openShop('NONE');
      const { page } = shop;
      await sellByPos(shop, 700);
      await page.getByRole('link', { name: 'Day' }).click();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Close the day' }).click();
      await page.getByRole('main').getByText('Z report No. 1').waitFor();
      device.behave('COVER_OPEN');
      await print(page);
      await page.getByText('The printer’s cover is open.').first().waitFor();
      await page.getByRole('link', { name: /Attention/ }).click();
      await page.getByRole('heading', { name: /^Z report from .*: not printed$/ }).waitFor();
      await page.getByText('Not printed', { exact: true }).waitFor({ timeout: 60_000 });
      device.behave('WELL');
      await page.getByRole('button', { name: 'Print again' }).click();
      await page.getByText('Nothing needs you.').waitFor();
      expect(paperOf(device, 1)).toContain('Z report No. 1');
      expect(shop.complaints).toEqual([]);
    },
    manyPrintsTimeoutMs,
  );
});

const print = (page: Page) => page.getByRole('button', { name: 'Print on the receipt printer' }).click();
const paperOf = (device: VirtualPrinter, piece: number) => device.pieces[piece] ?? '';

/** The journal's hash as it stands at the foot of the report. */
async function hashOn(page: Page): Promise<string> {
  const found = /[0-9a-f]{64}/.exec((await page.getByRole('main').textContent()) ?? '');
  return found?.[0] ?? 'no hash';
}

/** Saves what is shown as PDF; answers the name that the browser gives it. */
async function savePdf(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as PDF' }).click(),
  ]);
  expect(readFileSync(await file.path()).toString('latin1')).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
  return file.suggestedFilename();
}
