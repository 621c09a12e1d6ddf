import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../app/domain/secret.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import type { TerminalFinder } from '../../app/ports/terminal-finder.ts';
import { groupNameOf } from '../../drivers/detection/port-facts.ts';
import { createTerminalFinder } from '../../drivers/detection/terminal-finder.ts';
import { createSerialTransport } from '../../drivers/transport/serial-transport.ts';
import { realClock } from '../support/zvt-clock.ts';
import { openPty } from '../support/zvt-pty.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const noTerminal = (): Promise<Terminal> => Promise.reject(new Error('a search makes no terminal'));
const finder: TerminalFinder = createTerminalFinder({ clock: realClock, createTerminal: noTerminal });
const never = new AbortController().signal;

const candidate = (port: number) => ({
  line: { kind: 'TCP', host: '127.0.0.1', port } as const,
  password: new Secret('000000'),
  currency: 'EUR',
});

/** Listens, notes the bytes, and answers the first of them. */
async function deviceThatAnswers(answer: Uint8Array | undefined): Promise<{ port: number; heard: number[] }> {
  const heard: number[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      heard.push(...bytes);
      if (answer !== undefined) socket.write(answer);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, heard };
}

describe('a search', () => {
  it('knows a terminal by its answer to one status enquiry, and sends nothing else', async () => {
    const { port, heard } = await deviceThatAnswers(Uint8Array.of(0x80, 0x00, 0x00));
    expect(await finder.search(candidate(port), never)).toEqual({ kind: 'FOUND', protocol: 'ZVT' });
    expect(heard.slice(0, 2)).toEqual([0x05, 0x01]);
    expect(heard).toHaveLength(3 + (heard[2] ?? 0));
  });

  it('takes the end of its enquiry, so that the terminal does not repeat it to whoever comes next', async () => {
    const { port, heard } = await deviceThatAnswers(Uint8Array.of(0x80, 0x00, 0x00, 0x06, 0x0f, 0x00));
    expect(await finder.search(candidate(port), never)).toEqual({ kind: 'FOUND', protocol: 'ZVT' });
    await expect.poll(() => heard.slice(-3)).toEqual([0x80, 0x00, 0x00]);
  });

  it('names a terminal that is set to another protocol', async () => {
    const { port } = await deviceThatAnswers(Uint8Array.of(0x15, 0x03, 0x69));
    const asked = { ...candidate(port), protocol: 'ZVT' } as const;
    expect(await finder.search(asked, never)).toMatchObject({ problem: 'FOREIGN', answeredBy: 'ECR17' });
  });

  it('tells a serial line on which nothing answers, and one that sends what is no message', async () => {
    const pty = await openPty();
    const line = { kind: 'SERIAL', path: pty.path, baudRate: 9_600 } as const;
    try {
      const search = finder.search({ ...candidate(1), line }, never);
      pty.far.once('data', () => pty.far.write(Uint8Array.of(0x55, 0xaa, 0x55)));
      expect(await search).toMatchObject({ kind: 'NOT_FOUND', problem: 'NOT_READABLE' });
      expect(await finder.search({ ...candidate(1), line }, never)).toMatchObject({ problem: 'NO_ANSWER' });
    } finally {
      await pty.close();
    }
  }, 60_000);

  it('names the program that has the port open', async () => {
    const pty = await openPty();
    const line = { kind: 'SERIAL', path: pty.path, baudRate: 9_600 } as const;
    const other = createSerialTransport({ ...line, clock: realClock }, { onData: () => {}, onClose: () => {} });
    try {
      await other.open(never);
      const answer = await finder.search({ ...candidate(1), line }, never);
      expect(answer).toMatchObject({ kind: 'NOT_FOUND', problem: 'PORT_IN_USE' });
      expect(answer).toHaveProperty('holder', expect.stringContaining(`pid ${process.pid}`));
    } finally {
      await other.close();
      await pty.close();
    }
  }, 60_000);

  it('tells a port on which nothing listens', async () => {
    expect(await finder.search(candidate(1), never)).toMatchObject({ kind: 'NOT_FOUND', problem: 'REFUSED' });
  });

  it('tells a serial port that does not exist', async () => {
    const line = { kind: 'SERIAL', path: '/dev/ttyNOTHING9', baudRate: 9600 } as const;
    expect(await finder.search({ ...candidate(1), line }, never)).toMatchObject({ problem: 'NO_SUCH_PORT' });
  });

  it('ends at once when it is stopped', async () => {
    const { port } = await deviceThatAnswers(undefined);
    const stop = new AbortController();
    const search = finder.search(candidate(port), stop.signal);
    stop.abort();
    await expect(search).rejects.toThrow();
  });
});

describe('an address', () => {
  it('is one whatever its password, its baud rate and its letters are', () => {
    const { urlOf, lineOf } = finder;
    const upper = { ...candidate(20_007), line: { kind: 'TCP', host: 'Counter.Local', port: 20_007 } as const };
    expect(lineOf(urlOf(upper))).toBe(lineOf('zvt+tcp://counter.local?password=123456'));
    expect(lineOf('zvt+serial:///dev/ttyS0?baudRate=115200')).toBe(lineOf('zvt+serial:///dev/ttyS0'));
  });
});

describe('the group of a port', () => {
  it('is read from the list of groups', () => {
    expect(groupNameOf('root:x:0:\ndialout:x:20:anna\n', 20)).toBe('dialout');
    expect(groupNameOf('root:x:0:\n', 20)).toBeUndefined();
  });
});
