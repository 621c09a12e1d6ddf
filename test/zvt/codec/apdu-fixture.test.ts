import { describe, expect, test } from 'vitest';
import { APDU_FIXTURE } from './fixture.ts';
import { checkAll, factsOf, NOTES } from './fixture-checks.ts';

describe('the APDU fixture', () => {
  test('has 287 items', () => {
    expect(APDU_FIXTURE).toHaveLength(287);
  });

  test.each(APDU_FIXTURE)('$id decodes to everything it is expected to say', (item) => {
    const { checked, notes } = splitNotes(item.expect);
    expect(checkAll(factsOf(item), Object.keys(checked))).toEqual(checked);
    expect(notes.every((key) => NOTES.includes(key))).toBe(true);
  });

  test('an expectation nobody checks is an error', () => {
    const [item] = APDU_FIXTURE;
    if (item === undefined) throw new Error('The fixture is empty');
    expect(() => checkAll(factsOf(item), ['somethingNew'])).toThrow('Nothing checks "somethingNew"');
  });
});

function splitNotes(expectation: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(expectation);
  return {
    checked: Object.fromEntries(entries.filter(([key]) => !NOTES.includes(key))),
    notes: entries.map(([key]) => key).filter((key) => NOTES.includes(key)),
  };
}
