import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Fault, Wires } from './hop.ts';

/** How the bytes of one direction are cut into messages. */
export interface Splitting {
  /** @returns bytes of the first message; undefined: it is not whole yet */
  lengthOf(bytes: Buffer): number | undefined;
  labelOf(message: Buffer): string;
}

/** What can befall a message on a stream. */
const streamFaults: readonly Fault[] = ['LOST', 'CUT_AFTER', 'SWALLOWED', 'DOUBLED', 'TRUNCATED'];

interface StreamHop {
  readonly port: number;
  close(): Promise<void>;
}

/** A TCP line that carries messages, each of which can be disturbed. */
export async function openStreamHop(
  name: string,
  toPort: number,
  splitting: Splitting,
  wires: Wires,
): Promise<StreamHop> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(toPort, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    relayMessages(near, far, splitting, (label) => wires.pass(name, `→ ${label}`, streamFaults));
    relayMessages(far, near, splitting, (label) => wires.pass(name, `← ${label}`, streamFaults));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Hands whole messages on as `judge` says. */
export function relayMessages(
  from: Socket,
  to: Socket,
  { lengthOf, labelOf }: Splitting,
  judge: (label: string) => Fault | undefined,
): void {
  let rest: Buffer = Buffer.alloc(0);
  const breakLine = () => {
    from.destroy();
    to.destroy();
  };
  from.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let length = lengthOf(rest); length !== undefined; length = lengthOf(rest)) {
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      handOn(message, to, breakLine, judge(labelOf(message)));
    }
  });
}

function handOn(message: Buffer, to: Socket, breakLine: () => void, fault: Fault | undefined): void {
  switch (fault) {
    case 'SWALLOWED':
      return;
    case 'LOST':
    case 'LATE':
      breakLine();
      return;
    case 'CUT_AFTER':
      return void to.write(message, breakLine);
    case 'TRUNCATED':
      return void to.write(message.subarray(0, Math.ceil(message.length / 2)), breakLine);
    case 'DOUBLED':
      to.write(message);
      return void to.write(message);
    case undefined:
      to.write(message);
  }
}

const ZVT_LONG_LENGTH = 0xff;

/** ZVT over TCP: class, instruction, length, data; a length of FF is followed by two bytes, the low one first. */
export const zvtMessages: Splitting = {
  lengthOf(bytes) {
    const isLong = bytes[2] === ZVT_LONG_LENGTH;
    if (bytes.length < (isLong ? 5 : 3)) return undefined;
    const length = isLong ? 5 + bytes.readUInt16LE(3) : 3 + (bytes[2] ?? 0);
    return bytes.length < length ? undefined : length;
  },
  labelOf: (message) => `ZVT ${message.subarray(0, 2).toString('hex')}`,
};

/** The acquirer simulator: one JSON object per line. */
export const simulatorLines: Splitting = {
  lengthOf(bytes) {
    const end = bytes.indexOf('\n');
    return end < 0 ? undefined : end + 1;
  },
  labelOf: (message) => String((JSON.parse(message.toString()) as { readonly type?: unknown }).type),
};
