import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { escposOf } from '../../app/receipts/escpos.ts';
import { createPageChoice } from '../../app/receipts/page-choice.ts';

/** Numbers of Epson's table that stand behind ESC t. */
const pages: Readonly<Record<number, string>> = {
  0: 'cp437',
  16: 'windows1252',
  17: 'cp866',
  18: 'cp852',
  19: 'cp858',
};

/** What a printer with Epson's code pages puts on paper, by tables that are not the encoder's. */
async function printed(...texts: string[]): Promise<string[]> {
  const bytes = await escposOf(
    { title: 't', form: 'RECEIPT', lines: texts.map((text) => ({ kind: 'TEXT', text })) },
    { columns: 48, codepage: 'AUTO', cut: 'NONE' },
  );
  const lines: string[] = [];
  let line = '';
  let page = 'cp437';
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x1b || byte === 0x1c) {
      if (bytes[at + 1] === 0x74) page = pages[bytes[at + 2] ?? 0] ?? 'none';
      at += bytes[at + 1] === 0x40 || bytes[at + 1] === 0x2e ? 2 : 3;
    } else {
      if (byte === 0x0a) {
        lines.push(line);
        line = '';
      } else line += iconv.decode(Buffer.of(byte), page);
      at += 1;
    }
  }
  return lines.filter((each) => each !== '');
}

describe('the code page of a line', () => {
  it('is one that has all of its characters, and stays as long as it does', () => {
    const pageOf = createPageChoice();
    expect(pageOf('Total 12.50')).toBe('cp437');
    expect(pageOf('Summe äöü ß')).toBe('cp437');
    expect(pageOf('12,50 €')).toBe('cp858');
    expect(pageOf('Summe äöü ß')).toBe('cp858');
    expect(pageOf('„Größe“ – 12 €')).toBe('windows1252');
    expect(pageOf('Łódź')).toBe('cp852');
  });

  it('is left to the encoder where no single one has every character', () => {
    expect(createPageChoice()('12,50 € Łódź')).toBe('auto');
  });

  it('puts every language of the till, and others beside them, on paper as they are written', async () => {
    const texts = [
      'Kundenbeleg: Größe äöüÄÖÜß 12,50 €',
      'Reçu client : été, forêt, naïf, cœur',
      'Copia del cliente: año, ¿qué?, ¡sí!',
      'Copia per il cliente: perché, più, città',
      'Łódź, Gdańsk, Žižkov',
      'Привет',
      '12,50 € Łódź',
    ];
    expect(await printed(...texts)).toEqual(texts);
  });
});
