import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { callConsole } from '../support/console-call.ts';
import { sellByPos } from '../support/console-pos.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import { startWireProxy, type WirePoint, type WireProxy } from '../support/wire-proxy.ts';

const shops = createShops();
let line: WireProxy | undefined;
afterEach(async () => {
  await shops.close();
  await line?.close();
  line = undefined;
});
afterAll(() => shops.end());

const limitMs = 300_000;
/** The till asks several times before it says that it does not know. */
const unknownWithinMs = 120_000;
const endOfDay = '0650';
const statusInformation = '040f';

/** A till that has sold, and whose line is watched from then on: `atResult` runs in place of the hand-over of the close's figures. */
async function openShop(atResult: () => Promise<void>): Promise<Shop> {
  let isClosing = false;
  async function before({ direction, hex }: WirePoint): Promise<void> {
    if (direction === 'FROM_TILL' && hex.startsWith(endOfDay)) isClosing = true;
    if (!isClosing || direction !== 'TO_TILL' || !hex.startsWith(statusInformation)) return;
    isClosing = false;
    await atResult();
  }
  const shop = await shops.open({
    async line(terminalPort) {
      line = await startWireProxy(terminalPort, { before });
      return line.port;
    },
  });
  await signIn(shop.page);
  await sellByPos(shop, 1250);
  await sellByPos(shop, 8000);
  return shop;
}

const openDay = (page: Page) => page.getByRole('link', { name: 'Day' }).click();
const pending = (page: Page) => page.getByRole('region', { name: 'Close the day of TRAINING-1' });

async function closeDay(page: Page): Promise<void> {
  await openDay(page);
  await page.getByText('Nothing is open. The day can be closed.').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByTestId('net').first().waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Close the day' }).click();
}

/** What both sides hold after the close, once nothing of it is open. */
async function expectBothClosed({ page, control }: Shop): Promise<void> {
  const { data } = await callConsole(page, 'day.settlements', { limit: 20 });
  expect(data).toEqual([expect.objectContaining({ terminalId: 'TRAINING-1', status: 'SETTLED', netAmount: 9250 })]);
  expect((await callConsole(page, 'attention.list', {})).tasks).toEqual([]);
  const { closes, standing } = await control.book();
  expect(closes).toBe(1);
  expect(standing.charges).toMatchObject({ count: 2, sumMinor: 9250 });
}

describe('a day close whose end is not known', () => {
  it(
    'because the line was lost says what is done about it, and shows its report when the terminal is back',
    async () => {
      const shop = await openShop(async () => line?.unplug());
      const { page } = shop;
      await closeDay(page);
      await pending(page).waitFor({ timeout: unknownWithinMs });
      await pending(page).getByText('It is not known whether the terminal has closed its day.').waitFor();
      await pending(page).getByText('Being asked').waitFor();
      await pending(page)
        .getByText('We ask TRAINING-1 what became of it; nothing is sent a second time.', { exact: false })
        .waitFor();
      await pending(page)
        .getByRole('timer')
        .filter({ hasText: /Next try in|Asking now|It is asked again/ })
        .waitFor();
      expect(await page.getByRole('button', { name: 'Close the day' }).count()).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);

      await line?.plugIn();
      const report = page.getByRole('main').getByRole('article');
      await report.getByText('Z report No. 1').waitFor({ timeout: unknownWithinMs });
      expect(await report.getByTestId('net').first().textContent()).toBe('€92.50');
      expect(await accessibilityFindings(page)).toEqual([]);
      await expectBothClosed(shop);
      expect(shop.complaints).toEqual([]);
    },
    limitMs,
  );

  it(
    'because the till was killed is shown to whoever comes next, who resolves it by what the terminal says',
    async () => {
      const shop = await openShop(async () => {
        shop.till.kill('SIGKILL');
        await shop.till.ended;
        await line?.unplug();
      });
      const { page } = shop;
      await closeDay(page);
      await page.getByText('No connection to the till.').first().waitFor();
      await shops.restartTill(shop);
      await page.getByText('No connection to the till.').first().waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('link', { name: 'Day' }).or(page.getByLabel('PIN of Training')).waitFor();
      if (await page.getByLabel('PIN of Training').isVisible()) await signIn(page);
      await openDay(page);
      await pending(page).waitFor({ timeout: unknownWithinMs });
      expect(await accessibilityFindings(page)).toEqual([]);
      await pending(page).getByRole('button', { name: 'Resolve it' }).click();
      const card = page.getByRole('article').filter({ hasText: 'Day close from' });
      await card.getByText('It is not known whether the terminal has closed its day.').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      // Who resolves it looks at the terminal itself, as the book tells it.
      expect((await shop.control.book()).closes).toBe(1);
      await card.getByRole('button', { name: 'Resolve', exact: true }).click();
      await card.getByLabel('The terminal has closed').check();
      await card.getByLabel('What do you know it from?').fill('The close receipt of the terminal');
      await card.getByRole('button', { name: 'Record this answer' }).click();
      await card.waitFor({ state: 'detached' });
      await openDay(page);
      await page.getByRole('listitem').filter({ hasText: '€92.50' }).getByRole('button').click();
      await page.getByRole('main').getByRole('article').getByText('Z report No. 1').waitFor();
      await line?.plugIn();
      await page.getByText('TRAINING-1 · ready').waitFor({ timeout: unknownWithinMs });
      await expectBothClosed(shop);
    },
    limitMs,
  );
});
