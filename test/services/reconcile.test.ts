import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ReconciliationResponse } from '../../app/contract/settlements.ts';
import { validate } from '../../app/contract/validate.ts';
import type { Answer, CallContext } from '../../app/services/till.ts';
import { ask, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';
import { settle } from '../support/manual-clock.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.stop());

const context: CallContext = { clientId: 'client-1', actor: 'pos:x', requestId: 'q', route: 'POST /v1/reconciliation' };

function close(key = 'z1', more: Partial<CallContext> = {}): Promise<Answer> {
  return harness.till.reconcile({ ...context, idempotencyKey: key, ...more }, { closeDay: true });
}

function read(answer: Answer): ReconciliationResponse {
  return validate(ReconciliationResponse, JSON.parse(answer.body));
}

describe('a day close', () => {
  test('settles the batch once, resets the totals, and prints the journal head', async () => {
    await ask(harness.till, saleOf({ amount: 1_000 }));
    const voided = await ask(harness.till, saleOf({ amount: 500 }));
    await ask(harness.till, { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId: voided.transactionId });
    const response = read(await close());
    expect(response).toMatchObject({
      status: 'SUCCESS',
      totals: { saleCount: 2, saleAmount: 1_500, voidCount: 1, voidAmount: 500 },
      journalHead: { sequence: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(harness.till.settlement(context, response.settlementId ?? '')).toMatchObject({
      status: 'SETTLED',
      netAmount: 1_000,
      merchantId: 'M1',
      terminalId: 'T1',
      acquirerBatchRef: expect.any(String),
    });
    expect(harness.till.totals(context).totals.saleCount).toBe(0);
    expect((await ask(harness.till, saleOf())).batchNumber).toBe('2');
  });

  test('with the same key gives the same answer and one settlement; another key makes a zero settlement', async () => {
    await ask(harness.till, saleOf());
    const first = await close('z1');
    expect(await close('z1')).toEqual({ ...first, replayed: true });
    expect(read(await close('z2')).totals).toMatchObject({ saleCount: 0, saleAmount: 0 });
    expect(harness.till.settlements(context, { limit: 25 }).data).toHaveLength(2);
  });

  test('without an Idempotency-Key is refused naming it', async () => {
    await expect(harness.till.reconcile(context, { closeDay: true })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'Idempotency-Key',
    });
  });

  test('false changes no byte', async () => {
    await ask(harness.till, saleOf({ type: 'PRE_AUTH', amount: 300 }));
    await ask(harness.till, saleOf());
    await harness.clock.advance(5_000);
    const bytes = () =>
      ['journal.db', 'journal.db-wal', 'journal.head'].map((name) =>
        readFileSync(join(harness.dataDir, name), 'base64'),
      );
    const before = bytes();
    const response = read(await harness.till.reconcile(context, { closeDay: false }));
    expect(response).toMatchObject({
      status: 'SUCCESS',
      totals: { saleCount: 1, preAuthCount: 1, preAuthAmount: 300 },
    });
    expect(response.settlementId).toBeUndefined();
    expect(response.openPreAuths).toHaveLength(1);
    expect(bytes()).toEqual(before);
  });

  test('lists open pre-authorizations and carries them over', async () => {
    const hold = await ask(harness.till, saleOf({ type: 'PRE_AUTH', amount: 300 }));
    expect(read(await close()).openPreAuths).toMatchObject([{ transactionId: hold.transactionId, amount: 300 }]);
    expect(harness.till.totals(context).totals).toMatchObject({ preAuthCount: 1, preAuthAmount: 300 });
    const completion = {
      type: 'PRE_AUTH_COMPLETE',
      amount: 200,
      currency: 'EUR',
      originalTransactionId: hold.transactionId,
    } as const;
    expect((await ask(harness.till, completion)).batchNumber).toBe('2');
  });

  test('whose totals differ from the terminal is PARTIAL, each difference named, and closes', async () => {
    await ask(harness.till, saleOf());
    const schemes = [{ scheme: 'VISA', count: 2, amountMinor: 1_100 }];
    harness.device.next({ batch: { totalMinor: 1_100, schemes, batchReference: 'B7' } });
    const response = read(await close());
    expect(response.status).toBe('PARTIAL');
    expect(response.differences).toEqual([
      'totalAmount: journal 1000, terminal 1100',
      'VISA.count: journal 1, terminal 2',
      'VISA.amount: journal 1000, terminal 1100',
    ]);
    expect(harness.till.settlement(context, response.settlementId ?? '')).toMatchObject({ status: 'PARTIAL' });
    expect(harness.till.totals(context).totals.saleCount).toBe(0);
  });

  test('that the terminal refuses is FAILED and moves nothing', async () => {
    await ask(harness.till, saleOf());
    harness.device.next({
      outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message: 'host does not answer', receipts: [] },
    });
    expect(read(await close())).toMatchObject({
      status: 'FAILED',
      errorCode: 'TERMINAL_ERROR',
      message: 'host does not answer',
    });
    expect(harness.till.settlements(context, { limit: 25 }).data).toEqual([]);
    expect(harness.till.totals(context).totals.saleCount).toBe(1);
    expect(read(await close('z2')).status).toBe('SUCCESS');
  });

  test('of a terminal without a close of its own settles from the journal', async () => {
    await harness.stop();
    harness = createHarness({ devices: [createMemoryDevice({ without: ['DAY_CLOSE'] })] });
    await ask(harness.till, saleOf());
    const response = read(await close());
    expect(response).toMatchObject({ status: 'SUCCESS', message: expect.stringContaining('not available') });
    expect(await close()).toMatchObject({ replayed: true });
  });
});

describe('a day close is blocked', () => {
  test('by what is in progress', async () => {
    harness.device.next({ hold: ['CARD'] });
    const sale = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('CARD'));
    const { transactionId } = harness.till.currentTransaction(context);
    await expect(close()).rejects.toMatchObject({
      code: 'DAY_CLOSE_BLOCKED',
      details: { blockers: [{ transactionId, reason: 'IN_PROGRESS' }] },
    });
    harness.device.release('CARD');
    await sale;
    expect(read(await close()).status).toBe('SUCCESS');
  });

  test('by what is of unknown outcome, with its task, until a person has resolved it', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'unclear', evidence: [] });
    const { transactionId } = await ask(harness.till, saleOf());
    await expect(close()).rejects.toMatchObject({
      code: 'DAY_CLOSE_BLOCKED',
      details: { blockers: [{ transactionId, reason: 'OUTCOME_UNKNOWN', recoveryTaskId: expect.any(String) }] },
    });
    expect(harness.till.totals(context).blockers).toHaveLength(1);
    harness.till.resolve(context, transactionId, { charged: true, evidence: 'bank' });
    expect(read(await close()).totals.saleCount).toBe(1);
  });

  test('while another close runs, and blocks sales itself, naming it', async () => {
    harness.device.next({ hold: ['CARD'] });
    const first = close('z1');
    await until(() => harness.device.isHeld('CARD'));
    await expect(close('z2')).rejects.toMatchObject({ code: 'TRANSACTION_IN_PROGRESS' });
    await expect(call(harness.till, saleOf())).rejects.toMatchObject({ code: 'TRANSACTION_IN_PROGRESS' });
    harness.device.release('CARD');
    expect(read(await first).status).toBe('SUCCESS');
  });
});

