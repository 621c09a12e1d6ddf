import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SessionRecord } from '../../host/ports/host-records.ts';
import type { HostStore } from '../../host/ports/host-store.ts';
import { withStores } from './store-battery.ts';
import { intentOf, newPayment, newSession, openShop, type Shop, sell, startMs } from './store-fixture.ts';
import type { TestDatabase } from './test-databases.ts';

/** Rounds of a race between claim, cancel and expiry. */
const RACE_ROUNDS = 60;

export function sessionBattery(database: TestDatabase): void {
  describe('payment sessions', () => {
    const stores = withStores(database);

    async function open(shop: Shop, changes: Partial<SessionRecord> = {}): Promise<SessionRecord> {
      const session = newSession(shop, changes);
      if (!(await shop.store.transact((unit) => unit.addSession(session)))) throw new Error('the terminal is taken');
      return session;
    }

    const claim = (store: HostStore, from: SessionRecord, claimToken: string = randomUUID()) =>
      store.transact((unit) =>
        unit.moveSession({ from, to: 'CLAIMED', atMs: startMs + 1, set: { claimToken, claimedAtMs: startMs + 1 } }),
      );

    it('gives a session back as it was stored, and lets a terminal have one open session', async () => {
      const shop = await openShop(stores.one);
      const session = await open(shop, { originalTransactionId: 'P1', operation: 'REFUND' });
      const ref = { merchantId: shop.merchantId, sessionId: session.id };
      expect(await stores.other.read.findSession(ref)).toEqual(session);
      expect(await stores.other.read.openSession(shop)).toEqual(session);
      expect(await stores.other.read.findSession({ ...ref, merchantId: 'M-other' })).toBeUndefined();
      expect(await stores.other.transact((unit) => unit.addSession(newSession(shop)))).toBe(false);
      await stores.one.transact((unit) => unit.moveSession({ from: session, to: 'CANCELED', atMs: startMs }));
      expect(await stores.one.read.openSession(shop)).toBeUndefined();
      expect(await stores.other.transact((unit) => unit.addSession(newSession(shop)))).toBe(true);
    });

    it('lets one of several sessions for a terminal be created at the same time', async () => {
      const shop = await openShop(stores.one);
      const added = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? stores.one : stores.other).transact((unit) => unit.addSession(newSession(shop))),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
    });

    it('lets exactly one of claim, cancel and expiry win, and raises the fence by one', async () => {
      const shop = await openShop(stores.one);
      for (let round = 0; round < RACE_ROUNDS; round += 1) {
        const from = await open(shop);
        const end = (to: 'CANCELED' | 'EXPIRED', store: HostStore) =>
          store.transact((unit) =>
            unit.moveSession({ from, to, atMs: startMs + 1, set: { completedAtMs: startMs + 1 } }),
          );
        const results = await Promise.all([
          claim(stores.one, from),
          end('CANCELED', stores.other),
          end('EXPIRED', stores.one),
          claim(stores.other, from),
        ]);
        const winners = results.filter((result) => result !== undefined);
        expect(winners).toHaveLength(1);
        const found = await stores.one.read.findSession({ merchantId: shop.merchantId, sessionId: from.id });
        expect(found).toEqual(winners[0]);
        expect(found?.fence).toBe(1);
        if (found?.status === 'CLAIMED') {
          await stores.one.transact((unit) => unit.moveSession({ from: found, to: 'FAILED', atMs: startMs + 2 }));
        }
      }
    });

    it('lets 64 authorizes of one session with 64 keys begin once', async () => {
      const shop = await openShop(stores.one);
      const session = await open(shop);
      await claim(stores.one, session);
      const intents = Array.from({ length: 64 }, () =>
        intentOf(shop, newPayment(shop, { tipAmountMinor: 100 }, { paymentSessionId: session.id })),
      );
      const results = await Promise.all(
        intents.map((intent, index) => (index % 2 === 0 ? stores.one : stores.other).beginAuthorization(intent)),
      );
      expect(results.filter(({ kind }) => kind === 'INSERTED')).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === 'SESSION_TAKEN')).toHaveLength(63);
      const winner = intents[results.findIndex(({ kind }) => kind === 'INSERTED')]?.payment.payment;
      const found = await stores.one.read.findSession({ merchantId: shop.merchantId, sessionId: session.id });
      expect(found).toMatchObject({
        paymentId: winner?.id,
        finalAmountMinor: 1000,
        tipAmountMinor: 100,
        authorizationStartedAtMs: startMs,
        // However late its device says so: it is not failed for want of a start while a card is being charged.
        status: 'IN_PROGRESS',
        processingExpiresAtMs: startMs + 15 * 60_000,
      });
      const messages = await Promise.all(
        intents.map((intent) => stores.one.read.listMessages({ ...shop, paymentId: intent.payment.payment.id })),
      );
      expect(messages.flat()).toHaveLength(1);
      expect((await stores.one.read.listPayments({ merchantId: shop.merchantId, limit: 100 })).rows).toHaveLength(1);
    });

    it('begins nothing for a session that is not in the hands of the terminal', async () => {
      const shop = await openShop(stores.one);
      const waiting = await open(shop);
      const intent = () => intentOf(shop, newPayment(shop, {}, { paymentSessionId: waiting.id }));
      expect(await stores.one.beginAuthorization(intent())).toEqual({ kind: 'SESSION_TAKEN' });
      const claimed = await claim(stores.one, waiting);
      if (claimed === undefined) throw new Error('not claimed');
      await stores.one.transact((unit) => unit.moveSession({ from: claimed, to: 'CANCELED', atMs: startMs + 2 }));
      expect(await stores.one.beginAuthorization(intent())).toEqual({ kind: 'SESSION_TAKEN' });
    });

    it('takes a record of what has happened for a session whose time has run out, once', async () => {
      const shop = await openShop(stores.one);
      const claimed = await claim(stores.one, await open(shop));
      if (claimed === undefined) throw new Error('not claimed');
      await stores.one.transact((unit) => unit.moveSession({ from: claimed, to: 'FAILED', atMs: startMs + 2 }));
      const external = { acceptanceChannel: 'EXTERNAL_RAIL', status: 'SUCCEEDED', capturedAmountMinor: 1000 } as const;
      const record = () =>
        stores.other.transact((unit) => {
          const added = newPayment(shop, external, { paymentSessionId: claimed.id });
          const events = [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: 1000 }] as const;
          return unit.insertPayment(added, 'RECORDED', events, startMs + 3);
        });
      expect(await record()).toEqual({ kind: 'INSERTED' });
      expect(await record()).toEqual({ kind: 'SESSION_TAKEN' });
      const found = await stores.one.read.findSession({ merchantId: shop.merchantId, sessionId: claimed.id });
      expect(found).toMatchObject({ status: 'FAILED', finalAmountMinor: 1000 });
    });

    it('takes the next event only, once, whoever else sends it', async () => {
      const shop = await openShop(stores.one);
      const session = await open(shop);
      const ref = { merchantId: shop.merchantId, sessionId: session.id };
      const append = (store: HostStore, sequence: number) =>
        store.transact((unit) =>
          unit.appendSessionEvent(ref, { sequence, eventType: 'DISPLAYED', claimToken: 'c' }, startMs + sequence),
        );
      expect(await append(stores.one, 2)).toBe(false);
      for (const sequence of [1, 2, 3]) {
        const results = await Promise.all(
          [stores.one, stores.other, stores.one].map((store) => append(store, sequence)),
        );
        expect(results.filter(Boolean)).toHaveLength(1);
      }
      expect(await append(stores.one, 3)).toBe(false);
      const events = await stores.other.read.listSessionEvents(ref);
      expect(events.map(({ event }) => event.sequence)).toEqual([1, 2, 3]);
      expect(events[0]).toEqual({
        event: { sequence: 1, eventType: 'DISPLAYED', claimToken: 'c' },
        receivedAtMs: startMs + 1,
      });
      expect((await stores.one.read.findSession(ref))?.lastEventSequence).toBe(3);
    });

    it('finds the open sessions that a deadline may have passed', async () => {
      const shop = await openShop(stores.one);
      const session = await open(shop);
      const overdue = async (nowMs: number) =>
        (await stores.one.read.overdueSessions(nowMs, 1000)).some(({ id }) => id === session.id);
      expect(await overdue(session.expiresAtMs - 1)).toBe(false);
      expect(await overdue(session.expiresAtMs)).toBe(true);
      const claimed = await claim(stores.one, session);
      if (claimed === undefined) throw new Error('not claimed');
      expect(await overdue(startMs)).toBe(true);
      const set = { processingExpiresAtMs: startMs + 900_000 };
      await stores.one.transact((unit) => unit.moveSession({ from: claimed, to: 'IN_PROGRESS', atMs: startMs, set }));
      expect(await overdue(startMs + 899_999)).toBe(false);
      expect(await overdue(startMs + 900_000)).toBe(true);
    });
  });

  describe('reversals and recovery tasks', () => {
    const stores = withStores(database);

    it('repeats a reversal from 2 s to 1 h, and calls a person after six tries', async () => {
      const shop = await openShop(stores.one);
      const ref = { merchantId: shop.merchantId, paymentId: randomUUID() };
      const reversal = { ...ref, terminalId: 'T1', reason: 'no answer', nextAtMs: startMs, createdAtMs: startMs };
      const added = await Promise.all(
        [stores.one, stores.other].map((store) => store.transact((unit) => unit.addReversal(reversal))),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
      const waits: number[] = [];
      let nowMs = startMs;
      for (let attempt = 1; attempt <= 13; attempt += 1) {
        const found = (await stores.one.read.dueReversals(nowMs, 1000)).find(
          ({ paymentId }) => paymentId === ref.paymentId,
        );
        if (found === undefined) throw new Error('not due');
        const claims = await Promise.all(
          [stores.one, stores.other].map((store) => store.transact((unit) => unit.claimReversalAttempt(found, nowMs))),
        );
        const claimed = claims.filter((claim) => claim !== undefined);
        expect(claimed).toHaveLength(1);
        expect(claimed[0]).toMatchObject({ attempts: attempt, state: attempt < 6 ? 'PENDING' : 'FOR_PERSON' });
        const nextAtMs = claimed[0]?.nextAtMs ?? 0;
        const early = await stores.one.read.dueReversals(nextAtMs - 1, 1000);
        expect(early.some(({ paymentId }) => paymentId === ref.paymentId)).toBe(false);
        waits.push(nextAtMs - nowMs);
        nowMs = nextAtMs;
      }
      expect(waits.slice(0, 4)).toEqual([2000, 4000, 8000, 16_000]);
      expect(waits.slice(-2)).toEqual([3_600_000, 3_600_000]);
      expect(await stores.one.read.openReversals(shop)).toHaveLength(1);
      expect(await stores.one.read.reversalsForPerson(shop.merchantId, 10)).toMatchObject([{ ...ref, attempts: 13 }]);
      expect(await stores.one.read.reversalsForPerson('another merchant', 10)).toEqual([]);
      const counted = await stores.one.read.countOpenReversals();
      const confirmed = await Promise.all(
        [stores.one, stores.other].map((store) => store.transact((unit) => unit.confirmReversal(ref, nowMs))),
      );
      expect(confirmed.filter(Boolean)).toHaveLength(1);
      expect(await stores.one.read.openReversals(shop)).toEqual([]);
      expect(await stores.one.read.reversalsForPerson(shop.merchantId, 10)).toEqual([]);
      expect(await stores.one.read.countOpenReversals()).toEqual({
        open: counted.open - 1,
        forPerson: counted.forPerson - 1,
      });
      expect(await stores.one.read.findReversal(ref)).toMatchObject({ state: 'CONFIRMED', confirmedAtMs: nowMs });
    });

    it('opens one task per payment, and counts the open ones', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 100);
      const ref = { merchantId: shop.merchantId, paymentId: sale.payment.id };
      const task = () => ({
        ...ref,
        taskId: randomUUID(),
        terminalId: 'T1',
        reason: 'NO_ANSWER',
        nextAtMs: startMs,
        createdAtMs: startMs,
      });
      const before = await stores.one.read.countOpenTasks();
      const opened = await Promise.all(
        [stores.one, stores.other, stores.one].map((store) => store.transact((unit) => unit.openTask(task()))),
      );
      expect(opened.filter(Boolean)).toHaveLength(1);
      expect(await stores.one.read.countOpenTasks()).toEqual({ ...before, open: before.open + 1 });
      expect(await stores.one.read.openTasks(shop.merchantId, 10)).toMatchObject([{ ...ref, state: 'OPEN' }]);
      expect((await stores.one.read.openTasks(undefined, 100)).length).toBe(before.open + 1);
      expect(await stores.one.transact((unit) => unit.resolveTask(ref, 'it was charged', startMs + 5))).toBe(true);
      expect(await stores.one.transact((unit) => unit.resolveTask(ref, 'again', startMs + 6))).toBe(false);
      expect(await stores.one.read.findTaskOf(ref)).toMatchObject({ state: 'RESOLVED', resolution: 'it was charged' });
      expect(await stores.one.read.countOpenTasks()).toEqual(before);
      expect(await stores.one.transact((unit) => unit.openTask(task()))).toBe(true);
    });

    it('tries a task again and again, one process at a time, and asks a person after six tries', async () => {
      const shop = await openShop(stores.one);
      const sale = await sell(shop, 100);
      const ref = { merchantId: shop.merchantId, paymentId: sale.payment.id };
      const task = { ...ref, taskId: randomUUID(), terminalId: 'T1', reason: 'NO_ANSWER', createdAtMs: startMs };
      await stores.one.transact((unit) => unit.openTask({ ...task, nextAtMs: startMs + 5 }));
      const dueAt = async (nowMs: number) =>
        (await stores.other.read.dueTasks(nowMs, 1000)).find(({ taskId }) => taskId === task.taskId);
      expect(await dueAt(startMs + 4)).toBeUndefined();
      const before = await stores.one.read.countOpenTasks();
      let nowMs = startMs + 5;
      for (let attempt = 1; attempt <= 6; attempt += 1) {
        const found = await dueAt(nowMs);
        if (found === undefined) throw new Error('not due');
        const claims = await Promise.all(
          [stores.one, stores.other].map((store) => store.transact((unit) => unit.claimTaskAttempt(found, nowMs))),
        );
        const claimed = claims.filter((claim) => claim !== undefined);
        expect(claimed).toMatchObject([{ attempts: attempt, nextAtMs: nowMs + 1000 * 2 ** attempt }]);
        nowMs = claimed[0]?.nextAtMs ?? 0;
      }
      expect(await stores.one.read.countOpenTasks()).toEqual({ ...before, forPerson: before.forPerson + 1 });
      await stores.one.transact((unit) => unit.resolveTask(ref, 'done', nowMs));
      expect(await dueAt(nowMs)).toBeUndefined();
    });

    it('repeats a reversal again when an approval has come after it', async () => {
      const shop = await openShop(stores.one);
      const ref = { merchantId: shop.merchantId, paymentId: randomUUID() };
      const reopen = (nowMs: number) => stores.other.transact((unit) => unit.reopenReversal(ref, nowMs));
      expect(await reopen(startMs)).toBe(false);
      await stores.one.transact((unit) =>
        unit.addReversal({ ...ref, terminalId: 'T1', reason: 'no answer', nextAtMs: startMs, createdAtMs: startMs }),
      );
      expect(await reopen(startMs)).toBe(false);
      await stores.one.transact((unit) => unit.confirmReversal(ref, startMs + 1));
      expect(await reopen(startMs + 9)).toBe(true);
      const found = await stores.one.read.findReversal(ref);
      expect(found).toMatchObject({ state: 'PENDING', attempts: 0, nextAtMs: startMs + 9 });
      expect(found).not.toHaveProperty('confirmedAtMs');
    });
  });
}
