// Where hosts connect: JSON documents, one a line.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { parseStrictJson } from '../../app/contract/json.ts';
import { validate } from '../../app/contract/validate.ts';
import type { Caller } from './desk.ts';
import { MAX_LINE_BYTES, SimulatorRequest } from './protocol.ts';

const LOOPBACK = '127.0.0.1';
const MAX_CONNECTIONS = 256;
const LINE_FEED = 0x0a;

/** A port that cannot be listened on, in a sentence. */
class ListenError extends Error {
  override readonly name = 'ListenError';
}

export interface LineServer {
  readonly port: number;
  /** Drops every connection. */
  dropAll(): void;
  /** Whether new connections are kept; a refused one is closed at once. */
  setAccepting(isAccepting: boolean): void;
  connectionCount(): number;
  /** Lines that were no request; each ended its connection. */
  refusedLines(): number;
  close(): Promise<void>;
}

/** Listens on the loopback interface. @throws ListenError naming the port */
export async function startLineServer(
  wantedPort: number,
  receive: (request: SimulatorRequest, caller: Caller) => void,
): Promise<LineServer> {
  const sockets = new Set<Socket>();
  let isAccepting = true;
  let refusedLines = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    if (!isAccepting || sockets.size >= MAX_CONNECTIONS) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const caller: Caller = {
      send: (text) => {
        if (!socket.destroyed) socket.write(text);
      },
      drop: () => socket.destroySoon(),
    };
    readLines(socket, (line) => {
      const request = readRequest(line);
      if (request !== undefined) {
        receive(request, caller);
        return;
      }
      refusedLines++;
      socket.destroy();
    });
  });
  const port = await listen(server, wantedPort);
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    dropAll,
    setAccepting: (accepting) => {
      isAccepting = accepting;
    },
    connectionCount: () => sockets.size,
    refusedLines: () => refusedLines,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        dropAll();
      }),
  };
}

/** @throws ListenError naming the port */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const cause =
        error.code === 'EADDRINUSE'
          ? 'is in use by another program'
          : `cannot be opened (${error.code ?? error.message})`;
      reject(new ListenError(`Port ${port} ${cause}.`));
    });
    server.listen(port, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
  });
}

function readRequest(line: Uint8Array): SimulatorRequest | undefined {
  try {
    return validate(SimulatorRequest, parseStrictJson(line));
  } catch {
    return undefined;
  }
}

/** Splits what arrives into lines of at most MAX_LINE_BYTES; a longer one ends the connection. */
function readLines(socket: Socket, onLine: (line: Uint8Array) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (let end = rest.indexOf(LINE_FEED); end >= 0 && !socket.destroyed; end = rest.indexOf(LINE_FEED)) {
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      if (line.length > MAX_LINE_BYTES) socket.destroy();
      else onLine(line);
    }
    if (rest.length > MAX_LINE_BYTES) socket.destroy();
  });
}
