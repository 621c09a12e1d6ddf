import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { signIn } from '../support/console-browser.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import { createPos } from '../support/pos.ts';
import { endProgram } from '../support/processes.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

/** A till in training, and somebody signed in at the Sell page. */
async function openShop(...terminal: string[]): Promise<Shop> {
  const shop = await shops.open({ terminal });
  await signIn(shop.page);
  await charge(shop.page).waitFor();
  return shop;
}

const result = (page: Page) => page.getByTestId('result');
const charge = (page: Page) => page.getByRole('button', { name: /^Charge/ });

/** Waits until the page tells the result in these words. */
async function expectResult(page: Page, words: string | RegExp): Promise<void> {
  await result(page).filter({ hasText: words }).waitFor();
}

async function standingCharges(shop: Shop): Promise<{ count: number; sumMinor: number }> {
  const { count, sumMinor } = (await shop.control.book()).standing.charges;
  return { count, sumMinor };
}

describe('a sale', () => {
  it('is typed, charged with Enter, and told in one sentence with the receipt beside it', async () => {
    const shop = await openShop();
    const { page } = shop;
    await page.keyboard.type('1250');
    await expect.poll(() => page.getByTestId('amount').textContent()).toBe('€12.50');
    await page.keyboard.press('Enter');
    await expectResult(page, 'Paid €12.50 · Visa ••• 0119');
    expect(await page.getByRole('article', { name: 'Receipt' }).textContent()).toContain('Training: no payment');
    expect(await standingCharges(shop)).toEqual({ count: 1, sumMinor: 1250 });
    expect(shop.complaints).toEqual([]);
  });

  it('is pressed on the keypad, with a tip and a reference out of the options', async () => {
    const shop = await openShop();
    const { page } = shop;
    const pad = page.getByRole('group', { name: 'Keys for the amount' });
    for (const key of ['2', '0', '00', '5']) await pad.getByRole('button', { name: key, exact: true }).click();
    await pad.getByRole('button', { name: 'Delete the last digit' }).click();
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Tip (EUR)').fill('1,5');
    await page.getByLabel('Reference').fill('table 7');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('with €1.50 tip · reference table 7').waitFor();
    await charge(page).filter({ hasText: '€21.50' }).click();
    await expectResult(page, 'Paid €21.50');
    expect(await standingCharges(shop)).toEqual({ count: 1, sumMinor: 2150 });
  });

  it('that the bank declines asks for another card, and is tried again with one more press', async () => {
    const shop = await openShop();
    const { page } = shop;
    await page.keyboard.type('1051');
    await page.keyboard.press('Enter');
    await expectResult(page, 'Not accepted. Ask for another card.');
    expect(await standingCharges(shop)).toEqual({ count: 0, sumMinor: 0 });
    await page.getByRole('button', { name: 'Try again' }).click({ delay: 500 });
    await page.getByTestId('running').waitFor();
    await expectResult(page, 'Not accepted. Ask for another card.');
  });

  it('that is stopped at the terminal says that nothing was charged', async () => {
    const shop = await openShop('--manual');
    const { page } = shop;
    await page.keyboard.type('1000');
    await page.keyboard.press('Enter');
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await shop.control.send('POST', '/key', { key: 'STOP' });
    await expectResult(page, /Nothing was charged\.$/);
    expect(await standingCharges(shop)).toEqual({ count: 0, sumMinor: 0 });
  });

  it('that is aborted ends at the terminal, and the terminal takes the next one', async () => {
    const shop = await openShop('--manual');
    const { page } = shop;
    await page.keyboard.type('1000');
    await page.keyboard.press('Enter');
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await page.getByRole('button', { name: 'Abort' }).click({ delay: 500 });
    await expectResult(page, 'Cancelled. Nothing was charged.');
    await page.getByRole('button', { name: 'Try again' }).click({ delay: 500 });
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await shop.control.send('POST', '/card', { card: 'visa-contactless' });
    await expectResult(page, 'Paid €10.00');
    expect(await standingCharges(shop)).toEqual({ count: 1, sumMinor: 1000 });
  });

  it('is one sale in the book when Charge is double-clicked', async () => {
    const shop = await openShop();
    const { page } = shop;
    await page.keyboard.type('777');
    await charge(page).dblclick();
    await expectResult(page, 'Paid €7.77');
    const { transactions } = await shop.control.book();
    expect(transactions).toHaveLength(1);
    expect(await standingCharges(shop)).toEqual({ count: 1, sumMinor: 777 });
  });

  it('goes on when the page is reloaded in the middle, and is charged once', async () => {
    const shop = await openShop('--manual');
    const { page } = shop;
    await page.keyboard.type('1999');
    await page.keyboard.press('Enter');
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await page.reload();
    await page.getByTestId('running').waitFor();
    await expect.poll(() => page.getByTestId('amount').textContent()).toBe('€19.99');
    await shop.control.send('POST', '/card', { card: 'visa-contactless' });
    await expectResult(page, 'Paid €19.99');
    expect((await shop.control.book()).transactions).toHaveLength(1);
    await page.reload();
    await charge(page).waitFor();
  });

  it('says that the terminal did not start when it is unplugged', async () => {
    const shop = await openShop();
    const { page } = shop;
    await endProgram(shop.terminal);
    await page.getByText('TRAINING-1 · not connected').waitFor();
    await page.keyboard.type('1000');
    await page.keyboard.press('Enter');
    await expectResult(page, 'The terminal did not start. Nothing was charged.');
    await page.getByRole('button', { name: 'Change the amount' }).click({ delay: 500 });
    await expect.poll(() => page.getByTestId('amount').textContent()).toBe('€10.00');
  });
});

