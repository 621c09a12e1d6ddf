/** Joins byte arrays into a new one. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** True when both arrays hold the same bytes. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** Upper-case hexadecimal digits without separators; two per byte. */
export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0').toUpperCase();
  return hex;
}

/**
 * The bytes of hexadecimal digits without separators.
 * @throws RangeError for anything else
 */
export function fromHex(hex: string): Uint8Array {
  if (!/^([0-9A-F]{2})*$/i.test(hex))
    throw new RangeError(`${hex.length} characters that are no pairs of hexadecimal digits`);
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
