import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallContext } from '../../app/services/till.ts';
import { ask, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.stop());

const context: CallContext = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'r' };

describe('a replay', () => {
  test('gives what was missed while the client reconnected, once and in order', async () => {
    await ask(harness.till, saleOf());
    const seen = harness.events.at(-1)?.sequence ?? 0;
    await ask(harness.till, saleOf({ amount: 7 }));
    const missed = harness.till.eventsAfter(context, seen);
    expect(missed).toEqual(harness.events.filter((event) => event.sequence > seen));
    expect(harness.till.eventsAfter(context, missed.at(-1)?.sequence ?? 0)).toEqual([]);
  });

  test('includes events that are not on disk yet, and they are on disk after a moment', async () => {
    harness.device.next({ hold: ['CARD'] });
    const sale = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('CARD'));
    const live = harness.till.eventsAfter(context, 0);
    expect(live.map((event) => event.event)).toContain('card_detected');
    expect(harness.journal.eventsAfter('T1', 0, 100).map((event) => event.event)).not.toContain('card_detected');
    await harness.clock.advance(1_000);
    expect(harness.journal.eventsAfter('T1', 0, 100).map((event) => event.event)).toContain('card_detected');
    harness.device.release('CARD');
    await sale;
  });

  test('after a crash has the result, and no number is used twice', async () => {
    await ask(harness.till, saleOf());
    const before = harness.events.map((event) => event.sequence);
    harness.crashAndRestart();
    await ask(harness.till, saleOf());
    const after = harness.events.map((event) => event.sequence);
    expect(Math.min(...after)).toBeGreaterThan(Math.max(...before));
    const results = harness.till.eventsAfter(context, 0).filter((event) => event.event === 'result');
    expect(results).toHaveLength(2);
  });
});

test('events of an action carry its requestId', async () => {
  await ask(harness.till, saleOf(), { eventRequestId: 'ws-1' });
  const own = harness.events.filter((event) => event.event !== 'status_changed');
  expect(own.map((event) => event.requestId)).toEqual(own.map(() => 'ws-1'));
});

test('a listener that fails disturbs neither the sale nor other listeners', async () => {
  let heard = 0;
  const end = harness.till.subscribe(() => {
    throw new Error('bad listener');
  });
  harness.till.subscribe(() => {
    heard += 1;
  });
  expect((await ask(harness.till, saleOf())).status).toBe('APPROVED');
  expect(heard).toBeGreaterThan(3);
  end();
});

test('a terminal that changes its state is announced', () => {
  harness.device.notify({ kind: 'STATUS', status: { connected: false, state: 'DISCONNECTED' } });
  expect(harness.events.at(-1)).toMatchObject({ event: 'status_changed', state: 'DISCONNECTED', connected: false });
});