describe('a lost day close', () => {
  test('is asked for and never sent again', async () => {
    await ask(harness.till, saleOf());
    harness.device.next({ lose: 'COMPLETION' });
    const response = read(await close());
    expect(response.status).toBe('SUCCESS');
    expect(harness.device.questions.at(-1)).toMatchObject({ command: { operation: 'DAY_CLOSE' } });
    expect(harness.device.commands).toHaveLength(2);
  });

  test('that nobody can tell blocks sales until a person has resolved it', async () => {
    await ask(harness.till, saleOf());
    harness.device.next({ lose: 'STATUS' });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'turnover unclear', evidence: [] });
    const answer = await close();
    expect(read(answer)).toMatchObject({ status: 'FAILED', errorCode: 'OUTCOME_UNKNOWN' });
    expect(harness.till.recoveryTasks(context).data).toMatchObject([
      { state: 'NEEDS_PERSON', subject: { kind: 'DAY_CLOSE' } },
    ]);
    await expect(call(harness.till, saleOf())).rejects.toMatchObject({ code: 'TRANSACTION_IN_PROGRESS' });
    harness.till.resolve(context, answer.transactionId, { charged: false, evidence: 'terminal shows yesterday' });
    expect(read(await close()).status).toBe('FAILED');
    expect((await ask(harness.till, saleOf())).status).toBe('APPROVED');
    expect(read(await close('z2')).totals.saleCount).toBe(2);
  });

  test.each([
    ['CARD', 'FAILED'],
    ['ACKNOWLEDGED', 'SUCCESS'],
  ] as const)('by a crash at %s is resolved at the next start', async (stage, status) => {
    await ask(harness.till, saleOf());
    harness.device.next({ hold: [stage] });
    void close().catch(() => undefined);
    await until(() => harness.device.isHeld(stage));
    harness.crashAndRestart();
    await harness.clock.advance(10_000);
    expect(read(await close()).status).toBe(status);
    expect(harness.till.settlements(context, { limit: 25 }).data).toHaveLength(status === 'SUCCESS' ? 1 : 0);
  });
});

