import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bodyOf, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';
import { filesBelow } from '../support/files-below.ts';
import { settle } from '../support/manual-clock.ts';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.stop());

const key = { idempotencyKey: 'order-1' };

describe('the same key and body', () => {
  test('gives the first answer again, byte for byte, without a second charge', async () => {
    const first = await call(harness.till, saleOf(), key);
    await harness.clock.advance(60_000);
    const second = await call(harness.till, saleOf(), key);
    expect(second).toEqual({ ...first, replayed: true });
    expect(first.replayed).toBe(false);
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('gives a decline again too', async () => {
    harness.device.next({ outcome: { kind: 'DECLINED', card: { responseCode: '51' }, receipts: [] } });
    const first = await call(harness.till, saleOf(), key);
    expect(await call(harness.till, saleOf(), key)).toEqual({ ...first, replayed: true });
    expect(harness.device.commands).toHaveLength(1);
  });

  test('waits for the first while it runs: both get its result (a double click is one sale)', async () => {
    harness.device.next({ hold: ['CARD'] });
    const first = call(harness.till, saleOf(), key);
    const second = call(harness.till, saleOf(), key);
    await until(() => harness.device.isHeld('CARD'));
    const third = call(harness.till, saleOf(), key);
    harness.device.release('CARD');
    const [one, two, three] = await Promise.all([first, second, third]);
    expect([two?.body, three?.body]).toEqual([one?.body, one?.body]);
    expect([one?.replayed, two?.replayed, three?.replayed]).toEqual([false, true, true]);
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('answers IDEMPOTENCY_IN_PROGRESS when the wait ends first, naming the transaction', async () => {
    harness.device.next({ hold: ['CARD'] });
    const first = call(harness.till, saleOf(), key);
    await until(() => harness.device.isHeld('CARD'));
    const second = call(harness.till, saleOf(), { ...key, timeoutSeconds: 10 });
    const refusal = expect(second).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      details: { transactionId: expect.any(String), retryAfterSeconds: expect.any(Number) },
    });
    await harness.clock.advance(10_000);
    await refusal;
    harness.device.release('CARD');
    expect((await first).statusCode).toBe(200);
  });

  test('also a key that looks like a card number, of which no file holds the digits', async () => {
    const digits = '4929130412345675';
    const first = await call(harness.till, saleOf(), { idempotencyKey: digits });
    const files = filesBelow(harness.dataDir).map(({ content }) => content);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((content) => content.includes(digits))).toEqual([]);
    harness.crashAndRestart();
    expect(await call(harness.till, saleOf(), { idempotencyKey: digits })).toEqual({ ...first, replayed: true });
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('after a restart gives the same stored bytes', async () => {
    const first = await call(harness.till, saleOf(), key);
    harness.crashAndRestart();
    expect(await call(harness.till, saleOf(), key)).toEqual({ ...first, replayed: true });
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('is another key for another client and for another path', async () => {
    await call(harness.till, saleOf(), key);
    await call(harness.till, saleOf(), { ...key, clientId: 'client-2' });
    await call(harness.till, { ...saleOf(), type: 'PRE_AUTH' }, key);
    expect(harness.device.commands).toHaveLength(3);
  });

  test('200 times at once have one effect', async () => {
    harness.device.next({ hold: ['HOST'] });
    const calls = Array.from({ length: 200 }, () => call(harness.till, saleOf(), key));
    await until(() => harness.device.isHeld('HOST'));
    harness.device.release('HOST');
    const answers = await Promise.all(calls);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    expect(harness.device.standing()).toEqual([1_000]);
  });
});

describe('the same key', () => {
  test('with another amount is 422 and has no effect, while the first runs and afterwards', async () => {
    harness.device.next({ hold: ['CARD'] });
    const first = call(harness.till, saleOf(), key);
    await until(() => harness.device.isHeld('CARD'));
    await expect(call(harness.till, saleOf({ amount: 2_000 }), key)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    harness.device.release('CARD');
    await first;
    await expect(call(harness.till, saleOf({ amount: 2_000 }), key)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('is free again after a refusal that was given before anything was sent', async () => {
    harness.device.setConnected(false);
    await expect(call(harness.till, saleOf(), key)).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    harness.device.setConnected(true);
    expect((await call(harness.till, saleOf({ amount: 2_000 }), key)).replayed).toBe(false);
    expect(harness.device.standing()).toEqual([2_000]);
  });

  test('gives a refusal to all who waited with it, and keeps nothing', async () => {
    harness.device.next({ hold: ['PREPARE'] });
    const calls = [call(harness.till, saleOf(), key), call(harness.till, saleOf(), key)];
    await until(() => harness.device.isHeld('PREPARE'));
    const refusals = Promise.allSettled(calls);
    await harness.clock.advance(240_000);
    harness.device.release('PREPARE');
    expect((await refusals).map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(harness.device.commands).toEqual([]);
    await settle();
    expect((await call(harness.till, saleOf(), key)).replayed).toBe(false);
  });

  test('of an unknown outcome gives the truth once it is known', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'receipts differ', evidence: [] });
    const unknown = await call(harness.till, saleOf(), key);
    expect(bodyOf(unknown).errorCode).toBe('OUTCOME_UNKNOWN');
    expect((await call(harness.till, saleOf(), key)).body).toBe(unknown.body);
    const context = { clientId: 'client-1', actor: 'console:anna', requestId: 'q', route: 'r' };
    harness.till.resolve(context, unknown.transactionId, { charged: true, evidence: 'receipt 17 in the drawer' });
    const truth = await call(harness.till, saleOf(), key);
    expect(bodyOf(truth)).toMatchObject({ status: 'APPROVED', outcome: { charged: 'YES' } });
    expect(truth.replayed).toBe(true);
    expect(harness.names().at(-1)).toBe('outcome_resolved');
  });
});
