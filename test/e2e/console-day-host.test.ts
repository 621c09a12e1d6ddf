import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { sellByPos, sellUnknownByPos } from '../support/console-pos.ts';
import { createShops } from '../support/console-shop.ts';
import { endProgram, type Program, startProgram, temporaryFolder } from '../support/processes.ts';

interface HostReady {
  readonly baseUrl: string;
  readonly demo: { readonly deviceToken: string };
}

const folder = temporaryFolder();
const shops = createShops();
let host: Program<HostReady> | undefined;
afterEach(() => shops.close());
afterAll(async () => {
  await shops.end();
  await endProgram(host);
  folder.remove();
});

async function startHost(port: number): Promise<HostReady> {
  host = await startProgram<HostReady>('host/main', ['--port', String(port), '--data-dir', folder.path, '--demo']);
  return host.ready;
}

async function resolveAsCharged(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Attention' }).click();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByLabel('The money moved').check();
  await page.getByLabel('What do you know it from?').fill('The customer said so');
  await page.getByRole('button', { name: 'Record this answer' }).click();
}

it('a closed day shows the host’s column as soon as it is there, and who clears up what differs', async () => {
  const { baseUrl, demo } = await startHost(0);
  process.env.TILL_DEVICE_TOKEN = demo.deviceToken;
  const shop = await shops.open({ till: ['--training', '--host', baseUrl] });
  delete process.env.TILL_DEVICE_TOKEN;
  const { page } = shop;
  await signIn(page);
  await sellByPos(shop, 1250);
  await sellUnknownByPos(shop, 3300, 'order-5');
  await resolveAsCharged(page);
  await endProgram(host);
  await page.getByRole('link', { name: 'Day' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('By person and POS').first().waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Close the day' }).click();
  const report = page.getByRole('main').getByRole('article');
  await report.getByText('Closed with differences').waitFor();
  await report.getByText('The host does not have this close yet').waitFor();
  const column = report.getByRole('table').filter({ hasText: 'Host' });
  expect(await column.getByText('not yet').count()).toBe(4);
  const differs = report
    .getByRole('listitem')
    .filter({ hasText: 'Terminal' })
    .filter({ hasText: 'The shop clears it up' });
  await differs.getByText('The result was found out late').first().waitFor();
  await startHost(Number(new URL(baseUrl).port));
  await column.getByText('€45.50').nth(1).waitFor({ timeout: 90_000 });
  await report.getByText('The host does not have this close yet').waitFor({ state: 'detached' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFindings(page)).toEqual([]);
  }
  await differs.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('dialog').getByText('€33.00').first().waitFor();
  expect(shop.complaints).toEqual([]);
}, 180_000);