describe('a batch that the terminal closed by itself', () => {
  const batch = { totalMinor: 1_000, schemes: [], batchReference: 'AUTO' };

  test('is recorded as a close that nobody asked for', async () => {
    await ask(harness.till, saleOf());
    harness.device.notify({ kind: 'BATCH_CLOSED_BY_TERMINAL', batch });
    const [settlement] = harness.till.settlements(context, { limit: 25 }).data;
    expect(settlement).toMatchObject({ status: 'SETTLED', saleCount: 1, netAmount: 1_000 });
    expect((await ask(harness.till, saleOf())).batchNumber).toBe('2');
  });

  test('while a sale runs waits for its end', async () => {
    harness.device.next({ hold: ['CARD'] });
    const sale = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('CARD'));
    harness.device.notify({ kind: 'BATCH_CLOSED_BY_TERMINAL', batch });
    harness.device.release('CARD');
    await sale;
    await settle();
    expect(harness.till.settlements(context, { limit: 25 }).data).toMatchObject([{ saleCount: 1 }]);
  });

  test('with something unknown in it waits on disk, keeps sales out, and is settled with the truth', async () => {
    harness.device.next({ lose: 'COMPLETION' });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'unclear', evidence: [] });
    const { transactionId } = await ask(harness.till, saleOf());
    harness.device.notify({ kind: 'BATCH_CLOSED_BY_TERMINAL', batch });
    await expect(call(harness.till, saleOf())).rejects.toMatchObject({ code: 'TRANSACTION_IN_PROGRESS' });
    harness.crashAndRestart();
    await harness.clock.advance(5_000);
    expect(harness.till.settlements(context, { limit: 25 }).data).toEqual([]);
    harness.till.resolve(context, transactionId, { charged: true, evidence: 'bank' });
    expect(harness.till.settlements(context, { limit: 25 }).data).toMatchObject([{ status: 'SETTLED', saleCount: 1 }]);
    expect((await ask(harness.till, saleOf())).batchNumber).toBe('2');
  });
});

test('three settlements closed at the same instant come on three pages of one, each once', async () => {
  for (const key of ['a', 'b', 'c']) await close(key);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = harness.till.settlements(context, { limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.data.map((settlement) => settlement.id));
    expect(page.hasMore).toBe(page.nextCursor !== null);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(new Set(ids).size).toBe(3);
  expect(ids).toHaveLength(3);
});

test('with two terminals each call names one, and closes one', async () => {
  await harness.stop();
  harness = createHarness({ devices: [createMemoryDevice(), createMemoryDevice({ terminalId: 'T2' })] });
  await expect(close()).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'X-Terminal-Id' });
  await ask(harness.till, saleOf(), { terminalId: 'T2' });
  expect(read(await close('z1', { terminalId: 'T1' })).totals.saleCount).toBe(0);
  expect(harness.till.totals({ ...context, terminalId: 'T2' }).totals.saleCount).toBe(1);
  expect(harness.till.settlements({ ...context, terminalId: 'T2' }, { limit: 25 }).data).toEqual([]);
});
