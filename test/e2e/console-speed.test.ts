/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { signIn } from '../support/console-browser.ts';
import { createShops } from '../support/console-shop.ts';
import { loadedScriptBytes } from '../support/loaded-scripts.ts';
import { writeHistory } from '../support/write-history.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

/** Promise F10. */
const maxInitialScriptBytes = 300_000;
/** Rows that are drawn: those that are seen, and some above and below. */
const maxDrawnRows = 60;
const historyRows = 1_500;

describe('the console, however fast the machine is', () => {
  it('loads no more than 300 kB of packed scripts until Sell can be used, each of them packed by the till', async () => {
    const { page, complaints } = await shops.open();
    const encodings: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) encodings.push(response.headers()['content-encoding'] ?? 'none');
    });
    await page.reload();
    await signIn(page);
    await page.getByTestId('amount').waitFor();
    expect(await loadedScriptBytes(page)).toBeLessThanOrEqual(maxInitialScriptBytes);
    expect(encodings.length).toBeGreaterThan(2);
    // A few small parts are not worth packing.
    expect(encodings.filter((encoding) => encoding !== 'none').length).toBeGreaterThan(2);
    expect(complaints).toEqual([]);
  });

  it('draws a bounded number of rows, however many are scrolled through', async () => {
    const { page, complaints } = await shops.open({
      fill: (dataDir) =>
        writeHistory(dataDir, {
          ...{ seed: 5, transactions: historyRows, terminalId: 'TRAINING-1' },
          ...{ endsAtMs: Date.UTC(2026, 10, 20, 20), transactionsPerDay: 400 },
        }),
    });
    await signIn(page);
    await page.getByRole('link', { name: 'Activity' }).click();
    const list = page.getByRole('listbox');
    await list.focus();
    const lastRow = list.locator(`[aria-posinset="${historyRows}"]`);
    const drawn: number[] = [];
    // Each press leads to the end of what is loaded, which asks for more.
    while ((await lastRow.count()) === 0) {
      await page.keyboard.press('End');
      drawn.push(await list.getByRole('option').count());
    }
    expect(Math.max(...drawn)).toBeLessThanOrEqual(maxDrawnRows);
    expect(Math.min(...drawn)).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });
});
