import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../../app/ports/clock.ts';
import { type ByteLink, LinkError, type LinkEvents } from './byte-link.ts';

/** How long a second caller waits for the first one's end: a till that was killed and started again may be faster than its old socket. */
const HANDOVER_MS = 300;
/** A connection silent for so long is dropped when somebody else calls; a living till asks for the status every minute. */
const STALE_MS = 120_000;
const KEEP_ALIVE_MS = 10_000;

export interface TcpByteLink extends ByteLink {
  /** the port in use, once started */
  port(): number;
}

/** Listens on a TCP port of this machine for one till at a time; a second one is refused. */
export function createTcpByteLink(options: {
  readonly port: number;
  readonly host: string;
  readonly clock: Clock;
}): TcpByteLink {
  const { clock, host } = options;
  let { port } = options;
  let server: Server | undefined;
  let peer: Socket | undefined;
  let caller: Socket | undefined;
  let lastHeardMs = 0;
  let events: LinkEvents = { onUp: () => {}, onDown: () => {}, onBytes: () => {}, onFailed: () => {} };

  const adopt = (socket: Socket) => {
    peer = socket;
    lastHeardMs = clock.monotonicMs();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('data', (bytes) => {
      lastHeardMs = clock.monotonicMs();
      if (peer === socket) events.onBytes(bytes);
    });
    socket.on('close', () => {
      if (peer !== socket) return;
      peer = undefined;
      events.onDown();
      if (caller !== undefined) adoptCaller(caller);
    });
    socket.resume();
    events.onUp();
  };
  const adoptCaller = (socket: Socket) => {
    caller = undefined;
    if (!socket.destroyed) adopt(socket);
  };
  const accept = (socket: Socket) => {
    // A broken connection also closes: `close` is where it is dealt with.
    socket.on('error', () => socket.destroy());
    if (peer === undefined) {
      adopt(socket);
      return;
    }
    if (clock.monotonicMs() - lastHeardMs > STALE_MS) {
      peer.destroy();
    }
    if (caller !== undefined) {
      socket.destroy();
      return;
    }
    caller = socket;
    socket.pause();
    clock.after(HANDOVER_MS, () => {
      if (caller !== socket) return;
      caller = undefined;
      socket.destroy();
    });
  };
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      const listening = createServer({ pauseOnConnect: true }, accept);
      listening.once('error', (error: NodeJS.ErrnoException) => {
        const cause =
          error.code === 'EADDRINUSE'
            ? 'is in use by another program'
            : `cannot be opened (${error.code ?? error.message})`;
        reject(new LinkError(`TCP port ${port} ${cause}.`));
      });
      listening.listen(port, host, () => {
        server = listening;
        port = (listening.address() as AddressInfo).port;
        resolve();
      });
    });
  const close = () =>
    new Promise<void>((resolve) => {
      caller?.destroy();
      peer?.destroy();
      if (server === undefined) resolve();
      else server.close(() => resolve());
      server = undefined;
    });

  return {
    port: () => port,
    async start(linkEvents) {
      events = linkEvents;
      await listen();
    },
    write(bytes) {
      if (peer?.writable === true) peer.write(bytes);
    },
    dropPeer() {
      const socket = peer;
      socket?.end(() => socket.destroy());
    },
    suspend: close,
    resume: listen,
    stop: close,
  };
}
