const minCharacters = 10;
/** A shorter run without a capital is a word: bytes in base64 would hold capitals, and keys in hex are no shorter. */
const minPlainCharacters = 16;

/**
 * Identifiers of ours. Their longest group has twelve digits, one less than the shortest card number; they are told apart by version and variant, so that the
 * dashes between their groups join nothing.
 */
const uuid = /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-z])/gi;
const uuidCharacters = 36;
const filler = 'u'.repeat(uuidCharacters);

const ofRun = 1;
const capital = 2;
/** What each character of one byte is. */
const classes = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Z]/.test(character)) return ofRun | capital;
  return /[a-z0-9+/_-]/.test(character) ? ofRun : 0;
});

/**
 * Goes once through a text of one byte to the character.
 * @param take given every run of characters of base64, hex and names that may stand for something, with the `=` that follows it: such a run holds all that
 * its characters can hold, wherever it stands
 * @returns the text with identifiers of ours filled over
 */
export function eachRun(text: string, take: (run: string, index: number) => void): string {
  const filled: string[] = [];
  let filledTo = 0;
  for (let at = 0; at < text.length; ) {
    while (at < text.length && classes[text.charCodeAt(at)] === 0) at += 1;
    const start = at;
    let seen = 0;
    while (at < text.length) {
      const kind = classes[text.charCodeAt(at)] ?? 0;
      if (kind === 0) break;
      seen |= kind;
      at += 1;
    }
    const length = at - start;
    if (length < minPlainCharacters && (length < minCharacters || (seen & capital) === 0)) continue;
    const run = text.slice(start, text[at] === '=' ? at + 1 : at);
    const rest = length < uuidCharacters ? run : withoutIds(run);
    if (rest !== run) {
      filled.push(text.slice(filledTo, start), rest);
      filledTo = start + run.length;
    }
    if (rest !== filler) take(run, start);
  }
  return filledTo === 0 ? text : filled.join('') + text.slice(filledTo);
}

/** The text with identifiers of ours filled over. */
export function withoutIds(text: string): string {
  return text.replace(uuid, filler);
}
