import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops } from '../support/console-shop.ts';
import { changeStaff } from '../support/console-staff.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

const card = (page: Page, name: string) => page.getByRole('region', { name });
const openSettings = (page: Page) => page.getByRole('link', { name: 'Settings' }).click();

async function addPerson(page: Page, name: string, role: string, pin: string): Promise<void> {
  await card(page, 'Staff').getByRole('button', { name: 'Add somebody' }).click();
  const form = page.getByRole('dialog', { name: 'Add somebody' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Role').selectOption(role);
  await form.getByLabel('PIN').fill(pin);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
}

describe('the Settings page', () => {
  it('saves each part by itself, keeps it over a reload, and says what waits for the next start', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await openSettings(page);
    const shopCard = card(page, 'Shop and receipts');
    expect(await shopCard.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await shopCard.getByLabel('Name of the shop').fill('Corner Café');
    await shopCard.getByLabel('Lines below the receipt').fill('Thank you');
    await shopCard.getByRole('button', { name: 'Save' }).click();
    await shopCard.getByText('Saved.').waitFor();
    const day = card(page, 'Business day');
    await day.getByLabel('A new day begins at').fill('04:00');
    await day.getByRole('button', { name: 'Save' }).click();
    await day.getByText('It holds from the next start of the till.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.reload();
    expect(await shopCard.getByLabel('Name of the shop').inputValue()).toBe('Corner Café');
    expect(await shopCard.getByLabel('Lines below the receipt').inputValue()).toBe('Thank you');
    expect(shop.complaints).toEqual([]);
  });

  it('keeps the staff: a new cashier signs in, and needs a manager’s PIN to change a setting', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await openSettings(page);
    await addPerson(page, 'Anna', 'CASHIER', '1111');
    await addPerson(page, 'Ben', 'MANAGER', '2222');
    await addPerson(page, 'Carla', 'CASHIER', '3333');
    const staff = card(page, 'Staff');
    await staff.getByRole('button', { name: 'Change Carla' }).click();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Has left the shop' }).click();
    await page.getByRole('button', { name: 'Yes, has left' }).click();
    await staff.getByRole('listitem').filter({ hasText: 'Carla' }).getByText('has left').waitFor();
    await changeStaff(page, 'Anna', '1111');
    const rules = card(page, 'Rules of this till');
    await rules.getByLabel('A manager approves above (EUR)').waitFor();
    expect(await card(page, 'Staff').count()).toBe(0);
    await rules.getByLabel('A manager approves above (EUR)').fill('20');
    await rules.getByRole('button', { name: 'Save' }).click();
    const approval = page.getByRole('dialog', { name: 'Change the settings' });
    await approval.getByLabel('Approved by').selectOption('Ben');
    await approval.getByLabel('PIN', { exact: true }).fill('9999');
    await approval.getByRole('button', { name: 'Approve' }).click();
    await approval.getByText('This PIN is not right. Try again.').waitFor();
    await approval.getByLabel('PIN', { exact: true }).fill('2222');
    await approval.getByRole('button', { name: 'Approve' }).click();
    await rules.getByText('Saved.').waitFor();
    expect(shop.complaints).toEqual([]);
  });
});
