/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import type { Browser, Page } from 'playwright-core';
import { baseline, type Figure } from './figure.ts';
import { keyToPaint, loadToPaint } from './painted.ts';
import { percentile } from './statistics.ts';

const loads = 5;
const presses = 20;
const swaps = 10;

/** Baselines of the same run: a page that holds one word and one script. */
export async function emptyPage(browser: Browser): Promise<readonly Figure[]> {
  const script = 'addEventListener("keydown", () => { document.querySelector("p").textContent += "1"; })';
  const url = `data:text/html,<p>0</p><script>${encodeURIComponent(script)}</script>`;
  const loadMs: number[] = [];
  for (let round = 0; round < loads; round += 1) loadMs.push(await loadToPaint(browser, {}, url, 'p'));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  const pressMs: number[] = [];
  for (let round = 0; round < presses; round += 1) pressMs.push(await keyToPaint(page, '5', 'p'));
  await context.close();
  return [
    baseline('first load of an empty page', percentile(loadMs, 50), loads),
    baseline('key to painted on it, p95', percentile(pressMs, 95), presses),
  ];
}

/** Baseline of a page switch: the same two pages as still pictures, swapped by one line of script. Nothing of the console works afterwards. */
export async function pictureSwaps(page: Page): Promise<Figure> {
  const pictureOf = async (name: string, shown: string) => {
    await page.getByRole('link', { name }).click();
    await page.locator(shown).first().waitFor();
    return page.evaluate(() => document.body.innerHTML);
  };
  const list = await pictureOf('Activity', '[role=option]');
  const sell = await pictureOf('Sell', '[data-testid=amount]');
  await page.evaluate(
    (pictures) => {
      const still = document.body.cloneNode(true);
      document.body.replaceWith(still);
      let count = 0;
      window.addEventListener('keydown', () => {
        document.body.innerHTML = pictures[count % 2] ?? '';
        count += 1;
      });
    },
    [list, sell],
  );
  const samples: number[] = [];
  for (let round = 0; round < swaps; round += 1) {
    samples.push(await keyToPaint(page, 'F8', round % 2 === 0 ? '[role=option]' : '[data-testid=amount]'));
  }
  return baseline('page switch of the same pages as still pictures, p95', percentile(samples, 95), samples.length);
}
