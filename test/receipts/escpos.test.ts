import { describe, expect, it } from 'vitest';
import { layOut } from '../../app/receipts/column-layout.ts';
import { escposOf } from '../../app/receipts/escpos.ts';
import type { PaperDocument, PaperLine } from '../../app/receipts/paper-document.ts';

const document = (...lines: PaperLine[]): PaperDocument => ({ title: 't', form: 'RECEIPT', lines });
const hexOf = async (
  paper: PaperDocument,
  codepage: 'AUTO' | 'CP437' | 'CP850' | 'CP858' | 'WINDOWS1252',
  cut = 'FULL',
) =>
  Buffer.from(await escposOf(paper, { columns: 32, codepage, cut: cut === 'FULL' ? 'FULL' : 'NONE' })).toString('hex');

describe('ESC/POS', () => {
  it('is what was written by hand: ESC @, ESC t, bold, large, LF, GS V', async () => {
    const hex = await hexOf(
      document(
        { kind: 'TEXT', text: 'Häß', isBold: true },
        { kind: 'TEXT', text: 'X', isLarge: true },
        { kind: 'PAIR', label: 'A', value: '1' },
      ),
      'WINDOWS1252',
    );
    expect(hex).toMatch(/^1b40/);
    expect(hex).toContain('1b7410');
    expect(hex).toContain('1b45011b741048e4df');
    expect(hex).toContain('1d211158');
    expect(hex).toContain(`41${'20'.repeat(30)}31`);
    expect(hex).toMatch(/0a0a0a0a1d5600/);
    expect(await hexOf(document({ kind: 'RULE' }), 'CP858', 'NONE')).not.toContain('1d56');
  });

  it.each(['AUTO', 'CP437', 'CP850', 'CP858', 'WINDOWS1252'] as const)(
    'lets no control code of any text through: every character that a code page may have, %s',
    async (codepage) => {
      const frame = await hexOf(document({ kind: 'TEXT', text: 'a' }), codepage);
      const lines: PaperLine[] = [];
      for (let code = 0; code <= 0x26ff; code += 16) {
        // No single-byte code page has anything of what is left out; the encoder's own choice of a page is slow.
        if (codepage === 'AUTO' && code >= 0x180 && code < 0x2000) continue;
        const row = Array.from({ length: 16 }, (_, index) => String.fromCharCode(code + index)).join('');
        lines.push({ kind: 'TEXT', text: row });
      }
      lines.push({ kind: 'TEXT', text: '\u001b@\u001dV\u0000←@►\u0004\u0001😀\ud800' });
      const bytes = Buffer.from(await hexOf(document(...lines), codepage), 'hex');
      let at = 0;
      const commands = new Set<string>();
      while (at < bytes.length) {
        const byte = bytes[at] ?? 0;
        if (byte >= 0x20 && byte !== 0x7f) at += 1;
        else if (byte === 0x0a) at += 1;
        else {
          const name = bytes.subarray(at, at + 2).toString('hex');
          commands.add(name);
          at += name === '1b40' || name === '1c2e' ? 2 : 3;
        }
      }
      expect([...commands].sort()).toEqual(
        ['1b40', '1b4d', '1b74', '1c2e', '1d56'].filter((name) => frame.includes(name)),
      );
    },
  );
});

describe('the layout', () => {
  it('never gives a line that is wider than the paper, and loses no word', () => {
    for (const columns of [32, 42, 48]) {
      const long = 'word '.repeat(30) + 'x'.repeat(100);
      const laid = layOut(
        [
          { kind: 'TEXT', text: long },
          { kind: 'TEXT', text: long, isLarge: true, isCentred: true },
          { kind: 'PAIR', label: 'A long name of a fact', value: 'and a value that does not fit beside it' },
          { kind: 'ROW', cells: ['Mastercard', '12345', '1,234,567.89 EUR'] },
          { kind: 'ROW', cells: ['', 'Number', 'Amount'] },
        ],
        columns,
      );
      for (const { text, isLarge } of laid) expect(text.length).toBeLessThanOrEqual(isLarge ? columns / 2 : columns);
      const words = laid.map(({ text }) => text).join(' ');
      expect(words.match(/word/g)).toHaveLength(60);
      expect(words).toContain('1,234,567.89 EUR');
    }
  });

  it('keeps a terminal’s own indentation', () => {
    expect(layOut([{ kind: 'TEXT', text: '   Betrag' }], 32)[0]?.text).toBe('   Betrag');
  });
});
