import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../../app/contract/host/payment.ts';
import type {
  ClaimPaymentSessionResponse,
  CreatePaymentSessionRequest,
  SessionDeviceEvent,
  TerminalPaymentSession,
} from '../../../app/contract/host/payment-session.ts';
import type { PaymentRecord } from '../../../host/ports/host-records.ts';
import { endUnpaidSession } from '../../../host/services/end-session.ts';
import { moveOverdueSessions } from '../../../host/services/session-time.ts';
import { withStores } from '../store-battery.ts';
import { intentOf, moveOf, newPayment, openShop, readPayment, type Shop, sell } from '../store-fixture.ts';
import type { TestDatabase } from '../test-databases.ts';
import { type Bench, callOf, deviceOf, openBench, read, secretOf } from './services-fixture.ts';

/** Rounds of a race between claim, cancel and expiry. */
const RACE_ROUNDS = 300;
/** Turns of the event loop by which one may be ahead of the next. */
const MAX_HEAD_START_TURNS = 40;
const MINUTE_MS = 60_000;

const create = 'POST /v1/terminal/payment-sessions';
const claimRoute = 'POST /api/v1/terminal/payment-sessions/claim';

interface Counter extends Bench {
  readonly shop: Shop;
}

function requestOf(shop: Shop, changes: Partial<CreatePaymentSessionRequest> = {}): CreatePaymentSessionRequest {
  const { merchantId, terminalId } = shop;
  return { merchantId, terminalId, operation: 'PURCHASE', amountMinor: 1000, currencyCode: 'EUR', ...changes };
}

async function createIn(bench: Counter, changes: Partial<CreatePaymentSessionRequest> = {}) {
  const { shop } = bench;
  const answer = await bench.createSession(secretOf(shop), callOf(create), requestOf(shop, changes));
  return read<TerminalPaymentSession>(answer);
}

async function claimIn(bench: Counter, key: string = randomUUID()) {
  const { shop } = bench;
  const { terminalId } = shop;
  return read<ClaimPaymentSessionResponse>(
    await bench.claimSession(deviceOf(shop), callOf(claimRoute, key), { deviceId: 'D1', terminalId }),
  );
}

async function mustClaim(bench: Counter): Promise<TerminalPaymentSession> {
  const { session } = await claimIn(bench);
  if (session === undefined) throw new Error('none waits');
  return session;
}

function tell(
  bench: Counter,
  session: TerminalPaymentSession,
  sequence: number,
  eventType: SessionDeviceEvent['eventType'],
  more: Partial<SessionDeviceEvent> = {},
) {
  const { claimToken } = session;
  return bench.sessionEvent(deviceOf(bench.shop), session.id, { sequence, eventType, claimToken, ...more });
}

/** An authorization for the session, as far as the store sees it. */
async function begin(
  bench: Counter,
  session: TerminalPaymentSession,
  changes: Partial<Payment> = {},
): Promise<PaymentRecord> {
  const { shop } = bench;
  const added = newPayment(shop, changes, { paymentSessionId: session.id });
  const result = await shop.store.beginAuthorization(intentOf(shop, added));
  if (result.kind !== 'INSERTED') throw new Error(result.kind);
  return await readPayment(shop, added.payment.id);
}

/** Its outcome as an acquirer tells it, with what that does to its session in the same commit. */
async function end(
  bench: Counter,
  from: PaymentRecord,
  trigger: 'APPROVED' | 'DECLINED' | 'OUTCOME_LOST' | 'FOUND_CAPTURED',
) {
  const { store } = bench.shop;
  const { amountMinor } = from.payment;
  const isPaid = trigger === 'APPROVED' || trigger === 'FOUND_CAPTURED';
  const status = isPaid ? 'SUCCEEDED' : trigger === 'DECLINED' ? 'DECLINED' : 'FAILED';
  const events = isPaid ? ([{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: amountMinor }] as const) : [];
  const changes = { status, ...(isPaid ? { capturedAmountMinor: amountMinor } : {}) } as const;
  await store.transact(async (unit) => {
    await unit.movePayment(moveOf(from, trigger, changes, events, bench.clock.nowMs()));
    const { merchantId, id: paymentId } = from.payment;
    const after = await unit.findPayment({ merchantId, paymentId });
    if (after !== undefined) await endUnpaidSession(unit, after, bench.clock.nowMs());
  });
  return await readPayment(bench.shop, from.payment.id);
}

