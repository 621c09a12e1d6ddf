/**
 * Glyphs that the old code pages (437, 850, 858) keep on the places of control codes: a printer that is sent `←` gets ESC, and obeys. They get
 * a harmless stand-in.
 */
const standIns: Readonly<Record<string, string>> = {
  '•': '*',
  '§': 'S',
  '¶': 'P',
  '‼': '!',
  '←': '<',
  '→': '>',
  '↑': '^',
  '↓': 'v',
  '◄': '<',
  '►': '>',
  '▲': '^',
  '▼': 'v',
  // What Intl writes into amounts, and code pages lack.
  '−': '-',
  '‑': '-',
  '…': '...',
};
const onControlPlaces = /[☺☻♥♦♣♠◘○◙♂♀♪♫☼↕▬↨∟↔⌂]/u;
/** Control codes, lone halves of characters, line and paragraph separators. */
const neverPrinted = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Text of any origin as a printer may get it: one line, no control code in any code page (promise S5). What has no glyph becomes a space or a
 * question mark; the number of characters may change.
 */
export function printableText(text: string): string {
  return Array.from(text.normalize('NFC'), printableCharacter).join('');
}

function printableCharacter(character: string): string {
  if (neverPrinted.test(character)) return ' ';
  // Joiners, marks of direction and the like have no width.
  if (/\p{Cf}/u.test(character)) return '';
  if (/\p{Zs}/u.test(character)) return ' ';
  const standIn = standIns[character];
  if (standIn !== undefined) return standIn;
  // Outside of the basic plane no code page has anything.
  return character.length > 1 || onControlPlaces.test(character) ? '?' : character;
}
