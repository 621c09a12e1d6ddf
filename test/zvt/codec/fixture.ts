import { readFileSync } from 'node:fs';

/** What the fixture says of one APDU; every key is checked by apdu-fixture.test.ts. */
type Expectation = Readonly<Record<string, unknown>>;

export interface FixtureItem {
  readonly id: string;
  readonly direction: 'pt->ecr' | 'ecr->pt';
  readonly hex: string;
  readonly chunks?: readonly string[];
  readonly expect: Expectation;
}

/** ZVT APDUs of foreign origin (see test/fixtures/protocols/README.md). */
export const APDU_FIXTURE: readonly FixtureItem[] = JSON.parse(
  readFileSync(new URL('../../fixtures/protocols/zvt-apdu.json', import.meta.url), 'utf8'),
);
