/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBusyShop } from '../screenshots/busy-shop.ts';
import { axeFindings, layoutFindings } from '../support/accessibility.ts';
import { openAddress, partAddresses, railAddresses, standStill } from '../support/console-pages.ts';
import { createShops, type Shop } from '../support/console-shop.ts';

const shops = createShops();
let busy: Awaited<ReturnType<typeof openBusyShop>>;
/** A day of trade is made first. */
const openTimeoutMs = 120_000;
beforeAll(async () => {
  busy = await openBusyShop(shops);
}, openTimeoutMs);
afterAll(async () => {
  await shops.close();
  await shops.end();
  await busy.close();
});

/** Axe reads each page as a whole. */
const walkTimeoutMs = 180_000;
const minKeyPx = 72;
const handSeconds = 600;

const smallest = { width: 1024, height: 768 };
/** The smallest screen at 200 %. */
const zoomed = { width: 512, height: 384 };
const looks = [
  { name: 'light', colorScheme: 'light', size: smallest },
  { name: 'dark', colorScheme: 'dark', size: smallest },
  { name: 'at 200 %', colorScheme: 'light', size: zoomed },
] as const;

async function wear(page: Page, { colorScheme, size }: Pick<(typeof looks)[number], 'colorScheme' | 'size'>) {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
}

/** What is wrong with the page as it stands. */
async function findings(page: Page): Promise<string[]> {
  await standStill(page);
  return [...(await axeFindings(page)), ...(await layoutFindings(page))];
}

/** Visits every page of the rail and every part of each. */
async function visitAll(page: Page, look: (address: string) => Promise<void>): Promise<void> {
  for (const address of await railAddresses(page)) {
    await openAddress(page, address);
    await look(address);
    for (const part of (await partAddresses(page)).slice(1)) {
      await openAddress(page, part);
      await look(part);
    }
  }
}

describe('every page of the console', () => {
  it.each(looks)(
    'has nothing that axe finds, no target below 44 px and nothing wider than the window ($name)',
    async (look) => {
      const { page, complaints } = busy.shop;
      await wear(page, look);
      const found: string[] = [];
      const visited: string[] = [];
      await visitAll(page, async (address) => {
        visited.push(address);
        found.push(...(await findings(page)).map((finding) => `${address}: ${finding}`));
      });
      expect(found).toEqual([]);
      expect(visited.length).toBeGreaterThan(9);
      expect(complaints).toEqual([]);
    },
    walkTimeoutMs,
  );

  it('fits the smallest screen in German, whose words are the longest', { timeout: walkTimeoutMs }, async () => {
    const { page } = busy.shop;
    await wear(page, { colorScheme: 'light', size: smallest });
    await page.evaluate(() => localStorage.setItem('console.language', 'de'));
    const found: string[] = [];
    await visitAll(page, async (address) => {
      found.push(...(await layoutFindings(page)).map((finding) => `${address}: ${finding}`));
    });
    await page.evaluate(() => localStorage.setItem('console.language', 'en'));
    expect(found).toEqual([]);
  });
});

/** Each state of Sell, one after the other. */
async function walkSell({ page, control }: Shop): Promise<string[]> {
  const found: string[] = [];
  const look = async (state: string) => {
    found.push(...(await findings(page)).map((finding) => `${state}: ${finding}`));
  };
  await openAddress(page, '/sell');
  await page.keyboard.type('1250');
  await page.getByRole('main').getByRole('button', { name: 'Options' }).click();
  await page.getByRole('dialog').waitFor();
  await look('options');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await control.send('POST', '/hand', { seconds: handSeconds });
  await page.keyboard.press('Enter');
  await page.getByText('Tap, insert or swipe the card.').waitFor();
  await look('running');
  await control.send('DELETE', '/hand');
  await page.getByTestId('result').waitFor();
  await look('paid');
  return found;
}

describe('Sell', () => {
  it.each(looks)(
    'has nothing that axe finds while a payment runs and when it has ended ($name)',
    async (look) => {
      await wear(busy.shop.page, look);
      expect(await walkSell(busy.shop)).toEqual([]);
    },
    walkTimeoutMs,
  );

  it('has keys of at least 72 px, and all of it on one screen of 1024 × 768', async () => {
    const { page } = busy.shop;
    await wear(page, { colorScheme: 'light', size: smallest });
    await openAddress(page, '/sell');
    const keys = await page.getByRole('group', { name: 'Keys for the amount' }).evaluate((pad) =>
      [...pad.querySelectorAll('button')].map((key) => {
        const { width, height } = key.getBoundingClientRect();
        const { fontSize, borderTopWidth } = getComputedStyle(key);
        return { sizePx: Math.min(width, height), fontSize, borderTopWidth };
      }),
    );
    expect(keys.length).toBeGreaterThan(10);
    for (const { sizePx, ...look } of keys) {
      expect(sizePx).toBeGreaterThanOrEqual(minKeyPx);
      expect(look).toEqual({ fontSize: '28px', borderTopWidth: '1px' });
    }
    const main = page.getByRole('main');
    expect(await main.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(0);
  });
});

describe('the sign-in', () => {
  it('has nothing that axe finds, in each look', { timeout: walkTimeoutMs }, async () => {
    const { page } = await shops.open();
    await page.getByLabel('PIN of Training').waitFor();
    const found: string[] = [];
    for (const look of looks) {
      await wear(page, look);
      found.push(...(await findings(page)).map((finding) => `${look.name}: ${finding}`));
    }
    expect(found).toEqual([]);
  });
});
