import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../app/config/settings.ts';
import type { DayReport } from '../../app/contract/console/day.ts';
import { createPaper } from '../../app/receipts/create-paper.ts';

/** The text of a PDF: of every page, in its order, as its strings are drawn. */
function textOf(pdf: Buffer): string {
  const raw = pdf.toString('latin1');
  const parts: string[] = [];
  for (const [, body = ''] of raw.matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    const page = inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
    for (const [, array = ''] of page.matchAll(/\[(.*?)\] TJ/g)) {
      const hex = Array.from(array.matchAll(/<([0-9a-f]*)>/g), ([, text = '']) => text).join('');
      parts.push(Buffer.from(hex, 'hex').toString('latin1'));
    }
  }
  return parts.join('\n');
}

const report: DayReport = {
  settlement: {
    id: 'set-1',
    closedAt: '2026-11-27T22:00:00.000Z',
    status: 'SETTLED',
    currency: 'EUR',
    ...{ saleCount: 2, saleAmount: 123_456, refundCount: 1, refundAmount: 500, voidCount: 0, voidAmount: 0 },
    netAmount: 122_956,
    merchantId: 'M-1',
    terminalId: 'T1',
  },
  number: 7,
  businessDate: '2026-11-27',
  closedBy: 'console:Ben',
  journalHead: { sequence: 42, hash: 'ab'.repeat(32) },
  schemes: [{ scheme: 'VISA', journal: { count: 2, amount: 122_956 } }],
  differences: [],
  namedDifferences: [],
  byCashier: [],
  byType: [],
  tipAmount: 0,
  cashbackAmount: 0,
  preAuthCount: 0,
};

async function textOfReport(told: DayReport): Promise<string> {
  const settings = settingsOf({ merchantName: 'Eckladen', timeZone: 'Europe/Berlin', language: 'de' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of createPaper({ current: () => settings }).pdf({ kind: 'Z_REPORT', report: told })) {
    chunks.push(chunk);
  }
  return textOf(Buffer.concat(chunks)).replaceAll('\n', ' ');
}

describe('a report as PDF', () => {
  it('is numbered, dated and named, with its totals and the hash of the journal', async () => {
    const settings = settingsOf({ merchantName: 'Eckladen', timeZone: 'Europe/Berlin', language: 'de' });
    const chunks: Uint8Array[] = [];
    for await (const chunk of createPaper({ current: () => settings }).pdf({ kind: 'Z_REPORT', report })) {
      chunks.push(chunk);
    }
    const pdf = Buffer.concat(chunks);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const text = textOf(pdf);
    for (const part of [
      'Z-Bericht Nr. 7',
      'Eckladen',
      'T1',
      '27. November 2026',
      'Ben',
      '1.229,56 EUR',
      'ab'.repeat(32),
      'Seite 1 / 1',
    ])
      expect(text.replaceAll('\n', ' '), part).toContain(part);
  });

  it('shows the host’s column, and names each difference with who clears it up', async () => {
    const host = {
      ...{ saleCount: 1, saleAmount: 100_000, refundCount: 1, refundAmount: 500 },
      voidCount: 0,
      voidAmount: 0,
    };
    const told: DayReport = {
      ...report,
      columns: { host: { state: 'TOLD', totals: { ...host, preAuthCount: 0, preAuthAmount: 0, currency: 'EUR' } } },
      namedDifferences: [
        {
          ...{ side: 'HOST', cause: 'NOT_FORWARDED', owner: 'HOST' },
          transactionId: 'tx-9',
          count: -1,
          amount: -23_456,
        },
      ],
    };
    const text = await textOfReport(told);
    for (const part of ['1.000,00 EUR', '995,00 EUR', '-234,56 EUR', 'tx-9', 'Der Betreiber des Hosts klärt es.']) {
      expect(text, part).toContain(part);
    }
    const waiting = await textOfReport({ ...report, columns: { host: { state: 'NOT_YET' } } });
    expect(waiting).toContain('Der Host hat diesen Abschluss noch nicht');
  });
});
