/// <reference lib="dom" />
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops } from '../support/console-shop.ts';
import { runText } from '../support/run-text.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

describe('the Integrations page', () => {
  it('makes a key that opens the API, replaces it at once, and revokes it', async () => {
    const shop = await shops.open();
    const { page } = shop;
    const answer = async (key: string) =>
      (await fetch(`${shop.till.ready.posUrl}/v1/transactions`, { headers: { 'x-api-key': key } })).status;
    const shownKey = async () => (await page.getByRole('dialog').getByText(/^pos_/).textContent()) ?? '';
    await signIn(page);
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByLabel('Name of the POS').fill('bar');
    await page.getByRole('button', { name: 'Create key' }).click();
    const first = await shownKey();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await answer(first)).toBe(200);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'bar' });
    await row.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('The key before').selectOption('0');
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    await page.getByText('The key is shown this once.', { exact: false }).waitFor();
    const second = await shownKey();
    expect([await answer(first), await answer(second)]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    expect(await answer(second)).toBe(401);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await page.content()).not.toContain(second);
    expect(shop.complaints).toEqual([]);
  });

  it.each(['Rename', 'New key', 'Revoke'])('is accessible with the dialog %s open, which Esc closes', async (name) => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByLabel('Name of the POS').fill('bar');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('listitem').filter({ hasText: 'bar' }).getByRole('button', { name }).click();
    const dialog = page.getByRole('dialog', { name });
    await dialog.getByRole('button', { name, exact: true }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(shop.complaints).toEqual([]);
  });

  it('gives a first sale to copy with the key that was just made, which runs as it is and appears in the list', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page);
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('link', { name: 'First request' }).click();
    await page.getByText('Put the POS’s own key where', { exact: false }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByLabel('Name of the POS').fill('bar');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.getByRole('dialog').getByText(/^pos_/).textContent()) ?? '';
    await page.getByRole('link', { name: 'Try it with a first request' }).click();
    await page.getByText('It holds the key of bar', { exact: false }).waitFor();
    for (const language of ['JavaScript fetch', 'JavaScript WebSocket', 'Python', 'C#', 'curl']) {
      await page.getByText(language, { exact: true }).click();
      await page.getByRole('region', { name: language, exact: true }).getByText(key, { exact: false }).waitFor();
    }
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(await runText('shell', copied))).toMatchObject({ status: 'APPROVED', amount: 100 });
    const { count, sumMinor } = (await shop.control.book()).standing.charges;
    expect({ count, sumMinor }).toEqual({ count: 1, sumMinor: 100 });
    await page.getByRole('link', { name: 'Requests' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'POST /v1/transaction/sale' });
    await row.filter({ hasText: 'bar' }).getByText('Answered').waitFor();
    await page.getByRole('link', { name: 'Sell' }).click();
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('link', { name: 'First request' }).click();
    await page.getByText('Put the POS’s own key where', { exact: false }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(shop.complaints).toEqual([]);
  });

  it('finds that a page is not allowed, allows it on the spot, and shows its requests', async () => {
    const shop = await shops.open();
    const { page } = shop;
    const origin = 'https://pos.example';
    const call = async () => (await fetch(`${shop.till.ready.posUrl}/v1/meta`, { headers: { origin } })).status;
    await signIn(page);
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('link', { name: 'Browser doctor' }).click();
    await page.getByLabel('Address of the web POS').fill('https://*.example');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Name one page.', { exact: false }).waitFor();
    await page.getByLabel('Address of the web POS').fill(origin);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText(`${origin} may not use the till yet.`).waitFor();
    await page.getByText('Nothing has come from this page yet.', { exact: false }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await call()).toBe(403);
    await page.getByRole('button', { name: `Allow: ${origin}` }).click();
    await page.getByText(`${origin} may use the till.`).waitFor();
    await page.getByText('gets a yes', { exact: false }).waitFor();
    await page.getByText('A WebSocket from this page is taken.').waitFor();
    await page.getByText('and refused.', { exact: false }).waitFor();
    expect(await call()).not.toBe(403);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('listitem').filter({ hasText: origin }).first().waitFor();
    await page.getByRole('button', { name: 'Refused only' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('listitem').filter({ hasText: '403' }).getByRole('button', { name: 'Show' }).click();
    await page.getByText('Have the operator allow the page that calls.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Web pages' }).click();
    await page.getByRole('button', { name: `Remove: ${origin}` }).click();
    await page.getByText('No web page may use the till.').waitFor();
    expect(await call()).toBe(403);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(shop.complaints).toEqual([]);
  });
});
