import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TerminalEvent } from '../../../host/ports/terminal-events.ts';
import { createNatsServer, type NatsServer } from '../../support/nats-server.ts';
import { createPostgresDatabase } from '../../support/postgres.ts';
import { startWireProxy, type WireProxy } from '../../support/wire-proxy.ts';
import { openShop, type Shop } from '../store-fixture.ts';
import { until } from '../support/until.ts';
import { linkTill, type Node, openNode } from './node-rig.ts';

/** Longer than any test lasts. */
const longMs = 300_000;

let nats: NatsServer;
/** Between node a and NATS. */
let proxy: WireProxy;
let a: Node;
let b: Node;
let c: Node;
let shop: Shop;

beforeAll(async () => {
  const database = await createPostgresDatabase();
  nats = await createNatsServer();
  proxy = await startWireProxy(nats.port, {});
  a = await openNode(database, `nats://127.0.0.1:${proxy.port}`, 'a');
  b = await openNode(database, nats.url, 'b');
  c = await openNode(database, nats.url, 'c');
});
beforeEach(async () => {
  shop = await openShop(a.store);
});
afterAll(async () => {
  for (const node of [a, b, c]) await node.close();
  await proxy.close().catch(() => undefined);
  await nats.stop();
});

/** Until what a node has said before has come to NATS, and what NATS has passed on before has come to the node. */
async function settled(node: Node): Promise<void> {
  const peer = node === b ? 'c' : 'b';
  await until(async () => (await node.bus.request(peer, 'under-way', 'x', longMs)).kind === 'ANSWERED');
}

/** What a session at a node hears of the shop's terminals. */
async function listenAt(node: Node, merchantId: string = shop.merchantId) {
  const heard: TerminalEvent[] = [];
  const stop = node.events.listen(merchantId, (event, text) => {
    expect(JSON.parse(Buffer.from(text).toString('utf8'))).toEqual(event);
    heard.push(event);
  });
  await settled(node);
  return { heard, sequences: () => heard.map(({ sequence }) => sequence), stop };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('events of a terminal', () => {
  it('come to the sessions at every node, wherever it is linked, in order and once', async () => {
    const sessions = [await listenAt(a), await listenAt(b), await listenAt(c), await listenAt(b)];
    const till = await linkTill(b, shop);
    for (const sequence of upTo(200)) till.happen(sequence);
    for (const session of sessions) await until(() => session.heard.length >= 200);
    for (const node of [a, c]) await settled(node);
    for (const { heard, sequences } of sessions) {
      expect(sequences()).toEqual(upTo(200));
      expect(heard[0]).toEqual({ event: 'pin_required', sequence: 1, terminalId: shop.terminalId });
    }
  });

  it('come to nobody else, and to no session that has ended', async () => {
    const other = await openShop(a.store);
    const [own, foreign, ended] = [await listenAt(a), await listenAt(a, other.merchantId), await listenAt(c)];
    const till = await linkTill(b, shop);
    ended.stop();
    await settled(c);
    till.happen(1);
    await until(() => own.heard.length > 0);
    await settled(c);
    expect([foreign.heard, ended.heard]).toEqual([[], []]);
  });

  it('come from where it has moved to, and from its old link no more', async () => {
    const sessions = [await listenAt(a), await listenAt(b), await listenAt(c)];
    const before = await linkTill(b, shop);
    before.happen(1);
    for (const { heard } of sessions) await until(() => heard.length === 1);
    const { merchantId, terminalId } = shop;
    const { fence: old = 0 } = (await a.store.findLink(shop)) ?? {};
    const after = await linkTill(c, shop);
    after.happen(2);
    for (const { heard } of sessions) await until(() => heard.length === 2);
    // The old node has not heard of it yet, and what it has told comes late.
    const late = { fence: old, event: { event: 'pin_required', sequence: 1, terminalId } };
    b.bus.publish(`events.${Buffer.from(merchantId).toString('base64url')}`, JSON.stringify(late));
    await settled(b);
    after.happen(3);
    for (const { heard } of sessions) await until(() => heard.length >= 3);
    for (const { sequences } of sessions) expect(sequences()).toEqual([1, 2, 3]);
  });

  it('come once after NATS was away, also where somebody began to listen meanwhile', async () => {
    const early = await listenAt(a);
    const till = await linkTill(b, shop);
    await proxy.unplug();
    await until(() => !a.bus.isConnected());
    const heard: TerminalEvent[] = [];
    const stop = a.events.listen(shop.merchantId, (event) => heard.push(event));
    const other = await openShop(a.store);
    const foreign: TerminalEvent[] = [];
    a.events.listen(other.merchantId, (event) => foreign.push(event));
    till.happen(1);
    await proxy.plugIn();
    await until(() => a.bus.isConnected());
    await settled(a);
    till.happen(2);
    const otherTill = await linkTill(b, other);
    otherTill.happen(7);
    await until(() => heard.length > 0 && foreign.length > 0);
    await settled(a);
    expect([early.sequences(), heard.map(({ sequence }) => sequence)]).toEqual([[2], [2]]);
    expect(foreign.map(({ sequence }) => sequence)).toEqual([7]);
    stop();
  });

  it('are left out where another node tells nonsense', async () => {
    const session = await listenAt(a);
    const till = await linkTill(b, shop);
    const subject = `events.${Buffer.from(shop.merchantId).toString('base64url')}`;
    for (const payload of ['{', '{"fence":0,"event":{}}', '{"fence":1,"event":{"event":"x","sequence":1}}'])
      b.bus.publish(subject, payload);
    till.happen(1);
    await until(() => session.heard.length > 0);
    expect(session.sequences()).toEqual([1]);
  });
});
