import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readStoredSettings } from '../../app/config/settings.ts';
import { accessibilityFindings } from '../support/accessibility.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import {
  endProgram,
  type Program,
  startVirtualTerminal,
  temporaryFolder,
  type VirtualTerminalReady,
} from '../support/processes.ts';
import { type ControlClient, controlClient } from '../virtual/support/running-terminal.ts';

/** A search waits for answers, and then programs work. */
const PROGRAMS_MS = 180_000;

const shops = createShops();
const folder = temporaryFolder();
let more: Program<VirtualTerminalReady>[] = [];
let booked = 0;
afterEach(async () => {
  await shops.close();
  for (const terminal of more) await endProgram(terminal);
  more = [];
});
afterAll(async () => {
  await shops.end();
  folder.remove();
});

/** A terminal that the till does not know yet. */
async function startOther(...args: string[]): Promise<{ ready: VirtualTerminalReady; control: ControlClient }> {
  booked += 1;
  const book = join(folder.path, `book-${booked}.jsonl`);
  const terminal = await startVirtualTerminal([
    ...['--think-ms', '150', '--terminal-id', `2900000${booked + 1}`, '--book', book],
    ...args,
  ]);
  more.push(terminal);
  return { ready: terminal.ready, control: controlClient(terminal.ready.controlUrl) };
}

/** A till that moves real money with the terminal of its settings, its first administrator signed in at the Terminals page. */
async function openShop(): Promise<Shop> {
  const shop = await shops.open({ till: [], isTerminalStored: true });
  const { page } = shop;
  await page.getByLabel('Your name').fill('Anna');
  await page.getByLabel('PIN of 4 to 8 digits').fill('4711');
  await page.getByLabel('The same PIN again').fill('4711');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Anna \(administrator\)/ }).waitFor();
  await goTo(page, 'Terminals');
  await card(page, 'T1').waitFor();
  return shop;
}

const goTo = (page: Page, name: string) => page.getByRole('link', { name }).click();
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const wizard = (page: Page) => page.getByRole('dialog', { name: 'Add a terminal' });

async function searchNetwork(page: Page, port: number): Promise<void> {
  await wizard(page).getByLabel('Its address or name').fill('127.0.0.1');
  await wizard(page).getByLabel('Port', { exact: true }).fill(String(port));
  await wizard(page).getByRole('button', { name: 'Search' }).click();
}

/** The last step of the wizard: what was found gets its name. */
async function nameIt(page: Page, name: string, isDefault = false): Promise<void> {
  await wizard(page).getByText('A terminal answers by ZVT.').waitFor();
  await wizard(page).getByText('It took the registration and is ready. No money moved.').waitFor();
  await addIt(page, name, isDefault);
}

async function addIt(page: Page, name: string, isDefault = false): Promise<void> {
  await wizard(page).getByLabel('What do you call it?').fill(name);
  if (isDefault) await wizard(page).getByLabel('Sales at this console begin with it').check();
  await wizard(page).getByRole('button', { name: 'Add it' }).click();
  await wizard(page).waitFor({ state: 'detached' });
  await page.getByText(`${name} is added and in use.`).waitFor();
}

