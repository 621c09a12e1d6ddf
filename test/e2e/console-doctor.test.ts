import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FRAME_EXAMPLE } from '../../app/domain/doctor-findings.ts';
import { accessibilityFindings } from '../support/accessibility.ts';
import { quietBrowserArgs, signIn } from '../support/console-browser.ts';
import { createShops, type Shop } from '../support/console-shop.ts';
import { addStaff, changeStaff } from '../support/console-staff.ts';
import { type ForeignSite, startForeignSite } from '../support/foreign-site.ts';
import { temporaryFolder } from '../support/processes.ts';

const shops = createShops();
const profile = temporaryFolder();
let site: ForeignSite;
let contexts: BrowserContext[] = [];

beforeEach(async () => {
  site = await startForeignSite();
});
afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts = [];
  site.close();
  await shops.close();
});
afterAll(async () => {
  await shops.end();
  profile.remove();
});

/** A browser window of the integrator, apart from the console's. */
async function foreignPage(): Promise<Page> {
  const context = await (await shops.browser()).newContext({ locale: 'en-GB' });
  contexts.push(context);
  return context.newPage();
}

/** What the web POS at the address has got. */
async function stateOf(page: Page, address: string): Promise<string> {
  await page.goto(address);
  return pageState(page.locator('#state'));
}

async function pageState(state: ReturnType<Page['locator']>): Promise<string> {
  await state.filter({ hasNotText: 'calling' }).waitFor();
  return (await state.textContent()) ?? '';
}

async function openDoctor({ page }: Shop): Promise<void> {
  await page.getByRole('link', { name: 'Integrations' }).click();
  await page.getByRole('link', { name: 'Browser doctor' }).click();
}

/** Asks the doctor of the console about a page. */
async function ask({ page }: Shop, origin: string): Promise<void> {
  await page.getByLabel('Address of the web POS').fill(origin);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
}

async function allow({ page }: Shop, origin: string): Promise<void> {
  await page.getByRole('button', { name: `Allow: ${origin}` }).click();
}

