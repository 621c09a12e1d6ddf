import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LinkCall } from '../../../app/contract/host/link.ts';
import { PASS, type PassedCall } from '../../../host/nodes/passed-call.ts';
import type { CallResult } from '../../../host/ports/terminal-calls.ts';
import { createNatsServer, type NatsServer } from '../../support/nats-server.ts';
import { createPostgresDatabase } from '../../support/postgres.ts';
import { startWireProxy, type WireProxy } from '../../support/wire-proxy.ts';
import { openShop, type Shop } from '../store-fixture.ts';
import { until } from '../support/until.ts';
import { type LinkedTill, linkTill, type Node, openNode } from './node-rig.ts';

/** Longer than any test lasts: what ends before has not ended by it. */
const longMs = 300_000;

let nats: NatsServer;
/** Between node c and NATS. */
let proxy: WireProxy;
let a: Node;
let b: Node;
let c: Node;
let shop: Shop;

beforeAll(async () => {
  const database = await createPostgresDatabase();
  nats = await createNatsServer();
  proxy = await startWireProxy(nats.port, {});
  a = await openNode(database, nats.url, 'a');
  b = await openNode(database, nats.url, 'b');
  c = await openNode(database, `nats://127.0.0.1:${proxy.port}`, 'c');
  for (const node of [b, c])
    await until(async () => (await a.bus.request(node.bus.node, 'under-way', 'x', longMs)).kind === 'ANSWERED');
});
beforeEach(async () => {
  shop = await openShop(a.store);
});
afterAll(async () => {
  for (const node of [a, b, c]) await node.close();
  await proxy.close().catch(() => undefined);
  await nats.stop();
});

function newCall(): LinkCall {
  const client = { clientId: 'C-1', clientName: 'Shop' };
  return { event: 'call', callId: randomUUID(), ...client, method: 'POST', path: '/v1/transaction/sale', body: '{}' };
}

/** Sends a call in at a node, and waits until the till has it. */
async function enter(at: Node, till: LinkedTill): Promise<{ callId: string; result: Promise<CallResult> }> {
  const call = newCall();
  const result = at.calls.call(shop, call, longMs);
  await until(() => till.calls.some(({ callId }) => callId === call.callId));
  return { callId: call.callId, result };
}

/** One call from a node to a till that answers. */
async function works(at: Node, till: LinkedTill): Promise<boolean> {
  const { callId, result } = await enter(at, till);
  till.answer(callId, '{"by":"till"}');
  return (await result).kind === 'ANSWERED';
}

const lost = { kind: 'LOST' };
const notLinked = { kind: 'NOT_LINKED' };

describe('a call that enters at any node', () => {
  it('reaches the terminal at the node that holds its link, as it was sent, once, and brings its answer back', async () => {
    const till = await linkTill(b, shop);
    for (const node of [a, b, c]) {
      const call = newCall();
      const result = node.calls.call(shop, call, longMs);
      await until(() => till.calls.at(-1)?.callId === call.callId);
      expect(till.calls.at(-1)).toEqual(call);
      till.answer(call.callId, '{"text":"Ä €"}');
      expect(await result).toEqual({
        kind: 'ANSWERED',
        answer: { statusCode: 200, headers: {}, body: '{"text":"Ä €"}' },
      });
    }
    expect(till.calls).toHaveLength(3);
  });

  it('is refused at once while the terminal is linked nowhere, and once its link is gone', async () => {
    expect(await a.calls.call(shop, newCall(), longMs)).toEqual(notLinked);
    const till = await linkTill(b, shop);
    till.close();
    await until(async () => (await a.store.findLink(shop)) === undefined);
    for (const node of [a, b]) expect(await node.calls.call(shop, newCall(), longMs)).toEqual(notLinked);
    expect(till.calls).toEqual([]);
  });

  it('is lost when the link breaks under it', async () => {
    const till = await linkTill(b, shop);
    const { result } = await enter(a, till);
    till.close();
    expect(await result).toEqual(lost);
  });

  it('is begun under the fence of its lease only, and not when its caller may have given up', async () => {
    const till = await linkTill(b, shop);
    const lease = await a.store.findLink(shop);
    if (lease === undefined) throw new Error('no lease');
    const { merchantId, terminalId } = shop;
    const passed = {
      merchantId,
      terminalId,
      fence: lease.fence,
      startBeforeMs: lease.readAtMs + longMs,
      timeoutMs: longMs,
    };
    const pass = async (change: Partial<PassedCall> & { readonly more?: number }) => {
      const answer = await a.bus.request('b', PASS, JSON.stringify({ ...passed, call: newCall(), ...change }), 500);
      return answer.kind === 'ANSWERED' ? JSON.parse(answer.payload) : answer.kind;
    };
    expect(await pass({ fence: lease.fence + 1 })).toEqual(notLinked);
    expect(await pass({ startBeforeMs: lease.readAtMs - 1 })).toEqual(notLinked);
    expect(await pass({ more: 1 })).toBe('LOST');
    expect(till.calls).toEqual([]);
    // The same without a fault is begun, so that it was the fault.
    void pass({});
    await until(() => till.calls.length === 1);
  });
});

