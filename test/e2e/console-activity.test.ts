import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { sellByPos } from '../support/console-pos.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import { addStaff, changeStaff } from '../support/console-staff.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

/** A till in training with somebody signed in. */
async function openShop(): Promise<Shop> {
  const shop = await shops.open();
  await signIn(shop.page);
  await shop.page.getByRole('button', { name: /^Charge/ }).waitFor();
  return shop;
}

const rows = (page: Page) => page.getByRole('listbox', { name: 'Activity' }).getByRole('option');
const searchField = (page: Page) => page.getByRole('textbox', { name: 'Search' });
const openActivity = (page: Page) => page.getByRole('link', { name: /^Activity/ }).click();

async function openPayment(page: Page, words: string | RegExp): Promise<void> {
  await openActivity(page);
  await rows(page).filter({ hasText: words }).click();
  await page.getByRole('dialog').waitFor();
}

async function standing(shop: Shop): Promise<{ charges: number; refunds: number }> {
  const { charges, refunds } = (await shop.control.book()).standing;
  return { charges: charges.sumMinor, refunds: refunds.sumMinor };
}

describe('the list of activity', () => {
  it('finds a payment as one types, by reference, amount and last four digits', async () => {
    const shop = await openShop();
    const { page } = shop;
    await sellByPos(shop, 1250, { referenceId: 'order-1' });
    await sellByPos(shop, 8000, { referenceId: 'table-7' });
    await openActivity(page);
    await rows(page).filter({ hasText: 'order-1' }).waitFor();
    expect(await rows(page).count()).toBe(2);
    for (const [typed, found] of [
      ['tab', 'table-7'],
      ['12.50', 'order-1'],
    ] as const) {
      await searchField(page).fill(typed);
      // The rows of the search before stay in sight until those of this one are there.
      await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining(found)]);
    }
    await searchField(page).fill('0119');
    await expect.poll(() => rows(page).count()).toBe(2);
    await searchField(page).fill('nothing of this kind');
    await page.getByText('Nothing fits this search.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(shop.complaints).toEqual([]);
  });

  it('is used by the keyboard alone: search, move, open, close', async () => {
    const shop = await openShop();
    const { page } = shop;
    await sellByPos(shop, 1100, { referenceId: 'first' });
    await sellByPos(shop, 2200, { referenceId: 'second' });
    await openActivity(page);
    await rows(page).first().waitFor();
    await page.keyboard.press('/');
    await expect.poll(() => searchField(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('€11.00').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('€22.00').first().waitFor();
  });

  it('carries what is searched in its address: the rail clears it, and Back brings it again', async () => {
    const shop = await openShop();
    const { page } = shop;
    await sellByPos(shop, 1100, { referenceId: 'first' });
    await sellByPos(shop, 2200, { referenceId: 'second' });
    await openActivity(page);
    await expect.poll(() => rows(page).count()).toBe(2);
    await searchField(page).pressSequentially('second');
    await expect.poll(() => rows(page).count()).toBe(1);
    await expect.poll(() => page.url()).toContain('q=second');
    await page.getByRole('link', { name: 'Activity' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(await searchField(page).inputValue()).toBe('');
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await searchField(page).inputValue()).toBe('second');
    expect(shop.complaints).toEqual([]);
  });

  it('shows whose payments one asks for, also after a reload', async () => {
    const shop = await openShop();
    const { page } = shop;
    await addStaff(page, { name: 'Anna', role: 'CASHIER', pin: '1111' });
    await sellByPos(shop, 8000, { referenceId: 'table-7' });
    await page.reload();
    await changeStaff(page, 'Anna', '1111');
    await page.getByRole('button', { name: /^Charge/ }).waitFor();
    await page.keyboard.type('1250');
    await page.keyboard.press('Enter');
    await page.getByTestId('result').filter({ hasText: 'Paid €12.50' }).waitFor();
    await openActivity(page);
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByLabel('By', { exact: true }).selectOption('Anna');
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).first().textContent()).toMatch(/€12\.50[\s\S]*Anna|Anna[\s\S]*€12\.50/);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(1);
    await rows(page).first().click();
    await page.getByRole('dialog').getByText('Begun by Anna').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(shop.complaints).toEqual([]);
  });

  it('keeps what is new above it until it is asked for, so that nothing moves', async () => {
    const shop = await openShop();
    const { page } = shop;
    await sellByPos(shop, 1100, { referenceId: 'first' });
    await openActivity(page);
    await rows(page).first().waitFor();
    await sellByPos(shop, 2200, { referenceId: 'second' });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await rows(page).count()).toBe(1);
    await page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(() => rows(page).first().textContent()).toContain('second');
    await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' });
  });
});

describe('the detail of a payment', () => {
  it('has an address of its own, with what happened and the terminal’s own receipt, marked as a duplicate', async () => {
    const shop = await openShop();
    const { page } = shop;
    const id = await sellByPos(shop, 1250, { referenceId: 'order-1', metadata: { table: '7' } });
    await openPayment(page, 'order-1');
    expect(page.url()).toContain(id);
    await page.reload();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The terminal waits for the card').waitFor();
    const receipt = dialog.getByTestId('receipt');
    expect(await receipt.textContent()).toMatch(/duplicate.*CUSTOMER COPY/i);
    await dialog.getByText('Shop', { exact: true }).click();
    await expect.poll(() => receipt.textContent()).toMatch(/MERCHANT COPY/i);
    expect(await dialog.getByText('table').textContent()).toBe('table');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByTestId('receipt').last().isVisible()).toBe(true);
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    expect(await accessibilityFindings(page)).toEqual([]);
  });
});

