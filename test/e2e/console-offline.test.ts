// Sales without their issuer as a shop sees them: switched on in the settings, taken while the host is gone, told of, forwarded when it is back.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { accessibilityFindings } from '../support/accessibility.ts';
import { type ConsoleWindow, openConsole, signIn, startBrowser } from '../support/console-browser.ts';
import { createPos } from '../support/pos.ts';
import {
  endProgram,
  type Program,
  startProgram,
  startTill,
  startVirtualTerminal,
  type TillReady,
  temporaryFolder,
  type VirtualTerminalReady,
} from '../support/processes.ts';
import { controlClient } from '../virtual/support/running-terminal.ts';

interface HostReady {
  readonly baseUrl: string;
  readonly demo: { readonly deviceToken: string };
}

const PROGRAMS_MS = 300_000;
/** The browser waits for what a busy machine is slow to do. */
const SLOW = { timeout: 90_000 };
const folder = temporaryFolder();
let host: Program<HostReady>;
let reader: Program<VirtualTerminalReady>;
let till: Program<TillReady>;
let browser: Browser;
let shown: ConsoleWindow;

const startHost = (port: string) =>
  startProgram<HostReady>('host/main', ['--port', port, '--data-dir', join(folder.path, 'host'), '--demo']);

beforeAll(async () => {
  host = await startHost('0');
  const line = join(folder.path, 'tty-reader');
  const book = join(folder.path, 'reader.jsonl');
  reader = await startVirtualTerminal(['--protocol', 'neo2', '--pty', line, '--think-ms', '0', '--book', book]);
  process.env.TILL_DEVICE_TOKEN = host.ready.demo.deviceToken;
  till = await startTill([
    ...['--data-dir', join(folder.path, 'till'), '--training', '--host', host.ready.baseUrl],
    ...['--terminal', `neo2+serial://${line}?currency=EUR`],
  ]);
  delete process.env.TILL_DEVICE_TOKEN;
  browser = await startBrowser();
  shown = await openConsole(browser, till.ready.consoleUrl ?? '');
}, PROGRAMS_MS);
afterAll(async () => {
  await browser?.close();
  await endProgram(till);
  await endProgram(reader);
  await endProgram(host);
  folder.remove();
}, PROGRAMS_MS);

/** A card that is tapped, below the amount from which it asks for a PIN. */
async function sell(amount: number): Promise<TransactionResponse> {
  await controlClient(reader.ready.controlUrl).send('POST', '/card', { card: 'visa-contactless' });
  const pos = createPos(till.ready.posUrl, till.ready.posKey ?? '');
  const answer = await pos.post('/v1/transaction/sale', { type: 'SALE', amount, currency: 'EUR' });
  return answer.body as TransactionResponse;
}

async function switchOn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  const card = page.getByRole('region', { name: 'Sales while the host does not answer' });
  const toggle = card.getByRole('switch', { name: 'Take sales offline, and ask the bank later' });
  expect(await toggle.isChecked()).toBe(false);
  await toggle.check();
  await card.getByText('The shop bears the risk.').waitFor();
  const save = card.getByRole('button', { name: 'Save' });
  const most = card.getByLabel('At most per sale (EUR)');
  for (const wrong of ['0', '1001', '12.50', '']) {
    await most.fill(wrong);
    await card.getByText('A whole number from 1 to 1,000.').waitFor();
    expect(await save.isDisabled()).toBe(true);
  }
  await most.fill('30');
  await card.getByLabel('Sales that may wait, at most').fill('2');
  await save.click();
  await card.getByText('Saved.').waitFor();
  await expectAccessible(page);
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFindings(page)).toEqual([]);
  }
}

it(
  'takes sales while the host is gone, says what waits and why no more are taken, and forwards them',
  async () => {
    const { page } = shown;
    const banner = page.getByRole('status').filter({ hasText: /taken offline|does not answer/ });
    await signIn(page);
    await switchOn(page);
    expect(await sell(1_000)).toMatchObject({ status: 'APPROVED' });
    expect(await banner.count()).toBe(0);
    host.kill('SIGKILL');
    await host.ended;

    const first = await sell(2_000);
    expect(first).toMatchObject({ status: 'APPROVED', deferredAuthorization: 'WAITING' });
    await banner.getByText('1 sale taken offline waits for the bank: €20.00, for').waitFor(SLOW);
    await banner.getByText('1 more sale of up to €30.00 is taken offline (€980.00 in all).').waitFor(SLOW);
    await banner.getByText('what waits is sent by itself').waitFor();
    await expectAccessible(page);
    await page.goto(`${new URL(page.url()).origin}/#/activity/${first.transactionId}`);
    const detail = page.getByRole('dialog');
    await detail.getByText('The bank has not been asked yet').waitFor();
    await detail.getByTestId('receipt').getByText('Accepted offline').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('main').getByText('Accepted offline').first().waitFor();

    // Its issuer will decline this one.
    expect(await sell(1_051)).toMatchObject({ deferredAuthorization: 'WAITING' });
    await banner.getByText('No more sales are taken offline: 2 wait, the most that is allowed.').waitFor(SLOW);
    expect(await sell(500)).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });

    host = await startHost(new URL(host.ready.baseUrl).port);
    await banner.waitFor({ state: 'detached', ...SLOW });
    await page.getByRole('link', { name: /Attention$/ }).click();
    const task = page.getByRole('article').filter({ hasText: 'The shop has not been paid for this sale.' });
    await task.getByText('Ask the customer for another payment, as a new sale').waitFor(SLOW);
    await expectAccessible(page);
    await task.getByRole('button', { name: 'Resolve' }).click();
    await task.getByLabel('The customer has paid otherwise').check();
    await task.getByRole('button', { name: 'Record this answer' }).click();
    await task.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /Activity$/ }).click();
    await page.getByRole('main').getByText('Declined afterwards').waitFor();
    expect(shown.complaints).toEqual([]);
  },
  PROGRAMS_MS,
);
