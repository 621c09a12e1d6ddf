import { connect } from 'node:net';
import { SerialPort } from 'serialport';

const WAIT_MS = 20_000;
/** What the variant of the checksum adds to that of the text, by the name on the command line. */
const MARKS: Readonly<Record<string, number>> = { std: 0, stx: 0x02 ^ 0x03, noext: 0x03, 'stx-noext': 0x02 };

/** A till that knows the frame of ECR17 and nothing else; its checksum is computed here. */
export interface RawEcr17Till {
  /** writes bytes as they are */
  write(...bytes: readonly number[]): void;
  /** writes a text as a frame */
  send(text: string): void;
  acknowledge(): void;
  refuse(): void;
  /** the next thing that came: ACK, NAK, `… text` for progress, `BAD text` with a wrong checksum, a text, `?` for a byte that is none of these */
  next(): Promise<string>;
  /** the next text, with nothing but progress, acknowledgements and noise before it */
  nextText(): Promise<string>;
  /** sends a text and acknowledges all that comes until a result; gives that back */
  run(text: string): Promise<string>;
  /** resolves when the terminal has ended the connection */
  closed(): Promise<void>;
  end(): void;
}

interface Line {
  write(bytes: Buffer): void;
  onData(listener: (bytes: Buffer) => void): void;
  onClose(listener: () => void): void;
  end(): void;
}

export async function connectEcr17Till(port: number, lrc = 'std'): Promise<RawEcr17Till> {
  const socket = connect({ port, host: '127.0.0.1' });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  return createTill(
    {
      write: (bytes) => socket.write(bytes),
      onData: (listener) => socket.on('data', listener),
      onClose: (listener) => socket.on('close', listener),
      end: () => socket.destroy(),
    },
    lrc,
  );
}

export async function openSerialEcr17Till(path: string): Promise<RawEcr17Till> {
  const port = new SerialPort({ path, baudRate: 9600, autoOpen: false });
  await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
  port.on('error', () => {});
  return createTill(
    {
      write: (bytes) => port.write(bytes),
      onData: (listener) => port.on('data', listener),
      onClose: (listener) => port.on('close', listener),
      end: () => port.close(() => {}),
    },
    'std',
  );
}

function createTill(line: Line, lrc: string): RawEcr17Till {
  const marks = MARKS[lrc] ?? 0;
  let buffer = '';
  let isClosed = false;
  let wake = () => {};
  line.onData((bytes) => {
    buffer += bytes.toString('latin1');
    wake();
  });
  line.onClose(() => {
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
  const checksum = (text: string) => [...text].reduce((sum, character) => sum ^ character.charCodeAt(0), 0x7f) ^ marks;
  const write = (...bytes: readonly number[]) => line.write(Buffer.from(bytes));
  const send = (text: string) => {
    const bytes = [...text].map((character) => character.charCodeAt(0));
    write(0x02, ...bytes, 0x03, checksum(text));
  };
  const acknowledge = () => write(0x06, 0x03, checksum('\u0006'));
  const next = async () => {
    await until(() => itemIn(buffer) !== undefined || isClosed);
    const item = itemIn(buffer);
    if (item === undefined) throw new Error('The terminal closed the connection');
    const taken = buffer.slice(0, item.size);
    buffer = buffer.slice(item.size);
    if (item.kind === 'control') return taken.charCodeAt(0) === 0x06 ? 'ACK' : 'NAK';
    if (item.kind === 'progress') return `… ${taken.slice(1, -1).trimEnd()}`;
    if (item.kind === 'noise') return '?';
    const text = taken.slice(1, -2);
    return taken.charCodeAt(taken.length - 1) === checksum(text) ? text : `BAD ${text}`;
  };
  const nextText = async () => {
    for (let item = await next(); ; item = await next()) if (!/^(ACK$|…|\?$)/.test(item)) return item;
  };
  return {
    write,
    send,
    acknowledge,
    refuse: () => write(0x15, 0x03, checksum('\u0015')),
    next,
    nextText,
    async run(text) {
      send(text);
      const result = await nextText();
      acknowledge();
      return result;
    },
    closed: () => until(() => isClosed),
    end: line.end,
  };
}

/** The first thing in what came; undefined while it is not whole. */
function itemIn(buffer: string): { readonly kind: string; readonly size: number } | undefined {
  switch (buffer.charCodeAt(0)) {
    case 0x02: {
      const end = buffer.indexOf('\u0003');
      return end < 0 || buffer.length < end + 2 ? undefined : { kind: 'text', size: end + 2 };
    }
    case 0x01: {
      const end = buffer.indexOf('\u0004');
      return end < 0 ? undefined : { kind: 'progress', size: end + 1 };
    }
    case 0x06:
    case 0x15:
      return buffer.length < 3 ? undefined : { kind: 'control', size: 3 };
    default:
      return buffer === '' ? undefined : { kind: 'noise', size: 1 };
  }
}
