// What every driver must do, whatever it speaks. The terminal's own book judges each attempt (attempt.ts); what a scenario promises beyond
// those rules is said here.
import { describe, expect, it } from 'vitest';
import type { PreparedExchange } from '../../app/ports/terminal.ts';
import { describeAbsent } from './absent.ts';
import { type Attempt, attempt, awaited, readyBench, type Scenario } from './attempt.ts';
import type { Bench, BenchKind, MoneyCase } from './bench.ts';
import {
  at,
  byteByByte,
  chosenPlacesOf,
  cutAfter,
  cutBehind,
  damaged,
  directions,
  doubled,
  echoed,
  joined,
  type LineFault,
  late,
  lost,
  noisy,
  placesOf,
  type SeenWrite,
  silentAfter,
  splitAt,
  strayBefore,
  strayBehind,
  truncated,
} from './line-faults.ts';

/** Attempts under way at the same time: each has a clock of its own. */
const SIDE_BY_SIDE = 64;
const TEST_MS = 300_000;
/** While the next step runs, while the issuer is asked, and when he has answered. */
const ECHO_MS = [15, 150, 310];
/** Beyond the time-out of an answer, and beyond all. */
const LATE_MS = [8_000, 40_000, 400_000];

/** What goes over a line that nothing disturbs. */
export async function faithfulCourse(kind: BenchKind, money: MoneyCase): Promise<readonly SeenWrite[]> {
  const { bench, terminal } = await readyBench(kind);
  const command = await money.prepare(bench, terminal);
  bench.line.watch();
  const exchange = await awaited(bench.clock, terminal.prepare(command, new AbortController().signal), kind.patienceMs);
  await awaited(
    bench.clock,
    money.pay(exchange, { onProgress() {}, async onProvisional() {} }, bench),
    kind.patienceMs,
  );
  await bench.clock.advance(100);
  const seen = [...bench.line.seen()];
  await terminal.stop();
  await bench.stop();
  return seen;
}

/** Tries each scenario on a bench of its own. */
async function attempts(
  kind: BenchKind,
  money: MoneyCase,
  scenarios: readonly (Scenario & { readonly name: string })[],
): Promise<readonly Attempt[]> {
  const done: Attempt[] = [];
  for (let from = 0; from < scenarios.length; from += SIDE_BY_SIDE) {
    const batch = scenarios.slice(from, from + SIDE_BY_SIDE);
    done.push(...(await Promise.all(batch.map((scenario) => attempt(kind, money, scenario.name, scenario)))));
  }
  return done;
}

/**
 * Every delay that means something on a write: what a line with repeats brings to the terminal later than a repeat comes is no fault of a line,
 * and acknowledgements without numbers cannot stand it.
 */
function delayed(kind: BenchKind, seen: readonly SeenWrite[]): readonly LineFault[] {
  return seen
    .filter(({ direction }) => direction === 'TO_TILL' || kind.damage !== 'REPAIRED')
    .flatMap((write) => LATE_MS.map((delayMs) => late(write, delayMs)));
}

/** A message of the terminal that comes once more among later ones. A line with repeats knows it, a stream loses and doubles nothing. */
function echoes(kind: BenchKind, seen: readonly SeenWrite[]): readonly LineFault[] {
  if (kind.damage !== 'DETECTED') return [];
  const told = seen.filter(({ direction }) => direction === 'TO_TILL');
  return told.flatMap((write) => ECHO_MS.map((afterMs) => echoed(write, afterMs)));
}

const withFaults = (faults: readonly LineFault[]) => faults.map((fault) => ({ name: fault.name, fault }));

/** No rule is broken, and enough was tried to mean something. */
function hold(tried: readonly Attempt[], atLeast = 1): void {
  expect(tried.flatMap(({ problems }) => problems)).toEqual([]);
  expect(tried.length).toBeGreaterThanOrEqual(atLeast);
}

