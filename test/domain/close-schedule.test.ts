import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBusinessDay } from '../../app/domain/business-day.ts';
import { dueDayOf, isOnDay, nextDueMs } from '../../app/domain/close-schedule.ts';

const timeZone = 'Europe/Berlin';
const at = (iso: string) => Date.parse(iso);
const dayOf = (time: string) => createBusinessDay({ timeZone, cutOff: time });

describe('the next close', () => {
  it.each([
    ['on the same day', '23:00', '2026-11-27T12:00:00Z', '2026-11-27T22:00:00.000Z'],
    ['on the day after when its time has passed', '23:00', '2026-11-27T22:00:00Z', '2026-11-28T22:00:00.000Z'],
    ['after the hour that spring skips', '02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['the first time where autumn shows it twice', '02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ])('is %s', (_, time, now, expected) => {
    expect(new Date(nextDueMs({ time }, dayOf(time), at(now))).toISOString()).toBe(expected);
  });

  it('is on a day of the week that is chosen', () => {
    // 27 November 2026 is a Friday.
    const schedule = { time: '23:00', days: [1] };
    expect(new Date(nextDueMs(schedule, dayOf('23:00'), at('2026-11-27T12:00:00Z'))).toISOString()).toBe(
      '2026-11-30T22:00:00.000Z',
    );
    expect(dueDayOf(schedule, dayOf('23:00'), at('2026-11-27T12:00:00Z'))).toBe('2026-11-23');
  });
});

describe('for any instant and schedule', () => {
  it('the next close is after it, on a chosen day, and then that day is the one that is due', () => {
    const drawn = fc.record({
      minute: fc.integer({ min: 0, max: 1439 }),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
      now: fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') }),
    });
    fc.assert(
      fc.property(drawn, ({ minute, days, now }) => {
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        const schedule = { time, days };
        const next = nextDueMs(schedule, dayOf(time), now);
        expect(next).toBeGreaterThan(now);
        const due = dueDayOf(schedule, dayOf(time), next);
        expect(isOnDay(schedule, due)).toBe(true);
        expect(due > dueDayOf(schedule, dayOf(time), next - 1)).toBe(true);
        expect(dueDayOf(schedule, dayOf(time), now)).toBe(dueDayOf(schedule, dayOf(time), next - 1));
      }),
    );
  });
});
