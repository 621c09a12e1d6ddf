import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBusinessDates, createBusinessDay } from '../../app/domain/business-day.ts';

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tokyo',
  'Australia/Lord_Howe', // set back by half an hour
  'Asia/Kathmandu', // 5 h 45 min ahead
  'America/Santiago', // changes its clock at midnight
] as const;
const cutOffs = ['00:00', '02:30', '04:00', '23:59'] as const;
/** Days of 2026 on which one of the zones changes its clock, and the turn of the year. */
const clockChanges = [
  ...['2026-03-08', '2026-03-29', '2026-04-05', '2026-09-06', '2026-10-04', '2026-10-25', '2026-11-01', '2026-12-31'],
];
const dayMs = 86_400_000;
const quarterHourMs = 900_000;
const at = (text: string) => Date.parse(text);

describe('the business day', () => {
  it('is the calendar day with a cut-off at midnight', () => {
    const day = createBusinessDay({ timeZone: 'Asia/Tokyo', cutOff: '00:00' });
    expect(day(at('2026-11-27T14:59:59.999Z'))).toBe('2026-11-27');
    expect(day(at('2026-11-27T15:00:00Z'))).toBe('2026-11-28');
  });

  it('lasts until the cut-off of the next morning', () => {
    const day = createBusinessDay({ timeZone: 'Europe/Berlin', cutOff: '04:00' });
    expect(day(at('2026-11-27T02:59:59.999Z'))).toBe('2026-11-26');
    expect(day(at('2026-11-27T03:00:00Z'))).toBe('2026-11-27');
    expect(day(at('2026-12-31T23:30:00Z'))).toBe('2026-12-31');
  });

  it('starts once in the night in which 02:30 comes twice', () => {
    // 25 October 2026: at 01:00 UTC the clock goes from 03:00 CEST back to 02:00 CET.
    const day = createBusinessDay({ timeZone: 'Europe/Berlin', cutOff: '02:30' });
    expect(day(at('2026-10-25T00:29:59Z'))).toBe('2026-10-24'); // 02:29:59, the first time
    expect(day(at('2026-10-25T00:30:00Z'))).toBe('2026-10-25'); // 02:30, the first time
    expect(day(at('2026-10-25T01:00:00Z'))).toBe('2026-10-25'); // 02:00, the second time
    expect(day(at('2026-10-25T01:29:59Z'))).toBe('2026-10-25');
    expect(day(at('2026-10-25T01:30:00Z'))).toBe('2026-10-25'); // 02:30, the second time
  });

  it('starts at the first instant after a skipped cut-off', () => {
    // 29 March 2026: at 01:00 UTC the clock goes from 02:00 CET to 03:00 CEST.
    const day = createBusinessDay({ timeZone: 'Europe/Berlin', cutOff: '02:30' });
    expect(day(at('2026-03-29T00:59:59.999Z'))).toBe('2026-03-28');
    expect(day(at('2026-03-29T01:00:00Z'))).toBe('2026-03-29');
  });

  it('has 23 and 25 hours when the clock changes', () => {
    const hoursOf = (date: string, from: string) => {
      const day = createBusinessDay({ timeZone: 'Europe/Berlin', cutOff: '00:00' });
      let hours = 0;
      for (let instant = at(from); instant < at(from) + 72 * 3_600_000; instant += 900_000) {
        if (day(instant) === date) hours += 0.25;
      }
      return hours;
    };
    expect(hoursOf('2026-03-29', '2026-03-28T00:00:00Z')).toBe(23);
    expect(hoursOf('2026-10-25', '2026-10-24T00:00:00Z')).toBe(25);
    expect(hoursOf('2026-06-15', '2026-06-14T00:00:00Z')).toBe(24);
  });

  it.each(zones.flatMap((zone) => cutOffs.map((cutOff) => [zone, cutOff] as const)))(
    'never goes back and never skips a date in %s with cut-off %s',
    (timeZone, cutOff) => {
      const day = createBusinessDay({ timeZone, cutOff });
      for (const change of clockChanges) {
        let before = day(at(change) - 2 * dayMs);
        for (let instant = at(change) - 2 * dayMs; instant < at(change) + 2 * dayMs; instant += quarterHourMs) {
          const date = day(instant);
          if (date === before) continue;
          expect(Date.parse(date) - Date.parse(before)).toBe(dayMs);
          before = date;
        }
      }
    },
  );

  it('never goes back between two instants of thirty years', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...cutOffs),
        fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
        fc.integer({ min: 0, max: 4 * 3_600_000 }),
        (timeZone, cutOff, instant, later) => {
          const day = createBusinessDay({ timeZone, cutOff });
          expect(day(instant) <= day(instant + later)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is told for many shops at once as for each alone', () => {
    const rules = zones.flatMap((timeZone) => cutOffs.map((cutOff) => ({ timeZone, cutOff })));
    const dateOf = createBusinessDates();
    for (let instant = at('2026-10-24T00:00:00Z'); instant < at('2026-10-27T00:00:00Z'); instant += 4 * quarterHourMs) {
      for (const rule of rules) expect(dateOf(rule, instant)).toBe(createBusinessDay(rule)(instant));
    }
  });

  it('is refused for an unknown zone or a malformed cut-off', () => {
    expect(() => createBusinessDay({ timeZone: 'Mars/Base', cutOff: '00:00' })).toThrow(RangeError);
    expect(() => createBusinessDay({ timeZone: 'UTC', cutOff: '24:00' })).toThrow(RangeError);
    expect(() => createBusinessDay({ timeZone: 'UTC', cutOff: '4:00' })).toThrow(RangeError);
  });
});
