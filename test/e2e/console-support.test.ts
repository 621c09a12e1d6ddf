import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { openSettings } from '../../app/config/settings-store.ts';
import { writeLog } from '../bench/support-bundle-memory.ts';
import { accessibilityFindings } from '../support/accessibility.ts';
import { signIn } from '../support/console-browser.ts';
import { callConsole } from '../support/console-call.ts';
import { createShops } from '../support/console-shop.ts';
import { addStaff, changeStaff } from '../support/console-staff.ts';
import { endProgram, startVirtualTerminal, temporaryFolder } from '../support/processes.ts';
import { controlClient } from '../virtual/support/running-terminal.ts';

const shops = createShops();
const folder = temporaryFolder();
afterEach(() => shops.close());
afterAll(async () => {
  await shops.end();
  folder.remove();
});

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

/** Logs that take a while to be read through: what runs can be seen and stopped. */
const longLogBytes = 96 * 1024 * 1024;
const writeLongLogs = (dataDir: string) => writeLog(join(dataDir, 'logs'), longLogBytes);

/** A sale at one of the shop's terminals, as whoever is signed in. */
async function sellAt(page: Page, terminalId: string, amount: number): Promise<void> {
  const sale = { type: 'SALE', amount, currency: 'EUR', terminalId, idempotencyKey: `at-${terminalId}` } as const;
  expect((await callConsole(page, 'sell.start', sale)).status).toBe('APPROVED');
}

/** A till that moves real money makes its first administrator. */
async function createAdministrator(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Anna');
  await page.getByLabel('PIN of 4 to 8 digits').fill('4711');
  await page.getByLabel('The same PIN again').fill('4711');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Anna \(administrator\)/ }).waitFor();
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

  it(
    'stops the making of a bundle on request, and keeps nothing of it',
    async () => {
      const shop = await shops.open({ fill: writeLongLogs });
      const { page } = shop;
      await signIn(page);
      await openBundleSection(page);
      await page.getByRole('button', { name: 'Make bundle' }).click();
      await page.getByRole('progressbar').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      // Whoever opens the page anew finds it running, and can stop it as well.
      await page.reload();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByText('Stopped. Nothing was kept.').waitFor();
      expect(await page.getByRole('progressbar').count()).toBe(0);
      await page.getByRole('button', { name: 'Make it again' }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      const left = readdirSync(join(shop.till.ready.dataDir, 'support'));
      expect(left.filter((name) => name !== 'terminals.json')).toEqual([]);
      expect(await page.getByRole('button', { name: 'Hand over' }).count()).toBe(0);
      expect(shop.complaints).toEqual([]);
    },
    limitMs,
  );

  it(
    'shows the line of each of two terminals by itself',
    async () => {
      const second = await startVirtualTerminal([
        ...['--tcp', '0', '--think-ms', '150', '--terminal-id', '29000002'],
        ...['--book', join(folder.path, 'second.jsonl')],
      ]);
      try {
        const url = `zvt+tcp://127.0.0.1:${second.ready.tcp}?password=000000&currency=EUR`;
        const shop = await shops.open({
          till: [],
          isTerminalStored: true,
          fill(dataDir) {
            const settings = openSettings(dataDir);
            settings.update({ terminals: [...settings.current().terminals, { terminalId: 'T2', url }] });
          },
        });
        const { page } = shop;
        await createAdministrator(page);
        await page.getByRole('link', { name: 'Support', exact: true }).click();
        await page.getByRole('link', { name: 'Terminal line' }).click();
        const chooser = page.getByLabel('Terminal', { exact: true });
        const line = page.getByRole('region', { name: 'Terminal line' });
        await chooser.waitFor();
        const names = await chooser.getByRole('option').allTextContents();
        expect(names).toEqual(['T1', 'T2']);
        const sales = names.map((terminalId, index) => ({ terminalId, amount: 1000 + index }));
        for (const { terminalId, amount } of sales) await sellAt(page, terminalId, amount);
        const shownOf = (amount: number) => line.getByText(`04=${String(amount).padStart(12, '0')}`, { exact: false });
        for (const { terminalId, amount } of sales) {
          await chooser.selectOption(terminalId);
          await shownOf(amount).first().waitFor();
          for (const other of sales.filter((sale) => sale.amount !== amount))
            expect(await shownOf(other.amount).count()).toBe(0);
          expect(await accessibilityFindings(page)).toEqual([]);
        }
        const books = [await shop.control.book(), await controlClient(second.ready.controlUrl).book()];
        expect(books.map(({ standing }) => standing.charges.count)).toEqual([1, 1]);
        expect(shop.complaints).toEqual([]);
      } finally {
        await shops.close();
        await endProgram(second);
      }
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
