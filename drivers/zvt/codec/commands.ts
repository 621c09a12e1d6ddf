import type { ZvtCommand } from './command-types.ts';
import type { Malformed } from './message-types.ts';

/**
 * Encodes what a till sends as one APDU (without serial framing).
 * @throws RangeError when a value does not fit its field (an amount above twelve digits, a password that is not six digits)
 */
export function encodeCommand(_command: ZvtCommand): Uint8Array {
  throw new Error('not implemented');
}

/** Decodes one APDU as the terminal sees it. Never throws. */
export function decodeCommand(_apdu: Uint8Array): ZvtCommand | Malformed {
  throw new Error('not implemented');
}
