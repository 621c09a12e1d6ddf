import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../app/contract/errors.ts';
import { referencePages } from './reference-pages.ts';

const folder = new URL('../../docs/reference/', import.meta.url);
const command = 'UPDATE_REFERENCE=1 npx vitest run test/contract/reference.test.ts';

describe('docs/reference', () => {
  test.each(Object.entries(referencePages()))(
    `%s is what the contract says now (else run: ${command})`,
    (name, page) => {
      const file = new URL(name, folder);
      if (process.env.UPDATE_REFERENCE === '1') writeFileSync(file, page);
      expect(readFileSync(file, 'utf8')).toBe(page);
    },
  );

  test('errors.md has one row for each code', () => {
    const rows = [...readFileSync(new URL('errors.md', folder), 'utf8').matchAll(/^\| ([A-Z_]+) \|/gm)].map(
      ([, code]) => code,
    );
    expect(rows).toEqual(errorCodes);
  });
});