describe('a terminal that has moved to another node', () => {
  it('answers once: its old link is closed, and what was asked over it is lost', async () => {
    const before = await linkTill(b, shop);
    const { callId, result } = await enter(a, before);
    const after = await linkTill(c, shop);
    expect(await result).toEqual(lost);
    expect(before.closedWith()).toBe(4409);
    before.answer(callId);
    expect(after.calls).toEqual([]);
    expect(await works(a, after)).toBe(true);
    expect(await works(b, after)).toBe(true);
    expect(before.calls).toHaveLength(1);
  });

  it('counts no answer under an older fence, though its old node has heard of nothing yet', async () => {
    for (const node of [a, b]) {
      const till = await linkTill(b, shop);
      const { callId, result } = await enter(node, till);
      await a.store.takeLink(shop, 'elsewhere', longMs);
      till.answer(callId);
      expect(await result).toEqual(lost);
    }
  });

  it('is told by its node to link again when the news was lost', async () => {
    const till = await linkTill(b, shop);
    await a.store.takeLink(shop, 'elsewhere', longMs);
    await until(() => till.closedWith() === 4409);
  });
});

describe('a node that is cut off', () => {
  it('loses the calls that run there, and nothing is sent a second time', async () => {
    const till = await linkTill(c, shop);
    const { callId, result } = await enter(a, till);
    await proxy.unplug();
    expect(await result).toEqual(lost);
    till.answer(callId);
    expect(await a.calls.call(shop, newCall(), longMs)).toEqual(notLinked);
    // Its own door leads to its own terminals still.
    expect(await works(c, till)).toBe(true);
    await proxy.plugIn();
    await until(async () => (await b.bus.request('c', 'under-way', 'x', longMs)).kind === 'ANSWERED');
    expect(await works(a, till)).toBe(true);
    expect(till.calls.filter((call) => call.callId === callId)).toHaveLength(1);
  });

  it('refuses calls for terminals of others, and loses those that it has passed on', async () => {
    const till = await linkTill(b, shop);
    const { callId, result } = await enter(c, till);
    await proxy.unplug();
    expect(await result).toEqual(lost);
    till.answer(callId);
    expect(await c.calls.call(shop, newCall(), longMs)).toEqual(notLinked);
    expect(await works(a, till)).toBe(true);
    await proxy.plugIn();
    await until(() => c.bus.isConnected());
    expect(till.calls).toHaveLength(2);
  });

  it('sends nothing over the old link of a terminal that went elsewhere, and closes it', async () => {
    const before = await linkTill(c, shop);
    await proxy.unplug();
    await until(() => !c.bus.isConnected());
    const after = await linkTill(b, shop);
    expect(await c.calls.call(shop, newCall(), longMs)).toEqual(notLinked);
    expect(before.calls).toEqual([]);
    expect(await works(a, after)).toBe(true);
    await until(() => before.closedWith() === 4409);
    await proxy.plugIn();
    await until(() => c.bus.isConnected());
  });
});
