// The driver as the till uses it: by its URL, over a real socket and a real pseudo terminal.
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Terminal } from '../../app/ports/terminal.ts';
import { createTerminal, parseTerminalUrl } from '../../drivers/registry.ts';
import { vectorHex } from '../support/vectors.ts';
import { realClock, until } from '../support/zvt-clock.ts';
import { CARD_PART, createScriptedTerminal, DONE, OK, payment } from '../support/zvt-peer.ts';
import { openPty } from '../support/zvt-pty.ts';
import { createSerialSide } from '../support/zvt-serial-side.ts';
import { hooks, never, question, sale, silentLog } from '../support/zvt-terminal.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const approved = [
  OK,
  vectorHex('portalum-interim-0a'),
  payment({ amount: 1234, more: CARD_PART }),
  vectorHex('portalum-line-b01'),
  vectorHex('portalum-line-b34'),
  DONE,
];

async function start(url: string): Promise<Terminal> {
  const terminal = await createTerminal(parseTerminalUrl(url), {
    terminalId: 'till-1',
    clock: realClock,
    log: silentLog,
  });
  open.push(() => terminal.stop());
  terminal.start();
  return terminal;
}

async function tcpTerminal() {
  const peer = createScriptedTerminal();
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => peer.received(bytes));
    socket.on('close', () => peer.disconnected());
    peer.connected({ send: (bytes) => socket.write(bytes), drop: () => socket.resetAndDestroy() });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  open.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    peer,
    url: `zvt+tcp://127.0.0.1:${port}?password=000000&currency=EUR`,
    drop: () => sockets.at(-1)?.resetAndDestroy(),
  };
}

describe('over TCP', () => {
  it('connects, sells, and prints', async () => {
    const { peer, url } = await tcpTerminal();
    const terminal = await start(url);
    await until(() => terminal.status().state === 'IDLE' && peer.count('06 20') === 1, 'idle');
    peer.on('06 01', approved);
    const outcome = await (await terminal.prepare(sale(), never)).run(hooks());
    expect(outcome).toMatchObject({ kind: 'APPROVED', chargedMinor: 1234, receipts: [{ kind: 'MERCHANT' }] });
    expect(peer.count('06 01')).toBe(1);
  });

  it('reconnects after a reset in the middle of a sale, and recovery asks', async () => {
    const { peer, url } = await tcpTerminal();
    const terminal = await start(url);
    await until(() => terminal.status().state === 'IDLE' && peer.count('06 20') === 1, 'idle');
    peer.on('06 01', [OK, vectorHex('portalum-interim-0a'), { drop: true }]);
    const exchange = await terminal.prepare(sale(), never);
    expect((await exchange.run(hooks())).kind).toBe('UNKNOWN');
    const answer = await terminal.recover(question(sale(), exchange.mark), never);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED' } });
    expect(peer.count('06 01')).toBe(1);
    expect(peer.connections()).toBe(2);
  });

  it('stops while it connects, and again, without leaving anything', async () => {
    const terminal = await start('zvt+tcp://127.0.0.1:1');
    await Promise.all([terminal.stop(), terminal.stop()]);
    expect(terminal.status().connected).toBe(false);
  });
});

describe('over a pty', () => {
  it('connects, sells and notices an unplugged cable', async () => {
    const peer = createScriptedTerminal();
    const side = createSerialSide(peer);
    const pty = await openPty();
    open.push(() => pty.close());
    pty.far.on('data', (bytes) => side.received(bytes));
    side.connected({ send: (bytes) => pty.far.write(bytes), drop: () => void pty.unplug() });
    const terminal = await start(`zvt+serial://${pty.path}?baudRate=9600`);
    await until(() => terminal.status().state === 'IDLE' && peer.count('06 20') === 1, 'idle');
    peer.on('06 01', approved);
    const outcome = await (await terminal.prepare(sale(), never)).run(hooks());
    expect(outcome).toMatchObject({ kind: 'APPROVED', chargedMinor: 1234 });
    await pty.unplug();
    await until(() => !terminal.status().connected, 'unplugged');
    await expect(terminal.prepare(sale(), never)).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    expect(peer.count('06 01')).toBe(1);
  });
});