describe('the browser doctor', () => {
  it('names the page that was refused, and lets a cashier allow it with a manager’s PIN', async () => {
    const shop = await shops.open();
    const { page } = shop;
    const { posUrl, posKey } = shop.till.ready;
    const webPos = site.webPos(site.origin, posUrl, posKey);
    await signIn(page);
    await page.getByRole('button', { name: /^Charge/ }).waitFor();
    await addStaff(page, { name: 'Anna', role: 'CASHIER', pin: '1111' });
    await addStaff(page, { name: 'Ben', role: 'MANAGER', pin: '2222' });
    await page.reload();
    await changeStaff(page, 'Anna', '1111');
    await openDoctor(shop);
    await page.getByText('No page was refused lately.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    const stranger = await foreignPage();
    expect(await stateOf(stranger, webPos)).toBe('held back');

    await page.getByRole('button', { name: `Check: ${site.origin}` }).click();
    await page.getByText(`${site.origin} may not use the till yet.`).waitFor();
    await page.getByText('and refused.', { exact: false }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await allow(shop, site.origin);
    const approval = page.getByRole('dialog', { name: 'Change the allowed web pages' });
    await approval.getByLabel('Approved by').selectOption('Ben');
    await approval.getByLabel('PIN', { exact: true }).fill('2222');
    expect(await accessibilityFindings(page)).toEqual([]);
    await approval.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(`${site.origin} may use the till.`).waitFor();
    await page.getByText('No page was refused lately.').waitFor();

    expect(await stateOf(stranger, webPos)).toBe('answered 200');
    await ask(shop, site.origin);
    await page.getByText('and answered.', { exact: false }).waitFor();
    expect(shop.complaints).toEqual([]);
  });

  it('finds that the page calls the till by a name that it does not go by, and says which address to call', async () => {
    const shop = await shops.open();
    const { page } = shop;
    const { posUrl, posKey } = shop.till.ready;
    const wrongName = posUrl.replace('127.0.0.1', 'till.localhost');
    await signIn(page);
    await openDoctor(shop);
    await ask(shop, site.origin);
    await allow(shop, site.origin);
    await page.getByText(`${site.origin} may use the till.`).waitFor();
    const stranger = await foreignPage();
    expect(await stateOf(stranger, site.webPos(site.origin, wrongName, posKey))).toBe('held back');
    expect(await stateOf(stranger, site.webPos(site.origin, posUrl, posKey))).toBe('answered 200');
    await page.getByLabel('Address that it calls').fill(wrongName);
    await ask(shop, site.origin);
    await page.getByText(`The till does not answer under this name. Call ${posUrl}.`).waitFor();
    expect(shop.complaints).toEqual([]);
  });

  it('is a page of the POS API too, in the browser of the web POS and without a key', async () => {
    const shop = await shops.open();
    const { posUrl } = shop.till.ready;
    const page = await foreignPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${posUrl}/doctor`);
    await page.getByText('The clocks of this browser and the till agree.').waitFor();
    await page.getByLabel('Address of the web POS').fill(site.origin);
    await page.keyboard.press('Enter');
    await page.getByText(`${site.origin} may not use the till yet.`).waitFor();
    await page.getByText('Not tried yet').waitFor();
    await page.getByText('Have the operator allow it', { exact: false }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.clock.setSystemTime(Date.now() + 600_000);
    await page.reload();
    await page.getByText(/are \d{3} s apart/).waitFor();
    await page.getByLabel('Address of the web POS').fill('https://*.example');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('alert').getByText('Name one page.', { exact: false }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/**
 * A browser in which the site counts as one of the internet, and in which the person has answered the question about this computer with yes for the
 * outer name of the site: as after Allow in Chrome.
 */
async function rememberingBrowser(): Promise<BrowserContext> {
  mkdirSync(join(profile.path, 'Default'));
  const allowed = { [`${site.otherOrigin},*`]: { setting: 1 } };
  const exceptions = { loopback_network: allowed, local_network: allowed, local_network_access: allowed };
  const preferences = { profile: { content_settings: { exceptions } } };
  writeFileSync(join(profile.path, 'Default', 'Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [...quietBrowserArgs, `--ip-address-space-overrides=127.0.0.1:${site.port}=public`],
  });
  contexts.push(context);
  return context;
}

describe('a web POS from the internet, in a browser that asks before it may call this computer', () => {
  it('is held back before the till hears of it, which the doctor tells from a refusal; and with the answer yes it passes', async () => {
    const shop = await shops.open();
    const { page } = shop;
    const { posUrl, posKey } = shop.till.ready;
    await signIn(page);
    await openDoctor(shop);
    for (const origin of [site.origin, site.otherOrigin]) {
      await ask(shop, origin);
      await allow(shop, origin);
      await page.getByText(`${origin} may use the till.`).waitFor();
    }
    const window = await (await rememberingBrowser()).newPage();
    expect(await stateOf(window, site.webPos(site.origin, posUrl, posKey))).toBe('held back');
    await ask(shop, site.origin);
    await page.getByText(`${site.origin} may use the till.`).waitFor();
    await page.getByText('Nothing has come from this page yet.', { exact: false }).waitFor();
    await page.getByText('Not tried yet').waitFor();
    expect(await stateOf(window, site.webPos(site.otherOrigin, posUrl, posKey))).toBe('answered 200');

    // In a frame of a page that has the permission, the web POS gets it only with what the doctor gives to copy.
    const inner = site.webPos(site.origin, posUrl, posKey);
    const framed = async (attribute: string) => {
      await window.goto(site.framing(site.otherOrigin, inner, attribute));
      return pageState(window.frameLocator('iframe').locator('#state'));
    };
    expect(await framed('')).toBe('held back');
    expect(await framed(/allow="([^"]+)"/.exec(FRAME_EXAMPLE)?.[1] ?? '')).toBe('answered 200');
    await ask(shop, site.origin);
    await page.getByText('and answered.', { exact: false }).waitFor();
    expect(shop.complaints).toEqual([]);
  });
});
