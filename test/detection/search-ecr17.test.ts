import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { TerminalProtocol } from '../../app/contract/console/terminals.ts';
import { Secret } from '../../app/domain/secret.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import { createTerminalFinder } from '../../drivers/detection/terminal-finder.ts';
import { describeFinding, type Finding, surveyOf } from '../../main/survey.ts';
import { bytesOf } from '../support/hex.ts';
import { vector } from '../support/vectors.ts';
import { realClock } from '../support/zvt-clock.ts';
import { openPty, type Pty } from '../support/zvt-pty.ts';

const never = new AbortController().signal;
const money = { password: new Secret('000000'), currency: 'EUR' };
const noTerminal = (): Promise<Terminal> => Promise.reject(new Error('a search makes no terminal'));
const finder = createTerminalFinder({ clock: realClock, createTerminal: noTerminal });

const servers: Server[] = [];
const ptys: Pty[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  for (const pty of ptys.splice(0)) await pty.close();
});

/** The check byte of the status question 000000000s in each variant (test/fixtures/protocols/ecr17.json, status-request-any). */
const checkBytes = { STD: 0x3c, STX: 0x3d, NOEXT: 0x3f, STX_NOEXT: 0x3e } as const;
type Lrc = keyof typeof checkBytes;
/** The status V1.2.3 (reply-status), and how its check byte is counted. */
const statusIn = { STD: 0x63, STX: 0x62, NOEXT: 0x60, STX_NOEXT: 0x61 } as const;
const acknowledgementIn = { STD: 'ack-std', STX: 'ack-stx', NOEXT: 'ack-noext', STX_NOEXT: 'ack-stx_noext' } as const;
const nak = vector('nak-real-move3500');

function statusReply(lrc: Lrc): Uint8Array {
  const frame = vector('reply-status');
  return Uint8Array.of(...frame.subarray(0, -1), statusIn[lrc]);
}

type Answer = (heard: Uint8Array, far: Socket) => void;

/** Takes the question in one variant only, and does `otherwise` with everything else. */
const terminalIn =
  (lrc: Lrc, otherwise: 'REFUSES' | 'IS_SILENT' | 'CLOSES' = 'REFUSES'): Answer =>
  (heard, far) => {
    // Acknowledgements of the till want no answer.
    if (heard[0] === 0x06) return;
    if (heard[0] === 0x02 && heard.at(-1) === checkBytes[lrc]) {
      far.write(vector(acknowledgementIn[lrc]));
      far.write(statusReply(lrc));
    } else if (otherwise === 'REFUSES') far.write(nak);
    else if (otherwise === 'CLOSES') far.destroy();
  };

interface Device {
  readonly port: number;
  readonly heard: Uint8Array[];
}

