import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A receipt printer on the network that decodes what arrives, for tests. */
export interface VirtualPrinter {
  readonly url: string;
  /** What is on paper: one text for each cut piece. */
  readonly pieces: readonly string[];
  /** Every byte that arrived, over all connections. */
  readonly bytes: readonly number[];
  /** Commands that the decoder does not know: nothing of ours sends any. */
  readonly strange: readonly string[];
  /** How it behaves from now on. SILENT: prints and tells nothing. HALF_OPEN: takes the line and reads nothing. */
  behave(as: 'WELL' | 'NO_PAPER' | 'COVER_OPEN' | 'PAPER_ENDS_WHILE_PRINTING' | 'SILENT' | 'HALF_OPEN'): void;
  /** Switches it off, and on at the same address. */
  off(): Promise<void>;
  on(): Promise<void>;
}

type Behaviour = Parameters<VirtualPrinter['behave']>[0];

/** Commands with their parameters: the decoder knows their lengths, as a printer must. */
const lengths: Readonly<Record<string, number>> = {
  '1b40': 0,
  '1c2e': 0,
  '1b4d': 1,
  '1b74': 1,
  '1b45': 1,
  '1b61': 1,
  '1d21': 1,
  '1d56': 1,
  '1d72': 1,
  '1004': 1,
};

export async function startVirtualPrinter(): Promise<VirtualPrinter> {
  const pieces: string[] = [];
  const bytes: number[] = [];
  const strange: string[] = [];
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = 'WELL';
  let paper = '';
  let server: Server | undefined;
  let port = 0;

  const isOut = () => behaviour === 'NO_PAPER';
  function realTime(question: number): number {
    if (question === 1) return isOut() || behaviour === 'COVER_OPEN' ? 0x1a : 0x12;
    if (question === 2) return behaviour === 'COVER_OPEN' ? 0x16 : isOut() ? 0x32 : 0x12;
    return isOut() ? 0x72 : 0x12;
  }

  function serve(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    if (behaviour === 'HALF_OPEN') return void socket.pause();
    let rest: number[] = [];
    const answer = (byte: number) => {
      if (behaviour !== 'SILENT') socket.write(Uint8Array.of(byte));
    };
    socket.on('data', (chunk: Buffer) => {
      bytes.push(...chunk);
      rest.push(...chunk);
      while (rest.length > 0) {
        const used = step(rest, answer);
        if (used === 0) return;
        rest = rest.slice(used);
      }
    });
  }

  /** Bytes of the next item; 0 while it is not complete. */
  function step(at: readonly number[], answer: (byte: number) => void): number {
    const [first = 0, second, parameter = 0] = at;
    if (first === 0x0a) {
      paper += '\n';
      return 1;
    }
    if (first >= 0x20) {
      paper += String.fromCharCode(first);
      return 1;
    }
    if (second === undefined) return 0;
    const name = Buffer.from([first, second]).toString('hex');
    const length = lengths[name];
    if (length === undefined) {
      strange.push(name);
      return 1;
    }
    if (at.length < 2 + length) return 0;
    if (name === '1004') answer(realTime(parameter));
    if (name === '1d72') {
      if (behaviour === 'PAPER_ENDS_WHILE_PRINTING') behaviour = 'NO_PAPER';
      else answer(0x00);
    }
    if (name === '1d56') {
      pieces.push(paper);
      paper = '';
    }
    return 2 + length;
  }

  function listen(): Promise<void> {
    const made = createServer(serve);
    server = made;
    return new Promise((resolve) => {
      made.listen(port, '127.0.0.1', () => {
        port = (made.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  await listen();
  return {
    get url() {
      return `escpos+tcp://127.0.0.1:${port}`;
    },
    pieces,
    bytes,
    strange,
    behave(as) {
      behaviour = as;
    },
    async off() {
      for (const socket of sockets) socket.destroy();
      const closing = server;
      if (closing?.listening === true) await new Promise((resolve) => closing.close(resolve));
    },
    on: listen,
  };
}
