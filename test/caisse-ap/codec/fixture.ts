import { readFileSync } from 'node:fs';

/** What the fixture says of one message; every key is checked by fixture.test.ts. */
export interface FixtureItem {
  readonly id: string;
  readonly direction: 'pt->ecr' | 'ecr->pt';
  readonly hex: string;
  readonly text: string;
  readonly chunks?: readonly string[];
  readonly expect: Readonly<Record<string, unknown>>;
}

/** Caisse-AP messages (see test/fixtures/protocols/README.md). */
export const CAISSE_AP_FIXTURE: readonly FixtureItem[] = JSON.parse(
  readFileSync(new URL('../../fixtures/protocols/caisse-ap.json', import.meta.url), 'utf8'),
);
