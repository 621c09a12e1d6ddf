/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { signIn } from '../support/console-browser.ts';
import { createShops } from '../support/console-shop.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

/** Where pictures of the pages go; without it none are made. */
const picturesDir = process.env.CONSOLE_SHOTS;
/** Axe reads the whole page several times in each. */
const walkTimeoutMs = 180_000;
const minTargetPx = 44;
const minKeyPx = 72;

/** What is wrong with the page as it stands: axe's findings, targets that are too small, parts that do not fit its width. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const axe = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
  const small = await page.evaluate(
    (min) =>
      [...document.querySelectorAll('button, a[href], input, select')]
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(
          ({ element, box }) => box.width > 0 && (box.height < min || box.width < min) && !element.closest('[hidden]'),
        )
        .map(({ element, box }) => `${box.width}×${box.height}: ${element.outerHTML.slice(0, 120)}`),
    minTargetPx,
  );
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return [...axe, ...small, ...(overflow > 0 ? [`${overflow} px wider than the window`] : [])];
}

async function picture(page: Page, name: string): Promise<void> {
  if (picturesDir === undefined) return;
  mkdirSync(picturesDir, { recursive: true });
  await page.screenshot({ path: join(picturesDir, `${name}.png`) });
}

/** Each state of sign-in and Sell, one after the other, in one window. */
async function walk(page: Page, name: string, texts: { pin: string; card: () => Promise<unknown> }): Promise<string[]> {
  const found: string[] = [];
  const look = async (state: string) => {
    await picture(page, `${state}-${name}`);
    found.push(...(await findings(page)).map((finding) => `${state}: ${finding}`));
  };
  await page.getByLabel(texts.pin).waitFor();
  await look('sign-in');
  await page.getByLabel(texts.pin).fill('0000');
  await page.keyboard.press('Enter');
  await page.getByTestId('amount').waitFor();
  await look('sell-empty');
  await page.keyboard.type('1250');
  await look('sell');
  const options = page.locator('section').getByRole('button').filter({ hasText: /^Op/ });
  await options.click();
  await page.getByRole('dialog').waitFor();
  await page
    .getByRole('dialog')
    .evaluate((dialog) => Promise.all(dialog.getAnimations({ subtree: true }).map(({ finished }) => finished)));
  await look('options');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByTestId('terminal-display').filter({ hasText: '12' }).waitFor();
  await look('running');
  await texts.card();
  await page.getByTestId('result').waitFor();
  await look('paid');
  return found;
}

describe('sign-in and Sell', () => {
  it.each([
    { name: 'light', colorScheme: 'light', locale: 'en-GB', pin: 'PIN of Training', width: 1024, height: 768 },
    { name: 'dark', colorScheme: 'dark', locale: 'en-GB', pin: 'PIN of Training', width: 1024, height: 768 },
    { name: 'german', colorScheme: 'light', locale: 'de-DE', pin: 'PIN von Training', width: 1024, height: 768 },
    { name: 'wide-dark', colorScheme: 'dark', locale: 'en-GB', pin: 'PIN of Training', width: 1920, height: 1080 },
    { name: 'zoomed', colorScheme: 'light', locale: 'en-GB', pin: 'PIN of Training', width: 512, height: 384 },
  ] as const)(
    'have nothing that axe finds, no target below 44 px and nothing cut off ($name)',
    async (look) => {
      const shop = await shops.open({ terminal: ['--manual'] });
      const { width, height, colorScheme, locale } = look;
      const { page } = shop;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate((language) => localStorage.setItem('console.language', language), locale.slice(0, 2));
      await page.reload();
      const card = () => shop.control.send('POST', '/card', { card: 'visa-contactless' });
      expect(await walk(page, look.name, { pin: look.pin, card })).toEqual([]);
      expect(shop.complaints).toEqual([]);
    },
    walkTimeoutMs,
  );

  it('have keys of at least 72 px, and all of it on one screen of 1024 × 768', async () => {
    const { page } = await shops.open();
    await signIn(page);
    await page.getByTestId('amount').waitFor();
    const keys = await page.getByRole('group', { name: 'Keys for the amount' }).evaluate((pad) =>
      [...pad.querySelectorAll('button')].map((key) => {
        const { width, height } = key.getBoundingClientRect();
        const { fontSize, borderTopWidth } = getComputedStyle(key);
        return { sizePx: Math.min(width, height), fontSize, borderTopWidth };
      }),
    );
    for (const { sizePx, ...look } of keys) {
      expect(sizePx).toBeGreaterThanOrEqual(minKeyPx);
      expect(look).toEqual({ fontSize: '28px', borderTopWidth: '1px' });
    }
    const main = page.getByRole('main');
    expect(await main.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(0);
  });
});
