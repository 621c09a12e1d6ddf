import { connect, type Socket } from 'node:net';
import { bytesOf, hexOf } from '../../support/hex.ts';

const ACK = '80 00 00';
const WAIT_MS = 20_000;

/** A till that knows nothing but bytes: it cuts the stream by the length bytes and compares hex. */
export interface RawTill {
  send(hex: string): void;
  /** the next APDU; fails when the connection ends first */
  next(): Promise<string>;
  /** sends a command and acknowledges everything until a message of the terminal begins with one of `ends`; gives back all of it */
  run(hex: string, ends?: readonly string[]): Promise<readonly string[]>;
  /** resolves when the terminal has ended the connection */
  closed(): Promise<void>;
  /** bytes that are no whole APDU yet */
  rest(): string;
  end(): void;
}

/** Connects to a terminal as a till would. */
export async function connectRawTill(port: number): Promise<RawTill> {
  const socket = await connected(port);
  let buffer = Buffer.alloc(0);
  const apdus: string[] = [];
  let wake = () => {};
  let isClosed = false;
  socket.on('data', (bytes) => {
    buffer = Buffer.concat([buffer, bytes]);
    for (let size = apduSize(buffer); size !== undefined && buffer.length >= size; size = apduSize(buffer)) {
      apdus.push(hexOf(buffer.subarray(0, size)));
      buffer = buffer.subarray(size);
    }
    wake();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  const until = async (isDone: () => boolean) => {
    const deadline = Date.now() + WAIT_MS;
    while (!isDone()) {
      if (Date.now() > deadline) throw new Error('The terminal did not do what was waited for in time');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const send = (hex: string) => socket.write(bytesOf(hex));
  const next = async () => {
    await until(() => apdus.length > 0 || isClosed);
    const apdu = apdus.shift();
    if (apdu === undefined) throw new Error('The terminal closed the connection');
    return apdu;
  };
  return {
    send,
    next,
    async run(hex, ends = ['06 0F', '06 1E']) {
      send(hex);
      const seen = [await next()];
      while (seen.at(-1)?.startsWith('84') !== true) {
        const message = await next();
        seen.push(message);
        send(ACK);
        if (ends.some((end) => message.startsWith(end))) return seen;
      }
      return seen;
    },
    closed: () => until(() => isClosed),
    rest: () => hexOf(buffer),
    end: () => socket.destroy(),
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function apduSize(buffer: Buffer): number | undefined {
  const [, , length, low, high] = buffer;
  if (length === undefined) return undefined;
  if (length < 0xff) return 3 + length;
  return low === undefined || high === undefined ? undefined : 5 + low + high * 256;
}
