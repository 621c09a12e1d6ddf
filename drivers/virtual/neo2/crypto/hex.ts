/** Bytes of hexadecimal digits without separators. @throws RangeError on anything else: half a byte would become a wrong key */
export function bytesOfHex(hex: string): Uint8Array {
  if (!/^([0-9A-Fa-f]{2})*$/.test(hex)) throw new RangeError('Not pairs of hexadecimal digits');
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}