describe('the wizard', () => {
  it('finds a second terminal in the network after a wrong port, tries it without money, and sales begin with it', async () => {
    const shop = await openShop();
    const { page } = shop;
    const { ready, control } = await startOther('--tcp', '0');
    await page.getByRole('button', { name: 'Add a terminal' }).click();
    await wizard(page).getByText('How is it connected?').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await searchNetwork(page, 1);
    await wizard(page)
      .getByRole('alert')
      .filter({ hasText: 'A device is there, but nothing listens on this port.' })
      .waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await searchNetwork(page, ready.tcp ?? 0);
    await wizard(page).getByText('A terminal answers by ZVT.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await nameIt(page, 'Garden', true);
    await card(page, 'Garden').getByText('Default', { exact: true }).waitFor();
    expect((await control.book()).standing.charges.count).toBe(0);

    await goTo(page, 'Sell');
    await page.getByRole('button', { name: /^Charge/ }).waitFor();
    await page.keyboard.type('1250');
    await page.keyboard.press('Enter');
    await page.getByTestId('result').filter({ hasText: 'Paid €12.50' }).waitFor();
    expect((await control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 1250 });
    expect((await shop.control.book()).standing.charges.count).toBe(0);
    expect(shop.complaints).toEqual([]);
  });

  it('finds a terminal on a serial line that is named by hand, and refuses the address of another', async () => {
    const { page, complaints, terminal } = await openShop();
    const { ready, control } = await startOther('--pty', join(folder.path, 'tty-counter'));
    await page.getByRole('button', { name: 'Add a terminal' }).click();
    await searchNetwork(page, terminal.ready.tcp ?? 0);
    await wizard(page)
      .getByRole('alert')
      .filter({ hasText: 'Another terminal of this till has this address.' })
      .waitFor();
    await wizard(page).getByLabel('By a serial or USB cable').check();
    await wizard(page).getByLabel('Another port').check();
    await wizard(page).getByLabel('Name of the port').fill('/dev/ttyNOTHING9');
    expect(await accessibilityFindings(page)).toEqual([]);
    await wizard(page).getByRole('button', { name: 'Search' }).click();
    await wizard(page).getByRole('alert').filter({ hasText: 'There is no such port.' }).waitFor();
    await wizard(page)
      .getByLabel('Name of the port')
      .fill(ready.pty ?? '');
    await wizard(page).getByRole('button', { name: 'Search' }).click();
    await nameIt(page, 'Cellar');
    // A serial terminal answers more slowly than one in the network.
    await card(page, 'Cellar').getByText('Nothing: it is ready').waitFor({ timeout: 60_000 });
    expect((await control.book()).standing.charges.count).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('a search for what a terminal speaks', () => {
  it('finds out ECR17 and its check byte, and says of a wrong choice what the device speaks', {
    timeout: PROGRAMS_MS,
  }, async () => {
    const shop = await openShop();
    const { page } = shop;
    const { ready, control } = await startOther('--protocol', 'ecr17', '--tcp', '0', '--lrc', 'stx');
    await page.getByRole('button', { name: 'Add a terminal' }).click();
    await wizard(page).getByLabel('ZVT', { exact: true }).check();
    await searchNetwork(page, ready.tcp ?? 0);
    await wizard(page)
      .getByRole('alert')
      .filter({ hasText: 'This device speaks ECR17, not ZVT.' })
      .waitFor({ timeout: 60_000 });
    expect(await accessibilityFindings(page)).toEqual([]);
    await wizard(page).getByLabel('Find out').check();
    await wizard(page).getByRole('button', { name: 'Search' }).click();
    await wizard(page).getByText('A terminal answers by ECR17.').waitFor({ timeout: 60_000 });
    await wizard(page).getByText('It told how it is, and is ready. No money moved.').waitFor();
    await addIt(page, 'Bar', true);
    await card(page, 'Bar').getByText('ECR17').waitFor();
    await card(page, 'Bar').getByText('Nothing: it is ready').waitFor({ timeout: 60_000 });
    const { terminals = [] } = readStoredSettings(shop.till.ready.dataDir);
    expect(terminals[1]?.url).toBe(`ecr17+tcp://127.0.0.1:${ready.tcp}?lrc=stx&currency=EUR`);
    expect((await control.book()).standing.charges.count).toBe(0);
    expect(shop.complaints).toEqual([]);
  });

  it('says of Caisse-AP that only a payment can show it, sends nothing, and sells', {
    timeout: PROGRAMS_MS,
  }, async () => {
    const shop = await openShop();
    const { page } = shop;
    const { ready, control } = await startOther('--protocol', 'caisse-ap', '--tcp', '0');
    await page.getByRole('button', { name: 'Add a terminal' }).click();
    await wizard(page).getByLabel('Caisse-AP').check();
    expect(await wizard(page).getByLabel('Port', { exact: true }).inputValue()).toBe('8888');
    expect(await wizard(page).getByLabel('Till password of the terminal').count()).toBe(0);
    await searchNetwork(page, ready.tcp ?? 0);
    await wizard(page).getByText('Something listens there.').waitFor();
    await wizard(page).getByText('Whether it speaks Caisse-AP shows with the first payment:').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await addIt(page, 'Terrasse', true);
    expect((await control.book()).standing.charges.count).toBe(0);
    await goTo(page, 'Sell');
    await page.getByRole('button', { name: /^Charge/ }).waitFor();
    await page.keyboard.type('400');
    await page.keyboard.press('Enter');
    await page.getByTestId('result').filter({ hasText: 'Paid €4.00' }).waitFor({ timeout: 60_000 });
    expect((await control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 400 });
    expect(shop.complaints).toEqual([]);
  });
});

describe('a terminal of the settings', () => {
  it('shows and prints a test, and gets another name', async () => {
    const shop = await openShop();
    const { page, control } = shop;
    await card(page, 'T1').getByRole('button', { name: 'Test the display' }).click();
    await control.untilState(({ display }) => display.some((line) => line.includes('This is a test.')));
    await card(page, 'T1').getByText('It shows the test for ten seconds.').waitFor();
    await control.untilState(({ state }) => state === 'IDLE');
    await card(page, 'T1').getByRole('button', { name: 'Test the printer' }).click();
    await control.untilState(({ paper }) => paper.some((line) => line.includes('This is a test.')));
    await card(page, 'T1').getByText('It prints the test.').waitFor();
    await card(page, 'T1').getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename T1' });
    await dialog.getByLabel('Name').fill('Lane 1');
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card(page, 'Lane 1').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.reload();
    await card(page, 'Lane 1').waitFor();
    expect(shop.complaints).toEqual([]);
  });

  it('is not taken away while a payment runs on it, nor before its day is closed; one that does not answer any more is', async () => {
    const shop = await openShop();
    const { page, complaints } = shop;
    const { ready, control } = await startOther('--tcp', '0', '--manual');
    await page.getByRole('button', { name: 'Add a terminal' }).click();
    await searchNetwork(page, ready.tcp ?? 0);
    await nameIt(page, 'Garden', true);
    // The manager's window stays on this page; the cashier's sells.
    const till = await page.context().newPage();
    await till.goto(page.url().replace(/#.*$/, '#/sell'));
    await till.getByRole('button', { name: /^Charge/ }).waitFor();
    await till.keyboard.type('700');
    await till.keyboard.press('Enter');
    await control.untilState(({ state }) => state === 'WAITING_FOR_CARD');
    await card(page, 'Garden').getByText('Working on a payment').waitFor();
    await card(page, 'Garden').getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Garden?' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('The terminal is still working. Wait until it has finished.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await control.send('POST', '/card', { card: 'visa-contactless' });
    await till.getByTestId('result').filter({ hasText: 'Paid €7.00' }).waitFor();
    expect((await control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 700 });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('It has payments since the last day close. Close the day first.').waitFor();

    const [garden] = more;
    await endProgram(garden);
    await card(page, 'Garden').getByText('It does not answer').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await card(page, 'Garden').waitFor({ state: 'detached' });
    expect(await card(page, 'T1').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('stays when it is the last one', async () => {
    const { page } = await openShop();
    await card(page, 'T1').getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove T1?' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('A till keeps one terminal. Add the new one first.').waitFor();
    await page.keyboard.press('Escape');
    await card(page, 'T1').waitFor();
  });
});