describe('a terminal that works on something else', () => {
  it('is named with its amount, and can be made free', async () => {
    const shop = await openShop('--manual');
    const { page } = shop;
    const pos = createPos(shop.till.ready.posUrl, shop.till.ready.posKey ?? '');
    const other = pos.post('/v1/transaction/sale', { type: 'SALE', amount: 800, currency: 'EUR' });
    await page.getByText('TRAINING-1 · busy').waitFor();
    await page.keyboard.type('1000');
    await page.keyboard.press('Enter');
    await expectResult(page, 'TRAINING-1 is still working on €8.00.');
    await page.getByRole('button', { name: 'Abort it' }).click();
    expect((await other).body.status).toBe('CANCELLED');
    await page.getByRole('button', { name: 'Try again' }).click({ delay: 500 });
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await page.getByRole('button', { name: 'Abort' }).click({ delay: 500 });
    await expectResult(page, 'Cancelled. Nothing was charged.');
  });
});

describe('a signature', () => {
  it('that does not match takes nothing back by itself', async () => {
    const shop = await openShop('--manual');
    const { page } = shop;
    await page.keyboard.type('3000');
    await page.keyboard.press('Enter');
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await shop.control.send('POST', '/card', { card: 'visa-signature' });
    await shop.control.untilState(({ state }) => state === 'WAITING_FOR_CARD_REMOVAL');
    await shop.control.send('DELETE', '/card');
    await page.getByText('Does the signature match the card?').waitFor();
    await page.getByRole('button', { name: 'No', exact: true }).click({ delay: 500 });
    await page.getByText('The payment stands until you take it back.').waitFor();
    expect(await standingCharges(shop)).toEqual({ count: 1, sumMinor: 3000 });
    await page.getByRole('button', { name: 'Take back €30.00' }).click();
    await charge(page).waitFor();
    expect(await standingCharges(shop)).toEqual({ count: 0, sumMinor: 0 });
  });
});

describe('the connection to the till', () => {
  it('is told to be lost, and comes back by itself', async () => {
    const shop = await openShop();
    const { page, till } = shop;
    await page.keyboard.type('4200');
    await endProgram(till);
    await page.getByText('No connection to the till.').waitFor();
    await shops.restartTill(shop);
    await page.getByText('No connection to the till.').waitFor({ state: 'detached' });
    await page.getByText('TRAINING-1 · ready').waitFor();
  });
});
