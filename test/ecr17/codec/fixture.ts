import { readFileSync } from 'node:fs';
import type { Lrc } from '../../../drivers/framing/ecr17-framing.ts';

/** What the fixture says of a message, or of a stream of several. */
export interface Ecr17Expectation {
  readonly type?: 'application' | 'ack' | 'nak' | 'progress' | 'incomplete' | 'noise' | 'malformed';
  readonly lrcMode?: string;
  readonly lrc?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly messageHex?: string;
  readonly messageLength?: number;
  readonly code?: string;
  readonly events?: readonly (Ecr17Expectation & { readonly hex?: string; readonly duplicate?: boolean })[];
  readonly [key: string]: unknown;
}

export interface Ecr17FixtureItem {
  readonly id: string;
  readonly direction: 'ecr->pt' | 'pt->ecr';
  readonly hex: string;
  readonly chunks?: readonly string[];
  readonly expect: Ecr17Expectation;
}

/** ECR17 messages, acknowledgements and streams (see test/fixtures/protocols/README.md). */
export const ECR17_FIXTURE: readonly Ecr17FixtureItem[] = JSON.parse(
  readFileSync(new URL('../../fixtures/protocols/ecr17.json', import.meta.url), 'utf8'),
);

/** The names of the fixture for the variants of the checksum. */
export const LRC_NAMES: Readonly<Record<string, Lrc>> = {
  std: 'STD',
  stx: 'STX',
  noext: 'NOEXT',
  stx_noext: 'STX_NOEXT',
};

/** Bytes as text, a character each. */
export function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
