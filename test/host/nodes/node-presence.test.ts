import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkCall } from '../../../app/contract/host/link.ts';
import { createNatsServer, type NatsServer } from '../../support/nats-server.ts';
import { createPostgresDatabase } from '../../support/postgres.ts';
import { startWireProxy, type WireProxy } from '../../support/wire-proxy.ts';
import { openShop, type Shop } from '../store-fixture.ts';
import { until } from '../support/until.ts';
import { linkTill, type Node, openNode } from './node-rig.ts';

/** Longer than any test lasts. */
const longMs = 300_000;
const settings = { lookMs: 20, heardMs: longMs, cutOffAfterMs: 100 };

let nats: NatsServer;
let proxies: WireProxy[];
let nodes: Node[];
let shop: Shop;

beforeAll(async () => {
  nats = await createNatsServer();
});
beforeEach(async () => {
  const database = await createPostgresDatabase();
  proxies = [await startWireProxy(nats.port, {}), await startWireProxy(nats.port, {})];
  const join = (proxy: WireProxy, name: string) => openNode(database, `nats://127.0.0.1:${proxy.port}`, name, settings);
  nodes = await Promise.all(proxies.map((proxy, index) => join(proxy, `node-${index}`)));
  shop = await openShop(at(0).store);
  await until(
    async () => (await at(0).store.isAnotherNodeHeard('node-0')) && (await at(0).store.isAnotherNodeHeard('node-1')),
  );
  return async () => {
    for (const node of nodes) await node.close();
    for (const proxy of proxies) await proxy.close().catch(() => undefined);
  };
});
afterAll(() => nats.stop());

function at(index: number): Node {
  const node = nodes[index];
  if (node === undefined) throw new Error('there is no such node');
  return node;
}

const call: LinkCall = {
  ...{ event: 'call', callId: 'call-1', clientId: 'C-1', clientName: 'Shop' },
  ...{ method: 'POST', path: '/v1/transaction/sale', body: '{}' },
};

describe('a node that has lost NATS while another has not', () => {
  it('gives its terminals up, takes none, and takes them again when it is back', async () => {
    const till = await linkTill(at(0), shop);
    await proxies[0]?.unplug();
    await until(() => till.closedWith() === 1013);
    expect(at(0).hub.canOpen()).toBe(false);
    const there = await linkTill(at(1), shop);
    expect(at(1).hub.canOpen()).toBe(true);
    await proxies[0]?.plugIn();
    await until(() => at(0).hub.canOpen());
    await linkTill(at(0), shop);
    await until(() => there.closedWith() === 4409);
  });

  it('lets a call that runs at one of them end first', async () => {
    const till = await linkTill(at(0), shop);
    const other = await openShop(at(0).store);
    const idle = await linkTill(at(0), other);
    const result = at(0).calls.call(shop, call, longMs);
    await until(() => till.calls.length === 1);
    await proxies[0]?.unplug();
    await until(() => idle.closedWith() === 1013);
    expect(till.closedWith()).toBeUndefined();
    till.answer('call-1', '{"by":"till"}');
    expect(await result).toMatchObject({ kind: 'ANSWERED', answer: { body: '{"by":"till"}' } });
    await until(() => till.closedWith() === 1013);
  });
});

describe('nodes that have all lost NATS', () => {
  it('keep their terminals, and serve them', async () => {
    const till = await linkTill(at(0), shop);
    for (const proxy of proxies) await proxy.unplug();
    for (const node of nodes) await until(async () => !(await node.store.isAnotherNodeHeard(node.bus.node)));
    const renewals = vi.spyOn(at(0).store, 'renewLinks');
    // A node that is cut off closes its links before the second.
    await until(() => renewals.mock.calls.length >= 2);
    expect([till.closedWith(), at(0).hub.canOpen()]).toEqual([undefined, true]);
    const result = at(0).calls.call(shop, call, longMs);
    await until(() => till.calls.length === 1);
    till.answer('call-1');
    expect((await result).kind).toBe('ANSWERED');
  });
});
