import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readStoredSettings } from '../../app/config/settings.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import { endProgram, type Program, startProgram, temporaryFolder } from '../support/processes.ts';

interface HostReady {
  readonly baseUrl: string;
  readonly demo: Readonly<Record<'deviceToken' | 'merchantId' | 'secretKey', string>>;
}

const PROGRAMS_MS = 180_000;
const folder = temporaryFolder();
const shops = createShops();
let host: Program<HostReady>;
beforeAll(async () => {
  host = await startProgram<HostReady>('host/main', ['--port', '0', '--data-dir', folder.path, '--demo']);
  await merchant('PUT', `/v1/staff/merchants/${host.ready.demo.merchantId}/terminal-tip-config`, {
    ...{ enabled: true, presetBasisPoints: [1_000, 1_250], allowCustomAmount: true, postAuthAdjustEnabled: false },
    ...{ maxAmountMinor: 500, maxBasisPoints: 5_000, fixedAmountMinor: 50, fixedAmountThresholdMinor: 500 },
  });
}, PROGRAMS_MS);
afterEach(() => shops.close());
afterAll(async () => {
  await shops.end();
  await endProgram(host);
  folder.remove();
}, PROGRAMS_MS);

async function merchant<T>(method: 'GET' | 'PUT', path: string, body?: object): Promise<T> {
  const reply = await fetch(`${host.ready.baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': host.ready.demo.secretKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as T;
}

async function openShop(): Promise<Shop> {
  process.env.TILL_DEVICE_TOKEN = host.ready.demo.deviceToken;
  const shop = await shops.open({ till: ['--training', '--host', host.ready.baseUrl] });
  delete process.env.TILL_DEVICE_TOKEN;
  await signIn(shop.page);
  return shop;
}

/** A till that moves real money with the terminal of its settings, its first administrator at the Terminals page. */
async function openStored(): Promise<Shop> {
  process.env.TILL_DEVICE_TOKEN = host.ready.demo.deviceToken;
  const till = ['--host', host.ready.baseUrl];
  const shop = await shops.open({ till, terminal: ['--manual'], isTerminalStored: true });
  delete process.env.TILL_DEVICE_TOKEN;
  const { page } = shop;
  await page.getByLabel('Your name').fill('Anna');
  await page.getByLabel('PIN of 4 to 8 digits').fill('4711');
  await page.getByLabel('The same PIN again').fill('4711');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Anna \(administrator\)/ }).waitFor();
  await page.getByRole('link', { name: 'Terminals' }).click();
  await page.getByRole('article', { name: 'T1', exact: true }).waitFor();
  return shop;
}

const charge = (page: Page) => page.getByRole('button', { name: /^Charge/ });
const tip = (page: Page) => page.getByRole('combobox', { name: 'Tip' });
const paid = (page: Page, words: string) => page.getByTestId('result').filter({ hasText: words }).waitFor();
const newestAtHost = async () => {
  const { data } = await merchant<{ data: readonly Payment[] }>('GET', '/v1/payments?limit=1');
  const [payment] = data;
  return payment === undefined ? undefined : [payment.tipSource, payment.tipAmountMinor, payment.amountMinor];
};

it(
  'a terminal asks its cardholders for a tip once somebody has settled it, and no longer when he takes it back',
  async () => {
    const shop = await openStored();
    const { page } = shop;
    const asks = () => readStoredSettings(shop.till.ready.dataDir).terminals?.[0]?.asksTip;
    const choice = page.getByRole('article').getByRole('switch', { name: 'Ask for a tip' });
    expect(await choice.isChecked()).toBe(false);
    await choice.press('Space');
    await expect.poll(asks).toBe(true);
    await expect.poll(() => choice.isChecked()).toBe(true);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sell' }).click();
    await page.keyboard.type('2000');
    await expect
      .poll(() => tip(page).getByRole('option').allTextContents())
      .toEqual(['Tip: at the terminal', 'No tip', '10% · €2.00', '12.5% · €2.50', 'Other tip']);
    await charge(page).press('Enter');
    const { display } = await shop.control.untilState((view) => view.display.some((line) => line.startsWith('F2')));
    expect(display).toEqual([
      '20.00 EUR',
      'Tip?',
      'F1 10 %  2.00 EUR',
      'F2 12.5 %  2.50 EUR',
      'F3 Other amount',
      'F4 No tip',
    ]);
    await shop.control.send('POST', '/key', { key: 'F2' });
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await shop.control.send('POST', '/card', { card: 'visa-contactless' });
    await paid(page, 'Paid €22.50');
    expect((await shop.control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 2_250 });
    await expect.poll(newestAtHost, { timeout: 60_000 }).toEqual(['preset:1250', 250, 2_250]);
    await page.getByRole('link', { name: 'Terminals' }).click();
    await choice.press('Space');
    await expect.poll(asks).toBe(false);
    expect(shop.complaints).toEqual([]);
  },
  PROGRAMS_MS,
);

it(
  'the Sell page offers the tips of the merchant, by keyboard too, and charges and tells what was chosen',
  async () => {
    const shop = await openShop();
    const { page } = shop;
    await tip(page).waitFor();
    expect(await tip(page).isDisabled()).toBe(true);
    await page.keyboard.type('2000');
    const offered = () => tip(page).getByRole('option').allTextContents();
    await expect.poll(offered).toEqual(['No tip', '10% · €2.00', '12.5% · €2.50', 'Other tip']);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFindings(page)).toEqual([]);
    }
    await tip(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await charge(page).filter({ hasText: '€22.50' }).waitFor();
    await charge(page).press('Enter');
    await paid(page, 'Paid €22.50');
    await expect.poll(newestAtHost, { timeout: 60_000 }).toEqual(['preset:1250', 250, 2_250]);

    await page.getByRole('button', { name: 'New sale' }).click({ delay: 500 });
    await page.keyboard.type('499');
    await expect.poll(offered).toEqual(['No tip', '€0.50', 'Other tip']);
    await tip(page).selectOption('Other tip');
    await page.getByLabel('Tip (EUR)').fill('2.50');
    await page.getByText('At most €2.50.').waitFor({ state: 'detached' });
    await page.getByLabel('Tip (EUR)').fill('2.51');
    await page.getByText('At most €2.50.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await charge(page).isDisabled()).toBe(true);
    expect((await offered()).at(-1)).toBe('Other tip · €2.51');
    await tip(page).selectOption('€0.50');
    await charge(page).filter({ hasText: '€5.49' }).click();
    await paid(page, 'Paid €5.49');
    await expect.poll(newestAtHost, { timeout: 60_000 }).toEqual(['fixed:50', 50, 549]);
    const { count, sumMinor } = (await shop.control.book()).standing.charges;
    expect({ count, sumMinor }).toEqual({ count: 2, sumMinor: 2_799 });
    expect(shop.complaints).toEqual([]);
  },
  PROGRAMS_MS,
);
