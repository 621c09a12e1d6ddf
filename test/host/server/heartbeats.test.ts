import { expect, it } from 'vitest';
import { createHeartbeats } from '../../../host/server/link/heartbeats.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const intervalMs = 5_000;

it('beats for each member once in every interval, and for few of them at the same moment', async () => {
  const clock = createManualClock();
  const beats = new Map<number, number[]>();
  const heartbeats = createHeartbeats<number>(clock, intervalMs, (member) => {
    beats.set(member, [...(beats.get(member) ?? []), clock.monotonicMs()]);
  });
  const members = Array.from({ length: 1_000 }, (_, index) => index);
  const leave = members.map((member) => heartbeats.add(member));
  await clock.advance(3 * intervalMs);
  const moments = new Map<number, number>();
  for (const member of members) {
    const [first = Number.NaN, second, third, ...more] = beats.get(member) ?? [];
    expect(first).toBeLessThanOrEqual(intervalMs);
    expect([second, third, more]).toEqual([first + intervalMs, first + 2 * intervalMs, []]);
    moments.set(first, (moments.get(first) ?? 0) + 1);
  }
  expect(Math.max(...moments.values())).toBeLessThanOrEqual(members.length / 100);
  // Who has left is not called, and where nobody is left no timer runs.
  for (const gone of leave) gone();
  beats.clear();
  await clock.advance(2 * intervalMs);
  expect([beats.size, clock.waiting]).toEqual([0, 0]);
  // Somebody who comes then has his first beat after a whole interval, and not what was missed.
  heartbeats.add(7);
  const cameAtMs = clock.monotonicMs();
  await clock.advance(intervalMs);
  expect(beats.get(7)).toEqual([cameAtMs + intervalMs]);
});

it('fills the moments again that have become free', async () => {
  const clock = createManualClock();
  const perMoment = new Map<number, number>();
  const heartbeats = createHeartbeats<number>(clock, intervalMs, () => {
    perMoment.set(clock.monotonicMs(), (perMoment.get(clock.monotonicMs()) ?? 0) + 1);
  });
  const leave = Array.from({ length: 400 }, (_, index) => heartbeats.add(index));
  // Those of every second moment leave.
  for (const [index, gone] of leave.entries()) if (index % 2 === 0) gone();
  for (let index = 400; index < 600; index += 1) heartbeats.add(index);
  await clock.advance(intervalMs);
  expect(Math.max(...perMoment.values())).toBe(4);
});
