import { hideNumbers } from './allowed-fields.ts';
import { scanBytes } from './scanner/scan-bytes.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Fewest characters of anything that a scan can find. */
const minCharacters = 8;
const hidden = '[hidden]';

/**
 * A text from outside, fit for the log: a line of it in which a scan finds card data or a key, in whatever encoding, is hidden. A caller may choose the
 * id of a request or the address it calls, and what is not written need not be found again.
 */
export function hideSecrets(text: string): string {
  const cleaned = hideNumbers(text);
  if (cleaned.length < minCharacters || uuid.test(cleaned) || isClean(cleaned)) return cleaned;
  const lines = cleaned.split('\n');
  // What only the lines together hold goes with all of them.
  return lines.every(isClean) ? hidden : lines.map((line) => (isClean(line) ? line : hidden)).join('\n');
}

function isClean(text: string): boolean {
  return scanBytes(Buffer.from(text)).length === 0;
}
