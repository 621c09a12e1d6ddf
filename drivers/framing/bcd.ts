// Packed decimal: two digits a byte, high nibble first.

/** The nibbles of the bytes as upper-case hexadecimal digits; for sound BCD these are its decimal digits. */
export function bcdDigits(bytes: Uint8Array): string {
  let digits = '';
  for (const byte of bytes) digits += byte.toString(16).padStart(2, '0').toUpperCase();
  return digits;
}

/** The number the BCD bytes hold; undefined when a nibble is no decimal digit. Exact up to seven bytes. */
export function bcdNumber(bytes: Uint8Array): number | undefined {
  const digits = bcdDigits(bytes);
  return /^[0-9]+$/.test(digits) ? Number(digits) : undefined;
}

/**
 * Packs digits (0–9, and A–F for nibbles that are none) into exactly `byteCount` bytes.
 * @throws RangeError when they are not exactly as many as fit
 */
export function packDigits(digits: string, byteCount: number): Uint8Array {
  if (digits.length !== byteCount * 2 || !/^[0-9A-F]*$/i.test(digits)) {
    throw new RangeError(`Expected ${byteCount * 2} digits, got ${digits.length} characters`);
  }
  return Uint8Array.from({ length: byteCount }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}

/**
 * Packs a number as BCD, padded with zeros in front; never truncates.
 * @throws RangeError when it is negative, no integer, or has more digits than fit
 */
export function packNumber(value: number, byteCount: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0 || String(value).length > byteCount * 2) {
    throw new RangeError(`A BCD field of ${byteCount * 2} digits cannot hold ${value}`);
  }
  return packDigits(String(value).padStart(byteCount * 2, '0'), byteCount);
}
