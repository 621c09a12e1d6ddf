// The built program as a real process: what it leaves behind when it is killed, and how it starts and ends.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endProgram, type Program, startVirtualTerminal, type VirtualTerminalReady } from '../support/processes.ts';
import { projectRoot } from '../support/project-root.ts';
import { connectRawTill } from './support/raw-till.ts';
import { controlClient, temporaryFolder } from './support/running-terminal.ts';

const REGISTER = '06 00 06 00 00 00 1A 09 78';
const SALE = '06 01 0A 04 00 00 00 00 12 34 49 09 78';
const ACK = '80 00 00';

const folder = temporaryFolder();
const programs: Program<VirtualTerminalReady>[] = [];

afterEach(async () => {
  for (const program of programs.splice(0)) await endProgram(program);
});
afterAll(() => folder.remove());

async function start(book: string, ...args: readonly string[]): Promise<Program<VirtualTerminalReady>> {
  const program = await startVirtualTerminal([
    '--tcp',
    '0',
    '--think-ms',
    '0',
    '--book',
    join(folder.path, book),
    ...args,
  ]);
  programs.push(program);
  return program;
}

async function registeredTill(program: Program<VirtualTerminalReady>) {
  const till = await connectRawTill(program.ready.tcp ?? 0);
  await till.run(REGISTER);
  return till;
}

function linesOf(path: string): readonly { readonly kind: string; readonly receipt?: number }[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Runs the program where it cannot start. */
function failToStart(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { status, stderr } = spawnSync(process.execPath, [join(projectRoot, 'dist/drivers/virtual/main.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { status, stderr };
}

describe('a virtual terminal that is killed', () => {
  it('has its approval on the medium before the till can see it, and takes it back at the next start', async () => {
    const first = await start('killed.jsonl');
    const till = await registeredTill(first);
    till.send(SALE);
    for (let message = await till.next(); !message.startsWith('04 0F'); message = await till.next()) {
      if (!message.startsWith('80')) till.send(ACK);
    }
    first.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    expect(linesOf(first.ready.book).map(({ kind }) => kind)).toEqual(['OPENED', 'AUTHORIZED']);
    till.end();

    const second = await start('killed.jsonl');
    const book = await controlClient(second.ready.controlUrl).book();
    expect(book.transactions).toMatchObject([{ receipt: 1, stands: false, reversedBy: 'TERMINAL' }]);
    expect(book.standing.charges.count).toBe(0);
  });

  it('keeps what was final, goes on with the next numbers and repeats the last receipt', async () => {
    const first = await start('final.jsonl');
    const till = await registeredTill(first);
    const told = (await till.run(SALE)).find((message) => message.startsWith('04 0F'));
    first.kill('SIGKILL');
    await first.ended;
    till.end();

    const second = await start('final.jsonl');
    const again = await registeredTill(second);
    expect((await again.run('06 20 05 00 00 00 03 03'))[1]).toBe(told);
    expect((await again.run(SALE)).find((message) => message.startsWith('04 0F'))).toContain(' 87 00 02 ');
    again.end();
    expect(linesOf(second.ready.book).flatMap(({ receipt }) => receipt ?? [])).toEqual([1, 2]);
  });
});

describe('a virtual terminal as a program', () => {
  it('says where it listens and ends cleanly on SIGTERM', async () => {
    const program = await start('clean.jsonl');
    expect(program.ready).toEqual({
      tcp: expect.any(Number),
      pty: null,
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[0-9]+$/),
      book: join(folder.path, 'clean.jsonl'),
      pid: program.process.pid,
    });
    expect(existsSync(`${program.ready.book}.lock`)).toBe(true);
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(existsSync(`${program.ready.book}.lock`)).toBe(false);
    expect(program.errors()).toBe('');
  });

  it('ends by itself when its owner is gone', async () => {
    const program = await start('lease.jsonl', '--lease-seconds', '1');
    expect(await program.ended).toBe(0);
  });

  it('ends on request', async () => {
    const program = await start('stop.jsonl');
    expect(await controlClient(program.ready.controlUrl).send('POST', '/stop')).toMatchObject({ status: 200 });
    expect(await program.ended).toBe(0);
  });

  it('names the port or the book that somebody else has', async () => {
    const program = await start('taken.jsonl');
    const port = String(program.ready.tcp);
    expect(failToStart(['--tcp', port, '--book', join(folder.path, 'other.jsonl')])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`TCP port ${port} is in use`),
    });
    const control = new URL(program.ready.controlUrl).port;
    expect(
      failToStart(['--tcp', '0', '--control-port', control, '--book', join(folder.path, 'other.jsonl')]),
    ).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`Control port ${control} is in use`),
    });
    expect(failToStart(['--tcp', '0', '--book', program.ready.book])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`in use by process ${program.process.pid}`),
    });
  });

  it('says that socat is missing when a pty is asked for without it', () => {
    const result = failToStart(['--pty', join(folder.path, 'tty'), '--book', join(folder.path, 'pty.jsonl')], {
      PATH: folder.path,
    });
    expect(result).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('needs the program socat, which is not installed'),
    });
  });

  it('explains a wrong option', () => {
    expect(failToStart(['--currency', 'XYZ', '--book', join(folder.path, 'xyz.jsonl')])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('XYZ is no currency'),
    });
  });

  it('serves a till over a pty and leaves nothing behind', async () => {
    const linkPath = join(folder.path, 'till-port');
    const program = await startVirtualTerminal(['--pty', linkPath, '--book', join(folder.path, 'serial.jsonl')]);
    programs.push(program);
    expect(program.ready).toMatchObject({ tcp: null, pty: linkPath });
    expect(existsSync(linkPath)).toBe(true);
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(existsSync(linkPath)).toBe(false);
  });

  it('is not taken for a web server: its TCP port is silent to whoever does not speak ZVT', async () => {
    const program = await start('silent.jsonl');
    const till = await connectRawTill(program.ready.tcp ?? 0);
    till.send('47 45 54 20 2F 20 48 54 54 50 2F 31 2E 31 0D 0A 0D 0A');
    await till.closed();
    expect(till.rest()).toBe('');
  });
});

describe('a port that is free again', () => {
  it('can be asked for by number', async () => {
    const port = await freePort();
    const program = await startVirtualTerminal(['--tcp', String(port), '--book', join(folder.path, 'port.jsonl')]);
    programs.push(program);
    expect(program.ready.tcp).toBe(port);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
