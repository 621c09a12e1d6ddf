import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../support/processes.ts';
import { createKillRig, type KillPoint, type KillResult, type KillRig } from './kill-rig.ts';

/** Seed of the random kill times: set TILL_TEST_SEED to replay a run. */
const seed = Number(process.env.TILL_TEST_SEED ?? 1 + (Date.now() % 1_000_000));
/** Kills that must meet a sale while it runs; how long one runs differs from machine to machine, so random ones go on until then. */
const killsWanted = 100;
const maxKills = 300;
const longestDelayMs = 120;
/** Reads on the wire in a sale whose receipts the till prints; a later index finds the call answered and proves nothing. */
const wirePoints = 20;
const repeatsPerCommit = 4;
const commitsOfASale = 3;

const namedPoints: readonly KillPoint[] = [
  ...Array.from({ length: wirePoints }, (_, index) => [
    { kind: 'BEFORE_MESSAGE', index } as const,
    { kind: 'AFTER_MESSAGE', index } as const,
  ]).flat(),
  ...Array.from(
    { length: commitsOfASale * repeatsPerCommit },
    (_, index) => ({ kind: 'AFTER_COMMIT', count: 1 + (index % commitsOfASale) }) as const,
  ),
];

/** Every named point, then random times without end. */
function* killPoints(): Generator<KillPoint> {
  yield* namedPoints;
  for (let state = seed; ; ) {
    // Park–Miller: small, and the same on every machine.
    state = (state * 48_271) % 2_147_483_647;
    yield { kind: 'AFTER_MS', delayMs: state % longestDelayMs };
  }
}

let rig: KillRig;
beforeAll(async () => {
  rig = await createKillRig();
});
afterAll(() => rig.close());

let saleNumber = 0;

/** One sale that is killed, restarted and asked again under its key; its amount is its own, so that the book can tell it apart. */
async function killedSale(
  point: KillPoint,
): Promise<{ result: KillResult; chargedMinor: number; amountMinor: number; charges: number }> {
  saleNumber += 1;
  const amountMinor = 1000 + saleNumber * 100;
  const before = await rig.book();
  const body = { type: 'SALE', amount: amountMinor, currency: 'EUR', referenceId: `sale-${saleNumber}` };
  const result = await rig.runAndKill({ path: '/v1/transaction/sale', body }, `key-${saleNumber}`, point);
  const after = await rig.book();
  return {
    result,
    amountMinor,
    chargedMinor: after.charges.sumMinor - before.charges.sumMinor,
    charges: after.charges.count - before.charges.count,
  };
}

describe(`a till killed in the middle of a sale (seed ${seed})`, () => {
  it(`answers the same key truly after ${killsWanted} kills, with one charge at most`, async () => {
    const notes: string[] = [];
    let kills = 0;
    for (const point of killPoints()) {
      if (notes.length >= maxKills || (notes.length >= namedPoints.length && kills >= killsWanted)) break;
      const { result, amountMinor, chargedMinor, charges } = await killedSale(point);
      const where = `${JSON.stringify(point)} (${result.at})`;
      if (result.killed) kills += 1;
      expect(charges, `charges in the terminal's book, killed at ${where}`).toBeLessThanOrEqual(1);
      expect(result.replay.status, `status of the replay, killed at ${where}: ${result.replay.text}`).toBe(200);
      const { status, outcome } = result.replay.body as {
        status: string;
        outcome: { charged: string; evidence: string };
      };
      expect(chargedMinor, `money in the book, killed at ${where}: ${result.replay.text}`).toBe(
        status === 'APPROVED' ? amountMinor : 0,
      );
      expect(outcome.charged, `charged, killed at ${where}`).toBe(status === 'APPROVED' ? 'YES' : 'NO');
      expect(result.openTasks, `open recovery tasks, killed at ${where}`).toEqual([]);
      expect(result.record?.status, `record, killed at ${where}`).toBe(status);
      notes.push(`${where}: ${status} — ${outcome.evidence}`);
    }
    // What was asked and which answer decided, for each point: the record of this test.
    process.stdout.write(`${notes.join('\n')}\n${kills} of ${notes.length} kills hit a running sale\n`);
    expect(kills).toBeGreaterThanOrEqual(killsWanted);
    const verified = await runProgram('main/verify-journal', [rig.folder]);
    expect(verified.code, verified.output + verified.errors).toBe(0);
  }, 1_800_000);
});
