// A day at the console with a terminal that speaks neither ZVT nor NEO 2: what it can do is offered, and what it cannot do is said.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import { caisseApTcp, ecr17Serial, ecr17Tcp, type ProtocolLine } from '../support/protocol-shop.ts';

const DAY_MS = 300_000;
/** A result on a busy machine. */
const RESULT_MS = 60_000;

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

const charge = (page: Page) => page.getByRole('button', { name: /^Charge/ });
const result = (page: Page, words: string | RegExp) => page.getByTestId('result').filter({ hasText: words });
const goTo = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).click();
const rows = (page: Page) => page.getByRole('listbox', { name: 'Activity' }).getByRole('option');
const next = (page: Page) => page.getByRole('button', { name: 'Next' });
const cannotStop = 'The till cannot stop this terminal. To cancel, press the red key on it.';

async function openShop(spoken: ProtocolLine): Promise<Shop> {
  // Slow enough for the steps of a payment to be seen.
  const shop = await shops.open({ spoken, terminal: ['--think-ms', '1200'] });
  await signIn(shop.page);
  await charge(shop.page).waitFor();
  return shop;
}

/** Types an amount in cents and waits for the sentence of its end. */
async function sell(page: Page, cents: string, words: string | RegExp): Promise<void> {
  await charge(page).waitFor();
  await page.keyboard.type(cents);
  await page.keyboard.press('Enter');
  await result(page, words).waitFor({ timeout: RESULT_MS });
}

/** The button is guarded against a press that was meant for what stood there before. */
const newSale = (page: Page) => page.getByRole('button', { name: 'New sale' }).click({ delay: 500 });

async function openPayment(page: Page, words: string | RegExp): Promise<void> {
  await goTo(page, /^Activity/);
  await rows(page).filter({ hasText: words }).click();
  await page.getByRole('dialog').waitFor();
}

async function closePanel(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function standing(shop: Shop): Promise<{ charges: number; refunds: number }> {
  const { charges, refunds } = (await shop.control.book()).standing;
  return { charges: charges.sumMinor, refunds: refunds.sumMinor };
}

/** From what is open over the totals to the numbered report. */
async function closeTheDay(page: Page): Promise<void> {
  await goTo(page, 'Day');
  await page.getByText('Nothing is open. The day can be closed.').waitFor();
  await next(page).click();
  await next(page).click();
  await page.getByRole('button', { name: 'Close the day' }).dblclick();
  await page.getByRole('main').getByRole('article').getByText('Z report No. 1').waitFor({ timeout: RESULT_MS });
}

describe.each([ecr17Tcp, ecr17Serial])('a day at the console with $name', (line) => {
  it('sells without Abort, takes back the last payment only, finds a lost one and closes', {
    timeout: DAY_MS,
  }, async () => {
    const shop = await openShop(line);
    const { page, control } = shop;
    await page.keyboard.type('1250');
    await page.keyboard.press('Enter');
    await page.getByTestId('running').waitFor();
    await page.getByText(cannotStop).waitFor();
    expect(await page.getByRole('button', { name: 'Abort' }).count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await result(page, 'Paid €12.50').waitFor({ timeout: RESULT_MS });
    await newSale(page);
    await sell(page, '3000', 'Paid €30.00');

    await openPayment(page, '€12.50');
    await page
      .getByText('This terminal takes back its last payment only, and this is not it. Its bank gives the money back.')
      .waitFor();
    expect(await page.getByRole('button', { name: 'Give money back' }).count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await closePanel(page);

    await openPayment(page, '€30.00');
    await page.getByRole('button', { name: 'Give money back' }).click();
    await page.getByText('The day is still open: the payment is taken back as a whole (void).').waitFor();
    // No part of it: that would be a refund.
    expect(await page.getByText('A part', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Give back €30.00' }).click();
    await page.getByText(cannotStop).waitFor();
    await page.getByText('€30.00 given back.').waitFor({ timeout: RESULT_MS });
    expect(await standing(shop)).toEqual({ charges: 1_250, refunds: 0 });
    await closePanel(page);

    await goTo(page, 'Sell');
    await newSale(page);
    await control.arm('drop-after-host');
    await sell(page, '700', 'Paid €7.00');
    expect(await standing(shop)).toEqual({ charges: 1_950, refunds: 0 });

    await closeTheDay(page);
    expect((await control.book()).closes).toBe(1);
    await openPayment(page, '€7.00');
    await page
      .getByText(
        'A void is no longer possible, and this terminal makes no refunds to cards. Its bank gives the money back.',
      )
      .waitFor();
    expect(shop.complaints).toEqual([]);
  });
});

describe('a hold at an ECR17 terminal', () => {
  it('can be completed, and is not offered for release', { timeout: DAY_MS }, async () => {
    const shop = await openShop(ecr17Tcp);
    const { page } = shop;
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Hold an amount' }).click();
    await page.keyboard.type('6000');
    await page.keyboard.press('Enter');
    await result(page, 'Held €60.00').waitFor({ timeout: RESULT_MS });
    await newSale(page);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Open holds' }).click();
    const holds = page.getByRole('dialog', { name: 'Open holds' });
    await holds
      .getByText('This terminal cannot release a hold. It lapses by itself, or its bank releases it.')
      .waitFor();
    expect(await holds.getByRole('button', { name: 'Release' }).count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await holds.getByRole('button', { name: 'Complete' }).click();
    await page.getByRole('button', { name: /^Complete with/ }).waitFor();
    await page.keyboard.press('Enter');
    await result(page, 'Paid €60.00').waitFor({ timeout: RESULT_MS });
    expect(await standing(shop)).toEqual({ charges: 6_000, refunds: 0 });
    expect(shop.complaints).toEqual([]);
  });
});

describe(`a day at the console with ${caisseApTcp.name}`, () => {
  it('sells without Abort, refunds a part, and has a person decide about a lost payment', {
    timeout: DAY_MS,
  }, async () => {
    const shop = await openShop(caisseApTcp);
    const { page, control } = shop;
    await page.keyboard.type('1250');
    await page.keyboard.press('Enter');
    await page.getByText(cannotStop).waitFor();
    await result(page, 'Paid €12.50').waitFor({ timeout: RESULT_MS });

    await openPayment(page, '€12.50');
    await page.getByRole('button', { name: 'Give money back' }).click();
    await page.getByText('A part', { exact: true }).click();
    await page.getByLabel('Amount in EUR').fill('5.00');
    await page.getByRole('button', { name: 'Give back €5.00' }).click();
    await page.getByText('€5.00 given back.').waitFor({ timeout: RESULT_MS });
    expect(await standing(shop)).toEqual({ charges: 1_250, refunds: 500 });
    await closePanel(page);

    await goTo(page, 'Sell');
    await newSale(page);
    await control.arm('drop-after-host');
    await sell(page, '700', 'Result unknown. Do not charge again.');
    await page
      .getByText('The terminal cannot tell. Look at its receipt or call the acquirer, then resolve it under Attention.')
      .waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    // The number of tasks stands before the word once the page knows of it.
    await goTo(page, /Attention$/);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByLabel('The money moved').check();
    await page.getByLabel('What do you know it from?').fill('The receipt of the terminal');
    await page.getByRole('button', { name: 'Record this answer' }).click();
    await page.getByText('Nothing needs you.').waitFor();
    expect(await standing(shop)).toEqual({ charges: 1_950, refunds: 500 });

    await closeTheDay(page);
    expect(shop.complaints).toEqual([]);
  });
});
