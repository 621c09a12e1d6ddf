import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseOptions } from '../../../drivers/virtual/options.ts';
import { startTestTerminal, type TestTerminal, temporaryFolder } from '../support/running-terminal.ts';
import { bytesOfText, ECHO, SALE, textOf } from './caisse-ap-bench.ts';

const WAIT_MS = 20_000;
const APPROVED = /^CZ0040300CJ012000000000001CA00201CE003978CD0010CB0041000AE00210AC006[0-9]{6}AA016476173\*{6}0119/;

const folder = temporaryFolder();
let terminal: TestTerminal;
let till: Till;
let bookCount = 0;

interface Till {
  send(text: string): void;
  heard(): string;
  isClosed(): boolean;
  end(): void;
}

/** A till that knows nothing but characters. */
function connectTill(port: number): Promise<Till> {
  return new Promise((resolve, reject) => {
    let heard = '';
    let isClosed = false;
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () =>
      resolve({
        send: (text) => socket.write(bytesOfText(text)),
        heard: () => heard,
        isClosed: () => isClosed,
        end: () => socket.destroy(),
      }),
    );
    socket.on('data', (bytes) => {
      heard += textOf(bytes);
    });
    socket.on('close', () => {
      isClosed = true;
    });
    socket.once('error', reject);
  });
}

const soon = <Value>(look: () => Value) => expect.poll(look, { timeout: WAIT_MS, interval: 10 });

beforeEach(async () => {
  bookCount++;
  const book = join(folder.path, `caisse-ap-${bookCount}.jsonl`);
  terminal = await startTestTerminal(['--protocol', 'caisse-ap', '--tcp', '0', '--think-ms', '0', '--book', book]);
  till = await connectTill(terminal.port);
});

afterEach(async () => {
  till.end();
  await terminal.stop();
});

afterAll(() => folder.remove());

describe('a Caisse-AP terminal on a network', () => {
  it('takes a sale, replies, and keeps it in its book', async () => {
    till.send(SALE);
    await soon(till.heard).toMatch(APPROVED);
    expect(await terminal.control.state()).toMatchObject({ protocol: 'caisse-ap', state: 'IDLE', isRegistered: true });
    expect(await terminal.control.book()).toMatchObject({ standing: { charges: { count: 1, sumMinor: 1000 } } });
  });

  it('takes a request in any pieces, and the next one on the same connection', async () => {
    for (const character of SALE) till.send(character);
    await soon(till.heard).toMatch(APPROVED);
    const first = till.heard();
    till.send(SALE.slice(0, 30));
    till.send(SALE.slice(30));
    await soon(() => till.heard().slice(first.length)).toMatch(APPROVED);
    expect((await terminal.control.book()).standing.charges).toMatchObject({ count: 2, sumMinor: 2000 });
  });

  it('says that a tag is missing once the line is quiet', async () => {
    till.send(SALE.slice(0, SALE.indexOf('CB')));
    await soon(till.heard).toBe('CZ0040300AE00201AF00209');
  });

  it('ends a connection on which something else is spoken', async () => {
    till.send('GET / HTTP/1.1\r\n\r\n');
    await soon(till.isClosed).toBe(true);
    expect(till.heard()).toBe('');
  });

  it('half-frame: the reply breaks off and the connection ends; the charge stands', async () => {
    await terminal.control.arm('half-frame');
    till.send(SALE);
    await soon(till.isClosed).toBe(true);
    expect(till.heard().startsWith(ECHO)).toBe(true);
    expect(till.heard()).not.toMatch(/CG009/);
    expect(await terminal.control.book()).toMatchObject({ standing: { charges: { count: 1 } }, pending: [2] });
  });

  it('reply-in-pieces: the reply comes as a whole in the end', async () => {
    await terminal.control.arm('reply-in-pieces');
    till.send(SALE);
    await soon(till.heard).toMatch(/CI0012CG009100000001$/);
    expect(till.heard()).toMatch(APPROVED);
    await terminal.control.untilState(({ state }) => state === 'IDLE');
    expect((await terminal.control.book()).pending).toEqual([]);
  });

  it('noise: the reply is behind bytes that are no field', async () => {
    await terminal.control.arm('noise');
    till.send(SALE);
    await soon(till.heard).toContain('AE00210');
    expect(till.heard().startsWith('\u0000CZ\u00ffCZ0040300')).toBe(true);
  });

  it('a till that goes away while the card is waited for leaves a charge, and the next till hears nothing of it', async () => {
    await terminal.control.send('POST', '/hand', { seconds: 600 });
    till.send(SALE);
    await terminal.control.untilState(({ state }) => state === 'WAITING_FOR_CARD');
    till.end();
    await terminal.control.untilState(({ link }) => link === 'DOWN');
    till = await connectTill(terminal.port);
    await terminal.control.untilState(({ link }) => link === 'UP');
    await terminal.control.send('POST', '/card', { card: 'visa-contactless' });
    await terminal.control.untilState(({ state }) => state === 'IDLE');
    expect(await terminal.control.book()).toMatchObject({ standing: { charges: { count: 1 } }, pending: [2] });
    till.send(SALE.slice(0, SALE.indexOf('CB')));
    await soon(till.heard).toBe('CZ0040300AE00201AF00209');
  });

  it('has no end of day of its own', async () => {
    expect((await terminal.control.send('POST', '/auto-close')).status).toBe(409);
  });
});

describe('the command line', () => {
  it('makes a Caisse-AP terminal on TCP, and on nothing else', () => {
    expect(parseOptions(['--protocol', 'caisse-ap'])).toMatchObject({
      protocol: 'caisse-ap',
      listen: { kind: 'TCP', port: 8888 },
    });
    expect(() => parseOptions(['--protocol', 'caisse-ap', '--pty', '/tmp/c'])).toThrow('it takes --tcp, not --pty');
  });
});
