/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import { closeSync, cpSync, fsyncSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openConsole, signIn, startBrowser } from '../support/console-browser.ts';
import { loadedScriptBytes } from '../support/loaded-scripts.ts';
import { endProgram, startTill, startVirtualTerminal } from '../support/processes.ts';
import { emptyPage, pictureSwaps } from './console-baselines.ts';
import { type Figure, figure, linesOf } from './figure.ts';
import { pageWork } from './page-work.ts';
import { keyToPaint, loadToPaint, watchInteractions } from './painted.ts';
import { percentile, type Report } from './statistics.ts';

const loads = 5;
const presses = 20;
const switches = 10;
const typedSearches = ['2501', '0417', '8812', 'order-20', 'c0ffee'];
const scrolledRows = 100_000;
const wheelPx = 4_000;
const promised = { loadMs: 1_000, scriptBytes: 300_000, inpMs: 100, switchMs: 100, searchMs: 100, pressMs: 50 };

/**
 * F10: the built console in Chromium, at a real till whose journal holds so many transactions: what a person feels, by the browser's own clock,
 * while real keys and a real wheel are used.
 * @param journalDir a folder that is copied; what the run writes stays in the copy.
 */
export async function consoleSpeed(journalDir: string, transactions: number): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'till-bench-'));
  copyToDisk(journalDir, join(folder, 'data'));
  const terminal = await startVirtualTerminal(['--tcp', '0', '--think-ms', '0', '--book', join(folder, 'book.jsonl')]);
  const till = await startTill([
    ...['--data-dir', join(folder, 'data'), '--training'],
    ...['--terminal', `zvt+tcp://127.0.0.1:${terminal.ready.tcp}`],
  ]);
  const browser = await startBrowser();
  try {
    const figures = await measure(browser, till.ready.consoleUrl ?? '');
    return {
      isKept: figures.every(({ isKept }) => isKept),
      lines: [
        `F10 console in Chromium over ${transactions.toLocaleString('en')} transactions`,
        ...figures.flatMap(linesOf),
      ],
    };
  } finally {
    await browser.close();
    for (const program of [till, terminal]) await endProgram(program);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Until it is on the disk: what is still being written would slow down what is measured. */
function copyToDisk(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to)) {
    const file = openSync(join(to, name), 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}

async function measure(browser: Browser, url: string): Promise<readonly Figure[]> {
  const floor = await emptyPage(browser);
  const { page, context } = await openConsole(browser, url);
  await signIn(page);
  await page.getByTestId('amount').waitFor();
  await page.reload();
  await page.getByTestId('amount').waitFor();
  const scriptBytes = await loadedScriptBytes(page);
  const loadMs = await firstLoads(browser, context, page.url());
  const pressMs = await amountPresses(page);
  const switchMs: number[] = [];
  const switchWork = await pageWork(page, switches + 1, async () => void switchMs.push(...(await pageSwitches(page))));
  const searchMs: number[] = [];
  const keys = typedSearches.join('').length;
  const searchWork = await pageWork(page, keys, async () => void searchMs.push(...(await searches(page))));
  const { slowest, interactions, rows } = await scroll(page);
  return [
    ...floor,
    figure(
      'first load, nothing cached, until Sell can be used',
      percentile(loadMs, 50),
      promised.loadMs,
      loadMs.length,
    ),
    {
      text: 'scripts loaded until Sell can be used, packed by gzip',
      value: `${(scriptBytes / 1_000).toFixed(0)} kB`,
      promise: `≤ ${promised.scriptBytes / 1_000} kB`,
      isKept: scriptBytes <= promised.scriptBytes,
    },
    figure('press to the first change on Sell, p95', percentile(pressMs, 95), promised.pressMs, pressMs.length),
    {
      ...figure('page switch, press to painted, p95', percentile(switchMs, 95), promised.switchMs, switchMs.length),
      limits: switchWork,
    },
    {
      ...figure('search, key to rows painted, p95', percentile(searchMs, 95), promised.searchMs, searchMs.length),
      limits: searchWork,
    },
    figure(`INP while ${rows.toLocaleString('en')} rows are scrolled`, slowest, promised.inpMs, interactions),
    await pictureSwaps(page),
  ];
}

/** Each in a context of its own, whose cache is empty; the cookie of a browser that was let in is brought along. */
async function firstLoads(browser: Browser, known: BrowserContext, url: string): Promise<readonly number[]> {
  const storageState = await known.storageState();
  const samples: number[] = [];
  for (let round = 0; round < loads; round += 1) {
    samples.push(await loadToPaint(browser, { storageState }, url, '[data-testid=amount]'));
  }
  return samples;
}

async function amountPresses(page: Page): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let round = 0; round < presses; round += 1) {
    samples.push(await keyToPaint(page, round % 4 === 3 ? 'Backspace' : '5', '[data-testid=amount]'));
  }
  return samples;
}

async function pageSwitches(page: Page): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let round = 0; round <= switches; round += 1) {
    const [name, shown] = round % 2 === 0 ? ['Activity', '[role=option]'] : ['Sell', '[data-testid=amount]'];
    await page.getByRole('link', { name }).focus();
    const elapsed = await keyToPaint(page, 'Enter', shown);
    // The first one loads the page's own part.
    if (round > 0) samples.push(elapsed);
  }
  return samples;
}

async function searches(page: Page): Promise<readonly number[]> {
  const samples: number[] = [];
  await page.getByRole('link', { name: 'Activity' }).click();
  const box = page.getByRole('textbox', { name: 'Search' });
  for (const text of typedSearches) {
    await box.fill('');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await box.focus();
    for (const key of text) samples.push(await keyToPaint(page, key, '[role=listbox]'));
  }
  await box.fill('');
  // What stays as it was, since the newest row matches the longer text too, has no change to measure.
  return samples.filter((sample) => Number.isFinite(sample));
}

/** Scrolls by wheel and keys, page after page of rows, until so many were passed. */
async function scroll(page: Page): Promise<{ slowest: number; interactions: number; rows: number }> {
  const list = page.getByRole('listbox');
  await list.focus();
  const box = await list.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 50, (box?.y ?? 0) + 50);
  const interactions = await watchInteractions(page);
  let rows = 0;
  while (rows < scrolledRows) {
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.mouse.wheel(0, wheelPx);
    const last = await list.getByRole('option').last().getAttribute('aria-posinset');
    rows = Number(last);
  }
  const durations = await interactions();
  // As the web's own figure is defined: of many interactions, one of each fifty is set aside.
  return { slowest: percentile(durations, 98), interactions: durations.length, rows };
}
