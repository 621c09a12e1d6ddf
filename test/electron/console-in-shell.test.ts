import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { signIn } from '../support/console-browser.ts';
import { createPos } from '../support/pos.ts';
import { openShell, startAgain } from './shell-harness.ts';
import { createShellShops } from './shell-shops.ts';

/** A busy machine takes its time; what is waited for is a state. */
const patience = { timeout: 20_000 };

/** The console's specs in the desktop shell: on Electron where TILL_ELECTRON names it, otherwise on the double. */
const shops = createShellShops((args) => openShell(args));
afterEach(() => shops.close());
afterAll(() => shops.end());

const charge = (page: Page) => page.getByRole('button', { name: /^Charge/ });
const result = (page: Page, words: string | RegExp) => page.getByTestId('result').filter({ hasText: words }).waitFor();

async function openSignedIn(...terminal: string[]) {
  const shop = await shops.open(terminal);
  await signIn(shop.shell.page);
  await charge(shop.shell.page).waitFor();
  return shop;
}

describe('the console in its own window', () => {
  it('refuses a wrong PIN, sells, and gives half of it back', async () => {
    const { shell, control } = await shops.open();
    const { page } = shell;
    await signIn(page, '9999');
    await page.getByText('This PIN is not right. Try again.').waitFor();
    await signIn(page);
    await charge(page).waitFor();
    await page.keyboard.type('1250');
    await page.keyboard.press('Enter');
    await result(page, 'Paid €12.50 · Visa ••• 0119');
    expect((await control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 1250 });

    await page.getByRole('link', { name: /^Activity/ }).click();
    await page.getByRole('listbox', { name: 'Activity' }).getByRole('option').filter({ hasText: '€12.50' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Give money back' }).click();
    await dialog.getByText('A part', { exact: true }).click();
    await dialog.getByLabel('Amount in EUR').fill('6.25');
    await dialog.getByRole('button', { name: 'Give back €6.25' }).click();
    await dialog.getByTestId('give-back-result').filter({ hasText: '€6.25 given back.' }).waitFor();
    await expect
      .poll(async () => (await control.book()).standing.refunds, patience)
      .toMatchObject({ count: 1, sumMinor: 625 });
    expect(shell.complaints).toEqual([]);
  });

  it('shows a running payment again after a reload, and keeps its person signed in over a restart of the till', async () => {
    const shop = await openSignedIn('--manual');
    const { page } = shop.shell;
    await page.keyboard.type('1999');
    await page.keyboard.press('Enter');
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await page.reload();
    await page.getByTestId('running').waitFor();
    await shop.control.send('POST', '/card', { card: 'visa-contactless' });
    await result(page, 'Paid €19.99');
    await shop.shell.quit();
    expect(await shop.shell.ended).toBe(0);
    const again = await shops.reopen(shop);
    await charge(again.page).waitFor();
  });

  it('is there once: a second start brings it to the front and ends', async () => {
    const { shell, args } = await openSignedIn();
    await shell.closeWindow();
    expect(await shell.isShown()).toBe(false);
    expect(await startAgain(args)).toBe(0);
    await expect.poll(() => shell.isShown(), patience).toBe(true);
    expect(shell.page.context().pages()).toHaveLength(1);
  });
});

describe('quitting while a payment runs', () => {
  it('asks; whoever stays loses nothing, and whoever quits waits for its end', async () => {
    const { shell, control } = await openSignedIn('--manual');
    const { page } = shell;
    await page.keyboard.type('1000');
    await page.keyboard.press('Enter');
    await page.getByText('Tap, insert or swipe the card.').waitFor();
    await shell.quit();
    await expect.poll(() => shell.dialogs(), patience).toMatchObject([{ message: 'A payment is running.' }]);
    await shell.answer(0);
    await page.getByTestId('running').waitFor();
    await shell.quit();
    await expect.poll(() => shell.dialogs(), patience).toHaveLength(1);
    await shell.answer(1);
    await page.getByTestId('running').waitFor();
    const pos = createPos(shell.ready.posUrl, shell.ready.posKey ?? '');
    expect((await pos.get('/v1/transactions/current')).body.status).toBe('IN_PROGRESS');
    await control.send('POST', '/card', { card: 'visa-contactless' });
    expect(await shell.ended).toBe(0);
    expect((await control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 1000 });
  });
});
