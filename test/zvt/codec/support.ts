import type fc from 'fast-check';

/** Seed of all random tests here; fast-check prints it with a failure, and another can be given to search further. */
export const SEED = Number(process.env.TEST_SEED ?? 20_260_101);

/** Bytes of hexadecimal digits with spaces between the bytes. */
export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.split(' ').filter(Boolean), (byte) => Number.parseInt(byte, 16));
}

/** Upper-case hexadecimal digits with spaces between the bytes. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' ');
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

/** Cuts bytes into chunks of the given sizes. */
export function randomChunks(bytes: Uint8Array, sizes: fc.Stream<number>): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const size = sizes.next().value ?? 1;
    chunks.push(bytes.subarray(offset, offset + size));
    offset += size;
  }
  return chunks;
}