/** How many attempts mean something: of a request and a reply there are few. */
function enough(kind: BenchKind, count: number): number {
  return kind.isBrief ? Math.min(2, count) : count;
}

/**
 * How a payment may end whose line was lost: on a reader nothing has moved until the issuer is asked, so that it fails before. NOT_STARTED: what comes
 * before the command itself was lost.
 */
function endsOfLoss(kind: BenchKind): readonly Attempt['till']['kind'][] {
  return ['APPROVED', 'UNKNOWN', 'REFUSED', 'NOT_STARTED', ...(kind.remembers ? [] : ['FAILED' as const])];
}

/** Where a write may be cut: a report is sent whole or not at all. */
function cutsOf(kind: BenchKind, seen: readonly SeenWrite[]): readonly LineFault[] {
  return directions.flatMap((direction) => {
    const writes = seen.filter((write) => write.direction === direction);
    if (kind.fragments === 'REPORTS') return writes.map(({ offset }) => cutAfter(direction, offset));
    const total = writes.reduce((sum, { byteCount }) => sum + byteCount, 0);
    return Array.from({ length: total }, (_, byteCount) => cutAfter(direction, byteCount));
  });
}

/** Noise at every place that matters. Between reports it is a report of its own. */
function noiseOn(kind: BenchKind, seen: readonly SeenWrite[]): readonly LineFault[] {
  if (kind.fragments === 'REPORTS')
    return kind.noises.flatMap((noise) =>
      seen.flatMap((write) => [strayBefore(write, noise), strayBehind(write, noise)]),
    );
  const [first, ...others] = kind.noises;
  const everywhere = chosenPlacesOf(seen).map(([write, place]) => noisy(write, place, first ?? Uint8Array.of(0)));
  const around = others.flatMap((noise) =>
    seen.flatMap((write) => [0, write.byteCount >> 1, write.byteCount].map((place) => noisy(write, place, noise))),
  );
  return [...everywhere, ...around];
}

/** The attempts that ended otherwise. */
function otherThan(tried: readonly Attempt[], ...kinds: readonly Attempt['till']['kind'][]): readonly string[] {
  return tried.filter(({ till }) => !kinds.includes(till.kind)).map(({ name, till }) => `${name}: ${till.kind}`);
}

export function describeDriver(kind: BenchKind): void {
  describe(kind.name, () => {
    describeAbsent(kind);
    describeSale(kind);
    describeHappenings(kind);
    for (const money of kind.others) describeOther(kind, money);
  });
}

