import type { DecodeContext, Malformed, ZvtMessage } from './message-types.ts';

/**
 * Encodes what a terminal sends as one APDU (without serial framing).
 * @throws RangeError when a value does not fit its field
 */
export function encodeMessage(_message: ZvtMessage, _context: DecodeContext = {}): Uint8Array {
  throw new Error('not implemented');
}

/** Decodes one APDU as the till sees it. Never throws. */
export function decodeMessage(_apdu: Uint8Array, _context: DecodeContext = {}): ZvtMessage | Malformed {
  throw new Error('not implemented');
}
