import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvBytes, csvLine } from '../../app/console/csv.ts';
import { parseCsv } from '../support/csv.ts';

const comma = { delimiter: ',', decimal: '.' } as const;
const semicolon = { delimiter: ';', decimal: ',' } as const;
const euro = (minor: number) => ({ minor, exponent: 2 });

describe('a table', () => {
  it.each([
    '=HYPERLINK("https://example.org","x")',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '＝1',
    '＋1',
    '－1',
    '＠A1',
    '\u200B=1',
  ])('takes the text %j for no formula', (text) => {
    expect(parseCsv(csvLine([text, 'next'], comma))).toEqual([[`'${text}`, 'next']]);
  });

  it('keeps amounts as numbers, negative ones too, with the decimal sign of the language', () => {
    expect(csvLine([euro(-1_250), euro(5), { minor: 92_000, exponent: 3 }, 7], comma)).toBe('-12.50,0.05,92.000,7\r\n');
    expect(csvLine([euro(-1_250), euro(9_007_199_254_740_991)], semicolon)).toBe('-12,50;90071992547409,91\r\n');
  });

  it('begins with the byte order mark, and every text comes out as it went in', async () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => !/^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u.test(one));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 5 }), async (rows) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of csvBytes(['a', 'b'], [rows], semicolon, new AbortController().signal)) {
          chunks.push(chunk);
        }
        const written = Buffer.concat(chunks);
        expect([...written.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
        const wellFormed = rows.map((row) => row.map((one) => Buffer.from(one, 'utf8').toString('utf8')));
        expect(parseCsv(written.toString('utf8').slice(1), ';')).toEqual([['a', 'b'], ...wellFormed]);
      }),
      { numRuns: 50 },
    );
  });
});
