import { holdsCardNumber } from './card-digits.ts';
import type { Report, SecretKind } from './finding.ts';
import { withoutIds } from './runs.ts';

/** Digits with up to two separators between two of them: blanks, line breaks, dashes, dots, slashes, also a no-break space in UTF-8. */
const digitRun = /[0-9](?:[\s\-._/\xa0\xc2]{0,2}[0-9]){12,}/g;
/** The beginning of such a run, and of the digits of each track: where there is none, none of the three is. */
const twelveDigits = /[0-9](?<![0-9].)(?:[\s\-._/\xa0\xc2]{0,2}[0-9]){11}/;
const track1 = /B[0-9]{12,19}\^/g;
const track2 = /[0-9]{12,19}[=Dd][0-9]{4,}/g;
const labelled =
  /(?:\b|_)(?:pan|card_?number|track_?[123](?:_?data)?|pin_?block|pin|ksn|cvv2?|cvc2?)["']?\s{0,2}[:=]\s{0,2}["']?(?=[0-9A-Fa-f%;]{0,3}[0-9])[0-9A-Fa-f%;=^]{3,}/gi;

/** A hexadecimal value that stands alone. */
const hexToken = /(?<![0-9A-WYZa-wyz+/_-])[0-9A-Fa-f]{16,64}(?![0-9A-Za-z+/=_-])/g;
const kindsByHexLength: Readonly<Record<number, SecretKind>> = {
  16: 'PIN_BLOCK',
  20: 'KEY_SERIAL_NUMBER',
  24: 'KEY_SERIAL_NUMBER',
  32: 'CIPHER_KEY',
  48: 'CIPHER_KEY',
  64: 'CIPHER_KEY',
};
/** The same in groups of four, as people copy it. Looked for from the end of its first group on, which is rarer than a digit, to the blank after its last one. */
const groupedHex =
  /[ -](?<=(?<![0-9A-Za-z-])[0-9A-Fa-f]{4}.)[0-9A-Fa-f]{4}(?:[ -][0-9A-Fa-f]{4}){2,14}(?![0-9A-Za-z-]) ?/g;
const groupCharacters = 4;
/** Eight and ten bytes in base64, standing alone. */
const shortBase64 = /={1,2}(?![0-9A-Za-z+/=])(?<=(?<![0-9A-Za-z+/_=-])(?:[A-Za-z0-9+/]{11}=|[A-Za-z0-9+/]{14}==))/g;
/** 32 random bytes in base64url, standing alone: cookies of ours. */
const longWord = /^[\w-]{43}$/;

/** With the sign without which a text holds none of them. */
const tokens: readonly (readonly [sign: string, pattern: RegExp, kind: SecretKind])[] = [
  ['pos_', /pos_[A-Za-z0-9_-]{20,}/g, 'API_KEY'],
  ['token=', /[?&]token=[A-Za-z0-9_%-]{16,}/g, 'TOKEN'],
  ['', /\bbearer\s{1,2}[A-Za-z0-9._~+/-]{16,}/gi, 'TOKEN'],
  ['eyJ', /eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}/g, 'TOKEN'],
  ['PRIVATE KEY', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/g, 'PRIVATE_KEY'],
  ['scrypt$', /(?:^|[^A-Za-z])scrypt\$/g, 'CIPHER_KEY'],
];

/** What stands in a text as it is, but for what stands in one of its runs. @param text with identifiers of ours filled over */
export function detect(text: string, report: Report): void {
  if (twelveDigits.test(text)) detectDigits(text, report);
  for (const match of matchesIn(text, labelled)) report('LABELLED_CARD_DATA', match.index);
  for (const match of matchesIn(text, groupedHex)) {
    const kind = kindsByHexLength[groupCharacters + match[0].replace(/[ -]/g, '').length];
    if (kind !== undefined) report(kind, match.index - groupCharacters);
  }
  for (const match of text.includes('=') ? matchesIn(text, shortBase64) : []) {
    report(match[0] === '==' ? 'KEY_SERIAL_NUMBER' : 'PIN_BLOCK', match.index);
  }
  for (const [sign, pattern, kind] of tokens) {
    if (!text.includes(sign)) continue;
    for (const match of matchesIn(text, pattern)) report(kind, match.index);
  }
}

function detectDigits(text: string, report: Report): void {
  for (const match of text.matchAll(digitRun)) {
    if (holdsCardNumber(match[0].replace(/[^0-9]/g, ''))) report('CARD_NUMBER', match.index);
  }
  for (const match of matchesIn(text, track1)) report('TRACK_1', match.index);
  for (const match of matchesIn(text, track2)) report('TRACK_2', match.index);
}

/** What a run, and the `=` after it, is as it stands. */
export function detectInRun(run: string, report: Report): void {
  for (const match of matchesIn(run, hexToken)) {
    const kind = kindsByHexLength[match[0].length];
    if (kind !== undefined) report(kind, match.index);
  }
  if (longWord.test(run) && isMixed(withoutIds(run))) report('TOKEN', 0);
}

/** Most texts match nothing, which a search tells for less. */
function matchesIn(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  return text.search(pattern) < 0 ? [] : text.matchAll(pattern);
}

function isMixed(word: string): boolean {
  return /[A-Z]/.test(word) && /[a-z]/.test(word) && /[0-9]/.test(word);
}

/** Which kind of secret a number of bytes would be as hexadecimal digits. */
export function kindOfByteCount(byteCount: number): SecretKind | undefined {
  return kindsByHexLength[byteCount * 2];
}
