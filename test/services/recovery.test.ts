import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TransactionRequest } from '../../app/contract/transactions.ts';
import type { CallContext } from '../../app/services/till.ts';
import { ask, bodyOf, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';
import type { LostReply, Stage } from '../support/memory-terminal.ts';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.stop());

const context: CallContext = { clientId: 'client-1', actor: 'console:anna', requestId: 'q', route: 'r' };
const key = { idempotencyKey: 'order-1' };
const again = {
  kind: 'ASK_AGAIN',
  reason: 'The terminal is not reachable.',
  evidence: [{ at: '2026-11-27T10:00:00.000Z', question: 'receipt?', answer: 'silence' }],
} as const;

describe('one lost reply, at each hop', () => {
  const hops: readonly (readonly [LostReply, 'APPROVED' | 'ERROR'])[] = [
    ['COMMAND_NOT_SENT', 'ERROR'],
    ['COMMAND_ACCEPTED', 'ERROR'],
    ['STATUS', 'ERROR'],
    ['COMPLETION', 'APPROVED'],
  ];
  const sale = saleOf();
  test.each(hops)(
    '%s: the terminal is asked, the answer matches its book, and the command leaves once',
    async (lose, status) => {
      harness.device.next({ lose });
      const answer = await call(harness.till, sale, key);
      expect(bodyOf(answer)).toMatchObject({ status, outcome: { charged: status === 'APPROVED' ? 'YES' : 'NO' } });
      expect(harness.device.standing()).toEqual(status === 'APPROVED' ? [1_000] : []);
      expect(harness.device.commands).toHaveLength(1);
      expect(harness.device.questions).toHaveLength(1);
      expect(harness.journal.findTransaction(answer.transactionId)?.evidence.length).toBeGreaterThan(0);
      expect(await call(harness.till, sale, key)).toEqual({ ...answer, replayed: true });
    },
  );

  test.each(['REFUND', 'VOID', 'PRE_AUTH_COMPLETE'] as const)('of a %s: the same', async (type) => {
    const original = await ask(harness.till, saleOf({ type: type === 'PRE_AUTH_COMPLETE' ? 'PRE_AUTH' : 'SALE' }));
    const request: TransactionRequest = {
      type,
      amount: 1_000,
      currency: 'EUR',
      originalTransactionId: original.transactionId,
    };
    harness.device.next({ lose: 'COMPLETION' });
    const answer = await call(harness.till, request, key);
    expect(bodyOf(answer).status).toBe('APPROVED');
    expect(harness.device.commands).toHaveLength(2);
    expect(harness.device.book.filter((entry) => entry.operation === type)).toHaveLength(1);
  });
});

describe('a terminal that cannot tell yet', () => {
  test('is asked a few times, then the outcome is unknown with a task, never failed', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer(...Array(20).fill(again));
    const answer = call(harness.till, saleOf(), key);
    await harness.clock.advance(10_000);
    const unknown = bodyOf(await answer);
    expect(unknown).toMatchObject({
      status: 'ERROR',
      errorCode: 'OUTCOME_UNKNOWN',
      outcome: { charged: 'UNKNOWN', safeToRetry: false },
    });
    const [task] = harness.till.recoveryTasks(context).data;
    expect(task).toMatchObject({ state: 'ASKING', attempts: 5, amount: 1_000, currency: 'EUR', reason: again.reason });
    expect(task?.evidence.length).toBeGreaterThan(1);
  });

  test('is asked again with growing waits until it tells; the truth replaces the stored answer', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer(...Array(9).fill(again));
    const answer = call(harness.till, saleOf(), key);
    await harness.clock.advance(10_000);
    const { transactionId } = await answer;
    const asked = harness.device.questions.length;
    await harness.clock.advance(60_000);
    expect(harness.device.questions.length).toBeGreaterThan(asked);
    expect(harness.till.transaction(context, transactionId)).toMatchObject({
      status: 'APPROVED',
      outcome: { charged: 'YES' },
    });
    expect(bodyOf(await call(harness.till, saleOf(), key)).status).toBe('APPROVED');
    expect(harness.names().at(-1)).toBe('outcome_resolved');
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
    const task = harness.journal.findTaskOf(transactionId);
    expect(task).toMatchObject({ state: 'RESOLVED', resolution: { charged: true } });
    // Every question and its answer stand on the task and on the record.
    for (const evidence of [task?.evidence, harness.journal.findTransaction(transactionId)?.evidence]) {
      const answers = evidence?.map((entry) => entry.answer) ?? [];
      expect(answers.filter((text) => text === 'silence').length).toBeGreaterThan(4);
      expect(answers.at(-1)).toBe('receipt 1 stands');
    }
  });

  test('is asked again as soon as it becomes idle', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer(...Array(30).fill(again));
    const answer = call(harness.till, saleOf());
    await harness.clock.advance(10_000);
    const { transactionId } = await answer;
    // Far into the waits, the next timed question is a minute away.
    await harness.clock.advance(300_000);
    const asked = harness.device.questions.length;
    harness.device.notify({ kind: 'STATUS', status: { connected: false, state: 'DISCONNECTED' } });
    harness.device.notify({ kind: 'STATUS', status: { connected: true, state: 'IDLE' } });
    await harness.clock.advance(1_000);
    expect(harness.device.questions.length).toBeGreaterThan(asked);
    expect(transactionId).not.toBe('');
  });

  test('is asked first before the next payment, which is refused naming the open one while it cannot tell', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer(...Array(50).fill(again));
    const answer = call(harness.till, saleOf());
    await harness.clock.advance(10_000);
    const { transactionId } = await answer;
    await expect(call(harness.till, saleOf({ amount: 5 }))).rejects.toMatchObject({
      code: 'TRANSACTION_IN_PROGRESS',
      details: { transactionId },
    });
    harness.device.clearAnswers();
    expect((await ask(harness.till, saleOf({ amount: 7 }))).status).toBe('APPROVED');
    expect(harness.till.transaction(context, transactionId).status).toBe('APPROVED');
    expect(harness.device.standing()).toEqual([1_000, 7]);
  });

  test('does not fill the journal while it is silent for hours', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer(...Array(500).fill({ ...again, evidence: [] }));
    const answer = call(harness.till, saleOf());
    await harness.clock.advance(10_000);
    await answer;
    const before = harness.journal.head().sequence;
    await harness.clock.advance(4 * 3_600_000);
    expect(harness.journal.head().sequence - before).toBeLessThan(10);
  });
});

