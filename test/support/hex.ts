/** Bytes of hexadecimal digits, with or without blanks between them. */
export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.replaceAll(/\s/g, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Upper-case hexadecimal digits with blanks between the bytes. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' ');
}
