// The driver over a real socket, as the till uses it.
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Terminal } from '../../app/ports/terminal.ts';
import { createCaisseApTerminal } from '../../drivers/caisse-ap/caisse-ap-terminal.ts';
import { createTcpTransport } from '../../drivers/transport/tcp-transport.ts';
import { vector } from '../support/vectors.ts';
import { realClock, until } from '../support/zvt-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';
import { hooks, never, sale, settings } from './support/rig.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

type Answer = (socket: Socket) => void;

async function startServer(answer: () => Answer) {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      requests.push(bytes.toString('latin1'));
      answer()(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  open.push(stop);
  return { port, requests, sockets, stop };
}

function start(port: number): Terminal {
  const terminal = createCaisseApTerminal({
    terminalId: 'till-1',
    clock: realClock,
    log: silentLog,
    settings,
    createTransport: (listeners) => createTcpTransport({ host: '127.0.0.1', port, clock: realClock }, listeners),
  });
  open.push(() => terminal.stop());
  terminal.start();
  return terminal;
}

async function pay(terminal: Terminal) {
  return (await terminal.prepare(sale(), never())).run(hooks());
}

describe('over TCP', () => {
  it('connects, sells by a reply in three reads, and holds no connection afterwards', async () => {
    const reply = vector('three-reads-boundary');
    const { port, requests, sockets } = await startServer(() => (socket) => {
      socket.write(reply.subarray(0, 57));
      setTimeout(() => socket.write(reply.subarray(57, 66)), 40);
      setTimeout(() => socket.write(reply.subarray(66)), 80);
    });
    const terminal = start(port);
    await until(() => terminal.status().state === 'IDLE', 'idle');
    expect(await pay(terminal)).toMatchObject({ kind: 'APPROVED', chargedMinor: 1_000 });
    expect(requests).toEqual([Buffer.from(vector('sale-1000')).toString('latin1')]);
    await until(() => sockets.every(({ destroyed }) => destroyed), 'no connection');
    expect(terminal.status()).toMatchObject({ connected: true, state: 'IDLE' });
  });

  it('takes a reply whose terminal closes behind it, without waiting for more', async () => {
    const { port } = await startServer(() => (socket) => socket.end(vector('reply-done-min')));
    const terminal = start(port);
    await until(() => terminal.status().state === 'IDLE', 'idle');
    expect((await pay(terminal)).kind).toBe('APPROVED');
  });

  it('ends unknown after a reset in the middle of the reply, and the next sale works at once', async () => {
    const answers: Answer[] = [
      (socket) => socket.write(vector('cut-in-value'), () => socket.resetAndDestroy()),
      (socket) => socket.write(vector('reply-done')),
    ];
    const { port, requests } = await startServer(() => answers.shift() ?? (() => undefined));
    const terminal = start(port);
    await until(() => terminal.status().state === 'IDLE', 'idle');
    expect((await pay(terminal)).kind).toBe('UNKNOWN');
    expect((await pay(terminal)).kind).toBe('APPROVED');
    expect(requests).toHaveLength(2);
  });

  it('says that nothing listens there, at once', async () => {
    const { port, stop } = await startServer(() => () => undefined);
    const terminal = start(port);
    await until(() => terminal.status().state === 'IDLE', 'idle');
    await stop();
    await expect(pay(terminal)).rejects.toMatchObject({
      code: 'TERMINAL_UNREACHABLE',
      message: expect.stringContaining('refuses the connection'),
    });
    await until(() => !terminal.status().connected, 'known to be away');
  });
});
