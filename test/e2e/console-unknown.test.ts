import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import { endProgram, startVirtualTerminal } from '../support/processes.ts';

const shops = createShops();
const stopAfter: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stopAfter.splice(0)) await stop();
  await shops.close();
});
afterAll(() => shops.end());

const recoveryTimeoutMs = 240_000;
/** Until the till has asked often enough to say that it does not know, on a busy machine. */
const unknownWithinMs = 120_000;

const charge = (page: Page) => page.getByRole('button', { name: /^Charge/ });
const result = (page: Page, words: string | RegExp) => page.getByTestId('result').filter({ hasText: words });

/** The terminal is switched on again: the same port, the same book. */
async function switchOn({ terminal }: Shop): Promise<void> {
  const { tcp, book } = terminal.ready;
  const again = await startVirtualTerminal(['--tcp', String(tcp), '--think-ms', '150', '--book', book]);
  stopAfter.push(() => endProgram(again));
}

/** A till that was started anew may want to know who is there. */
async function signInIfAsked(page: Page): Promise<void> {
  const pin = page.getByLabel('PIN of Training');
  await pin.or(page.getByRole('banner')).first().waitFor();
  if (await pin.isVisible()) await signIn(page);
}

describe('a payment of which the answer is lost', () => {
  it(
    'says that it must not be charged again and when the terminal is asked next, and tells the truth when the terminal is back',
    async () => {
      const shop = await shops.open({ terminal: ['--manual'] });
      const { page } = shop;
      await signIn(page);
      await charge(page).waitFor();
      await page.keyboard.type('1999');
      await page.keyboard.press('Enter');
      await page.getByText('Tap, insert or swipe the card.').waitFor();
      // The cable is pulled while the customer looks for the card, and stays out.
      await endProgram(shop.terminal);
      await result(page, 'Result unknown. Do not charge again.').waitFor({ timeout: unknownWithinMs });
      await page.getByText('The terminal cannot be reached. Check its cable or network.').first().waitFor();
      await page
        .getByRole('timer')
        .filter({ hasText: /^(Next try in \d+ s\.|Asking now …)$/ })
        .first()
        .waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      await switchOn(shop);
      await result(page, /Nothing was charged\.$/).waitFor({ timeout: unknownWithinMs });
      await page.getByRole('link', { name: /Attention/ }).click();
      await page.getByText('Nothing needs you.').waitFor();
      expect(shop.complaints).toEqual([]);
    },
    recoveryTimeoutMs,
  );

  it(
    'after the host has said yes is found at the terminal, told as paid, and charged once',
    async () => {
      const shop = await shops.open();
      const { page } = shop;
      await signIn(page);
      await charge(page).waitFor();
      await shop.control.arm('drop-after-final');
      await page.keyboard.type('1250');
      await page.keyboard.press('Enter');
      await result(page, 'Paid €12.50').waitFor({ timeout: unknownWithinMs });
      const { transactions, standing } = await shop.control.book();
      expect(transactions).toHaveLength(1);
      expect(standing.charges).toMatchObject({ count: 1, sumMinor: 1250 });
      expect(shop.complaints).toEqual([]);
    },
    recoveryTimeoutMs,
  );

  it(
    'and that nobody at this window has seen the end of is looked for again by a press, under its own key',
    async () => {
      const shop = await shops.open();
      const { page } = shop;
      await signIn(page);
      await charge(page).waitFor();
      await page.keyboard.type('1250');
      await page.keyboard.press('Enter');
      await page.getByTestId('running').waitFor();
      // The window is left before the till ends, which may let the payment end in time.
      const window = page.url();
      await page.goto('about:blank');
      await endProgram(shop.till);
      await shops.restartTill(shop);
      // Whoever comes back does so after the time in which the page asks by itself.
      const later = Date.now() + 600_000;
      await page.clock.setFixedTime(later);
      await page.goto(window);
      await signInIfAsked(page);
      await page.getByText(/A payment of €12\.50 was begun at .* and its result was not seen\./).waitFor();
      expect(await charge(page).count()).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      const { standing } = await shop.control.book();
      await page.getByRole('button', { name: 'Ask for the result' }).click({ delay: 500 });
      await page.getByTestId('result').waitFor({ timeout: unknownWithinMs });
      const after = await shop.control.book();
      expect(after.transactions).toHaveLength(1);
      expect(after.standing.charges.count).toBeLessThanOrEqual(Math.max(1, standing.charges.count));
      const told = (await page.getByTestId('result').textContent()) ?? '';
      expect(told.startsWith('Paid')).toBe(after.standing.charges.count === 1);
    },
    recoveryTimeoutMs,
  );
});

describe('a till that is killed in the middle of a sale', () => {
  it(
    'is missed on the page, comes back, and the sale is told and charged once',
    async () => {
      const shop = await shops.open({ terminal: ['--manual'] });
      const { page } = shop;
      await signIn(page);
      await charge(page).waitFor();
      await page.keyboard.type('4200');
      await page.keyboard.press('Enter');
      await page.getByText('Tap, insert or swipe the card.').waitFor();
      shop.till.kill('SIGKILL');
      await page.getByText('No connection to the till.').first().waitFor();
      await page.getByText('The payment may go on at the terminal.').waitFor();
      await shops.restartTill(shop);
      await page.getByText('No connection to the till.').first().waitFor({ state: 'detached' });
      await signInIfAsked(page);
      await page.getByTestId('result').waitFor({ timeout: unknownWithinMs });
      const told = (await page.getByTestId('result').textContent()) ?? '';
      const { count, sumMinor } = (await shop.control.book()).standing.charges;
      expect({ count, sumMinor }).toEqual(
        told.startsWith('Paid') ? { count: 1, sumMinor: 4200 } : { count: 0, sumMinor: 0 },
      );
      expect((await shop.control.book()).transactions.length).toBeLessThanOrEqual(1);
    },
    recoveryTimeoutMs,
  );
});