describe('an outcome that nothing can tell', () => {
  async function undecided() {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'Two receipts fit.', evidence: [] });
    return call(harness.till, saleOf(), key);
  }

  test('is resolved by a person while the till still waits for the answer to its question', async () => {
    await harness.stop();
    let tell: () => void = () => undefined;
    harness = createHarness({
      wrapTerminal: (terminal) => ({
        ...terminal,
        recover: () =>
          new Promise((resolve) => {
            tell = () => resolve(again);
          }),
      }),
    });
    harness.device.next({ lose: 'STATUS' });
    const sale = call(harness.till, saleOf(), { ...key, timeoutSeconds: 10 });
    await harness.clock.advance(10_000);
    const { transactionId, errorCode } = bodyOf(await sale);
    expect(errorCode).toBe('OUTCOME_UNKNOWN');
    harness.till.resolve(context, transactionId, { charged: true, evidence: 'The slip says approved.' });
    expect(harness.till.transaction(context, transactionId)).toMatchObject({ status: 'APPROVED' });
    tell();
    await harness.clock.advance(1);
    expect(harness.journal.findTransaction(transactionId)?.outcome.evidence).toContain('The slip says approved.');
    expect(bodyOf(await call(harness.till, saleOf(), key)).status).toBe('APPROVED');
    // The terminal is free again.
    expect((await ask(harness.till, saleOf({ amount: 7 }))).status).toBe('APPROVED');
  });

  test.each([
    [true, 'APPROVED', 'YES'],
    [false, 'ERROR', 'NO'],
  ] as const)(
    'is resolved by a person as charged %s, journaled with evidence and name',
    async (charged, status, known) => {
      const { transactionId } = await undecided();
      expect(harness.till.recoveryTasks(context).data).toMatchObject([
        { state: 'NEEDS_PERSON', reason: 'Two receipts fit.' },
      ]);
      const view = harness.till.resolve(context, transactionId, {
        charged,
        evidence: 'called the bank',
        resolvedBy: 'Anna',
      });
      expect(view).toMatchObject({ state: 'RESOLVED', resolution: { charged, by: 'Anna (console:anna)' } });
      expect(harness.till.transaction(context, transactionId)).toMatchObject({ status, outcome: { charged: known } });
      expect(bodyOf(await call(harness.till, saleOf(), key)).status).toBe(status);
      expect(harness.journal.findTransaction(transactionId)).toMatchObject({ actor: 'console:anna' });
      const texts = harness.journal.findTransaction(transactionId)?.evidence.map((entry) => entry.answer) ?? [];
      expect(texts.some((text) => text.includes('called the bank'))).toBe(true);
      expect(() => harness.till.resolve(context, transactionId, { charged, evidence: 'again' })).toThrow(
        expect.objectContaining({ code: 'ILLEGAL_STATE' }),
      );
    },
  );

  test('does not stop the next payment, and survives a restart as a task', async () => {
    const { transactionId } = await undecided();
    expect((await ask(harness.till, saleOf({ amount: 7 }))).status).toBe('APPROVED');
    harness.crashAndRestart();
    await harness.clock.advance(5_000);
    expect(harness.till.recoveryTasks(context).data).toMatchObject([
      { subject: { id: transactionId }, state: 'NEEDS_PERSON' },
    ]);
    expect(() => harness.till.resolve(context, 'nobody', { charged: true, evidence: 'x' })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });
});

