import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTcpTransport, describeConnectError } from '../../drivers/transport/tcp-transport.ts';
import type { Transport, TransportListeners } from '../../drivers/transport/transport.ts';
import { createManualClock, realClock, until } from '../support/zvt-clock.ts';

const never = new AbortController().signal;
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

async function listen(onConnection: (socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  open.push({ close: () => new Promise((resolve) => server.close(resolve)) });
  return { port: typeof address === 'object' && address !== null ? address.port : 0, server };
}

interface Heard extends TransportListeners {
  readonly bytes: number[];
  readonly closes: string[];
}

function listeners(): Heard {
  const bytes: number[] = [];
  const closes: string[] = [];
  return { bytes, closes, onData: (chunk) => void bytes.push(...chunk), onClose: (reason) => void closes.push(reason) };
}

function connectTo(port: number, heard: Heard): Transport {
  const transport = createTcpTransport({ host: '127.0.0.1', port, clock: realClock }, heard);
  open.push(transport);
  return transport;
}

describe('a TCP connection', () => {
  it('carries bytes both ways and closes once', async () => {
    const { port } = await listen((socket) => socket.on('data', (bytes) => socket.write(bytes)).on('error', () => {}));
    const heard = listeners();
    const transport = connectTo(port, heard);
    await transport.open(never);
    await transport.write(Uint8Array.of(1, 2, 3));
    await until(() => heard.bytes.length === 3, 'echo');
    await Promise.all([transport.close(), transport.close()]);
    await transport.close();
    expect(heard.closes).toEqual(['closed by the till']);
  });

  it('refuses a write before it is open, while it closes and afterwards, and is not opened again', async () => {
    const received: number[] = [];
    const { port } = await listen((socket) =>
      socket.on('data', (bytes) => received.push(...bytes)).on('error', () => {}),
    );
    const transport = connectTo(port, listeners());
    await expect(transport.write(Uint8Array.of(1))).rejects.toMatchObject({ kind: 'CLOSED' });
    await transport.open(never);
    const closing = transport.close();
    await expect(transport.write(Uint8Array.of(2))).rejects.toMatchObject({ kind: 'CLOSED' });
    await closing;
    await expect(transport.write(Uint8Array.of(3))).rejects.toMatchObject({ kind: 'CLOSED' });
    await expect(transport.open(never)).rejects.toMatchObject({ kind: 'CLOSED' });
    expect(received).toEqual([]);
  });

  it('tells when the terminal closes, and when it is gone without a word', async () => {
    const sockets: Socket[] = [];
    const { port } = await listen((socket) => sockets.push(socket.on('error', () => {})));
    const first = listeners();
    await connectTo(port, first).open(never);
    await until(() => sockets.length === 1, 'connection');
    sockets[0]?.end();
    await until(() => first.closes.length === 1, 'close');
    const second = listeners();
    await connectTo(port, second).open(never);
    await until(() => sockets.length === 2, 'second connection');
    sockets[1]?.resetAndDestroy();
    await until(() => second.closes.length === 1, 'reset');
    expect(first.closes).toEqual(['closed by the terminal']);
  });

  it('tells a refused connection from an unknown name', async () => {
    const { port, server } = await listen(() => {});
    await new Promise((resolve) => server.close(resolve));
    await expect(connectTo(port, listeners()).open(never)).rejects.toMatchObject({ kind: 'REFUSED' });
    const unknown = createTcpTransport(
      { host: 'no-such-terminal.invalid', port: 20007, clock: realClock },
      listeners(),
    );
    await expect(unknown.open(never)).rejects.toMatchObject({ kind: 'NAME_NOT_FOUND' });
  });

  it.each([
    ['EHOSTUNREACH', 'NO_ROUTE'],
    ['ENETUNREACH', 'NO_ROUTE'],
    ['ETIMEDOUT', 'SILENT'],
    ['EMFILE', 'OTHER'],
  ])('names %s as %s with the address', (code, kind) => {
    const error = describeConnectError(Object.assign(new Error('x'), { code }), '10.0.0.9:20007');
    expect(error.kind).toBe(kind);
    expect(error.message).toContain('10.0.0.9:20007');
  });

  it('gives an address up that does not answer in time, and names it', async () => {
    const { port } = await listen((socket) => socket.on('error', () => {}));
    // Its time is over before the answer can come.
    const clock = {
      ...createManualClock(),
      after(_: number, callback: () => void) {
        queueMicrotask(callback);
        return () => {};
      },
    };
    const heard = listeners();
    const transport = createTcpTransport({ host: '127.0.0.1', port, clock }, heard);
    await expect(transport.open(never)).rejects.toMatchObject({
      kind: 'SILENT',
      message: `No answer from 127.0.0.1:${port} within 5 s.`,
    });
    await expect(transport.write(Uint8Array.of(1))).rejects.toMatchObject({ kind: 'CLOSED' });
    expect(heard.closes).toEqual([]);
  });

  it('that is given up while it opens leaves nothing open and calls nobody', async () => {
    const { port } = await listen((socket) => socket.on('error', () => {}));
    const heard = listeners();
    const caller = new AbortController();
    const transport = connectTo(port, heard);
    const opening = transport.open(caller.signal);
    caller.abort();
    await expect(opening).rejects.toMatchObject({ kind: 'CLOSED' });
    expect(heard.closes).toEqual([]);
  });
});
