import type { Encoding } from './finding.ts';

/** A text read in another way. */
export interface View {
  readonly encoding: Encoding;
  readonly text: string;
}

const escapes = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/g;
const percentSigns = /(?:%[0-9a-fA-F]{2}[^%]{0,3}){4}/;
const plainEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '0': '\0' };

/** The ways in which the whole text can be read once more; none when nothing in it says so. All are shorter than the text. */
export function viewsOf(text: string): readonly View[] {
  const views: View[] = [];
  if (text.includes('\0')) views.push({ encoding: 'utf-16', text: text.replaceAll('\0', '') });
  const escaped = linesWithBackslash(text);
  if (escaped !== '') views.push({ encoding: 'escapes', text: unescaped(escaped) });
  if (text.includes('%') && percentSigns.test(text)) views.push({ encoding: 'percent', text: percentDecoded(text) });
  if (text.includes('\xef\xbc')) views.push({ encoding: 'full-width', text: halfWidth(text) });
  if (isBrokenIntoLines(text)) views.push({ encoding: 'line-breaks', text: text.replaceAll(/\r?\n/g, '') });
  return views;
}

function unescaped(text: string): string {
  return text.replace(
    escapes,
    (_, unicode: string | undefined, byte: string | undefined, plain: string | undefined) => {
      if (plain !== undefined) return plainEscapes[plain] ?? plain;
      const code = Number.parseInt(unicode ?? byte ?? '', 16);
      // Beyond one byte there is no digit, but for the full-width ones.
      return code >= 0xff10 && code <= 0xff19 ? String(code - 0xff10) : String.fromCharCode(code & 0xff);
    },
  );
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
}

/** Full-width digits in UTF-8, seen byte by byte: EF BC 90 to EF BC 99. */
function halfWidth(text: string): string {
  return text.replace(/\xef\xbc([\x90-\x99])/g, (_, last: string) => String(last.charCodeAt(0) - 0x90));
}

/** Characters of a line that another one goes on, as base64 is wrapped. */
const wrappedCharacters = 40;
const word = /[A-Za-z0-9+/]/;

function isBrokenIntoLines(text: string): boolean {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const end = text[at - 1] === '\r' ? at - 1 : at;
    if (!word.test(text[at + 1] ?? '') || !word.test(text[end - 1] ?? '')) continue;
    if (/^[A-Za-z0-9+/]{40}$/.test(text.slice(Math.max(0, end - wrappedCharacters), end))) return true;
  }
  return false;
}

function linesWithBackslash(text: string): string {
  const lines: string[] = [];
  for (let at = text.indexOf('\\'); at >= 0; ) {
    const end = text.indexOf('\n', at);
    lines.push(text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end));
    at = end < 0 ? -1 : text.indexOf('\\', end);
  }
  return lines.join('\n');
}