function describeSale(kind: BenchKind): void {
  const { sale } = kind;
  const isRepaired = kind.damage === 'REPAIRED';
  const tryAll = (faults: readonly LineFault[]) => attempts(kind, sale, withFaults(faults));

  describe('a sale', () => {
    it('that nothing disturbs is approved once, by both', async () => {
      const { till, approvals, moneyCommands, problems } = await attempt(kind, sale, 'undisturbed');
      expect({ till: till.kind, approvals: approvals.length, moneyCommands, problems }).toEqual({
        till: 'APPROVED',
        approvals: 1,
        moneyCommands: 1,
        problems: [],
      });
    });

    if (kind.fragments === 'STREAM')
      it(
        'is approved however its bytes are split and joined',
        async () => {
          const longest = Math.max(...(await faithfulCourse(kind, sale)).map(({ byteCount }) => byteCount));
          const splits = Array.from({ length: longest - 1 }, (_, index) => splitAt(index + 1));
          const tried = await tryAll([byteByByte, joined, ...splits]);
          hold(tried, 20);
          expect(otherThan(tried, 'APPROVED')).toEqual([]);
        },
        TEST_MS,
      );

    it(
      'with the line cut after any byte ends approved or unknown or before it began, and asking finds the truth',
      async () => {
        const seen = await faithfulCourse(kind, sale);
        const tried = await tryAll([...cutsOf(kind, seen), ...seen.map(cutBehind)]);
        hold(tried, 40);
        expect(otherThan(tried, ...endsOfLoss(kind))).toEqual([]);
      },
      TEST_MS,
    );

    it(
      kind.damage === 'UNSEEN' ? 'over a line that falls silent after any byte' : 'with a message truncated or lost',
      async () => {
        const seen = await faithfulCourse(kind, sale);
        const places = kind.fragments === 'REPORTS' ? chosenPlacesOf(seen) : placesOf(seen);
        // A stream loses nothing in its middle: what is truncated there is all that ever comes.
        const faults = places
          .filter(([write, place]) => place < write.byteCount)
          .map(([write, place]) =>
            kind.damage === 'UNSEEN' ? silentAfter(write.direction, write.offset + place) : truncated(write, place),
          );
        const tried = await tryAll(faults);
        hold(tried, 40);
        if (isRepaired) expect(otherThan(tried, 'APPROVED', 'REFUSED')).toEqual([]);
      },
      TEST_MS,
    );

    it(
      'with noise before, within and behind each message',
      async () => {
        const seen = await faithfulCourse(kind, sale);
        const tried = await tryAll(noiseOn(kind, seen));
        hold(tried, 40);
        if (isRepaired) expect(otherThan(tried, 'APPROVED', 'REFUSED')).toEqual([]);
      },
      TEST_MS,
    );

    if (kind.damage !== 'UNSEEN')
      it(
        'with a byte damaged',
        async () => {
          const seen = await faithfulCourse(kind, sale);
          const places = chosenPlacesOf(seen).filter(([write, place]) => place < write.byteCount);
          const tried = await tryAll(places.map(([write, place]) => damaged(write, place)));
          hold(tried, 40);
          if (isRepaired) expect(otherThan(tried, 'APPROVED', 'REFUSED')).toEqual([]);
        },
        TEST_MS,
      );

    it(
      'with each message doubled, and each one late',
      async () => {
        const seen = await faithfulCourse(kind, sale);
        // A stream without frames of its own cannot carry a command twice, unless the till writes it twice.
        const canDouble = seen.filter(({ direction }) => direction === 'TO_TILL' || kind.damage !== 'UNSEEN');
        const soon = await tryAll(seen.map((write) => late(write, kind.soonMs)));
        hold(soon, enough(kind, 4));
        expect(otherThan(soon, 'APPROVED')).toEqual([]);
        hold(
          await tryAll([...canDouble.map(doubled), ...delayed(kind, seen), ...echoes(kind, seen)]),
          enough(kind, 12),
        );
      },
      TEST_MS,
    );

    if (kind.acknowledges)
      it('whose result cannot be stored is not acknowledged', async () => {
        const tried = await attempt(kind, sale, 'disk full', { diskIsFull: true });
        hold([tried]);
        expect(tried.till.kind).toBe('UNKNOWN');
        expect(tried.approvals.filter((approval) => approval.stands)).toEqual([]);
      });
  });
}

/** How a payment under a rule may end at the till. */
const endsOfRules: Readonly<Record<string, readonly Attempt['till']['kind'][]>> = {
  slow: ['APPROVED'],
  busy: ['REFUSED', 'NOT_STARTED'],
  'duplicate-reply': ['APPROVED'],
  'cardholder-cancel': ['CANCELLED'],
  'wrong-amount': ['UNKNOWN'],
  'no-result-code': ['UNKNOWN'],
};

/** What stays after them keeps the terminal from selling. */
const lastingRules: ReadonlySet<string> = new Set(['day-close-needed', 'needs-initialisation']);

type During = (bench: Bench, exchange: () => PreparedExchange | undefined) => void;

/** Something that happens behind each message of a payment. */
async function happening(kind: BenchKind, money: MoneyCase, what: string, happen: During): Promise<readonly Attempt[]> {
  const seen = await faithfulCourse(kind, money);
  return attempts(
    kind,
    money,
    seen.map((write) => ({
      name: `${what} behind write ${write.index} ${write.direction}`,
      faultOn: (bench, exchange) => at(write, what, () => happen(bench, exchange)),
    })),
  );
}

