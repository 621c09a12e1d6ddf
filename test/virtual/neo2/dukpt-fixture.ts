import { readFileSync } from 'node:fs';

export interface VectorItem {
  readonly id: string;
  readonly hex: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
}

/** Published values of DUKPT, PIN blocks and EMV cryptograms (see test/fixtures/protocols/README.md). */
export const DUKPT_FIXTURE: readonly VectorItem[] = JSON.parse(
  readFileSync(new URL('../../fixtures/protocols/dukpt.json', import.meta.url), 'utf8'),
);
