import { afterEach, describe, expect, test } from 'vitest';
import { BridgeError } from '../../app/contract/errors.ts';
import type { Journal } from '../../app/ports/journal.ts';
import { ask, bodyOf, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';

let harness: Harness;
afterEach(() => harness.stop());

const key = { idempotencyKey: 'order-1' };
const context = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'r' };

/** A journal whose n-th commit from now on fails, and those after it as long as told. */
function failing() {
  let failures: readonly number[] = [];
  let commits = 0;
  return {
    failAt(...numbers: number[]) {
      commits = 0;
      failures = numbers;
    },
    wrapJournal: (journal: Journal): Journal => ({
      ...journal,
      commit(work) {
        commits += 1;
        if (failures.includes(commits)) throw new BridgeError('JOURNAL_UNAVAILABLE', 'the disk is full');
        return journal.commit(work);
      },
    }),
  };
}

describe('a journal that cannot be written', () => {
  test('at the intent: refused before the terminal starts, and the key stays free', async () => {
    const disk = failing();
    harness = createHarness({ wrapJournal: disk.wrapJournal });
    disk.failAt(1);
    await expect(call(harness.till, saleOf(), key)).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });
    expect(harness.device.commands).toEqual([]);
    expect((await call(harness.till, saleOf(), key)).replayed).toBe(false);
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('at the provisional result: it is not acknowledged, the terminal takes it back, and the answer says so', async () => {
    const disk = failing();
    harness = createHarness({ wrapJournal: disk.wrapJournal });
    disk.failAt(2);
    const answer = await call(harness.till, saleOf(), key);
    expect(bodyOf(answer)).toMatchObject({ status: 'ERROR', errorCode: 'TERMINAL_ERROR', outcome: { charged: 'NO' } });
    expect(harness.device.book).toMatchObject([{ stands: false, reversed: 'NOT_ACKNOWLEDGED' }]);
  });

  test('at the final result: the caller is told that it is not known, and the terminal is asked until it is on disk', async () => {
    const disk = failing();
    harness = createHarness({ wrapJournal: disk.wrapJournal });
    disk.failAt(3);
    await expect(call(harness.till, saleOf(), key)).rejects.toMatchObject({
      code: 'INTERNAL',
      details: { transactionId: expect.any(String), outcome: { charged: 'UNKNOWN', safeToRetry: false } },
    });
    const { transactionId } = harness.till.currentTransaction(context);
    await expect(call(harness.till, saleOf({ amount: 5 }))).rejects.toMatchObject({ details: { transactionId } });
    await harness.clock.advance(5_000);
    expect(bodyOf(await call(harness.till, saleOf(), key))).toMatchObject({ transactionId, status: 'APPROVED' });
    expect(harness.device.standing()).toEqual([1_000]);
    expect(harness.device.commands).toHaveLength(1);
  });

  test('from the provisional result on: nothing is acknowledged, and the next start finds the truth', async () => {
    const disk = failing();
    harness = createHarness({ wrapJournal: disk.wrapJournal });
    disk.failAt(...Array.from({ length: 50 }, (_, index) => index + 2));
    await expect(call(harness.till, saleOf(), key)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(harness.device.standing()).toEqual([]);
    harness.crashAndRestart();
    await harness.clock.advance(10_000);
    expect(bodyOf(await call(harness.till, saleOf(), key))).toMatchObject({
      status: 'ERROR',
      outcome: { charged: 'NO' },
    });
  });

  test('when the deadline must be written: the caller is answered in time all the same', async () => {
    const disk = failing();
    harness = createHarness({ wrapJournal: disk.wrapJournal });
    harness.device.next({ hold: ['HOST'] });
    disk.failAt(2);
    const answer = call(harness.till, saleOf(), { ...key, timeoutSeconds: 10 });
    const refusal = expect(answer).rejects.toMatchObject({
      code: 'INTERNAL',
      details: { outcome: { charged: 'UNKNOWN' } },
    });
    await until(() => harness.device.isHeld('HOST'));
    // The first commit now is that of the waiting events.
    disk.failAt(1, 2);
    await harness.clock.advance(10_000);
    await refusal;
    disk.failAt();
    harness.device.release('HOST');
    await until(() => harness.device.commands.length === 1 && harness.device.standing().length === 1);
    await until(() => harness.till.lastTransaction(context).status === 'APPROVED');
  });

  test('at the end of a day close: left to recovery, and settled once', async () => {
    const disk = failing();
    harness = createHarness({ wrapJournal: disk.wrapJournal });
    await ask(harness.till, saleOf());
    disk.failAt(2);
    const close = { ...context, idempotencyKey: 'z1', route: 'POST /v1/reconciliation' };
    await expect(harness.till.reconcile(close, { closeDay: true })).rejects.toMatchObject({ code: 'INTERNAL' });
    await harness.clock.advance(5_000);
    const answer = await harness.till.reconcile(close, { closeDay: true });
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'SUCCESS', totals: { saleCount: 1 } });
    expect(harness.till.settlements(context, { limit: 25 }).data).toHaveLength(1);
  });
});
