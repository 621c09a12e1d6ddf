import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { sellByPos, sellUnknownByPos } from '../support/console-pos.ts';
import { createShops } from '../support/console-shop.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

describe('the inbox', () => {
  it('shows a payment of unknown result until a person says what became of it', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    const id = await sellUnknownByPos(shop, 3300, 'order-5');
    await page
      .getByRole('link', { name: /Attention/ })
      .filter({ hasText: '1' })
      .click();
    const card = page.getByRole('article').filter({ hasText: 'order-5' });
    await card.getByText('Result unknown. Do not charge again.').waitFor();
    await card.getByText('Needs you').waitFor();
    await card.getByText('The bank answered that it does not know.').waitFor();
    expect(await card.textContent()).not.toContain('The issuer answered 68');
    await card.getByRole('button', { name: 'Technical details' }).click();
    expect(await card.textContent()).toContain('The issuer answered 68');
    expect(await accessibilityFindings(page)).toEqual([]);
    await card.getByRole('button', { name: 'Resolve', exact: true }).click();
    const record = card.getByRole('button', { name: 'Record this answer' });
    expect(await record.isDisabled()).toBe(true);
    await card.getByLabel('No money moved').check();
    await card.getByLabel('What do you know it from?').fill('The acquirer on the phone');
    await record.click();
    await page.getByText('Nothing needs you.').waitFor();
    await page.goto(`${new URL(page.url()).origin}/#/activity/${id}`);
    await page.getByRole('dialog').getByText('Not done').first().waitFor();
    await page
      .getByRole('dialog')
      .getByText(/The acquirer on the phone/)
      .first()
      .waitFor();
    expect(shop.complaints).toEqual([]);
  });

  it('shows two charged sales of one reference, and leads to the one too many', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await sellByPos(shop, 4500, { referenceId: 'order-4' });
    const later = await sellByPos(shop, 4500, { referenceId: 'order-4' });
    await page.getByRole('link', { name: /Attention/ }).click();
    await page.getByText('Two paid sales carry the reference order-4.').waitFor();
    await page.getByRole('button', { name: 'Show the later one' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Give money back' }).click();
    expect(page.url()).toContain(later);
    await page.getByRole('button', { name: 'Give back €45.00' }).click();
    await page.getByTestId('give-back-result').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /Attention/ }).click();
    await page.getByText('Nothing needs you.').waitFor();
  });
});
