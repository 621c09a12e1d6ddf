import { afterEach, describe, expect, it } from 'vitest';
import type { CsvFormat } from '../../app/contract/console/exports.ts';
import { languages } from '../../renderer/i18n/languages.ts';
import { parseCsv } from '../support/csv.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';
import { type ConsoleHarness, createConsoleHarness, type Screen } from './console-harness.ts';

let harness: ConsoleHarness;
afterEach(() => harness.stop());

const comma: CsvFormat = { delimiter: ',', decimal: '.' };
const semicolon: CsvFormat = { delimiter: ';', decimal: ',' };
const range = { from: '2026-11-27T00:00:00Z', to: '2026-11-28T00:00:00Z' };

/** The rows of a file that waits for this window. */
async function rowsOf(screen: Screen, { url }: { readonly url: string }, delimiter: string): Promise<string[][]> {
  const sessionId = harness.console.signedInSession(screen.cookie) ?? '';
  const file = harness.downloads.take(url.split('/').at(-1) ?? '', sessionId);
  const chunks: Uint8Array[] = [];
  for await (const chunk of file?.open(new AbortController().signal) ?? []) chunks.push(chunk);
  return parseCsv(Buffer.concat(chunks).toString('utf8').slice(1), delimiter);
}

describe('the table of a Z report', () => {
  it('holds every figure with its section and the journal’s head, and a name that the terminal gave is no formula', async () => {
    const device = createMemoryDevice();
    harness = await createConsoleHarness({ devices: [device] });
    const ben = await harness.as('MANAGER');
    await ben.get('sell.start', {
      ...{ type: 'SALE', amount: 1_000, tipAmount: 250, currency: 'EUR' },
      idempotencyKey: 'sale-1',
    });
    const hostile = '=HYPERLINK("https://example.org";"click")';
    device.next({ batch: { totalMinor: 1_250, schemes: [{ scheme: hostile, count: 1, amountMinor: 1_250 }] } });
    const { settlementId = '' } = await ben.get('day.close', { idempotencyKey: 'close-1' });
    const report = await ben.get('day.report', { settlementId });
    const file = await ben.get('exports.report', { settlementId, format: semicolon });
    expect(file.fileName).toBe('z-report-T1-1.csv');
    const [header, ...rows] = await rowsOf(ben, file, ';');
    expect(header).toEqual([
      ...['Section', 'Name', 'Number', 'Amount', 'Terminal number', 'Terminal amount', 'Currency'],
    ]);
    expect(rows).toContainEqual(['Report', 'Z report', '1', '', '', '', '']);
    expect(rows).toContainEqual(['Type', 'SALE', '1', '12,50', '', '', 'EUR']);
    expect(rows).toContainEqual(['Total', 'Tips', '', '2,50', '', '', 'EUR']);
    expect(rows).toContainEqual(['Started by', 'console:Ben', '1', '12,50', '', '', 'EUR']);
    expect(rows).toContainEqual(['Card', `'${hostile}`, '0', '0,00', '1', '12,50', 'EUR']);
    expect(rows).toContainEqual(['Report', 'Journal hash', report.journalHead.hash, '', '', '', '']);
    expect(rows.filter((row) => row.some((field) => field.startsWith('=')))).toEqual([]);
  });
});

describe('the headings of a table', () => {
  it('are in the language of the person who exports, each once; codes of the API stay as they are', async () => {
    harness = await createConsoleHarness();
    const ben = await harness.as('MANAGER');
    await ben.get('sell.start', { type: 'SALE', amount: 500, currency: 'EUR', idempotencyKey: 'sale-1' });
    const seen = new Set<string>();
    for (const { code } of languages) {
      const file = await ben.get('exports.transactions', { ...range, format: { ...comma, language: code } });
      const [header = [], row = []] = await rowsOf(ben, file, ',');
      expect(new Set(header).size, code).toBe(header.length);
      expect(row).toHaveLength(header.length);
      expect(row.slice(3, 5)).toEqual(['SALE', 'APPROVED']);
      expect(row.slice(17, 19)).toEqual(['Ben', 'console']);
      seen.add(header.join());
    }
    expect(seen.size).toBe(languages.length);
    const file = await ben.get('exports.settlements', { ...range, format: { ...comma, language: 'de-AT' } });
    expect((await rowsOf(ben, file, ','))[0]?.[0]).toBe('Abgeschlossen (UTC)');
  });
});
