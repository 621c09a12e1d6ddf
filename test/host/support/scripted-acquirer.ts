import { type AddressInfo, createServer, type Socket } from 'node:net';
import { until } from './until.ts';

/**
 * An acquirer that says only what a test has written down. Messages are written as bytes in hex and as text in quotes, in the order of the wire:
 * `"0810" 82 20 00 00 02 00 00 00 "1128111500" …`; the length in front is added.
 */
export interface ScriptedAcquirer {
  readonly port: number;
  /** The next message of the host, as upper-case hex without its length. */
  next(): Promise<string>;
  /** Messages that came and were not read yet. */
  unread(): number;
  say(...messages: readonly string[]): void;
  /** Bytes as they are, in these pieces. */
  sayBytes(...pieces: readonly Buffer[]): void;
  /** Ends the connection. */
  drop(): void;
  /** Connections so far. */
  connections(): number;
  isConnected(): boolean;
  close(): Promise<void>;
}

/** A message as bytes. */
export function bytesOf(notation: string): Buffer {
  const parts = notation.match(/"[^"]*"|[0-9A-Fa-f]{2}/g) ?? [];
  return Buffer.concat(
    parts.map((part) => (part.startsWith('"') ? Buffer.from(part.slice(1, -1), 'latin1') : Buffer.from(part, 'hex'))),
  );
}

/** A message as hex, to compare with what came. */
export function hexOf(notation: string): string {
  return bytesOf(notation).toString('hex').toUpperCase();
}

export function framed(notation: string): Buffer {
  const bytes = bytesOf(notation);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

export async function openScriptedAcquirer(): Promise<ScriptedAcquirer> {
  const received: string[] = [];
  let socket: Socket | undefined;
  let connections = 0;
  const server = createServer({ noDelay: true }, (made) => {
    connections++;
    socket = made;
    let rest = Buffer.alloc(0);
    made.on('error', () => {});
    made.on('close', () => {
      if (socket === made) socket = undefined;
    });
    made.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE()) {
        const end = 2 + rest.readUInt16BE();
        received.push(rest.subarray(2, end).toString('hex').toUpperCase());
        rest = rest.subarray(end);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const sayBytes = (...pieces: readonly Buffer[]) => {
    for (const piece of pieces) socket?.write(piece);
  };
  return {
    port: (server.address() as AddressInfo).port,
    async next() {
      await until(() => received.length > 0);
      return received.shift() ?? '';
    },
    unread: () => received.length,
    say: (...messages) => sayBytes(Buffer.concat(messages.map(framed))),
    sayBytes,
    drop: () => socket?.destroy(),
    connections: () => connections,
    isConnected: () => socket !== undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        socket?.destroy();
      }),
  };
}