async function deviceAt(answer: Answer, greeting?: Uint8Array): Promise<Device> {
  const heard: Uint8Array[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (greeting !== undefined) socket.write(greeting);
    socket.on('data', (bytes) => {
      heard.push(new Uint8Array(bytes));
      answer(new Uint8Array(bytes), socket);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, heard };
}

async function portWith(answer: Answer): Promise<string> {
  const pty = await openPty();
  ptys.push(pty);
  pty.far.on('data', (bytes) => answer(new Uint8Array(bytes), pty.far));
  return pty.path;
}

const inNetwork = (port: number, protocol?: TerminalProtocol) => ({
  line: { kind: 'TCP', host: '127.0.0.1', port } as const,
  ...(protocol === undefined ? {} : { protocol }),
  ...money,
});

describe('a search for an ECR17 terminal', () => {
  it.each(['STD', 'STX', 'NOEXT', 'STX_NOEXT'] as const)(
    'finds out that its check byte is %s, by one question that moves nothing',
    async (lrc) => {
      const { port, heard } = await deviceAt(terminalIn(lrc));
      expect(await finder.search(inNetwork(port, 'ECR17'), never)).toEqual({
        kind: 'FOUND',
        protocol: 'ECR17',
        lrc,
        firmwareVersion: 'V1.2.3',
      });
      const questions = heard.filter(([first]) => first === 0x02);
      const expected = vector('status-request-any').subarray(0, -1);
      for (const question of questions) expect(question.subarray(0, -1)).toEqual(expected);
      // The reply is acknowledged, so that the terminal does not repeat it to whoever comes next.
      await expect.poll(() => heard.at(-1)).toEqual(vector(acknowledgementIn[lrc]));
    },
  );

  it('asks on with terminals that say nothing to a wrong check byte, or close the connection', async () => {
    const silent = await deviceAt(terminalIn('NOEXT', 'IS_SILENT'));
    expect(await finder.search(inNetwork(silent.port, 'ECR17'), never)).toMatchObject({ kind: 'FOUND', lrc: 'NOEXT' });
    const closing = await deviceAt(terminalIn('STX_NOEXT', 'CLOSES'));
    expect(await finder.search(inNetwork(closing.port, 'ECR17'), never)).toMatchObject({ lrc: 'STX_NOEXT' });
  }, 20_000);

  it('goes by the check byte of the reply where a terminal takes any', async () => {
    const { port } = await deviceAt((heard, far) => {
      if (heard[0] === 0x02) far.write(Uint8Array.of(...vector('ack-noext'), ...statusReply('NOEXT')));
    });
    expect(await finder.search(inNetwork(port, 'ECR17'), never)).toMatchObject({ kind: 'FOUND', lrc: 'NOEXT' });
  });

  it('tells a terminal that acknowledges and never replies by its acknowledgement', async () => {
    const { port } = await deviceAt((heard, far) => {
      if (heard.at(-1) === checkBytes.STX) far.write(vector('ack-stx'));
    });
    expect(await finder.search(inNetwork(port, 'ECR17'), never)).toEqual({
      kind: 'FOUND',
      protocol: 'ECR17',
      lrc: 'STX',
    });
  }, 20_000);

  it('names one that refuses the question in every variant', async () => {
    const { port, heard } = await deviceAt((_heard, far) => far.write(nak));
    expect(await finder.search(inNetwork(port, 'ECR17'), never)).toMatchObject({
      problem: 'REFUSES',
      answeredBy: 'ECR17',
    });
    expect(heard.map((question) => question.at(-1))).toEqual([0x3c, 0x3f, 0x3d, 0x3e]);
  });

  it('names a ZVT terminal, and the reverse', async () => {
    // 80 00 00 to the status enquiry 05 01; everything else is read and not understood.
    const zvt = await deviceAt((heard, far) => {
      if (heard[0] === 0x05 && heard[1] === 0x01) far.write(Uint8Array.of(0x80, 0x00, 0x00));
    });
    expect(await finder.search(inNetwork(zvt.port, 'ECR17'), never)).toMatchObject({
      problem: 'FOREIGN',
      answeredBy: 'ZVT',
      words: `127.0.0.1:${zvt.port} answers as ZVT, not as ECR17.`,
    });
    const ecr17 = await deviceAt(terminalIn('STD'));
    expect(await finder.search(inNetwork(ecr17.port, 'ZVT'), never)).toMatchObject({
      problem: 'FOREIGN',
      answeredBy: 'ECR17',
    });
  }, 30_000);

  it('knows one on a serial port that answers to nothing else', async () => {
    const path = await portWith(terminalIn('STX'));
    const line = { kind: 'SERIAL', path, baudRate: 9_600 } as const;
    expect(await finder.search({ line, ...money, protocol: 'ECR17' }, never)).toMatchObject({ lrc: 'STX' });
    expect(await finder.search({ line, ...money }, never)).toMatchObject({ protocol: 'ECR17', lrc: 'STX' });
  }, 60_000);

  it('ends at once when it is stopped', async () => {
    const { port } = await deviceAt(() => {});
    const stop = new AbortController();
    const search = finder.search(inNetwork(port, 'ECR17'), stop.signal);
    stop.abort();
    await expect(search).rejects.toThrow();
  });
});

describe('a search without a protocol', () => {
  it('finds out what is spoken there', async () => {
    const ecr17 = await deviceAt(terminalIn('NOEXT'));
    expect(await finder.search(inNetwork(ecr17.port), never)).toMatchObject({ protocol: 'ECR17', lrc: 'NOEXT' });
    const zvt = await deviceAt((heard, far) => {
      if (heard[0] === 0x05) far.write(Uint8Array.of(0x80, 0x00, 0x00));
    });
    expect(await finder.search(inNetwork(zvt.port), never)).toEqual({ kind: 'FOUND', protocol: 'ZVT' });
  }, 20_000);

  it('asks nothing more of what greets in words', async () => {
    const { port, heard } = await deviceAt(() => {}, bytesOf('00 00 00 06 49 6E 67 65 6E 31'));
    expect(await finder.search(inNetwork(port), never)).toMatchObject({ problem: 'FOREIGN', answeredBy: 'Ingen1' });
    expect(heard).toHaveLength(1);
  }, 20_000);

  it('says that nothing answers when nothing does', async () => {
    const { port } = await deviceAt(() => {});
    expect(await finder.search(inNetwork(port), never)).toMatchObject({ problem: 'NO_ANSWER' });
  }, 30_000);
});

describe('a search for a Caisse-AP terminal', () => {
  it('sends nothing, and says that nothing more is known than that somebody listens', async () => {
    const { port, heard } = await deviceAt(() => {});
    expect(await finder.search(inNetwork(port, 'CAISSE_AP'), never)).toEqual({
      kind: 'FOUND',
      protocol: 'CAISSE_AP',
      isUnproven: true,
    });
    expect(heard).toEqual([]);
  });

  it('is not what speaks first, nor what closes at once, nor a port on which nothing listens', async () => {
    const greeter = await deviceAt(() => {}, bytesOf('00 00 00 06 49 6E 67 65 6E 31'));
    expect(await finder.search(inNetwork(greeter.port, 'CAISSE_AP'), never)).toMatchObject({ problem: 'NOT_READABLE' });
    const server = createServer((socket) => socket.destroy());
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const closer = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await finder.search(inNetwork(closer, 'CAISSE_AP'), never)).toMatchObject({ problem: 'NO_ANSWER' });
    expect(await finder.search(inNetwork(1, 'CAISSE_AP'), never)).toMatchObject({ problem: 'REFUSED' });
  });

  it('has no serial line', async () => {
    const line = { kind: 'SERIAL', path: '/dev/ttyS0', baudRate: 9_600 } as const;
    await expect(finder.search({ line, ...money, protocol: 'CAISSE_AP' }, never)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('ends at once when it is stopped', async () => {
    const { port } = await deviceAt(() => {});
    const stop = new AbortController();
    const search = finder.search(inNetwork(port, 'CAISSE_AP'), stop.signal);
    stop.abort();
    await expect(search).rejects.toThrow();
  });
});

describe('the address of what was found', () => {
  it('has its protocol and its check byte, and no password of another protocol', () => {
    const line = { kind: 'TCP', host: '::1', port: 10_000 } as const;
    expect(finder.urlOf({ line, protocol: 'ECR17', lrc: 'STX_NOEXT', ...money })).toBe(
      'ecr17+tcp://[::1]:10000?lrc=stx-noext&currency=EUR',
    );
    const port = { kind: 'SERIAL', path: '/dev/ttyS0', baudRate: 9_600 } as const;
    expect(finder.urlOf({ line: port, protocol: 'ECR17', ...money })).toBe(
      'ecr17+serial:///dev/ttyS0?baudRate=9600&currency=EUR',
    );
    expect(finder.urlOf({ line, protocol: 'CAISSE_AP', ...money })).toBe('caisse-ap+tcp://[::1]:10000?currency=EUR');
    expect(finder.lineOf('ecr17+tcp://h:20007')).toBe(finder.lineOf('zvt+tcp://H'));
  });

  it('is what npm run detect prints', async () => {
    const path = await portWith(terminalIn('NOEXT'));
    const all: Finding[] = [];
    for await (const finding of surveyOf(finder, { port: path, asksAllSpeeds: false, currency: 'EUR' }, never))
      all.push(finding);
    expect(all.map(describeFinding)).toEqual([
      `${path}\n  speaks ECR17, V1.2.3\n  npm start -- --terminal "ecr17+serial://${path}?baudRate=115200&lrc=noext&currency=EUR"`,
    ]);
  }, 60_000);
});