describe('a crash', () => {
  const stages: readonly (readonly [Stage, 'APPROVED' | 'ERROR'])[] = [
    ['COMMAND', 'ERROR'],
    ['CARD', 'ERROR'],
    ['HOST', 'ERROR'],
    ['STATUS', 'ERROR'],
    ['ACKNOWLEDGED', 'APPROVED'],
  ];
  test.each(stages)(
    'at %s: the payment is resolved by asking, and the same key gives the matching answer',
    async (stage, status) => {
      harness.device.next({ hold: [stage] });
      void call(harness.till, saleOf(), key).catch(() => undefined);
      await until(() => harness.device.isHeld(stage));
      harness.crashAndRestart();
      const replay = call(harness.till, saleOf(), key);
      // Until it is resolved, nothing else is taken, and the refusal names it.
      const open = harness.till.currentTransaction(context);
      await expect(call(harness.till, saleOf({ amount: 5 }))).rejects.toMatchObject({
        code: 'TRANSACTION_IN_PROGRESS',
        details: { transactionId: open.transactionId },
      });
      await harness.clock.advance(60_000);
      const answer = await replay;
      expect(bodyOf(answer)).toMatchObject({ transactionId: open.transactionId, status });
      expect(answer.replayed).toBe(true);
      expect(harness.device.standing()).toEqual(status === 'APPROVED' ? [1_000] : []);
      expect(harness.device.commands).toHaveLength(1);
      expect((await ask(harness.till, saleOf({ amount: 5 }))).status).toBe('APPROVED');
    },
  );

  test('during a card read ends it without a charge and without a question', async () => {
    harness.device.next({ hold: ['CARD'] });
    void call(harness.till, { type: 'CARD_READ', amount: 0, currency: 'EUR' }).catch(() => undefined);
    await until(() => harness.device.isHeld('CARD'));
    harness.crashAndRestart();
    expect(harness.till.lastTransaction(context)).toMatchObject({
      status: 'ERROR',
      errorCode: 'TERMINAL_ERROR',
      outcome: { charged: 'NO' },
    });
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
    expect(harness.device.questions).toEqual([]);
  });

  test('with the terminal gone leaves a task, and the truth comes when it is back', async () => {
    harness.device.next({ hold: ['ACKNOWLEDGED'] });
    void call(harness.till, saleOf(), key).catch(() => undefined);
    await until(() => harness.device.isHeld('ACKNOWLEDGED'));
    harness.device.setConnected(false);
    harness.crashAndRestart();
    await harness.clock.advance(30_000);
    expect(bodyOf(await call(harness.till, saleOf(), key))).toMatchObject({ errorCode: 'OUTCOME_UNKNOWN' });
    expect(harness.till.recoveryTasks(context).data).toMatchObject([{ state: 'ASKING' }]);
    await expect(call(harness.till, saleOf({ amount: 5 }))).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    harness.device.setConnected(true);
    await harness.clock.advance(120_000);
    expect(bodyOf(await call(harness.till, saleOf(), key))).toMatchObject({ status: 'APPROVED' });
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
  });

  test('after the deadline had answered unknown: the question carries the provisional result, and the truth replaces the answer', async () => {
    harness.device.next({ hold: ['HOST', 'ACKNOWLEDGED'] });
    const answer = call(harness.till, saleOf(), { ...key, timeoutSeconds: 10 });
    await until(() => harness.device.isHeld('HOST'));
    await harness.clock.advance(10_000);
    expect(bodyOf(await answer).errorCode).toBe('OUTCOME_UNKNOWN');
    harness.device.release('HOST');
    await until(() => harness.device.isHeld('ACKNOWLEDGED'));
    harness.crashAndRestart();
    await harness.clock.advance(60_000);
    expect(harness.device.questions.at(-1)).toMatchObject({
      state: 'PROVISIONAL',
      provisional: { kind: 'APPROVED', chargedMinor: 1_000 },
    });
    expect(bodyOf(await call(harness.till, saleOf(), key)).status).toBe('APPROVED');
    expect(harness.device.standing()).toEqual([1_000]);
  });
});

describe('stopping', () => {
  test('lets a running exchange end and answers its caller', async () => {
    harness.device.next({ hold: ['HOST'] });
    const answer = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('HOST'));
    const stopped = harness.till.stop();
    await expect(call(harness.till, saleOf())).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
    harness.device.release('HOST');
    expect(bodyOf(await answer).status).toBe('APPROVED');
    await stopped;
  });

  test('leaves what does not end to the recovery of the next start, and tells the caller that it is not known', async () => {
    harness.device.next({ hold: ['ACKNOWLEDGED'] });
    const answer = call(harness.till, saleOf(), key);
    await until(() => harness.device.isHeld('ACKNOWLEDGED'));
    const refusal = expect(answer).rejects.toMatchObject({
      code: 'INTERNAL',
      details: { outcome: { charged: 'UNKNOWN' } },
    });
    const stopped = harness.till.stop();
    await harness.clock.advance(3_000);
    await refusal;
    await stopped;
    harness.crashAndRestart();
    await harness.clock.advance(5_000);
    expect(bodyOf(await call(harness.till, saleOf(), key)).status).toBe('APPROVED');
    expect(harness.device.standing()).toEqual([1_000]);
  });
});
