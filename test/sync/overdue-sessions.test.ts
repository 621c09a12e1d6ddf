import { afterEach, beforeEach, expect, it } from 'vitest';
import { moveOverdueSessions } from '../../host/services/session-time.ts';
import { realClock } from '../support/zvt-clock.ts';
import { expectBooksAgree } from './support/books.ts';
import { openSessionBench, type SessionBench } from './support/session-bench.ts';

/** Past the processing deadline of a session that began just now (decisions: Sessions). */
const PAST_DEADLINE_MS = 16 * 60_000;

let bench: SessionBench;
beforeEach(async () => {
  bench = await openSessionBench();
});
afterEach(() => bench.stop());

const sales = () => bench.harness.journal.totals('R1', 1, 'EUR').saleCount;
const kept = () => bench.harness.journal.openPaymentSessions();
const sessionOf = async (id: string) => (await bench.detail(id)).session;

/** The host's scheduler looks at its sessions as if the deadline had passed. */
async function passDeadline(): Promise<void> {
  await moveOverdueSessions({ store: bench.store }, realClock.nowMs() + PAST_DEADLINE_MS);
}

/** A session whose card is being read, and whose deadline has then passed. */
async function overdueAtCard(): Promise<string> {
  bench.reader.next({ hold: 'CARD' });
  const { id } = await bench.create(800);
  bench.sessions().wake();
  await bench.passUntil(bench.reader.isHeld);
  await bench.passUntil(async () => (await sessionOf(id)).status === 'IN_PROGRESS');
  await passDeadline();
  expect(await sessionOf(id)).toMatchObject({ status: 'RECOVERY_REQUIRED', failureCode: 'PROCESSING_TIMEOUT' });
  return id;
}

it('charges nothing and begins nothing anew when the till of an overdue session died before its authorization', async () => {
  const id = await overdueAtCard();
  await bench.restart();
  await bench.passUntil(() => kept().length === 0);
  bench.sessions().wake();
  expect((await sessionOf(id)).status).toBe('RECOVERY_REQUIRED');
  expect(bench.reader.commands).toHaveLength(1);
  expect(sales()).toBe(0);
  await expectBooksAgree(bench);
});

it('charges nothing for a card that comes after the deadline', async () => {
  const id = await overdueAtCard();
  bench.reader.release();
  await bench.passUntil(() => kept().length === 0);
  expect((await sessionOf(id)).status).toBe('RECOVERY_REQUIRED');
  expect(bench.reader.commands).toHaveLength(1);
  expect(sales()).toBe(0);
  await expectBooksAgree(bench);
});

it.each(['BEFORE_PROVISIONAL', 'AFTER_PROVISIONAL'] as const)(
  'is told what became of its payment by a till that died with it (%s) and comes back after the deadline',
  async (place) => {
    bench.holdAt(place);
    const { id } = await bench.create(800);
    bench.sessions().wake();
    await bench.passUntil(bench.isHeld);
    await passDeadline();
    const overdue = await sessionOf(id);
    expect(overdue).toMatchObject({ status: 'RECOVERY_REQUIRED', failureCode: 'PROCESSING_TIMEOUT' });
    expect(await bench.paymentStatus(overdue.paymentId ?? '')).toBe('SUCCEEDED');
    await bench.restart();
    await bench.passUntil(async () => (await sessionOf(id)).completedAt !== undefined && kept().length === 0);
    const isCharged = sales() === 1;
    expect(await sessionOf(id)).toMatchObject({ status: isCharged ? 'SUCCEEDED' : 'DECLINED' });
    expect((await sessionOf(id)).failureCode).toBeUndefined();
    expect(await bench.paymentStatus(overdue.paymentId ?? '')).toBe(isCharged ? 'SUCCEEDED' : 'REVERSED');
    expect(bench.reader.commands).toHaveLength(1);
    await expectBooksAgree(bench);
  },
);

it('leaves no money standing when the answer of the acquirer was lost before the deadline', async () => {
  await bench.control.next({ rule: 'drop-after-host', times: 3 });
  const { id } = await bench.create(900);
  bench.sessions().wake();
  const paymentStatus = async () => {
    const { paymentId } = await sessionOf(id);
    return paymentId === undefined ? undefined : await bench.paymentStatus(paymentId);
  };
  await bench.passUntil(async () => (await paymentStatus()) === 'FAILED');
  await passDeadline();
  expect((await sessionOf(id)).status).toBe('RECOVERY_REQUIRED');
  await bench.passUntil(async () => (await paymentStatus()) === 'REVERSED' && kept().length === 0);
  const { status, completedAt } = await sessionOf(id);
  expect({ status, isOver: completedAt !== undefined }).toEqual({ status: 'DECLINED', isOver: true });
  expect(bench.reader.commands).toHaveLength(1);
  expect(sales()).toBe(0);
  await expectBooksAgree(bench);
});
