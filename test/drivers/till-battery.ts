// The same faults through the whole till: its journal on disk is held against the terminal's own book.
import { describe, expect, it } from 'vitest';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import type { CallContext } from '../../app/services/till.ts';
import { bodyOf, call, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';
import { settle } from '../support/manual-clock.ts';
import { faithfulCourse } from './battery.ts';
import type { Approval, Bench, BenchKind } from './bench.ts';
import { at, cutAfter, cutBehind, directions, doubled, type LineFault, lost } from './line-faults.ts';

const TEST_MS = 300_000;
const STEP_MS = 2_500;
/** By then every question has been put that is put without a person. */
const MAX_STEPS = 400;
/** How long a person waits before he looks into the terminal's book: until it has done what it still does. */
const PERSON_MS = 300_000;
const amountMinor = 1_234;
const context: CallContext = {
  clientId: 'client-1',
  actor: 'pos:till one',
  requestId: 'request-1',
  route: 'POST /v1/transaction/sale',
};

interface TillScenario {
  readonly name: string;
  readonly fault?: LineFault;
  readonly faultOn?: (bench: Bench, harness: () => Harness) => LineFault;
  readonly arm?: Parameters<Bench['arm']>[0];
}

/** Sells once through the till under a scenario, waits for the truth, and tells what journal and book do not agree on. */
async function disagreements(kind: BenchKind, scenario: TillScenario): Promise<readonly string[]> {
  const bench = await kind.create();
  const problems: string[] = [];
  let terminal: Terminal | undefined;
  const harness = createHarness({
    clock: bench.clock,
    makeTerminals() {
      terminal = bench.startTill();
      return [terminal];
    },
  });
  try {
    await advanceUntil(bench, () => terminal?.status().state === 'IDLE', 'an idle terminal');
    await bench.clock.advance(1_000);
    bench.onFinal(() => {
      // What the journal says in the moment in which the terminal relies on it.
      if (kind.acknowledges && openRows(harness).some(({ state }) => state === 'INTENT'))
        problems.push('acknowledged while the journal held the intent only');
    });
    if (scenario.arm !== undefined) bench.arm(scenario.arm);
    bench.line.watch(scenario.fault ?? scenario.faultOn?.(bench, () => harness));
    let answer: TransactionResponse | undefined;
    let isOver = false;
    call(harness.till, saleOf({ amount: amountMinor }), { idempotencyKey: 'once' })
      .then(
        (given) => {
          answer = bodyOf(given);
        },
        () => undefined,
      )
      .finally(() => {
        isOver = true;
      });
    await advanceUntil(bench, () => isOver, 'the answer of the call');
    bench.line.heal();
    if (!kind.remembers) await answerAsPerson(kind, bench, harness);
    await advanceUntil(bench, () => isSettled(harness), 'a settled journal');
    await bench.clock.advance(60_000);
    problems.push(...compare(kind, harness, bench, answer));
  } finally {
    const stopped = harness.stop();
    await bench.clock.advance(10_000);
    await stopped;
    await bench.stop();
  }
  return problems.map((problem) => `${scenario.name}: ${problem}`);
}

async function advanceUntil(bench: Bench, condition: () => boolean, what: string): Promise<void> {
  await settle();
  for (let step = 0; !condition(); step++) {
    if (step > MAX_STEPS) throw new Error(`${what} did not come`);
    await bench.clock.advance(STEP_MS);
    await settle();
  }
}

const openRows = (harness: Harness) => harness.journal.openTransactions();

const openTasks = (harness: Harness) =>
  harness.till.recoveryTasks(context).data.filter(({ state }) => state !== 'RESOLVED');

/** Where the terminal cannot be asked, a person looks into its book; everything else must settle by itself. */
async function answerAsPerson(kind: BenchKind, bench: Bench, harness: Harness): Promise<void> {
  await advanceUntil(bench, () => isSettled(harness) || openTasks(harness).some(needsPerson), 'an end or a task');
  if (isSettled(harness)) return;
  await bench.clock.advance(PERSON_MS);
  for (const { subject } of openTasks(harness).filter(needsPerson)) {
    const charged = standingIn(kind, bench).length > 0;
    harness.till.resolve(context, subject.id, { charged, evidence: 'The book of the terminal.' });
  }
}

const needsPerson = ({ state }: { readonly state: string }): boolean => state === 'NEEDS_PERSON';

/** Nothing is open, and no person is needed. */
function isSettled(harness: Harness): boolean {
  return openRows(harness).length === 0 && openTasks(harness).length === 0;
}

/**
 * What stands in the terminal's book. A payment of another amount than was asked for is not acknowledged; where there is no acknowledgement, the person
 * who is asked about it has it taken back at the terminal.
 */
function standingIn(kind: BenchKind, bench: Bench): readonly Approval[] {
  const standing = bench.approvals().filter((approval) => approval.stands);
  return kind.acknowledges ? standing : standing.filter((approval) => approval.amountMinor === amountMinor);
}

function compare(
  kind: BenchKind,
  harness: Harness,
  bench: Bench,
  answer: TransactionResponse | undefined,
): readonly string[] {
  const problems: string[] = [];
  const standing = standingIn(kind, bench);
  const totals = harness.till.totals(context).totals;
  const bookSum = standing.reduce((sum, approval) => sum + approval.amountMinor, 0);
  if (bench.moneyCommands() > 1) problems.push(`${bench.moneyCommands()} money commands reached the terminal`);
  if (totals.saleAmount !== bookSum) problems.push(`the journal counts ${totals.saleAmount}, the book ${bookSum}`);
  if (standing.length > 0 && answer !== undefined && ['DECLINED', 'CANCELLED'].includes(answer.status))
    problems.push(`the POS was told ${answer.status}, the book says approved`);
  if (standing.length === 0 && answer?.status === 'APPROVED') problems.push('the POS was told APPROVED');
  return problems;
}

/** The chosen set: faults between the messages, every rule, and the till killed behind each message. */
export function describeTill(kind: BenchKind): void {
  const hold = async (scenarios: readonly TillScenario[]) => {
    const found: string[] = [];
    // One after the other: each has a journal of its own on disk.
    for (const scenario of scenarios) found.push(...(await disagreements(kind, scenario)));
    expect(found).toEqual([]);
    expect(scenarios.length).toBeGreaterThan(0);
  };
  const named = (faults: readonly LineFault[]) => faults.map((fault) => ({ name: fault.name, fault }));

  describe(`a till on ${kind.name}`, () => {
    it(
      'agrees with the terminal after each message lost, doubled, or the last before or after a cut',
      async () => {
        const seen = await faithfulCourse(kind, kind.sale);
        const cuts = directions.flatMap((direction) =>
          seen.filter((write) => write.direction === direction).map(({ offset }) => cutAfter(direction, offset)),
        );
        await hold(
          named([
            ...cuts,
            ...seen.map(cutBehind),
            ...seen.map(lost),
            ...seen.filter(({ direction }) => direction === 'TO_TILL').map(doubled),
          ]),
        );
      },
      TEST_MS,
    );

    it(
      'agrees with the terminal after every fault that it can have',
      () => hold(kind.rules.map((rule) => ({ name: rule, arm: rule }))),
      TEST_MS,
    );

    it(
      'agrees with the terminal after having been killed behind any message',
      async () => {
        const seen = await faithfulCourse(kind, kind.sale);
        await hold(
          seen.map((write) => ({
            name: `killed behind write ${write.index} ${write.direction}`,
            faultOn: (_bench, harness) => at(write, 'killed', () => harness().crashAndRestart()),
          })),
        );
      },
      TEST_MS,
    );
  });
}
