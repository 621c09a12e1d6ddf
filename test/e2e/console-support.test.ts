import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { createShops } from '../support/console-shop.ts';
import { addStaff, changeStaff } from '../support/console-staff.ts';

const shops = createShops();
afterEach(() => shops.close());
afterAll(() => shops.end());

/** Making a bundle starts a program that reads everything back; a busy machine takes its time. */
const limitMs = 240_000;
const waitMs = 120_000;
const canary = '4929130412345675';

async function entriesOf(path: string): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await yauzl.openPromise(path, { autoClose: false });
  const found = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
  return found;
}

async function openBundleSection(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Support', exact: true }).click();
  await page.getByRole('link', { name: 'Support bundle' }).click();
}

describe('the Support page', () => {
  it(
    'shows how the till is, checks the journal, filters the log, and hands a bundle over with a manager’s PIN',
    async () => {
      const shop = await shops.open();
      const { page } = shop;
      await signIn(page);
      await page.getByRole('link', { name: 'Support', exact: true }).waitFor();
      await addStaff(page, { name: 'Sam', role: 'SUPPORT', pin: '6455' });
      await addStaff(page, { name: 'Ben', role: 'MANAGER', pin: '8273' });
      await changeStaff(page, 'Sam', '6455');
      await page.getByRole('link', { name: 'Support', exact: true }).click();
      await page.getByText('TRAINING-1 answers').waitFor();
      await page.getByRole('button', { name: 'Check the journal' }).click();
      await page.getByText('The journal is as it was written').waitFor({ timeout: waitMs });
      expect(await accessibilityFindings(page)).toEqual([]);

      await page.getByRole('link', { name: 'Log', exact: true }).click();
      const log = page.getByRole('region', { name: 'Log' });
      await log.getByText('terminalId=TRAINING-1', { exact: false }).first().waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByLabel('Text').fill('no line says this');
      await page.getByText('No line fits.').waitFor();
      await page.getByLabel('Text').fill('TRAINING-1');
      await page.getByLabel('About').selectOption('Terminals');
      await log.getByText('terminalId=TRAINING-1', { exact: false }).first().waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);

      await page.getByRole('link', { name: 'Terminal line' }).click();
      const line = page.getByRole('region', { name: 'Terminal line' });
      await line.getByText('0600 registration', { exact: false }).first().waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);

      await page.getByRole('link', { name: 'Support bundle' }).click();
      await page.getByRole('button', { name: 'Make bundle' }).click();
      await page.getByText('No card data, no keys').waitFor({ timeout: waitMs });
      await page.getByRole('button', { name: 'Show: journal/verification.json' }).click();
      await page.getByRole('dialog').getByText('"ok": true', { exact: false }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Hand over' }).click();
      const approval = page.getByRole('dialog');
      await approval.getByLabel('Approved by').selectOption('Ben');
      await approval.getByLabel('PIN', { exact: true }).fill('8273');
      const download = page.waitForEvent('download');
      await page.keyboard.press('Enter');
      const entries = await entriesOf(await (await download).path());
      const manifest = JSON.parse(String(entries.get('manifest.json')));
      expect(manifest.entries.length).toBe(entries.size - 1);
      for (const { name, sha256 } of manifest.entries) {
        const hash = createHash('sha256')
          .update(entries.get(name) ?? '')
          .digest('base64');
        expect(sha256, name).toBe(`sha256-${hash}`);
      }
      expect(String(entries.get('terminals.json'))).toContain('TRAINING-1');
      expect(String(entries.get('traces/wire.jsonl'))).toContain('registration');
      expect(String(entries.get('scan-report.json'))).toContain('NOTHING_FOUND');
      expect(shop.complaints).toEqual([]);
    },
    limitMs,
  );

  it(
    'hands nothing over when the log holds a card number, says where, and makes the bundle without that line on request',
    async () => {
      const shop = await shops.open();
      const { page } = shop;
      await signIn(page);
      const path = join(shop.till.ready.dataDir, 'logs', 'till.log');
      const poisoned = { level: 'info', time: '2026-11-28T03:00:00.000Z', message: 'request', reason: canary };
      appendFileSync(path, `${JSON.stringify(poisoned)}\n`);
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      const number = lines.findIndex((line) => line.includes(canary)) + 1;
      await openBundleSection(page);
      await page.getByRole('button', { name: 'Make bundle' }).click();
      await page.getByText('something in it must not leave the till', { exact: false }).waitFor({ timeout: waitMs });
      await page.getByText(`Looks like a card number: logs/till.log, line ${number}`).waitFor();
      expect(await page.content()).not.toContain(canary);
      expect(await page.getByRole('button', { name: 'Hand over' }).count()).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Make it without these lines' }).click();
      await page.getByText('1 line of the logs was left out.', { exact: false }).waitFor({ timeout: waitMs });
      expect(shop.complaints).toEqual([]);
    },
    limitMs,
  );

  it('is not there for a cashier', async () => {
    const shop = await shops.open();
    const { page } = shop;
    await signIn(page);
    await page.getByRole('link', { name: 'Support', exact: true }).waitFor();
    await addStaff(page, { name: 'Anna', role: 'CASHIER', pin: '7364' });
    await changeStaff(page, 'Anna', '7364');
    await page.getByRole('link', { name: 'Activity' }).waitFor();
    expect(await page.getByRole('link', { name: 'Support', exact: true }).count()).toBe(0);
    await page.goto(`${new URL(page.url()).origin}/#/support`);
    await page.getByText('Your role does not allow this.', { exact: false }).first().waitFor();
    expect(shop.complaints).toEqual([]);
  });
});
