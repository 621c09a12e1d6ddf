import { readFileSync } from 'node:fs';
import { bytesOf } from './hex.ts';

interface Vector {
  readonly id: string;
  readonly hex: string;
}

const files = ['neo2.json', 'zvt-apdu.json', 'zvt-serial.json', 'caisse-ap.json', 'ecr17.json'];
const vectors = new Map(files.flatMap(read).map(({ id, hex }) => [id, hex]));

function read(name: string): readonly Vector[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/protocols/${name}`, import.meta.url), 'utf8'));
}

/** A message that somebody else captured or specified, as upper-case hex with blanks: no encoder of ours. @param id in test/fixtures/protocols */
export function vectorHex(id: string): string {
  const hex = vectors.get(id);
  if (hex === undefined) throw new Error(`There is no vector ${id}`);
  return hex;
}

export function vector(id: string): Uint8Array {
  return bytesOf(vectorHex(id));
}
