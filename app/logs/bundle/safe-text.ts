import { cleanText } from '../allowed-fields.ts';
import { scanBytes } from '../scanner/scan-bytes.ts';

/** A text from outside, fit for the bundle: long numbers hidden, and nothing left of it when a scan finds anything in it. */
export function safeText(text: string): string {
  const cleaned = cleanText(text);
  return scanBytes(Buffer.from(cleaned)).length === 0 ? cleaned : '[removed]';
}
