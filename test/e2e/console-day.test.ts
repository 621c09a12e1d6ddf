import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { sellByPos, sellUnknownByPos } from '../support/console-pos.ts';
import { createShops } from '../support/console-shop.ts';
import { addStaff, changeStaff } from '../support/console-staff.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

const openDay = (page: Page) => page.getByRole('link', { name: 'Day' }).click();
const next = (page: Page) => page.getByRole('button', { name: 'Next' });

describe('the day close', () => {
  it('goes from what is open over the totals to a numbered report that holds both sides and the journal’s head', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await sellByPos(shop, 1250);
    await sellByPos(shop, 8000);
    await openDay(page);
    await page.getByText('Nothing is open. The day can be closed.').waitFor();
    await next(page).click();
    await expect.poll(() => page.getByTestId('net').first().textContent()).toBe('€92.50');
    expect(await accessibilityFindings(page)).toEqual([]);
    await next(page).click();
    await page.getByText('2 sales, net €92.50.').waitFor();
    await page.getByRole('button', { name: 'Close the day' }).dblclick();
    const report = page.getByRole('main').getByRole('article');
    await report.getByText('Z report No. 1').waitFor();
    await report.getByText('Journal and terminal agree.').waitFor();
    expect(await report.textContent()).toMatch(/[0-9a-f]{64}/);
    expect(await report.getByRole('row').filter({ hasText: 'Visa' }).textContent()).toBe('Visa2€92.502€92.50');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('main').isVisible()).toBe(false);
    expect(await page.getByText('Z report No. 1').last().isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Back to the day' }).click();
    await page.getByRole('listitem').filter({ hasText: '€92.50' }).getByRole('button').click();
    await report.getByText('Z report No. 1').waitFor();
    expect(shop.complaints).toEqual([]);
  });

  it('is not possible while something is open, and leads to where it is resolved', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await sellUnknownByPos(shop, 3300, 'order-5');
    await openDay(page);
    await page.getByRole('heading', { name: '1 thing is open.' }).waitFor();
    await next(page).click();
    expect(await next(page).isDisabled()).toBe(true);
    await page.getByRole('button', { name: /What is open/ }).click();
    await page.getByRole('button', { name: 'Resolve it' }).click();
    await page.getByRole('heading', { name: 'Attention' }).waitFor();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByLabel('No money moved').check();
    await page.getByLabel('What do you know it from?').fill('The receipt');
    await page.getByRole('button', { name: 'Record this answer' }).click();
    await page.getByText('Nothing needs you.').waitFor();
    await openDay(page);
    await page.getByText('Nothing is open. The day can be closed.').waitFor();
  });

  it('needs a manager’s PIN when a cashier closes, and names both in the report', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await page.getByRole('button', { name: /^Charge/ }).waitFor();
    await addStaff(page, { name: 'Anna', role: 'CASHIER', pin: '1111' });
    await addStaff(page, { name: 'Ben', role: 'MANAGER', pin: '2222' });
    await sellByPos(shop, 1250);
    await page.reload();
    await changeStaff(page, 'Anna', '1111');
    await openDay(page);
    await next(page).click();
    await next(page).click();
    await page.getByRole('button', { name: 'Close the day' }).click();
    const approval = page.getByRole('dialog', { name: 'Close the day' });
    await approval.getByLabel('Approved by').selectOption('Ben');
    await approval.getByLabel('PIN', { exact: true }).fill('2222');
    await approval.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('main').getByText('Z report No. 1').waitFor();
    await page.getByRole('main').getByText('Anna approved by Ben').waitFor();
  });
});
