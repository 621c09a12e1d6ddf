/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { languages } from '../../renderer/i18n/languages.ts';
import { accessibilityFindings } from '../support/accessibility.ts';
import { openConsole, signIn } from '../support/console-browser.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import { consoleText } from '../support/console-texts.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

const wholeDayTimeoutMs = 300_000;
const bundleTimeoutMs = 120_000;
const mostTabs = 80;

/** Presses Tab until the target has the focus, as a person does who has no mouse. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' });
  for (let press = 0; press < mostTabs; press += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}`);
}

async function pressKey(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a page by its keys; its place is that of the rail. */
async function goTo(page: Page, place: number): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(String(place));
}

/** The two letters that every zip begins with. */
function zipMark(path: string): string {
  return readFileSync(path).toString('latin1', 0, 2);
}

async function standing(shop: Shop): Promise<{ charges: number; refunds: number }> {
  const { charges, refunds } = (await shop.control.book()).standing;
  return { charges: charges.sumMinor, refunds: refunds.sumMinor };
}

describe('by the keyboard alone', () => {
  it.each(languages.map(({ code }) => code))(
    'one signs in, sells, gives half back, closes the day and hands a support bundle over (%s)',
    async (language) => {
      const shop = await shops.open();
      const { page } = shop;
      const text = (key: string, values: Readonly<Record<string, string>> = {}) => consoleText(language, key, values);
      const button = (key: string) => page.getByRole('button', { name: text(key), exact: true });
      await page.evaluate((code) => localStorage.setItem('console.language', code), language);
      await page.reload();

      await page.getByLabel(text('session:pinFor', { name: 'Training' })).waitFor();
      await page.keyboard.type('0000');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: text('sell:charge', { amount: '' }).trim() }).waitFor();
      await page.keyboard.type('1250');
      await expect.poll(() => page.getByTestId('amount').textContent()).toMatch(/12[.,]50/);
      await page.keyboard.press('Enter');
      await page.getByTestId('result').filter({ hasText: '0119' }).waitFor();
      expect(await standing(shop)).toEqual({ charges: 1250, refunds: 0 });

      await goTo(page, 2);
      await page.locator('[role="option"]').first().waitFor();
      await page.keyboard.press('Enter');
      await pressKey(page, button('activity:giveBack.action'));
      const whole = page.locator('input[type="radio"][value="ALL"]');
      await tabTo(page, whole);
      await page.keyboard.press('ArrowRight');
      await tabTo(page, page.getByLabel(text('activity:giveBack.amount', { currency: 'EUR' })));
      await page.keyboard.type('6.25');
      await page.keyboard.press('Enter');
      await page.getByTestId('give-back-result').waitFor();
      expect(await standing(shop)).toEqual({ charges: 1250, refunds: 625 });
      await pressKey(page, button('activity:giveBack.done'));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await goTo(page, 4);
      await pressKey(page, button('day:next'));
      await page
        .getByTestId('net')
        .first()
        .filter({ hasText: /6[.,]25/ })
        .waitFor();
      await pressKey(page, button('day:next'));
      await pressKey(page, button('day:confirm.action'));
      await page
        .getByRole('main')
        .getByText(text('day:z.title', { number: '1' }))
        .waitFor();

      await goTo(page, 7);
      await pressKey(page, page.getByRole('link', { name: text('support:section.bundle') }));
      await pressKey(page, button('support:bundle.make'));
      await button('support:preview.handOver').waitFor({ timeout: bundleTimeoutMs });
      const download = page.waitForEvent('download');
      await pressKey(page, button('support:preview.handOver'));
      expect(zipMark(await (await download).path())).toBe('PK');
      expect(shop.complaints).toEqual([]);
    },
    wholeDayTimeoutMs,
  );

  it('the sheet lists what works on this page, and Ctrl L signs out', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await page.getByRole('button', { name: /^Charge/ }).waitFor();
    await page.keyboard.press('?');
    const rows = page.getByTestId('shortcuts').getByRole('row');
    await rows.filter({ hasText: 'Keys for the amount' }).waitFor();
    expect(await rows.filter({ hasText: 'Search' }).count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('shortcuts').waitFor({ state: 'detached' });
    await goTo(page, 2);
    await page.getByRole('textbox', { name: 'Search' }).waitFor();
    await page.keyboard.press('?');
    await rows.filter({ hasText: 'Search' }).waitFor();
    expect(await rows.filter({ hasText: 'Keys for the amount' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByTestId('shortcuts').waitFor({ state: 'detached' });
    // Typed into a field, a key is a letter.
    await page.keyboard.press('/');
    await page.keyboard.type('g1?');
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('g1?');
    await page.keyboard.press('Control+l');
    await page.getByLabel('PIN of Training').waitFor();
  });

  it('the number of a page goes to the page and not into the amount, and no key leaves a running payment', async () => {
    const shop = await shops.open({ terminal: ['--manual'] });
    const { page } = shop;
    await signIn(page);
    await page.getByRole('button', { name: /^Charge/ }).waitFor();
    await page.keyboard.type('100');
    await goTo(page, 1);
    await expect.poll(() => page.getByTestId('amount').textContent()).toBe('€1.00');
    await page.keyboard.press('Enter');
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await goTo(page, 2);
    await page.keyboard.press('Control+l');
    await shop.control.send('POST', '/card', { card: 'visa-contactless' });
    await page.getByTestId('result').filter({ hasText: 'Paid €1.00' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('2');
    await page.getByRole('textbox', { name: 'Search' }).waitFor();
  });
});

describe('by touch alone', () => {
  it.each(languages.map(({ code }) => code))(
    'one signs in, sells, gives half back, closes the day and hands a support bundle over (%s)',
    async (language) => {
      const shop = await shops.open();
      await shop.page.evaluate((code) => localStorage.setItem('console.language', code), language);
      const storageState = await shop.page.context().storageState();
      const window = await openConsole(await shops.browser(), new URL(shop.page.url()).origin, {
        hasTouch: true,
        storageState,
      });
      const { page } = window;
      const text = (key: string, values: Readonly<Record<string, string>> = {}) => consoleText(language, key, values);
      const button = (key: string) => page.getByRole('button', { name: text(key), exact: true }).first();
      /** A button whose words hold an amount, which each language writes in its own way. */
      const priced = (key: string) =>
        page.getByRole('button', { name: text(key, { amount: '' }).trim() }).filter({ hasText: /\d/ });
      const pad = (key: string) => page.getByRole('group', { name: text(key) });
      const link = (key: string) => page.getByRole('link', { name: text(key) }).first();
      const zero = pad('common:pin.keys').getByRole('button', { name: '0', exact: true });
      for (let digit = 0; digit < 4; digit += 1) await zero.tap();
      await button('session:signIn').tap();
      for (const key of ['1', '2', '5', '0']) {
        await pad('sell:keypad').getByRole('button', { name: key, exact: true }).tap();
      }
      await priced('sell:charge').tap();
      await page.getByTestId('result').filter({ hasText: '0119' }).waitFor();
      await link('activity:navigation').tap();
      await page.locator('[role="option"]').first().tap();
      const dialog = page.getByRole('dialog');
      await button('activity:giveBack.action').tap();
      await dialog.getByText(text('activity:giveBack.part'), { exact: true }).tap();
      await dialog.getByLabel(text('activity:giveBack.amount', { currency: 'EUR' })).fill('6.25');
      await priced('activity:giveBack.confirm').tap();
      await dialog.getByTestId('give-back-result').waitFor();
      expect(await standing(shop)).toEqual({ charges: 1250, refunds: 625 });
      await button('activity:giveBack.done').tap();
      await dialog.getByRole('button', { name: text('common:close'), exact: true }).tap();
      await dialog.waitFor({ state: 'detached' });
      await link('day:navigation').tap();
      await button('day:next').tap();
      await page.getByTestId('net').first().waitFor();
      await button('day:next').tap();
      await button('day:confirm.action').tap();
      await page
        .getByRole('main')
        .getByText(text('day:z.title', { number: '1' }))
        .waitFor();
      await link('support:navigation').tap();
      await link('support:section.bundle').tap();
      await button('support:bundle.make').tap();
      await button('support:preview.handOver').waitFor({ timeout: bundleTimeoutMs });
      const download = page.waitForEvent('download');
      await button('support:preview.handOver').tap();
      expect(zipMark(await (await download).path())).toBe('PK');
      expect(window.complaints).toEqual([]);
      await window.context.close();
    },
    wholeDayTimeoutMs,
  );
});
