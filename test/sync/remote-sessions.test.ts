import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionStatus } from '../../app/contract/host/payment-session.ts';
import { saleOf } from '../support/engine-harness.ts';
import { expectBooksAgree } from './support/books.ts';
import { openSessionBench, type SessionBench } from './support/session-bench.ts';

let bench: SessionBench;
beforeEach(async () => {
  bench = await openSessionBench();
});
afterEach(() => bench.stop());

const sales = () => bench.harness.journal.totals('R1', 1, 'EUR').saleCount;
const statusOf = async (sessionId: string) => (await bench.detail(sessionId)).session.status;
/** The host has it so, and the till has nothing more to do about it. */
const becomes = (sessionId: string, status: SessionStatus) =>
  bench.passUntil(async () => (await statusOf(sessionId)) === status && kept().length === 0);
const typesOf = async (sessionId: string) => (await bench.detail(sessionId)).events.map(({ eventType }) => eventType);
const kept = () => bench.harness.journal.openPaymentSessions();

describe('a purchase that the merchant’s server asked for', () => {
  it('is claimed, shown, authorized once and ended as its terminal has finished', async () => {
    const { id } = await bench.create(1234);
    bench.sessions().wake();
    await becomes(id, 'SUCCEEDED');
    const { session, events } = await bench.detail(id);
    expect(session).toMatchObject({ finalAmountMinor: 1234, status: 'SUCCEEDED' });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(await typesOf(id)).toEqual([
      ...['CLAIMED', 'DISPLAYED', 'CARD_PRESENTED', 'AUTHORIZATION_STARTED', 'AUTHORIZATION_RESULT', 'COMPLETED'],
    ]);
    expect(sales()).toBe(1);
    const [own] = bench.harness.journal.listTransactions({ limit: 10 }).rows;
    expect(own).toMatchObject({ actor: 'host:session', state: 'APPROVED', paymentSession: { sessionId: id } });
    expect(session.paymentId).toBe(own?.terminalReference?.paymentId);
    await expectBooksAgree(bench);
  });

  it('is declined when its issuer declines', async () => {
    await bench.control.next({ rule: 'decline-51' });
    const { id } = await bench.create(500);
    bench.sessions().wake();
    await becomes(id, 'DECLINED');
    expect((await typesOf(id)).at(-1)).toBe('COMPLETED');
    expect(sales()).toBe(0);
  });

  it('says so when the card refuses what the issuer approved, and what was approved is taken back', async () => {
    bench.reader.next({ complete: { kind: 'DECLINED', card: {}, receipts: [] } });
    const { id } = await bench.create(900);
    bench.sessions().wake();
    await becomes(id, 'DECLINED');
    const { session, events } = await bench.detail(id);
    expect(events.at(-1)).toMatchObject({ eventType: 'COMPLETED', status: 'DECLINED' });
    expect(await bench.paymentStatus(session.paymentId ?? '')).toBe('REVERSED');
    expect(sales()).toBe(0);
    await expectBooksAgree(bench);
  });

  it('waits while a local sale runs, and comes after it', async () => {
    bench.reader.next({ hold: 'CARD' });
    const local = bench.run(saleOf({ amount: 300 }));
    await bench.passUntil(bench.reader.isHeld);
    const { id } = await bench.create(700);
    bench.sessions().wake();
    expect(await statusOf(id)).toBe('CREATED');
    bench.reader.release();
    expect((await local).status).toBe('APPROVED');
    await becomes(id, 'SUCCEEDED');
    expect(sales()).toBe(2);
  });

  it('fails when a local sale was faster than its first event', async () => {
    bench.line.next('/events', 'HOLD_AFTER');
    const { id } = await bench.create(700);
    bench.sessions().wake();
    await bench.passUntil(bench.line.isHolding);
    bench.reader.next({ hold: 'CARD' });
    const local = bench.run(saleOf({ amount: 300 }));
    await bench.passUntil(bench.reader.isHeld);
    bench.line.release();
    await becomes(id, 'FAILED');
    expect((await bench.detail(id)).session.failureCode).toBe('TRANSACTION_IN_PROGRESS');
    bench.reader.release();
    expect((await local).status).toBe('APPROVED');
    expect(sales()).toBe(1);
  });

  it('is cancelled by the merchant’s server only until it is claimed', async () => {
    const waiting = await bench.create(100);
    expect(await bench.cancel(waiting.id)).toBe(200);
    bench.sessions().wake();
    bench.reader.next({ hold: 'CARD' });
    const { id } = await bench.create(200);
    bench.sessions().wake();
    await bench.passUntil(bench.reader.isHeld);
    expect(await bench.cancel(id)).toBe(409);
    bench.reader.release();
    await becomes(id, 'SUCCEEDED');
    expect(await statusOf(waiting.id)).toBe('CANCELED');
    expect(sales()).toBe(1);
  });

  it('is cancelled when the cardholder presses stop', async () => {
    bench.reader.next({ run: { kind: 'CANCELLED', reason: 'CARDHOLDER', receipts: [] } });
    const { id } = await bench.create(100);
    bench.sessions().wake();
    await becomes(id, 'CANCELED');
    expect((await bench.detail(id)).session.failureCode).toBe('CARDHOLDER_CANCELLED');
  });
});

