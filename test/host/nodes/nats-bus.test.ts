import { afterEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/programs/node-ports.ts';
import { openNatsBus } from '../../../host/nodes/nats-bus.ts';
import type { NodeBus } from '../../../host/nodes/node-bus.ts';
import { quietLog } from '../../support/engine-harness.ts';
import { createNatsServer, type NatsServer } from '../../support/nats-server.ts';
import { startWireProxy, type WireProxy } from '../../support/wire-proxy.ts';
import { until } from '../support/until.ts';

/** Longer than any test waits: what ends before it has not ended by it. */
const longMs = 600_000;

/** max_payload of a NATS server that nobody has set up. */
const serverTakesBytes = 1_048_576;

const buses: NodeBus[] = [];
const servers: NatsServer[] = [];
const proxies: WireProxy[] = [];

afterEach(async () => {
  for (const bus of buses.splice(0)) await bus.close();
  for (const proxy of proxies.splice(0)) await proxy.close().catch(() => undefined);
  for (const server of servers.splice(0)) await server.stop();
});

async function startNats(args: readonly string[] = []): Promise<NatsServer> {
  const server = await createNatsServer(args);
  servers.push(server);
  return server;
}

async function join(url: string, node: string, namespace = 'shop'): Promise<NodeBus> {
  const bus = await openNatsBus({ url, node, namespace, clock: nodeClock, log: quietLog });
  buses.push(bus);
  return bus;
}

describe('messages between nodes', () => {
  it('reach the node that is asked, and no other', async () => {
    const { url } = await startNats();
    const [a, b, c] = [await join(url, 'a'), await join(url, 'b'), await join(url, 'c')];
    const asked: string[] = [];
    for (const bus of [b, c]) {
      bus.answer('greet', async (payload) => {
        asked.push(bus.node);
        return `${payload} ${bus.node}`;
      });
    }
    await heardBy(a, 'b', 'greet');
    asked.length = 0;
    expect(await a.request('b', 'greet', 'hello', longMs)).toEqual({ kind: 'ANSWERED', payload: 'hello b' });
    expect(asked).toEqual(['b']);
  });

  it('tell at once that nobody has got them', async () => {
    const { url } = await startNats();
    const a = await join(url, 'a');
    expect(await a.request('b', 'greet', 'hello', longMs)).toEqual({ kind: 'NOBODY' });
  });

  it('keep the hosts of two databases apart on one NATS', async () => {
    const { url } = await startNats();
    const [a, b, foreign] = [await join(url, 'a'), await join(url, 'b'), await join(url, 'b2', 'other')];
    const heard: string[] = [];
    b.hear('news', (payload) => heard.push(`b ${payload}`));
    foreign.hear('news', (payload) => heard.push(`foreign ${payload}`));
    b.answer('here', async () => 'yes');
    foreign.answer('here', async () => 'yes');
    await heardBy(a, 'b', 'here');
    a.publish('news', 'one');
    await until(() => heard.length > 0);
    foreign.publish('news', 'two');
    // Once this is answered, the server has passed on what was told before it.
    expect(await foreign.request('b', 'here', 'x', longMs)).toEqual({ kind: 'NOBODY' });
    expect(await a.request('b2', 'here', 'x', longMs)).toEqual({ kind: 'NOBODY' });
    a.publish('news', 'three');
    await until(() => heard.includes('b three'));
    expect(heard).toEqual(['b one', 'b three']);
  });

  it('are lost, not refused, when the node that has got one goes', async () => {
    const { url, port } = await startNats();
    const proxy = await startWireProxy(port, {});
    proxies.push(proxy);
    const [a, b] = [await join(`nats://127.0.0.1:${proxy.port}`, 'a'), await join(url, 'b')];
    let got = 0;
    b.answer('wait', () => {
      got += 1;
      return new Promise<string>(() => {});
    });
    b.answer('here', async () => 'yes');
    await heardBy(a, 'b', 'here');
    const changes: boolean[] = [];
    a.onChange((isConnected) => changes.push(isConnected));
    const asked = a.request('b', 'wait', 'x', longMs);
    await until(() => got === 1);
    await proxy.unplug();
    expect(await asked).toEqual({ kind: 'LOST' });
    expect(a.isConnected()).toBe(false);
    await proxy.plugIn();
    await until(() => a.isConnected());
    expect(changes).toEqual([false, true]);
    await heardBy(a, 'b', 'here');
    expect(got).toBe(1);
  });

  it('do not wait for a NATS that is away, and go on when it is back', async () => {
    const server = await startNats();
    const [a, b] = [await join(server.url, 'a'), await join(server.url, 'b')];
    const got: string[] = [];
    b.answer('note', async (payload) => {
      got.push(payload);
      return 'noted';
    });
    await server.stop();
    await until(() => !a.isConnected() && !b.isConnected());
    expect(await a.request('b', 'note', 'while away', longMs)).toEqual({ kind: 'NOBODY' });
    await server.start();
    await until(async () => (await a.request('b', 'note', 'after', longMs)).kind === 'ANSWERED');
    expect(got).toEqual(['after']);
  });

  it('are lost when no answer comes in time, and when the one that is asked cannot answer', async () => {
    const { url } = await startNats();
    const [a, b] = [await join(url, 'a'), await join(url, 'b')];
    b.answer('never', () => new Promise<string>(() => {}));
    b.answer('huge', async () => 'x'.repeat(serverTakesBytes + 1));
    b.answer('here', async () => 'yes');
    await heardBy(a, 'b', 'here');
    expect(await a.request('b', 'never', 'x', 50)).toEqual({ kind: 'LOST' });
    expect(await a.request('b', 'huge', 'x', 50)).toEqual({ kind: 'LOST' });
  });

  it('are bounded in size before they leave', async () => {
    const { url } = await startNats();
    const [a, b] = [await join(url, 'a'), await join(url, 'b')];
    b.answer('size', async (payload) => String(payload.length));
    await heardBy(a, 'b', 'size');
    const most = 'x'.repeat(serverTakesBytes);
    expect(await a.request('b', 'size', most, longMs)).toEqual({ kind: 'ANSWERED', payload: String(serverTakesBytes) });
    expect(await a.request('b', 'size', `${most}x`, longMs)).toEqual({ kind: 'NOBODY' });
  });

  it('are answered no more by a node that stops, while its running answers still go out', async () => {
    const { url } = await startNats();
    const [a, b] = [await join(url, 'a'), await join(url, 'b')];
    let finish: ((answer: string) => void) | undefined;
    b.answer('work', () => new Promise((resolve) => (finish = resolve)));
    b.answer('here', async () => 'yes');
    await heardBy(a, 'b', 'here');
    const running = a.request('b', 'work', 'x', longMs);
    await until(() => finish !== undefined);
    const settled = b.settle(longMs);
    await until(async () => (await a.request('b', 'here', 'x', longMs)).kind === 'NOBODY');
    finish?.('done');
    expect(await settled).toBe(0);
    await b.close();
    expect(await running).toEqual({ kind: 'ANSWERED', payload: 'done' });
  });

  it('do not hold up a node that stops for longer than it has time', async () => {
    const { url } = await startNats();
    const [a, b] = [await join(url, 'a'), await join(url, 'b')];
    b.answer('never', () => new Promise<string>(() => {}));
    b.answer('here', async () => 'yes');
    await heardBy(a, 'b', 'here');
    const running = a.request('b', 'never', 'x', longMs);
    await a.request('b', 'here', 'x', longMs);
    expect(await b.settle(20)).toBe(1);
    await a.close();
    expect(await running).toEqual({ kind: 'LOST' });
  });
});

describe('a NATS that cannot be used', () => {
  it('is named, without a password', async () => {
    const { url, port } = await startNats(['--user', 'till', '--pass', 'right']);
    const withUser = (password: string) => url.replace('//', `//till:${password}@`);
    const refused = join(withUser('wrong'), 'a');
    await expect(refused).rejects.toThrow(`NATS at 127.0.0.1:${port} cannot be reached: `);
    await expect(refused).rejects.not.toThrow('wrong');
    const a = await join(withUser('right'), 'a');
    expect(a.isConnected()).toBe(true);
    await servers[0]?.stop();
    await expect(join(url, 'b')).rejects.toMatchObject({ code: 'HOST_UNREACHABLE' });
  });
});

/** Waits until a node answers: a subscription travels after the call that makes it. */
async function heardBy(bus: NodeBus, node: string, subject: string): Promise<void> {
  await until(async () => (await bus.request(node, subject, 'ready', longMs)).kind === 'ANSWERED');
}
