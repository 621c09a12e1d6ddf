import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops, type Shop } from '../support/console-shop.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

async function openShop(...terminal: string[]): Promise<Shop> {
  const shop = await shops.open({ terminal });
  await signIn(shop.page);
  await shop.page.getByRole('button', { name: /^Charge/ }).waitFor();
  return shop;
}

async function fromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function expectResult(page: Page, words: string): Promise<void> {
  await page.getByTestId('result').filter({ hasText: words }).waitFor();
}

async function hold(page: Page, digits: string, words: string): Promise<void> {
  await fromMenu(page, 'Hold an amount');
  await page.getByText('A hold, not a sale').waitFor();
  await page.keyboard.type(digits);
  await page.getByRole('button', { name: `Hold ${words}` }).click();
  await expectResult(page, `Held ${words}`);
  await page.getByRole('button', { name: 'New sale' }).click({ delay: 500 });
}

async function chargedMinor(shop: Shop): Promise<number> {
  return (await shop.control.book()).standing.charges.sumMinor;
}

describe('a hold', () => {
  it('is completed in part, once, and charges what was completed', async () => {
    const shop = await openShop();
    const { page } = shop;
    await hold(page, '5000', '€50.00');
    await fromMenu(page, 'Open holds');
    const panel = page.getByRole('dialog', { name: 'Open holds' });
    await panel.getByRole('listitem').filter({ hasText: '€50.00' }).getByText('6 days left').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('Up to €50.00 held').waitFor();
    for (let digit = 0; digit < 4; digit += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('3000');
    await page.getByRole('button', { name: 'Complete with €30.00' }).dblclick();
    await expectResult(page, 'Paid €30.00');
    expect(await chargedMinor(shop)).toBe(3000);
    await page.getByRole('button', { name: 'New sale' }).click({ delay: 500 });
    await fromMenu(page, 'Open holds');
    await panel.getByText('Nothing is held.').waitFor();
    expect(shop.complaints).toEqual([]);
  });

  it('is released after a second press, and charges nothing', async () => {
    const shop = await openShop();
    const { page } = shop;
    await hold(page, '8000', '€80.00');
    await fromMenu(page, 'Open holds');
    const panel = page.getByRole('dialog', { name: 'Open holds' });
    await panel.getByRole('button', { name: 'Release' }).click();
    await panel.getByText('€80.00 becomes free again. Nothing is charged.').waitFor();
    await panel.getByRole('button', { name: 'Release it' }).click();
    await expectResult(page, 'Released. Nothing is charged.');
    expect(await chargedMinor(shop)).toBe(0);
  });
});

describe('the card of a customer', () => {
  it('is read, and moves no money', async () => {
    const shop = await openShop();
    await fromMenu(shop.page, 'Read a card');
    await expectResult(shop.page, 'Card read');
    expect(await chargedMinor(shop)).toBe(0);
    expect(shop.complaints).toEqual([]);
  });
});

describe('a second window', () => {
  it('sees the sale of the first as busy, and can show it or abort it', async () => {
    const shop = await openShop('--manual');
    const { page } = shop;
    await page.keyboard.type('800');
    await page.keyboard.press('Enter');
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    const second = await page.context().newPage();
    await second.goto(`${new URL(page.url()).origin}/`);
    await second.getByText('TRAINING-1 · busy').waitFor();
    await second.keyboard.type('1000');
    await second.keyboard.press('Enter');
    await expectResult(second, 'TRAINING-1 is still working on €8.00.');
    await second.getByRole('button', { name: 'Show it' }).click();
    await second.getByRole('dialog').getByText('€8.00').first().waitFor();
    await second.keyboard.press('Escape');
    await second.getByRole('link', { name: 'Sell' }).click();
    await second.getByRole('button', { name: 'Abort it' }).click({ delay: 500 });
    await expectResult(page, 'Cancelled. Nothing was charged.');
    expect(await chargedMinor(shop)).toBe(0);
  });
});
