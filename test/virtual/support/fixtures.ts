import { readFileSync } from 'node:fs';

interface Fixture {
  readonly id: string;
  readonly hex: string;
}

const files = ['zvt-apdu.json', 'zvt-serial.json'].map(
  (name) => new URL(`../../fixtures/protocols/${name}`, import.meta.url),
);
const fixtures = new Map(
  files.flatMap((file) =>
    (JSON.parse(readFileSync(file, 'utf8')) as readonly Fixture[]).map(({ id, hex }) => [id, hex]),
  ),
);

/** The bytes of a message that somebody else captured or specified, as upper-case hex with spaces. */
export function fixture(id: string): string {
  const hex = fixtures.get(id);
  if (hex === undefined) throw new Error(`There is no fixture ${id}`);
  return hex;
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.split(/\s+/).filter(Boolean), (pair) => Number.parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' ');
}