function describeHappenings(kind: BenchKind): void {
  const { sale } = kind;
  const during = (what: string, happen: During) => happening(kind, sale, what, happen);

  describe('a terminal', () => {
    it.each(kind.rules)('that meets "%s" in a sale', async (rule) => {
      const tried = await attempt(kind, sale, rule, {
        arm: rule,
        ...(lastingRules.has(rule) ? { leavesTerminalOut: true as const } : {}),
      });
      hold([tried]);
      const ends = kind.ends?.[rule] ?? endsOfRules[rule];
      if (ends !== undefined) expect(otherThan([tried], ...ends)).toEqual([]);
    });

    it('that declines says so, and nothing stands', async () => {
      const tried = await attempt(kind, sale, 'declined', { arm: 'decline-05' });
      hold([tried]);
      expect(tried.till).toMatchObject({ kind: 'DECLINED', ...(kind.declined ?? { card: { responseCode: '05' } }) });
      expect(tried.approvals).toEqual([]);
    });

    it.each(['reboot', 'unplug', 'drop'] as const)(
      'that meets "%s" behind any message of a sale',
      async (fault) => {
        const tried = await during(fault, (bench) => bench.causeFault(fault));
        hold(tried, enough(kind, 6));
        expect(otherThan(tried, ...endsOfLoss(kind))).toEqual([]);
      },
      TEST_MS,
    );
  });

  it(
    'an abort behind any message of a sale is a request: the end is the terminal’s',
    async () => {
      const tried = await during('abort', (_bench, exchange) => void exchange()?.requestAbort());
      hold(tried, enough(kind, 6));
      expect(otherThan(tried, 'APPROVED', 'CANCELLED', 'UNKNOWN')).toEqual([]);
      // Early enough it is granted, where it can be asked for; too late the approval wins.
      expect(tried.some(({ till }) => till.kind === 'CANCELLED')).toBe(kind.abortsNothing !== true);
      expect(tried.some(({ till }) => till.kind === 'APPROVED')).toBe(true);
    },
    TEST_MS,
  );
}

function describeOther(kind: BenchKind, money: MoneyCase): void {
  it(
    `a ${money.name} with each message lost, doubled, late or the last before a cut`,
    async () => {
      const seen = await faithfulCourse(kind, money);
      const canDouble = seen.filter(({ direction }) => direction === 'TO_TILL' || kind.damage !== 'UNSEEN');
      const faults = [
        ...seen.flatMap((write) => [lost(write), cutBehind(write)]),
        ...delayed(kind, seen),
        ...echoes(kind, seen),
        ...directions.flatMap((direction) =>
          seen.filter((write) => write.direction === direction).map(({ offset }) => cutAfter(direction, offset)),
        ),
        ...canDouble.map(doubled),
      ];
      const undisturbed = await attempt(kind, money, 'undisturbed');
      hold([undisturbed]);
      expect(undisturbed.till.kind).toBe(money.end ?? 'APPROVED');
      hold(await attempts(kind, money, withFaults(faults)), enough(kind, 20));
    },
    TEST_MS,
  );

  it(
    `a ${money.name} whose terminal restarts, is cut off or is told to stop behind any message, or meets a fault of its own`,
    async () => {
      const abort: During = (_bench, exchange) => void exchange()?.requestAbort();
      // What a terminal is told to meet, it meets in a payment.
      const rules = money.operation === 'DAY_CLOSE' ? [] : kind.rules.filter((rule) => !lastingRules.has(rule));
      hold([
        ...(await happening(kind, money, 'reboot', (bench) => bench.causeFault('reboot'))),
        ...(await happening(kind, money, 'drop', (bench) => bench.causeFault('drop'))),
        ...(await happening(kind, money, 'abort', abort)),
        ...(await attempts(
          kind,
          money,
          rules.map((rule) => ({ name: rule, arm: rule })),
        )),
      ]);
    },
    TEST_MS,
  );
}
