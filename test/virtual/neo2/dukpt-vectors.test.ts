import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { nextTdesKsn } from '../../../drivers/virtual/neo2/crypto/dukpt-tdes.ts';
import { DUKPT_FIXTURE } from './dukpt-fixture.ts';
import { computed, hexValuesOf } from './vector-checks.ts';

describe('the published vectors', () => {
  test('are 72', () => {
    expect(DUKPT_FIXTURE).toHaveLength(72);
  });

  test.each(DUKPT_FIXTURE)('$id is computed in every value', (item) => {
    const values = computed(item);
    expect(values).toEqual(item.expect);
    // The bytes that the vector is named after are one of its values, or its ciphertext.
    const bytes = item.hex.replaceAll(' ', '');
    expect([...hexValuesOf(values), item.inputs.ciphertext]).toContain(bytes);
  });

  test('fail when one of them, or a value in one, is computed by nothing', () => {
    const [item] = DUKPT_FIXTURE;
    if (item === undefined) throw new Error('The fixture is empty');
    expect(() => computed({ ...item, expect: { somethingNew: '' } })).toThrow('Nothing computes "somethingNew"');
    expect(() => computed({ ...item, id: 'another' })).toThrow('Nothing computes the vector "another"');
  });

  test('list the serial numbers as they follow one another, up to the carry after ten set bits', () => {
    const serials = DUKPT_FIXTURE.filter(({ id }) => /^tdes-[ef]/.test(id)).map(({ inputs }) => String(inputs.ksn));
    const follow = (from: string) => {
      const next = nextTdesKsn(fromHex(from));
      return next && toHex(next);
    };
    const first = serials.indexOf('FFFF9876543210E00001');
    for (let at = first; at < first + 20; at++) expect(follow(serials[at] ?? '')).toBe(serials[at + 1]);
    const high = serials.indexOf('FFFF9876543210EFF800');
    for (let at = high; at < serials.length - 1; at++) expect(follow(serials[at] ?? '')).toBe(serials[at + 1]);
    expect(serials.at(-1)).toBe('FFFF9876543210F00000');
  });
});
