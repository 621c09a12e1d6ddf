import { describe, expect, test } from 'vitest';
import type { TransactionRequest } from '../../app/contract/transactions.ts';
import { createCrashPoints } from '../support/crash-points.ts';
import type { Harness } from '../support/engine-harness.ts';
import { ask, bodyOf, call, createHarness, saleOf } from '../support/engine-harness.ts';
import { settle } from '../support/manual-clock.ts';
import { createMemoryDevice, type MemoryDevice, type Script } from '../support/memory-terminal.ts';

const key = { idempotencyKey: 'order-1' };
const context = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'r' };

/** One operation with what it needs beforehand, done by an engine that is dropped at one point. */
interface Course {
  readonly name: string;
  readonly script?: Script;
  before(harness: Harness): Promise<TransactionRequest>;
  /** What the terminal's book may hold of it. */
  booked(device: MemoryDevice): number;
}

const count = (operation: string) => (device: MemoryDevice) =>
  device.book.filter((entry) => entry.operation === operation && entry.stands).length;

const courses: readonly Course[] = [
  { name: 'a sale', before: async () => saleOf(), booked: count('SALE') },
  {
    name: 'a sale whose completion is lost',
    script: { lose: 'COMPLETION' },
    before: async () => saleOf(),
    booked: count('SALE'),
  },
  {
    name: 'a sale whose result is lost',
    script: { lose: 'STATUS' },
    before: async () => saleOf(),
    booked: count('SALE'),
  },
  {
    name: 'a refund',
    before: async ({ till }) => {
      const { transactionId } = await ask(till, saleOf());
      return { type: 'REFUND', amount: 600, currency: 'EUR', originalTransactionId: transactionId };
    },
    booked: count('REFUND'),
  },
  {
    name: 'a void',
    before: async ({ till }) => {
      const { transactionId } = await ask(till, saleOf());
      return { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId: transactionId };
    },
    booked: count('VOID'),
  },
  {
    name: 'a completion',
    before: async ({ till }) => {
      const { transactionId } = await ask(till, saleOf({ type: 'PRE_AUTH' }));
      return { type: 'PRE_AUTH_COMPLETE', amount: 600, currency: 'EUR', originalTransactionId: transactionId };
    },
    booked: count('PRE_AUTH_COMPLETE'),
  },
];

async function runUntilCrash(course: Course, crashAt: number) {
  const device = createMemoryDevice();
  const harness = createHarness({ devices: [device] });
  const request = await course.before(harness);
  const points = createCrashPoints(crashAt, () => device.cut());
  harness.crashAndRestart({
    wrapJournal: points.wrapJournal,
    wrapTerminal: points.wrapTerminal,
    wrapClock: points.wrapClock,
  });
  await harness.clock.advance(1_000);
  const commandsBefore = device.commands.length;
  if (course.script !== undefined) device.next(course.script);
  const first = call(harness.till, request, key).then(
    (answer) => answer,
    () => undefined,
  );
  await settle();
  await harness.clock.advance(30_000);
  return { harness, device, request, points, first, commandsBefore };
}

describe.each(courses)('$name, dropped at every point', (course) => {
  test('has one effect at most, and the same key gives the answer that matches the book', async () => {
    let crashAt = 0;
    for (; crashAt < 200; crashAt += 1) {
      const { harness, device, request, points, commandsBefore } = await runUntilCrash(course, crashAt);
      const where = `${course.name}, point ${crashAt}: ${points.passed.at(-1)}`;
      const isPastTheEnd = !points.hasCrashed;
      if (points.hasCrashed) {
        harness.crashAndRestart();
        await harness.clock.advance(60_000);
      }
      expect(device.commands.length - commandsBefore, where).toBeLessThanOrEqual(1);
      const answer = await call(harness.till, request, key);
      const { status, outcome } = bodyOf(answer);
      expect(['APPROVED', 'ERROR'], where).toContain(status);
      expect(course.booked(device), where).toBe(status === 'APPROVED' ? 1 : 0);
      expect(outcome?.charged, where).toBe(status === 'APPROVED' ? 'YES' : 'NO');
      expect(await call(harness.till, request, key), where).toEqual({ ...answer, replayed: true });
      expect(harness.till.recoveryTasks(context).data, where).toEqual([]);
      expect(harness.journal.openTransactions(), where).toEqual([]);
      const commands = device.commands.slice(commandsBefore);
      expect(new Set(commands).size, where).toBe(commands.length);
      await harness.stop();
      if (isPastTheEnd) break;
    }
    // Every point of the course was met, and the course ended before the bound.
    expect(crashAt).toBeGreaterThan(8);
    expect(crashAt).toBeLessThan(200);
  });
});
