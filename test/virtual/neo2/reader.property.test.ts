import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../../drivers/framing/bytes.ts';
import { clearTag } from '../../../drivers/neo2/codec/tlv.ts';
import { READER_CARDS } from '../../../drivers/virtual/neo2/reader-cards.ts';
import type { TimerName } from '../../../drivers/virtual/neo2/state.ts';
import { NEO2_FAULTS, NEO2_RULES } from '../../../drivers/virtual/rules.ts';
import { KEYS } from '../../../drivers/virtual/terminal-view.ts';
import {
  AUTHENTICATE,
  activateCommand,
  createReaderBench,
  type ReaderBench,
  startCommand,
  told,
} from './reader-bench.ts';

const RUNS = 100;
const SELECTORS = [
  [0x01, 0x01],
  [0x02, 0x40],
  [0x03, 0x02],
  [0x03, 0x40],
  [0x04, 0x00],
  [0x05, 0x01],
  [0x05, 0x02],
  [0x18, 0x01],
  [0x29, 0x00],
  [0x2c, 0x13],
  [0x60, 0x10],
  [0x60, 0x11],
  [0x60, 0x12],
  [0x60, 0x13],
  [0x61, 0x01],
  [0x62, 0x00],
  [0x62, 0x01],
  [0x62, 0x02],
  [0x62, 0x04],
  [0x77, 0x77],
] as const;
const TIMERS: readonly TimerName[] = ['think', 'card', 'next', 'chip', 'entry', 'display', 'hand'];

type Act = (bench: ReaderBench) => unknown;

/** Time goes on to what customer or chip do next. */
function goOn(bench: ReaderBench): void {
  const next = (['think', 'chip'] as const).find((name) => bench.isRunning(name));
  if (next !== undefined) bench.expire(next);
}

/** The whole way to a first cryptogram, if nothing is in its way. */
function insertCard(bench: ReaderBench): void {
  bench.till(startCommand());
  goOn(bench);
  bench.till(AUTHENTICATE);
  goOn(bench);
}

/** And on to the chip's last word. */
function finishCard(bench: ReaderBench): void {
  insertCard(bench);
  bench.till({ type: 'apply-response', isHostReached: true, tags: [clearTag('8A', fromHex('3030'))] });
  goOn(bench);
}

/** What a till sends that knows the protocol, so that runs come far. */
const sensible: readonly Act[] = [
  insertCard,
  insertCard,
  finishCard,
  finishCard,
  (bench) => bench.till(startCommand()),
  (bench) => bench.till(activateCommand()),
  (bench) => bench.till(AUTHENTICATE),
  (bench) => bench.till({ type: 'apply-response', isHostReached: true, tags: [clearTag('8A', fromHex('3030'))] }),
  (bench) => bench.till({ type: 'apply-response', isHostReached: false }),
  (bench) =>
    bench.till({ type: 'get-encrypted-pin', keyUse: 'DUKPT_OWN_PAN', minDigits: 4, maxDigits: 6, prompt: 'PIN' }),
  (bench) => bench.take({ type: 'card-removed' }),
  (bench) => bench.take({ type: 'link-down' }),
  (bench) => bench.take({ type: 'link-up' }),
  (bench) => bench.take({ type: 'boot' }),
  (bench) => bench.take({ type: 'let-go' }),
  (bench) => bench.take({ type: 'hand', forMs: 1000 }),
  (bench) => bench.take({ type: 'broken-frame' }),
];

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...sensible) },
  { weight: 8, arbitrary: fc.constant(goOn) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...TIMERS).map(
      (name): Act =>
        (bench) =>
          bench.isRunning(name) && bench.expire(name),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...SELECTORS), fc.uint8Array({ maxLength: 40 })).map(
      ([[command, code], data]): Act =>
        (bench) =>
          bench.take({ type: 'frame', command, code, data }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...READER_CARDS).map(
      ({ id }): Act =>
        (bench) =>
          bench.present(id),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...KEYS).map(
      (key): Act =>
        (bench) =>
          bench.press(key),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...NEO2_RULES).map(
      (rule): Act =>
        (bench) =>
          bench.arm(rule),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...NEO2_FAULTS).map(
      (fault): Act =>
        (bench) =>
          bench.take({ type: 'fault', fault }),
    ),
  },
);

/** How far all runs together came: a test that never reads a card shows nothing. */
const reached = { steps: 0, finished: 0 };

describe('whatever happens to a virtual reader', () => {
  it('it never breaks, ends each card step once, and uses no key and no counter twice', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 10, maxLength: 60 }), fc.boolean(), (acts, isManual) => {
        const bench = createReaderBench({ isManual });
        for (const one of acts) one(bench);
        const { steps } = bench.book();
        reached.steps += steps.length;
        reached.finished += bench.kinds().filter((kind) => kind === 'CARD_FINISHED').length;
        const ended = bench
          .entries()
          .flatMap((entry) => (entry.kind === 'CARD_FINISHED' || entry.kind === 'CARD_ABANDONED' ? entry.id : []));
        expect(new Set(ended).size).toBe(ended.length);
        expect(bench.book().open.length).toBeLessThanOrEqual(1);
        const ksns = steps.map(({ accountKsn }) => accountKsn);
        expect(new Set(ksns).size).toBe(ksns.length);
        const counters = steps.flatMap(({ card, counter }) => (counter === undefined ? [] : `${card.id} ${counter}`));
        expect(new Set(counters).size).toBe(counters.length);
      }),
      { numRuns: RUNS },
    );
    expect(reached.steps).toBeGreaterThan(RUNS / 2);
    expect(reached.finished).toBeGreaterThan(RUNS / 20);
  });

  it('and it can be set at rest by a cancel, but for the moment in which a chip has its last word', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 5, maxLength: 40 }), (acts) => {
        const bench = createReaderBench();
        for (const one of acts) one(bench);
        bench.take({ type: 'disarm' });
        bench.till({ type: 'cancel' });
        if (bench.isRunning('chip')) bench.expire('chip');
        bench.till({ type: 'cancel' });
        expect(bench.book().open).toEqual([]);
        expect(told(bench.till({ type: 'ping' }))).toEqual(['1800']);
      }),
      { numRuns: RUNS },
    );
  });
});
