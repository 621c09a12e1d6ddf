import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { TERMINAL_TROUBLE_AFTER_SECONDS } from '../../app/contract/console/console-limits.ts';
import { accessibilityFindings, layoutFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops } from '../support/console-shop.ts';
import { startWireProxy, type WireProxy } from '../support/wire-proxy.ts';

const shops = createShops();
let line: WireProxy | undefined;
afterEach(async () => {
  await shops.close();
  await line?.close();
  line = undefined;
});
afterAll(() => shops.end());

const limitMs = 180_000;
/** The card comes after its time, and the inbox is looked at every few seconds. */
const cardWithinMs = TERMINAL_TROUBLE_AFTER_SECONDS * 1000 + 60_000;

/** A till whose terminal hangs on a cable that can be pulled. */
async function openShop() {
  const shop = await shops.open({
    async line(terminalPort) {
      line = await startWireProxy(terminalPort, {});
      return line.port;
    },
  });
  await signIn(shop.page);
  await shop.page.getByText('TRAINING-1 · ready').waitFor();
  return shop;
}

const attentionLink = (page: Page) => page.getByRole('link', { name: /Attention/ });
const card = (page: Page) => page.getByRole('article', { name: /TRAINING-1 has not answered since/ });

describe('a terminal that is unplugged', () => {
  it(
    'stands in the inbox with what is known of it, counts in the rail, and goes when it is plugged in and tested',
    async () => {
      const { page, control, complaints } = await openShop();
      await line?.unplug();
      await page.getByText('TRAINING-1 · not connected').waitFor();
      expect(await attentionLink(page).textContent()).toBe('Attention');
      await attentionLink(page).filter({ hasText: '1' }).click({ timeout: cardWithinMs });
      await card(page).getByText('No payments can be taken with it.').waitFor();
      await card(page)
        .getByText(/last heard \d/)
        .waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await layoutFindings(page)).toEqual([]);

      const test = card(page).getByRole('button', { name: 'Test the connection' });
      await test.click();
      await card(page).getByRole('status').filter({ hasText: 'It does not answer.' }).waitFor();
      await card(page).getByRole('button', { name: 'Open Terminals' }).click();
      await page.getByRole('article', { name: 'TRAINING-1', exact: true }).getByText('It does not answer').waitFor();

      await attentionLink(page).click();
      await line?.plugIn();
      await test.click();
      await page.getByText('Nothing needs you.').waitFor();
      await page.getByText('TRAINING-1 · ready').waitFor();
      await expect.poll(() => attentionLink(page).textContent()).toBe('Attention');

      await page.getByRole('link', { name: 'Sell' }).click();
      await page.getByRole('button', { name: /^Charge/ }).waitFor();
      await page.keyboard.type('1250');
      await page.keyboard.press('Enter');
      await page.getByTestId('result').filter({ hasText: 'Paid €12.50' }).waitFor();
      expect((await control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 1250 });
      expect(complaints).toEqual([]);
    },
    limitMs,
  );

  it(
    'leaves the inbox by itself once it is back',
    async () => {
      const { page, complaints } = await openShop();
      await attentionLink(page).click();
      await page.getByText('Nothing needs you.').waitFor();
      await line?.unplug();
      await card(page).waitFor({ timeout: cardWithinMs });
      await line?.plugIn();
      await page.getByText('Nothing needs you.').waitFor({ timeout: cardWithinMs });
      expect(complaints).toEqual([]);
    },
    limitMs,
  );
});
