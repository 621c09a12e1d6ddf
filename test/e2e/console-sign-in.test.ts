import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { signIn } from '../support/console-browser.ts';
import { createShops } from '../support/console-shop.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

describe('the first sign-in of a training till', () => {
  it('needs nothing but the PIN that the page names; a wrong one is told beside the field', async () => {
    const { page } = await shops.open();
    await page.getByText('Training: no real money moves.').waitFor();
    await page.getByText('For training: the PIN of Training is 0000.').waitFor();
    await signIn(page, '9999');
    await page.getByText('This PIN is not right. Try again.').waitFor();
    await signIn(page);
    await page.getByRole('button', { name: /^Charge/ }).waitFor();
    await page.getByRole('button', { name: /Training \(administrator\)/ }).waitFor();
  });

  it('works on the keys of the page, and ends with Sign out', async () => {
    const { page } = await shops.open();
    const pad = page.getByRole('group', { name: 'PIN keys' });
    for (let press = 0; press < 4; press += 1) await pad.getByRole('button', { name: '0', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /Training \(administrator\)/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('PIN of Training').waitFor();
  });

  it('is in the language that one chooses there, and stays in it', async () => {
    const { page } = await shops.open();
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByText('Training: Es fließt kein echtes Geld.').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.reload();
    await page.getByLabel('PIN von Training').fill('0000');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /kassieren$/ }).waitFor();
    await page.keyboard.type('1250');
    await expect
      .poll(async () => ((await page.getByTestId('amount').textContent()) ?? '').replace(/\s/, ' '))
      .toBe('12,50 €');
  });
});

describe('the first start of a till with a real terminal', () => {
  it('makes its first administrator, who can sell at once; an unknown result forbids another charge, and the same reference is asked about first', async () => {
    const { page, control } = await shops.open({ till: [] });
    await page.getByText('Welcome. Who runs this till?').waitFor();
    await page.getByLabel('Your name').fill('Anna');
    await page.getByLabel('PIN of 4 to 8 digits').fill('4711');
    await page.getByLabel('The same PIN again').fill('4712');
    await page.getByText('The two PINs are not the same.').waitFor();
    await page.getByLabel('The same PIN again').fill('4711');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Anna \(administrator\)/ }).waitFor();

    await control.send('POST', '/next', { rule: 'decline-68' });
    await page.keyboard.type('2500');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Reference').fill('order-1');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Charge/ }).click();
    await page.getByTestId('result').filter({ hasText: 'Result unknown. Do not charge again.' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByText('The terminal cannot tell.').waitFor();

    await page.getByRole('button', { name: 'New sale' }).click({ delay: 500 });
    await page.keyboard.type('2500');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Reference').fill('order-1');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Charge/ }).click();
    await page.getByText('A payment with reference order-1 may already be charged.').waitFor();
    await page.getByRole('button', { name: 'Do not charge' }).click({ delay: 500 });
    await page.getByRole('button', { name: /^Charge/ }).click();
    await page.getByRole('button', { name: 'Charge anyway' }).click({ delay: 500 });
    await page.getByTestId('result').filter({ hasText: 'Paid €25.00' }).waitFor();
    expect((await control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 2500 });
  });
});
