import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../support/processes.ts';
import { type Call, createKillRig, type KillPoint, type KillRig, type StandingBook } from './kill-rig.ts';

/** Every second message before, the others after its hand-over: each message of an operation is met once. */
const points: readonly KillPoint[] = Array.from({ length: 16 }, (_, index) => ({
  kind: index % 2 === 0 ? 'BEFORE_MESSAGE' : 'AFTER_MESSAGE',
  index,
}));

/** An operation, what has to be there first, and what it changes in the terminal's book when it has taken place. */
interface Operation {
  readonly name: string;
  prepare(rig: KillRig, amountMinor: number): Promise<Call>;
  effect(book: StandingBook): number;
  expectedEffect(amountMinor: number): number;
  /** The answer that says that it has taken place. */
  readonly done: string;
}

const currency = 'EUR';
let number = 0;

async function approved(rig: KillRig, path: string, body: Record<string, unknown>): Promise<string> {
  number += 1;
  const answer = await rig.run({ path, body: { currency, ...body } }, `original-${number}`);
  expect(answer.body.status, answer.text).toBe('APPROVED');
  return String(answer.body.transactionId);
}

const sale = (rig: KillRig, amount: number) => approved(rig, '/v1/transaction/sale', { type: 'SALE', amount });
const preAuth = (rig: KillRig, amount: number) =>
  approved(rig, '/v1/transaction/pre-auth', { type: 'PRE_AUTH', amount });

const operations: readonly Operation[] = [
  {
    name: 'a void',
    prepare: async (rig, amount) => ({
      path: '/v1/transaction/void',
      body: { type: 'VOID', amount: 0, currency, originalTransactionId: await sale(rig, amount) },
    }),
    effect: (book) => -book.charges.sumMinor,
    expectedEffect: (amount) => amount,
    done: 'APPROVED',
  },
  {
    name: 'a refund',
    prepare: async (rig, amount) => ({
      path: '/v1/transaction/refund',
      body: { type: 'REFUND', amount, currency, originalTransactionId: await sale(rig, amount) },
    }),
    effect: (book) => book.refunds.sumMinor,
    expectedEffect: (amount) => amount,
    done: 'APPROVED',
  },
  {
    name: 'a pre-authorization',
    prepare: async (_rig, amount) => ({
      path: '/v1/transaction/pre-auth',
      body: { type: 'PRE_AUTH', amount, currency },
    }),
    effect: (book) => book.holds.sumMinor,
    expectedEffect: (amount) => amount,
    done: 'APPROVED',
  },
  {
    name: 'a completion of a part',
    prepare: async (rig, amount) => ({
      path: '/v1/transaction/pre-auth/complete',
      body: {
        type: 'PRE_AUTH_COMPLETE',
        amount: amount - 300,
        currency,
        originalTransactionId: await preAuth(rig, amount),
      },
    }),
    effect: (book) => book.charges.sumMinor,
    expectedEffect: (amount) => amount - 300,
    done: 'APPROVED',
  },
  {
    name: 'a day close',
    prepare: async (rig, amount) => {
      await sale(rig, amount);
      return { path: '/v1/reconciliation', body: { closeDay: true } };
    },
    effect: (book) => book.closes,
    expectedEffect: () => 1,
    done: 'SUCCESS',
  },
];

let rig: KillRig;
beforeAll(async () => {
  rig = await createKillRig();
});
afterAll(() => rig.close());

describe('a till killed in the middle of', () => {
  it.each(operations)(
    "$name answers the same key as the terminal's book says, or keeps a task for a person",
    async (operation) => {
      const notes: string[] = [];
      let kills = 0;
      for (const point of points) {
        number += 1;
        const amount = 2000 + number * 100;
        const call = await operation.prepare(rig, amount);
        const before = operation.effect(await rig.book());
        const result = await rig.runAndKill(call, `killed-${number}`, point);
        const effect = operation.effect(await rig.book()) - before;
        const where = `${operation.name}, killed ${result.at}: ${result.replay.text}`;
        if (result.killed) kills += 1;
        const { status, outcome, errorCode } = result.replay.body as {
          status: string;
          errorCode?: string;
          outcome?: { evidence: string };
        };
        notes.push(`${operation.name}, killed ${result.at}: ${status} ${outcome?.evidence ?? ''}`);
        if (errorCode === 'OUTCOME_UNKNOWN') {
          expect(result.openTasks.length, where).toBeGreaterThan(0);
          await resolveAsTheBookSays(result.replay.body.transactionId, effect !== 0);
        } else {
          expect(effect, where).toBe(status === operation.done ? operation.expectedEffect(amount) : 0);
          expect(result.openTasks, where).toEqual([]);
        }
      }
      process.stdout.write(
        `${notes.join('\n')}\n${kills} of ${points.length} kills hit ${operation.name} while it ran\n`,
      );
      expect(kills).toBeGreaterThan(points.length / 2);
      const verified = await runProgram('main/verify-journal', [rig.folder]);
      expect(verified.code, verified.output + verified.errors).toBe(0);
    },
    900_000,
  );
});

async function resolveAsTheBookSays(transactionId: unknown, charged: boolean): Promise<void> {
  const path = `/v1/transactions/${String(transactionId)}/resolve`;
  const answer = await rig.run(
    { path, body: { charged, evidence: "read in the terminal's book" } },
    `resolve-${number}`,
  );
  expect(answer.status, answer.text).toBe(200);
}
