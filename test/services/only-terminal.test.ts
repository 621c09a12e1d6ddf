import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BridgeError } from '../../app/contract/errors.ts';
import type { CallContext } from '../../app/services/till.ts';
import { ask, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';
import { createMemoryDevice, type MemoryDevice } from '../support/memory-terminal.ts';

let harness: Harness;
let second: MemoryDevice;
beforeEach(() => {
  second = createMemoryDevice({ terminalId: 'T2' });
  harness = createHarness({ devices: [createMemoryDevice(), second] });
});
afterEach(() => harness.stop());

/** A call over the link of a terminal. */
const over = (terminalId: string): CallContext => ({
  ...{ clientId: 'K1', actor: 'pos:shop', requestId: 'q', route: 'r' },
  ...{ terminalId, onlyTerminalId: terminalId },
});
const atT2 = { terminalId: 'T2' };
const nowhere = '6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10';

/** What the call is refused with; undefined when it is not. */
async function refusalOf(run: () => unknown) {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof BridgeError) return error.toResponse();
    throw error;
  }
}

/** Every method that takes an id. */
const byId: readonly (readonly [string, (context: CallContext, id: string) => unknown])[] = [
  ['transaction', (context, id) => harness.till.transaction(context, id)],
  ['settlement', (context, id) => harness.till.settlement(context, id)],
  ['capture', (context, id) => harness.till.capture(context, id, {})],
  ['abort', (context, id) => harness.till.abort(context, id)],
  ['resolve', (context, id) => harness.till.resolve(context, id, { charged: true, evidence: 'receipt' })],
  ['complete', (context, id) => harness.till.complete(context, { transactionId: id, responseCode: '00' })],
];

describe('a call that is for one terminal only', () => {
  test.each(byId.filter(([name]) => name !== 'settlement'))(
    '%s: an ended payment of another terminal is not there',
    async (_name, run) => {
      const { transactionId } = await ask(harness.till, saleOf(), atT2);
      const unknown = await refusalOf(() => run(over('T1'), nowhere));
      expect(unknown?.error).toBe('NOT_FOUND');
      expect(await refusalOf(() => run(over('T1'), transactionId))).toEqual(unknown);
      expect((await refusalOf(() => run(over('T2'), transactionId)))?.error).not.toBe('NOT_FOUND');
    },
  );

  test('a settlement of another terminal is not there', async () => {
    await ask(harness.till, saleOf(), atT2);
    const { body } = await harness.till.reconcile({ ...over('T2'), idempotencyKey: 'close' }, { closeDay: true });
    const { settlementId } = JSON.parse(body);
    const look = (terminalId: string, id: string) => () => harness.till.settlement(over(terminalId), id);
    expect(look('T2', settlementId)()).toMatchObject({ terminalId: 'T2' });
    expect(await refusalOf(look('T1', settlementId))).toEqual(await refusalOf(look('T1', nowhere)));
  });

  test('what runs on another terminal is not aborted, and goes on', async () => {
    second.next({ hold: ['CARD'] });
    const running = call(harness.till, saleOf(), atT2);
    await until(() => second.isHeld('CARD'));
    const { transactionId } = harness.till.currentTransaction(over('T2'));
    expect((await refusalOf(() => harness.till.abort(over('T1'), transactionId)))?.error).toBe('NOT_FOUND');
    second.release('CARD');
    expect(JSON.parse((await running).body)).toMatchObject({ status: 'APPROVED', transactionId });
  });

  test('what is not journaled yet on another terminal is not aborted either', async () => {
    second.next({ hold: ['PREPARE'] });
    const running = call(harness.till, saleOf(), { ...atT2, transactionId: nowhere });
    await until(() => second.isHeld('PREPARE'));
    expect((await refusalOf(() => harness.till.abort(over('T1'), nowhere)))?.error).toBe('NOT_FOUND');
    second.release('PREPARE');
    expect(JSON.parse((await running).body)).toMatchObject({ status: 'APPROVED', transactionId: nowhere });
  });

  test('an unknown outcome of another terminal is not resolved, nor listed', async () => {
    second.next({ lose: 'COMPLETION' });
    second.answer({ kind: 'UNDECIDED', reason: 'unclear', evidence: [] });
    const { transactionId } = await ask(harness.till, saleOf(), atT2);
    const resolve = (terminalId: string) => () =>
      harness.till.resolve(over(terminalId), transactionId, { charged: true, evidence: 'receipt' });
    expect((await refusalOf(resolve('T1')))?.error).toBe('NOT_FOUND');
    expect(harness.till.recoveryTasks(over('T1')).data).toEqual([]);
    expect(harness.till.recoveryTasks(over('T2')).data).toHaveLength(1);
    expect(harness.till.transactions(over('T1'), { limit: 25 }).data).toEqual([]);
    expect(await refusalOf(resolve('T2'))).toBeUndefined();
  });

  test('a call at the till itself finds by id what any of its terminals did', async () => {
    const { transactionId } = await ask(harness.till, saleOf(), atT2);
    const { onlyTerminalId: _none, ...context } = over('T1');
    expect(harness.till.transaction(context, transactionId)).toMatchObject({ transactionId });
  });
});