describe('a refund that the merchant’s server asked for', () => {
  it('gives back a payment of this till', async () => {
    const sale = await bench.run(saleOf({ amount: 1000 }));
    const { id } = await bench.create(400, sale.transactionId);
    bench.sessions().wake();
    await becomes(id, 'SUCCEEDED');
    expect(bench.harness.journal.totals('R1', 1, 'EUR')).toMatchObject({ refundCount: 1, refundAmount: 400 });
    await expectBooksAgree(bench);
  });
});

describe('a line that loses what it carries', () => {
  it.each(['/claim', '/events', '/authorize'])('charges once when the answer to %s is lost', async (path) => {
    bench.line.next(path, 'LOSE_AFTER');
    const { id } = await bench.create(1500);
    bench.sessions().wake();
    await becomes(id, 'SUCCEEDED');
    expect(sales()).toBe(1);
    await expectBooksAgree(bench);
  });

  it.each(['/claim', '/events', '/authorize'])('charges once when %s is lost', async (path) => {
    bench.line.next(path, 'LOSE_BEFORE');
    const { id } = await bench.create(1600);
    bench.sessions().wake();
    await becomes(id, 'SUCCEEDED');
    expect(sales()).toBe(1);
  });

  it('begins nothing that the host no longer has in progress', async () => {
    bench.line.next('/events', {
      status: 409,
      body: JSON.stringify({ error: 'STALE_CLAIM_TOKEN', message: 'another has it' }),
    });
    await bench.create(1700);
    bench.sessions().wake();
    await bench.passUntil(() => bench.line.calls.some((path) => path.endsWith('/events')));
    await bench.passUntil(() => kept().length === 0);
    expect(bench.reader.commands).toEqual([]);
  });
});

describe('a till that is killed', () => {
  it('has begun nothing: the session fails, and is not begun anew', async () => {
    bench.line.next('/events', 'HOLD_BEFORE');
    const { id } = await bench.create(800);
    bench.sessions().wake();
    await bench.passUntil(bench.line.isHolding);
    const restarted = bench.restart();
    bench.line.release();
    await restarted;
    await becomes(id, 'FAILED');
    expect(bench.reader.commands).toEqual([]);
    expect(sales()).toBe(0);
  });

  it('while the card is read: the session fails, and nothing was charged', async () => {
    bench.reader.next({ hold: 'CARD' });
    const { id } = await bench.create(800);
    bench.sessions().wake();
    await bench.passUntil(bench.reader.isHeld);
    await bench.restart();
    await becomes(id, 'FAILED');
    expect(bench.reader.commands).toHaveLength(1);
    expect(sales()).toBe(0);
    await expectBooksAgree(bench);
  });

  it.each(['BEFORE_PROVISIONAL', 'AFTER_PROVISIONAL'] as const)('%s: books and session agree', async (place) => {
    bench.holdAt(place);
    const { id } = await bench.create(800);
    bench.sessions().wake();
    await bench.passUntil(bench.isHeld);
    await bench.restart();
    await bench.passUntil(async () => (await bench.detail(id)).session.completedAt !== undefined);
    const { session, events } = await bench.detail(id);
    const isCharged = sales() === 1;
    expect(session.status).toBe(isCharged ? 'SUCCEEDED' : 'DECLINED');
    expect(events.at(-1)?.eventType).toBe(isCharged ? 'COMPLETED' : 'FAILED');
    expect(await bench.paymentStatus(session.paymentId ?? '')).toBe(isCharged ? 'SUCCEEDED' : 'REVERSED');
    expect(bench.reader.commands).toHaveLength(1);
    await expectBooksAgree(bench);
  });

  it('after its end was written: the host still hears of it', async () => {
    bench.setReachable(true);
    bench.line.next('/events', 'HOLD_AFTER');
    const { id } = await bench.create(800);
    bench.sessions().wake();
    await bench.passUntil(bench.line.isHolding);
    bench.line.release();
    await bench.passUntil(() => sales() === 1);
    await bench.restart();
    await becomes(id, 'SUCCEEDED');
    await bench.passUntil(() => kept().length === 0);
    expect(sales()).toBe(1);
  });
});
