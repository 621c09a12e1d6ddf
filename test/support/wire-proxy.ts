import { connect, createServer, type Server, type Socket } from 'node:net';

type Direction = 'TO_TERMINAL' | 'TO_TILL';

/** One read from one side, before it is handed on. */
export interface WirePoint {
  readonly index: number;
  readonly direction: Direction;
  readonly hex: string;
}

/**
 * A TCP proxy between the till and a terminal. `before` and `after` are called around the hand-over of each read; while `before`
 * is pending, nothing moves in either direction, so a test can kill a process exactly between two messages.
 */
export interface WireProxy {
  readonly port: number;
  /** The plug is out: what is open breaks, and nothing can be opened until it is in again. */
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

export interface WireHooks {
  before?(point: WirePoint): Promise<void>;
  after?(point: WirePoint): Promise<void>;
}

export async function startWireProxy(terminalPort: number, hooks: WireHooks): Promise<WireProxy> {
  const sockets = new Set<Socket>();
  let index = 0;
  let queue = Promise.resolve();
  const relay = (from: Socket, to: Socket, direction: Direction) => {
    from.on('data', (chunk) => {
      queue = queue.then(async () => {
        const point: WirePoint = { index: index++, direction, hex: chunk.toString('hex') };
        await hooks.before?.(point);
        if (!to.destroyed) to.write(chunk);
        await hooks.after?.(point);
      });
    });
    from.on('close', () => {
      queue = queue.then(() => void to.destroy());
    });
    from.on('error', () => from.destroy());
  };
  const server: Server = createServer((till) => {
    const terminal = connect(terminalPort, '127.0.0.1');
    for (const socket of [till, terminal]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => sockets.delete(socket));
    }
    relay(till, terminal, 'TO_TERMINAL');
    relay(terminal, till, 'TO_TILL');
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const { port } = address;
  const unplug = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port, unplug, plugIn: () => listen(port), close: unplug };
}