export function sessionServicesBattery(database: TestDatabase): void {
  describe('payment sessions as services', () => {
    const stores = withStores(database);
    const open = async (): Promise<Counter> => {
      const shop = await openShop(stores.one);
      return { ...openBench(stores.one), shop };
    };
    const look = (bench: Counter, id: string) => bench.session(secretOf(bench.shop), id);

    it('creates a session with a key of its own for the authorization, wakes the terminal, and shows no claim token', async () => {
      const bench = await open();
      const session = await createIn(bench, { expiresInSeconds: 60 });
      expect(session).toMatchObject({ status: 'CREATED', claimToken: '', deviceId: 'D1', lastEventSequence: 0 });
      expect(session.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
      expect(Date.parse(session.expiresAt)).toBe(bench.clock.nowMs() + 60_000);
      expect(bench.wakes).toEqual(['T1 PAYMENT_SESSION']);
      expect(await look(bench, session.id)).toEqual({ session, events: [] });
    });

    it('answers a repeated creation byte for byte, wakes nobody twice, and refuses another body under the key', async () => {
      const bench = await open();
      const { shop } = bench;
      const call = callOf(create);
      const first = await bench.createSession(secretOf(shop), call, requestOf(shop));
      const again = await bench.createSession(secretOf(shop), call, requestOf(shop));
      expect(again).toEqual({ ...first, replayed: true });
      expect(bench.wakes).toHaveLength(1);
      const other = bench.createSession(secretOf(shop), call, requestOf(shop, { amountMinor: 1001 }));
      await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    });

    it('refuses what no terminal could do, with the documented code, and leaves nothing behind', async () => {
      const bench = await open();
      const { shop } = bench;
      const sale = await sell(shop, 1000);
      const declined = await end(bench, await beginPlain(shop), 'DECLINED');
      const refund = { operation: 'REFUND', originalTransactionId: sale.payment.id } as const;
      const cases: readonly (readonly [Partial<CreatePaymentSessionRequest>, string, string?])[] = [
        [{ merchantId: 'M-other' }, 'NOT_FOUND'],
        [{ terminalId: 'T9' }, 'NOT_FOUND'],
        [{ currencyCode: 'USD' }, 'UNSUPPORTED_CURRENCY', 'currencyCode'],
        [{ amountMinor: 1_000_000_000_000 }, 'AMOUNT_TOO_LARGE', 'amountMinor'],
        [{ operation: 'REFUND' }, 'INVALID_REQUEST', 'originalTransactionId'],
        [{ originalTransactionId: sale.payment.id }, 'INVALID_REQUEST', 'originalTransactionId'],
        [{ ...refund, originalTransactionId: randomUUID() }, 'ORIGINAL_NOT_FOUND', 'originalTransactionId'],
        [{ ...refund, amountMinor: 1001 }, 'REFUND_EXCEEDS_ORIGINAL', 'amountMinor'],
        [{ ...refund, originalTransactionId: declined.payment.id }, 'ILLEGAL_STATE'],
      ];
      for (const [changes, code, field] of cases) {
        const refused = bench.createSession(secretOf(shop), callOf(create), requestOf(shop, changes));
        await expect(refused, JSON.stringify(changes)).rejects.toMatchObject({ code, ...(field && { field }) });
      }
      expect(await shop.store.read.openSession(shop)).toBeUndefined();
      expect(bench.wakes).toEqual([]);
      expect(await createIn(bench, refund)).toMatchObject({ originalTransactionId: sale.payment.id });
    });

    it('gives a terminal one session at a time, until time has ended the first', async () => {
      const bench = await open();
      const first = await createIn(bench, { expiresInSeconds: 60 });
      await expect(createIn(bench)).rejects.toMatchObject({ code: 'TERMINAL_HAS_OPEN_SESSION' });
      await bench.clock.advance(MINUTE_MS);
      const second = await createIn(bench);
      expect((await look(bench, first.id)).session).toMatchObject({ status: 'EXPIRED' });
      expect(second.status).toBe('CREATED');
    });

    it('shows another merchant, and another terminal, nothing of a session', async () => {
      const bench = await open();
      const session = await createIn(bench);
      const other = secretOf(await openShop(stores.one));
      await expect(bench.session(other, session.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(bench.cancelSession(other, session.id, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const wrongBody = bench.cancelSession(secretOf(bench.shop), session.id, { merchantId: other.merchantId });
      await expect(wrongBody).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const claimed = await mustClaim(bench);
      const event = { sequence: 1, eventType: 'DISPLAYED', claimToken: claimed.claimToken } as const;
      for (const caller of [
        { ...deviceOf(bench.shop), merchantId: other.merchantId },
        { ...deviceOf(bench.shop), terminalId: 'T2' },
        { ...deviceOf(bench.shop), deviceId: 'D2' },
      ]) {
        await expect(bench.sessionEvent(caller, session.id, event)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
      const asOther = bench.claimSession(deviceOf(bench.shop), callOf(claimRoute), {
        deviceId: 'D2',
        terminalId: 'T1',
      });
      await expect(asOther).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'deviceId' });
    });

    it('gives a claim once, again under its key, and nothing under another', async () => {
      const bench = await open();
      const early = randomUUID();
      expect(await claimIn(bench, early)).toEqual({});
      const session = await createIn(bench);
      // The key of a claim that found nothing is still free.
      const claimed = await claimIn(bench, early);
      expect(claimed.session).toMatchObject({ id: session.id, status: 'CLAIMED' });
      expect(claimed.session?.claimToken).toMatch(/^[\w-]{43}$/);
      expect(await claimIn(bench, early)).toEqual(claimed);
      expect(await claimIn(bench)).toEqual({});
      expect((await look(bench, session.id)).session.claimToken).toBe('');
    });

    it('cancels a session that waits, and none that is claimed, over or gone', async () => {
      const bench = await open();
      const secret = secretOf(bench.shop);
      const first = await createIn(bench);
      expect(await bench.cancelSession(secret, first.id, {})).toMatchObject({ status: 'CANCELED', claimToken: '' });
      await expect(bench.cancelSession(secret, first.id, {})).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      expect(await claimIn(bench)).toEqual({});
      const second = await createIn(bench);
      await mustClaim(bench);
      const { merchantId } = bench.shop;
      const late = bench.cancelSession(secret, second.id, { merchantId });
      await expect(late).rejects.toMatchObject({ code: 'SESSION_ALREADY_CLAIMED', httpStatus: 409 });
      await expect(bench.cancelSession(secret, randomUUID(), {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('lets time win: what has expired is neither claimed nor canceled, though nothing has looked at it since', async () => {
      const bench = await open();
      const session = await createIn(bench, { expiresInSeconds: 60 });
      await bench.clock.advance(MINUTE_MS);
      const cancel = bench.cancelSession(secretOf(bench.shop), session.id, {});
      await expect(cancel).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      expect(await claimIn(bench)).toEqual({});
      expect((await look(bench, session.id)).session).toMatchObject({ status: 'EXPIRED' });
    });

    it(`lets exactly one of claim, cancel and expiry win, in ${RACE_ROUNDS} rounds`, async () => {
      const bench = await open();
      const otherProcess: Counter = { ...openBench(stores.other, { clock: bench.clock }), shop: bench.shop };
      const wins = { CLAIMED: 0, CANCELED: 0, EXPIRED: 0 };
      for (let round = 0; round < RACE_ROUNDS; round += 1) {
        const session = await createIn(bench, { expiresInSeconds: 60 });
        // The scheduler of the other process is half a minute ahead, and finds it expired.
        await bench.clock.advance(MINUTE_MS / 2);
        const atMs = bench.clock.nowMs() + MINUTE_MS / 2;
        let claim: ClaimPaymentSessionResponse = {};
        let cancel: object = {};
        const racers = [
          async () => {
            claim = await claimIn(bench);
          },
          async () => {
            const answer = otherProcess.cancelSession(secretOf(bench.shop), session.id, {});
            cancel = await answer.catch((error: { code: string }) => error);
          },
          async () => void (await moveOverdueSessions(otherProcess.deps, atMs)),
        ];
        const first = round % racers.length;
        const turns = round % MAX_HEAD_START_TURNS;
        await Promise.all(
          [...racers.slice(first), ...racers.slice(0, first)].map(async (race, place) => {
            for (let turn = 0; turn < turns * place; turn += 1) await new Promise((resolve) => setImmediate(resolve));
            await race();
          }),
        );
        const { session: now } = await look(bench, session.id);
        const isClaimed = claim.session !== undefined;
        const isCanceled = 'status' in cancel;
        expect([isClaimed, isCanceled, now.status === 'EXPIRED'].filter(Boolean)).toHaveLength(1);
        if (isClaimed) expect(cancel).toMatchObject({ code: 'SESSION_ALREADY_CLAIMED' });
        expect(now.status).toBe(isClaimed ? 'CLAIMED' : isCanceled ? 'CANCELED' : 'EXPIRED');
        wins[now.status as keyof typeof wins] += 1;
        if (claim.session !== undefined) await tell(bench, claim.session, 1, 'CANCELLED');
      }
      // A race that always goes to the same one is none.
      expect(Math.min(...Object.values(wins)), JSON.stringify(wins)).toBeGreaterThan(0);
    });

    it('takes events without a gap, the same again, and nothing else under their numbers', async () => {
      const bench = await open();
      await createIn(bench);
      const session = await mustClaim(bench);
      expect(await tell(bench, session, 1, 'CLAIMED')).toMatchObject({ status: 'CLAIMED', lastEventSequence: 1 });
      const started = await tell(bench, session, 2, 'DISPLAYED');
      expect(started).toMatchObject({ status: 'IN_PROGRESS', claimToken: session.claimToken });
      expect(Date.parse(started.processingExpiresAt ?? '')).toBe(bench.clock.nowMs() + 15 * MINUTE_MS);
      expect(await tell(bench, session, 2, 'DISPLAYED')).toEqual(started);
      await expect(tell(bench, session, 2, 'CARD_PRESENTED')).rejects.toMatchObject({ code: 'EVENT_SEQUENCE' });
      await expect(tell(bench, session, 4, 'CARD_PRESENTED')).rejects.toMatchObject({ code: 'EVENT_SEQUENCE' });
      for (const claimToken of ['', 'stale']) {
        const stale = tell(bench, session, 3, 'CARD_PRESENTED', { claimToken });
        await expect(stale).rejects.toMatchObject({ code: 'STALE_CLAIM_TOKEN' });
      }
      const { events } = await look(bench, session.id);
      expect(events).toEqual([
        { sequence: 1, eventType: 'CLAIMED', claimToken: '' },
        { sequence: 2, eventType: 'DISPLAYED', claimToken: '' },
      ]);
    });

    it('takes an event once that comes to two processes at the same time', async () => {
      const bench = await open();
      const otherProcess: Counter = { ...openBench(stores.other, { clock: bench.clock }), shop: bench.shop };
      await createIn(bench);
      const session = await mustClaim(bench);
      for (let sequence = 1; sequence <= 20; sequence += 1) {
        const answers = await Promise.all(
          [bench, otherProcess, bench, otherProcess].map((one) => tell(one, session, sequence, 'DISPLAYED')),
        );
        expect(answers.every(({ lastEventSequence }) => lastEventSequence === sequence)).toBe(true);
      }
      expect((await look(bench, session.id)).events).toHaveLength(20);
    });

    it('ends a session by COMPLETED, which its approved payment bears out, and not by the approval', async () => {
      const bench = await open();
      await createIn(bench);
      const session = await mustClaim(bench);
      await tell(bench, session, 1, 'DISPLAYED');
      const payment = await begin(bench, session, { amountMinor: 1100, tipAmountMinor: 100 });
      const { id: paymentId } = payment.payment;
      const early = tell(bench, session, 2, 'COMPLETED', { status: 'SUCCEEDED', paymentId });
      await expect(early).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      await end(bench, payment, 'APPROVED');
      const { session: approved } = await look(bench, session.id);
      expect(approved).toMatchObject({ status: 'IN_PROGRESS', paymentId, finalAmountMinor: 1100, tipAmountMinor: 100 });
      expect(approved.completedAt).toBeUndefined();
      const lie = tell(bench, session, 2, 'COMPLETED', { status: 'DECLINED', paymentId });
      await expect(lie).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      const told = await tell(bench, session, 2, 'COMPLETED', { status: 'SUCCEEDED', paymentId });
      expect(told).toMatchObject({ status: 'SUCCEEDED', lastEventSequence: 2 });
      expect(told.completedAt).toBeDefined();
    });

    it('ends a session by the refusal of its acquirer, and takes COMPLETED as a repeat of it', async () => {
      const bench = await open();
      await createIn(bench);
      const session = await mustClaim(bench);
      const payment = await end(bench, await begin(bench, session), 'DECLINED');
      const { id: paymentId } = payment.payment;
      const { session: done } = await look(bench, session.id);
      expect(done).toMatchObject({ status: 'DECLINED', paymentId });
      const lie = tell(bench, session, 1, 'COMPLETED', { status: 'SUCCEEDED', paymentId });
      await expect(lie).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      const told = await tell(bench, session, 1, 'COMPLETED', { status: 'DECLINED', paymentId });
      expect(told).toMatchObject({ status: 'DECLINED', lastEventSequence: 1, completedAt: done.completedAt });
    });

    it('moves nothing by a payment that is not the one asked for', async () => {
      const bench = await open();
      await createIn(bench, { amountMinor: 900 });
      const session = await mustClaim(bench);
      const payment = await end(bench, await begin(bench, session, { amountMinor: 1000 }), 'APPROVED');
      expect((await look(bench, session.id)).session.status).toBe('IN_PROGRESS');
      const told = tell(bench, session, 1, 'COMPLETED', { status: 'SUCCEEDED', paymentId: payment.payment.id });
      await expect(told).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
      await bench.clock.advance(15 * MINUTE_MS);
      expect((await look(bench, session.id)).session.status).toBe('RECOVERY_REQUIRED');
    });

    it('never ends a session by a cancel of its device while a card is being charged: the payment does, or its deadline', async () => {
      const bench = await open();
      await createIn(bench);
      const session = await mustClaim(bench);
      const payment = await begin(bench, session);
      expect(await tell(bench, session, 1, 'CANCELLED')).toMatchObject({ status: 'IN_PROGRESS' });
      const lost = await end(bench, payment, 'OUTCOME_LOST');
      expect((await look(bench, session.id)).session.status).toBe('IN_PROGRESS');
      await bench.clock.advance(15 * MINUTE_MS);
      expect(await moveOverdueSessions(bench.deps, bench.clock.nowMs())).toBeGreaterThanOrEqual(1);
      expect((await look(bench, session.id)).session).toMatchObject({
        status: 'RECOVERY_REQUIRED',
        failureCode: 'PROCESSING_TIMEOUT',
      });
      // It came back approved after all; what became of it at the terminal its till tells when it is back.
      await end(bench, lost, 'FOUND_CAPTURED');
      expect((await look(bench, session.id)).session.status).toBe('RECOVERY_REQUIRED');
      await tell(bench, session, 2, 'COMPLETED', { status: 'SUCCEEDED', paymentId: lost.payment.id });
      const { session: found } = await look(bench, session.id);
      expect(found).toMatchObject({ status: 'SUCCEEDED' });
      expect(found.failureCode).toBeUndefined();
    });

    it('fails what is claimed and not started', async () => {
      const bench = await open();
      await createIn(bench);
      const idle = await mustClaim(bench);
      await bench.clock.advance(MINUTE_MS);
      await moveOverdueSessions(bench.deps, bench.clock.nowMs());
      expect((await look(bench, idle.id)).session).toMatchObject({ status: 'FAILED', failureCode: 'START_TIMEOUT' });
      expect(await tell(bench, idle, 1, 'DISPLAYED')).toMatchObject({ status: 'FAILED', lastEventSequence: 1 });
    });

    it('hands to a person what was approved and whose till has not come back, and takes its word when it does', async () => {
      const bench = await open();
      await createIn(bench);
      const session = await mustClaim(bench);
      const { payment } = await end(bench, await begin(bench, session), 'APPROVED');
      await bench.clock.advance(15 * MINUTE_MS);
      await moveOverdueSessions(bench.deps, bench.clock.nowMs());
      expect((await look(bench, session.id)).session.status).toBe('RECOVERY_REQUIRED');
      const told = await tell(bench, session, 1, 'COMPLETED', { status: 'SUCCEEDED', paymentId: payment.id });
      expect(told.status).toBe('SUCCEEDED');
    });

    it('lets a cardholder cancel before the authorization, and the next session in', async () => {
      const bench = await open();
      await createIn(bench);
      const session = await mustClaim(bench);
      await tell(bench, session, 1, 'CARD_PRESENTED');
      expect(await tell(bench, session, 2, 'CANCELLED')).toMatchObject({
        status: 'CANCELED',
        failureCode: 'CARDHOLDER_CANCELLED',
      });
      expect((await createIn(bench)).status).toBe('CREATED');
    });
  });
}

async function beginPlain(shop: Shop): Promise<PaymentRecord> {
  const added = newPayment(shop, { amountMinor: 500 });
  await shop.store.beginAuthorization(intentOf(shop, added));
  return await readPayment(shop, added.payment.id);
}
