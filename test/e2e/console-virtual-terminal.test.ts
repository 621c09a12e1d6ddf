import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops, type Shop } from '../support/console-shop.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

/** A terminal that waits for a person, and somebody signed in at the Sell page. */
async function openShop(): Promise<Shop> {
  const shop = await shops.open({ terminal: ['--manual'] });
  await signIn(shop.page);
  await drawn(shop.page).waitFor();
  return shop;
}

const drawn = (page: Page) => page.getByRole('region', { name: 'Virtual terminal' });
const display = (page: Page) => page.getByTestId('terminal-display');

async function charge(page: Page, digits: string): Promise<void> {
  await page.keyboard.type(digits);
  await page.getByRole('button', { name: /^Charge/ }).press('Enter');
  await display(page).filter({ hasText: 'Insert or tap card' }).waitFor();
}

async function standing(shop: Shop): Promise<{ count: number; sumMinor: number }> {
  const { count, sumMinor } = (await shop.control.book()).standing.charges;
  return { count, sumMinor };
}

describe('the drawn terminal', () => {
  it('takes a card, a PIN and the card back, all by the mouse', async () => {
    const shop = await openShop();
    const { page } = shop;
    await charge(page, '1250');
    await page.getByRole('button', { name: /^Visa, chip and PIN/ }).click();
    await display(page).filter({ hasText: 'Enter PIN' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    for (const key of ['1', '2', '3', '4']) await drawn(page).getByRole('button', { name: key, exact: true }).click();
    await display(page).filter({ hasText: '****' }).waitFor();
    await drawn(page).getByRole('button', { name: 'OK' }).click();
    await drawn(page).getByRole('button', { name: 'Take the card out' }).click();
    await page.getByTestId('result').filter({ hasText: 'Paid €12.50' }).waitFor();
    expect(await standing(shop)).toEqual({ count: 1, sumMinor: 1250 });
    expect(shop.complaints).toEqual([]);
  });

  it('is used by the keyboard alone: the PIN is typed where the card was shown', async () => {
    const shop = await openShop();
    const { page } = shop;
    await charge(page, '990');
    await page.getByRole('button', { name: /^Visa, chip and PIN/ }).focus();
    await page.keyboard.press('Enter');
    await display(page).filter({ hasText: 'Enter PIN' }).waitFor();
    await page.keyboard.type('1234');
    await display(page).filter({ hasText: '****' }).waitFor();
    await page.keyboard.press('Enter');
    await drawn(page).getByRole('button', { name: 'Take the card out' }).press('Enter');
    await page.getByTestId('result').filter({ hasText: 'Paid €9.90' }).waitFor();
    expect(await standing(shop)).toEqual({ count: 1, sumMinor: 990 });
  });

  it('plays what was chosen for the next payment, and nothing is charged', async () => {
    const shop = await openShop();
    const { page } = shop;
    await page.getByRole('link', { name: 'Terminals' }).click();
    await page.getByLabel('The next payment').selectOption({ label: 'Declined: not enough money' });
    await expect.poll(async () => (await shop.control.state()).armed).toMatchObject({ rule: 'decline-51' });
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sell' }).click();
    await charge(page, '500');
    await page.getByRole('button', { name: /^Visa, contactless/ }).click();
    await page.getByTestId('result').filter({ hasText: 'Not accepted. Ask for another card.' }).waitFor();
    expect(await standing(shop)).toEqual({ count: 0, sumMinor: 0 });
    expect(shop.complaints).toEqual([]);
  });
});
