// Code tables of what a payment tells about the card.

/** How the cardholder was verified (TLV 1F10). */
export type ZvtCvm =
  | 'NONE'
  | 'SIGNATURE'
  | 'ONLINE_PIN'
  | 'OFFLINE_PIN'
  | 'OFFLINE_PIN_AND_SIGNATURE'
  | 'ONLINE_PIN_AND_SIGNATURE';

/** TLV 1F10; FF and everything else say nothing. */
export const CVM_BY_CODE: ReadonlyMap<number, ZvtCvm> = new Map<number, ZvtCvm>([
  [0x00, 'NONE'],
  [0x01, 'SIGNATURE'],
  [0x02, 'ONLINE_PIN'],
  [0x03, 'OFFLINE_PIN'],
  [0x04, 'OFFLINE_PIN'],
  [0x05, 'OFFLINE_PIN_AND_SIGNATURE'],
  [0x06, 'OFFLINE_PIN_AND_SIGNATURE'],
  [0x07, 'ONLINE_PIN_AND_SIGNATURE'],
]);

/** How the card was read. */
export type ZvtEntryTechnology = 'MAGNETIC_STRIPE' | 'CHIP' | 'CONTACTLESS';

/** TLV 1F12 */
export const ENTRY_TECHNOLOGY_BY_CODE: ReadonlyMap<number, ZvtEntryTechnology> = new Map<number, ZvtEntryTechnology>([
  [0x00, 'MAGNETIC_STRIPE'],
  [0x01, 'CHIP'],
  [0x02, 'CONTACTLESS'],
]);

/**
 * The authorization code in BMP 3B: printable text padded with NUL. Undefined when the eight bytes are no text (some
 * terminals put something else there).
 */
export function authorizationCodeOf(attribute: Uint8Array): string | undefined {
  const text = String.fromCharCode(...attribute).replace(/[ \0]+$/, '');
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}
