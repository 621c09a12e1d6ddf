// The driver over a real socket and a real pseudo terminal.
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Terminal } from '../../app/ports/terminal.ts';
import { createEcr17Terminal } from '../../drivers/ecr17/ecr17-terminal.ts';
import type { SerialLine, TcpLine } from '../../drivers/line-address.ts';
import { createTransportFactory } from '../../drivers/transport/transport-factory.ts';
import { createScriptedEcr17, paid, receipt } from '../support/ecr17-peer.ts';
import { ecr17Settings } from '../support/ecr17-terminal.ts';
import { realClock, until } from '../support/zvt-clock.ts';
import { openPty } from '../support/zvt-pty.ts';
import { hooks, never, question, sale, silentLog } from '../support/zvt-terminal.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(line: TcpLine | SerialLine): Promise<Terminal> {
  const terminal = createEcr17Terminal({
    terminalId: 'till-1',
    clock: realClock,
    log: silentLog,
    settings: { ...ecr17Settings, receipts: 'TILL' },
    line: line.kind,
    createTransport: await createTransportFactory(line, realClock),
  });
  open.push(() => terminal.stop());
  terminal.start();
  return terminal;
}

async function tcpTerminal() {
  const peer = createScriptedEcr17();
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
  return { peer, line: { kind: 'TCP', host: '127.0.0.1', port } as const, end: () => sockets.at(-1)?.end() };
}

const PAID = [{ progress: 'INSERIRE CARTA' }, paid({ amount: 1234 }), receipt('NEGOZIO}')] as const;

describe('over TCP', () => {
  it('connects, sells, and prints', async () => {
    const { peer, line } = await tcpTerminal();
    peer.on('X', PAID);
    const terminal = await start(line);
    await until(() => terminal.status().state === 'IDLE' && peer.count('G') === 1, 'idle');
    const outcome = await (await terminal.prepare(sale(), never)).run(hooks());
    expect(outcome).toMatchObject({ kind: 'APPROVED', chargedMinor: 1234, receipts: [{ kind: 'MERCHANT' }] });
    expect(peer.count('X')).toBe(1);
  });

  it('sells on a terminal that closes the connection after each operation, and is idle between', async () => {
    const { peer, line, end } = await tcpTerminal();
    const terminal = await start(line);
    await until(() => terminal.status().state === 'IDLE' && peer.count('G') === 1, 'idle');
    for (const stan of ['000101', '000102']) {
      peer.on('X', [paid({ amount: 1234, stan })]);
      peer.on('E', 'NAK');
      const outcome = await (await terminal.prepare(sale(), never)).run(hooks());
      expect(outcome).toMatchObject({ kind: 'APPROVED', reference: { stan } });
      peer.on('G', [paid({ amount: 1234, stan })]);
      const before = peer.connections();
      end();
      await new Promise<void>((resolve) => realClock.after(50, resolve));
      expect(terminal.status()).toMatchObject({ connected: true, state: 'IDLE' });
      expect(peer.connections()).toBe(before);
    }
    expect(peer.count('X')).toBe(2);
  });

  it('reconnects after a reset in the middle of a sale, and recovery asks', async () => {
    const { peer, line } = await tcpTerminal();
    const terminal = await start(line);
    await until(() => terminal.status().state === 'IDLE' && peer.count('G') === 1, 'idle');
    peer.on('X', [{ drop: 'reset' }]);
    const exchange = await terminal.prepare(sale(), never);
    expect((await exchange.run(hooks())).kind).toBe('UNKNOWN');
    const answer = await terminal.recover(question(sale(), exchange.mark), never);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED' } });
    expect(peer.count('X')).toBe(1);
    expect(peer.connections()).toBe(2);
  });
});

describe('over a pty', () => {
  it('connects, sells and notices an unplugged cable', async () => {
    const peer = createScriptedEcr17();
    const pty = await openPty();
    open.push(() => pty.close());
    pty.far.on('data', (bytes) => peer.received(bytes));
    peer.connected({ send: (bytes) => pty.far.write(bytes), drop: () => void pty.unplug() });
    const terminal = await start({ kind: 'SERIAL', path: pty.path, baudRate: 9600 });
    await until(() => terminal.status().state === 'IDLE' && peer.count('G') === 1, 'idle');
    peer.on('X', PAID);
    const outcome = await (await terminal.prepare(sale(), never)).run(hooks());
    expect(outcome).toMatchObject({ kind: 'APPROVED', chargedMinor: 1234 });
    await pty.unplug();
    await until(() => !terminal.status().connected, 'unplugged');
    await expect(terminal.prepare(sale(), never)).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    expect(peer.count('X')).toBe(1);
  });
});