describe('giving money back', () => {
  it('gives half back as a refund and then the rest, each once in the terminal’s book', async () => {
    const shop = await openShop();
    const { page } = shop;
    await sellByPos(shop, 1250, { referenceId: 'order-1' });
    await openPayment(page, 'order-1');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Give money back' }).click();
    await dialog.getByText('A part', { exact: true }).click();
    await dialog.getByLabel('Amount in EUR').fill('20');
    await dialog.getByText('This is not an amount that can be given back.').waitFor();
    await dialog.getByLabel('Amount in EUR').fill('6.25');
    await dialog.getByText('€6.25 can still be given back later.').waitFor();
    await dialog.getByRole('button', { name: 'Give back €6.25' }).dblclick();
    await dialog.getByTestId('give-back-result').filter({ hasText: '€6.25 given back.' }).waitFor();
    expect(await standing(shop)).toEqual({ charges: 1250, refunds: 625 });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByRole('button', { name: 'Give money back' }).click();
    await dialog.getByText('A part was given back before').waitFor();
    await dialog.getByRole('button', { name: 'Give back €6.25' }).click();
    await dialog.getByTestId('give-back-result').waitFor();
    expect(await standing(shop)).toEqual({ charges: 1250, refunds: 1250 });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByText('Nothing is left: everything was given back.').waitFor();
  });

  it('begun before a reload is asked for under its own key, and gives nothing back a second time', async () => {
    const shop = await openShop();
    const { page } = shop;
    await sellByPos(shop, 1250, { referenceId: 'order-1' });
    await openPayment(page, 'order-1');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Give money back' }).click();
    await dialog.getByText('A part', { exact: true }).click();
    await dialog.getByLabel('Amount in EUR').fill('6.25');
    await shop.control.arm('slow');
    await dialog.getByRole('button', { name: 'Give back €6.25' }).click();
    await page.getByText('TRAINING-1 · busy').waitFor();
    await page.reload();
    await dialog.getByText(/^Giving back €6\.25 was begun here, and its answer was not seen\./).waitFor();
    expect(await dialog.getByRole('button', { name: /^Give back/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Ask again' }).click();
    await dialog.getByTestId('give-back-result').filter({ hasText: '€6.25 given back.' }).waitFor({ timeout: 60_000 });
    expect(await standing(shop)).toEqual({ charges: 1250, refunds: 625 });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await dialog.getByRole('button', { name: 'Give money back' }).waitFor();
    expect(shop.complaints).toEqual([]);
  });

  it('takes an unsettled payment back as a whole, and says why', async () => {
    const shop = await openShop();
    const { page } = shop;
    await sellByPos(shop, 9900, { referenceId: 'order-1' });
    await openPayment(page, 'order-1');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Give money back' }).click();
    await dialog.getByText('The day is still open').waitFor();
    await dialog.getByRole('button', { name: 'Give back €99.00' }).click();
    await dialog.getByTestId('give-back-result').filter({ hasText: '€99.00 given back.' }).waitFor();
    expect(await standing(shop)).toEqual({ charges: 0, refunds: 0 });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByText('Nothing is left: this was taken back.').waitFor();
  });

  it('asks a cashier for a manager’s PIN above the limit, and records who approved', async () => {
    const shop = await openShop();
    const { page } = shop;
    await addStaff(page, { name: 'Anna', role: 'CASHIER', pin: '1111' });
    await addStaff(page, { name: 'Ben', role: 'MANAGER', pin: '2222' });
    await sellByPos(shop, 9900, { referenceId: 'order-1' });
    await page.reload();
    await changeStaff(page, 'Anna', '1111');
    await openPayment(page, 'order-1');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Give money back' }).click();
    await dialog.getByText('A part', { exact: true }).click();
    await dialog.getByLabel('Amount in EUR').fill('60');
    await dialog.getByRole('button', { name: 'Give back €60.00' }).click();
    const approval = page.getByRole('dialog', { name: 'Give back €60.00' });
    await approval.getByLabel('Approved by').selectOption('Ben');
    await approval.getByLabel('PIN', { exact: true }).fill('9999');
    await approval.getByRole('button', { name: 'Approve' }).click();
    await approval.getByText('This PIN is not right. Try again.').waitFor();
    expect(await standing(shop)).toEqual({ charges: 9900, refunds: 0 });
    await approval.getByLabel('PIN', { exact: true }).fill('2222');
    await approval.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByTestId('give-back-result').filter({ hasText: '€60.00 given back.' }).waitFor();
    expect(await standing(shop)).toEqual({ charges: 9900, refunds: 6000 });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '1 new' }).click();
    await rows(page)
      .filter({ hasText: 'Anna approved by Ben' })
      .or(rows(page).filter({ hasText: '€60.00' }))
      .first()
      .click();
    await page.getByText('Begun by Anna approved by Ben').waitFor();
  });
});

describe('the page of activity', () => {
  it('has nothing that axe finds, in light and dark', async () => {
    const shop = await openShop();
    await sellByPos(shop, 1250, { referenceId: 'order-1' });
    await sellByPos(shop, 2051);
    await openActivity(shop.page);
    await rows(shop.page).first().waitFor();
    expect(await accessibilityFindings(shop.page)).toEqual([]);
  });
});
