import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { sellByPos, sellUnknownByPos } from '../support/console-pos.ts';
import { createShops } from '../support/console-shop.ts';
import { parseCsv } from '../support/csv.ts';
import { endProgram } from '../support/processes.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

const openDay = (page: Page) => page.getByRole('link', { name: 'Day' }).click();
const next = (page: Page) => page.getByRole('button', { name: 'Next' });

async function resolveAsCharged(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Attention' }).click();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByLabel('The money moved').check();
  await page.getByLabel('What do you know it from?').fill('The customer said so');
  await page.getByRole('button', { name: 'Record this answer' }).click();
}

/** axe in both themes. */
async function findingsInBothThemes(page: Page) {
  const found = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await accessibilityFindings(page)));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

describe('a close that differs', () => {
  it('explains the line by the payment that was wrongly said to be charged, and leads to it', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await sellByPos(shop, 1250);
    await sellUnknownByPos(shop, 3300, 'order-5');
    await resolveAsCharged(page);
    await openDay(page);
    await next(page).click();
    await page.getByText('By person and POS').first().waitFor();
    await next(page).click();
    await page.getByRole('button', { name: 'Close the day' }).click();
    const report = page.getByRole('main').getByRole('article');
    await report.getByText('Closed with differences').waitFor();
    // The terminal's own book judges: it never took the 33.00.
    await report.getByText(/€33\.00 belongs to a payment whose result was unknown/).waitFor();
    await report.getByText('its result had to be found out').waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await report.getByRole('button', { name: 'Show' }).first().click();
    await page.getByRole('dialog').getByText('€33.00').first().waitFor();
    expect(shop.complaints).toEqual([]);
  });
});

describe('the blind count', () => {
  it('shows what is left for cash sales after the count only, and prints it in the Z report', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await sellByPos(shop, 1250);
    await openDay(page);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('switch', { name: 'Count the cash before each close' }).check();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await next(page).click();
    await next(page).click();
    await page.getByText('The cash is not counted yet.').waitFor();
    expect(await next(page).isDisabled()).toBe(true);
    expect(await page.getByText('Left for cash sales').count()).toBe(0);
    await page.getByLabel('In the drawer when the day began').fill('100');
    await page.getByLabel('Number of €50.00').fill('3');
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Record the count' }).click();
    await page.getByRole('row', { name: 'Left for cash sales €50.00' }).waitFor();
    await next(page).click();
    await page.getByRole('button', { name: 'Close the day' }).click();
    const report = page.getByRole('main').getByRole('article');
    await report.getByText('Cash count No. 1').waitFor();
    await report.getByRole('row', { name: 'Left for cash sales €50.00' }).waitFor();
    expect(shop.complaints).toEqual([]);
  });
});

/** The till was off when the close was due: its schedule is set, and the day that it knows of is an earlier one. */
function missTheClose({ dataDir, terminalId }: { readonly dataDir: string; readonly terminalId: string }): void {
  const settings = join(dataDir, 'settings.json');
  const time = '00:00';
  writeFileSync(settings, JSON.stringify({ timeZone: 'UTC', scheduledClose: { time } }));
  const database = new Database(join(dataDir, 'journal.db'));
  const known = {
    terminalId,
    time,
    day: '2020-01-01',
    batchNumber: 1,
    state: 'CLOSED',
    attempts: 1,
    blockers: [],
  };
  database
    .prepare('INSERT OR REPLACE INTO scheduled_closes (terminal_id, body) VALUES (?, ?)')
    .run(known.terminalId, JSON.stringify(known));
  database.close();
}

describe('a scheduled close that was missed', () => {
  it('is blocked by a payment of unknown result, and done by itself when a person has resolved it', async () => {
    const shop = await shops.open();
    await sellByPos(shop, 1250);
    await sellUnknownByPos(shop, 3300, 'order-5');
    await endProgram(shop.till);
    missTheClose(shop.till.ready);
    await shops.restartTill(shop);
    const { page } = shop;
    await page.reload();
    await signIn(page);
    await page.getByRole('link', { name: 'Attention' }).click();
    await page.getByRole('heading', { name: /is blocked: 1 thing is open\./ }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByLabel('No money moved').check();
    await page.getByLabel('What do you know it from?').fill('The receipt');
    await page.getByRole('button', { name: 'Record this answer' }).click();
    await openDay(page);
    await page.getByText(/^The close of .* was done\.$/).waitFor({ timeout: 60_000 });
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: '€12.50' }).getByRole('button').click();
    await page.getByRole('main').getByText('schedule', { exact: true }).waitFor();
    await page.getByText('Journal and terminal agree.').first().waitFor();
  });
});

describe('an export', () => {
  it('opens as a table in which a hostile reference is text', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    const hostile = '=HYPERLINK("https://example.org","click")';
    await sellByPos(shop, 1250, { referenceId: hostile });
    await openDay(page);
    await page.getByRole('button', { name: 'All days' }).click();
    await page.getByText('No day was closed in this time.').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export payments' }).click();
    const written = readFileSync(await (await download).path(), 'utf8');
    expect(written.startsWith('\uFEFF')).toBe(true);
    const [header = [], row = [], ...more] = parseCsv(written.slice(1));
    expect(more).toEqual([]);
    const field = (name: string) => row[header.indexOf(name)];
    expect(field('Reference')).toBe(`'${hostile}`);
    expect(field('Total')).toBe('12.50');
    expect(field('State')).toBe('APPROVED');
    expect(await findingsInBothThemes(page)).toEqual([]);
    expect(shop.complaints).toEqual([]);
  });

  it('and the closed days as a chart, a table and a list', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await sellByPos(shop, 1250);
    await openDay(page);
    await next(page).click();
    await next(page).click();
    await page.getByRole('button', { name: 'Close the day' }).click();
    await page.getByRole('button', { name: 'Back to the day' }).click();
    await page.getByRole('button', { name: 'All days' }).click();
    await page.getByRole('img', { name: /€12\.50/ }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show as a table' }).click();
    await page.getByRole('row').filter({ hasText: '€12.50' }).waitFor();
    expect(shop.complaints).toEqual([]);
  });
});
