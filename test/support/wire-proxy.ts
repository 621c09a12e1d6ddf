import { connect, createServer, type Server, type Socket } from 'node:net';

type Direction = 'FROM_TILL' | 'TO_TILL';

/** One read from one side, before it is handed on. */
export interface WirePoint {
  readonly index: number;
  readonly direction: Direction;
  readonly hex: string;
}

/**
 * What becomes of a read. LOSE: it never arrives, and its connection breaks, since a connection that lives loses nothing. TRUNCATE: half of it
 * arrives before the connection breaks. DOUBLE: it arrives twice; what the till has said comes the second time over a connection of its own,
 * whose answer nobody reads.
 */
type WireFate = 'PASS' | 'LOSE' | 'TRUNCATE' | 'DOUBLE';

/**
 * A TCP proxy between the till and a terminal or its host. `before` and `after` are called around the hand-over of each read; while `before` is
 * pending, nothing moves in either direction, so a test can delay a message, or kill a process exactly between two of them.
 */
export interface WireProxy {
  readonly port: number;
  /** The plug is out: what is open breaks, and nothing can be opened until it is in again. */
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  /** Connections from now on go to another port; what is open stays where it is. */
  pointTo(peerPort: number): void;
  close(): Promise<void>;
}

export interface WireHooks {
  before?(point: WirePoint): Promise<void>;
  after?(point: WirePoint): Promise<void>;
  /** Asked after `before`; without it everything passes. */
  fateOf?(point: WirePoint): WireFate;
}

/** @param firstPeerPort where the terminal or the host listens on this machine; it may be gone for a while */
export async function startWireProxy(firstPeerPort: number, hooks: WireHooks): Promise<WireProxy> {
  let peerPort = firstPeerPort;
  const sockets = new Set<Socket>();
  let index = 0;
  let queue = Promise.resolve();
  const open = () => track(connect(peerPort, '127.0.0.1'));
  function track(socket: Socket): Socket {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  }
  function handOn(chunk: Buffer, to: Socket, { direction }: WirePoint, fate: WireFate): void {
    if (fate === 'LOSE') to.destroy();
    else if (fate === 'TRUNCATE') to.end(chunk.subarray(0, Math.ceil(chunk.length / 2)));
    else if (!to.destroyed) to.write(chunk);
    if (fate !== 'DOUBLE') return;
    const second = direction === 'TO_TILL' ? to : open().resume();
    second.write(chunk);
  }
  const relay = (from: Socket, to: Socket, direction: Direction) => {
    from.on('data', (chunk: Buffer) => {
      queue = queue.then(async () => {
        const point: WirePoint = { index: index++, direction, hex: chunk.toString('hex') };
        await hooks.before?.(point);
        const fate = hooks.fateOf?.(point) ?? 'PASS';
        handOn(chunk, to, point, fate);
        if (fate === 'LOSE' || fate === 'TRUNCATE') from.destroy();
        await hooks.after?.(point);
      });
    });
    from.on('close', () => {
      queue = queue.then(() => void to.destroy());
    });
  };
  const server: Server = createServer((till) => {
    const peer = open();
    relay(track(till), peer, 'FROM_TILL');
    relay(peer, till, 'TO_TILL');
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
  const pointTo = (next: number) => {
    peerPort = next;
  };
  return { port, unplug, plugIn: () => listen(port), pointTo, close: unplug };
}
