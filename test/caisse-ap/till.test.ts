// The driver behind the whole till: what becomes of an unknown outcome, and of the day.
import { afterEach, describe, expect, it } from 'vitest';
import type { CallContext } from '../../app/services/till.ts';
import { ask, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';
import { createRig, message, type Rig } from './support/rig.ts';

const context: CallContext = {
  clientId: 'client-1',
  actor: 'pos:till one',
  requestId: 'request-1',
  route: 'POST /v1/transaction/sale',
};

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function shop(): Promise<{ rig: Rig; harness: Harness }> {
  const rig = createRig();
  const harness = createHarness({ clock: rig.clock, terminals: [rig.terminal] });
  stops.push(() => harness.stop());
  await rig.clock.advance(1_000);
  return { rig, harness };
}

async function sold({ rig, harness }: { rig: Rig; harness: Harness }, key: string, waitMs = 3_000) {
  const selling = ask(harness.till, saleOf({ amount: 1_000 }), { idempotencyKey: key });
  await rig.clock.advance(waitMs);
  return selling;
}

async function closed({ rig, harness }: { rig: Rig; harness: Harness }, key: string) {
  const closing = harness.till.reconcile(
    { ...context, route: 'POST /v1/reconciliation', idempotencyKey: key },
    { closeDay: true },
  );
  closing.catch(() => undefined);
  await rig.clock.advance(1_000);
  return JSON.parse((await closing).body) as Record<string, unknown>;
}

describe('a till on a Caisse-AP terminal', () => {
  it('closes its day from the journal: the protocol has no close', async () => {
    const all = await shop();
    all.rig.answers([message('reply-done')]);
    expect(await sold(all, 'one')).toMatchObject({ status: 'APPROVED' });
    expect(await closed(all, 'close')).toMatchObject({
      status: 'SUCCESS',
      totals: { saleCount: 1, saleAmount: 1_000 },
      message: expect.stringContaining('no day close of its own'),
    });
    expect(all.rig.requests).toHaveLength(1);
  });

  it('asks a person about a lost answer, closes no day before, and sells meanwhile', async () => {
    const all = await shop();
    const { harness, rig } = all;
    rig.answers(['CZ0040300', 'DROP'], [message('reply-done')]);
    expect(await sold(all, 'one')).toMatchObject({ status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN' });
    const [task] = harness.till.recoveryTasks(context).data;
    expect(task).toMatchObject({ state: 'NEEDS_PERSON', reasonCode: 'ANSWER_LOST' });
    await expect(closed(all, 'early')).rejects.toMatchObject({ code: 'DAY_CLOSE_BLOCKED' });
    await rig.clock.advance(24 * 60 * 60_000);
    expect(rig.requests).toHaveLength(1);
    const again = ask(harness.till, saleOf({ amount: 1_000, allowDuplicate: true }), { idempotencyKey: 'two' });
    await rig.clock.advance(3_000);
    expect(await again).toMatchObject({ status: 'APPROVED' });
    harness.till.resolve(context, task?.subject.id ?? '', { charged: true, evidence: 'The receipt of the terminal.' });
    expect(await closed(all, 'close')).toMatchObject({
      status: 'SUCCESS',
      totals: { saleCount: 2, saleAmount: 2_000 },
    });
  });

  it('that was killed in a payment finds it unknown after the start, and does not send it again', async () => {
    const all = await shop();
    const { harness, rig } = all;
    rig.answers([60_000, message('reply-done')]);
    const selling = ask(harness.till, saleOf({ amount: 1_000 }), { idempotencyKey: 'one' });
    selling.catch(() => undefined);
    await rig.clock.advance(2_000);
    expect(rig.requests).toHaveLength(1);
    harness.crashAndRestart({});
    await rig.clock.advance(120_000);
    expect(harness.till.recoveryTasks(context).data).toMatchObject([{ state: 'NEEDS_PERSON' }]);
    expect(rig.requests).toHaveLength(1);
  });
});
