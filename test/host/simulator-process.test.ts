// The acquirer simulator as a real process: what it leaves behind when it is killed, and how it starts and ends.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createSimulatorAcquirer } from '../../host/acquirers/simulator-acquirer.ts';
import type { Acquirer, AcquirerReply } from '../../host/ports/acquirer.ts';
import { endProgram, type Program, startProgram } from '../support/processes.ts';
import { projectRoot } from '../support/project-root.ts';
import { realClock } from '../support/zvt-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';
import { createTraces, patient, purchase } from './support/acquirer-messages.ts';
import { simulatorControl } from './support/simulator-control.ts';
import { until } from './support/until.ts';

interface Ready {
  readonly port: number;
  readonly controlUrl: string;
  readonly book: string;
  readonly pid: number;
}

const program = 'host/simulator/main';
const folder = mkdtempSync(join(tmpdir(), 'acquirer-process-'));
const programs: Program<Ready>[] = [];
const acquirers: Acquirer[] = [];
const trace = createTraces();

afterEach(async () => {
  for (const acquirer of acquirers.splice(0)) await acquirer.stop();
  for (const each of programs.splice(0)) await endProgram(each);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(book: string, ...args: readonly string[]): Promise<Program<Ready>> {
  const started = await startProgram<Ready>(program, ['--book', join(folder, book), ...args]);
  programs.push(started);
  return started;
}

async function connect(port: number): Promise<Acquirer> {
  const acquirer = createSimulatorAcquirer({ host: '127.0.0.1', port }, { clock: realClock, log: silentLog });
  acquirers.push(acquirer);
  await acquirer.start();
  await until(() => acquirer.isReady());
  return acquirer;
}

function failToStart(...args: readonly string[]) {
  const { status, stderr } = spawnSync(process.execPath, [join(projectRoot, 'dist', `${program}.js`), ...args], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

describe('a simulator that is killed', () => {
  it('has everything on the medium that it has told, and answers repeats from its book', async () => {
    const first = await start('killed.jsonl');
    const acquirer = await connect(first.ready.port);
    const messages = Array.from({ length: 200 }, () => purchase(trace()));
    const replies = messages.map((message) => acquirer.authorize(message, patient()));
    await Promise.race(replies);
    first.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    const told = (await Promise.all(replies)).flatMap((reply, index) =>
      reply.kind === 'ANSWERED' ? [[messages[index], reply] as const] : [],
    );
    expect(told.length).toBeGreaterThan(0);
    await acquirer.stop();

    const second = await start('killed.jsonl');
    const again = await connect(second.ready.port);
    const before = await simulatorControl(second.ready.controlUrl).book();
    const booked = new Set(before.transactions.map(({ reference }) => reference));
    expect(told.filter(([message]) => message !== undefined && !booked.has(message.trace.reference))).toEqual([]);
    const repeats: AcquirerReply[] = [];
    for (const [message] of told)
      if (message !== undefined) repeats.push(await again.authorize(message, patient({ isRepeat: true })));
    expect(repeats).toEqual(told.map(([, reply]) => reply));
    const { standing, repeated } = await simulatorControl(second.ready.controlUrl).book();
    expect([standing, repeated]).toEqual([before.standing, told.length]);
  });
});

describe('a simulator as a program', () => {
  it('says where it listens, and ends cleanly', async () => {
    const started = await start('clean.jsonl');
    expect(started.ready).toEqual({
      port: expect.any(Number),
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[0-9]+$/),
      book: join(folder, 'clean.jsonl'),
      pid: started.process.pid,
    });
    expect(readFileSync(started.ready.book, 'utf8')).toContain('"kind":"OPENED"');
    expect(existsSync(`${started.ready.book}.lock`)).toBe(true);
    started.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(existsSync(`${started.ready.book}.lock`)).toBe(false);
    expect(started.errors()).toBe('');
  });

  it('ends on request, and when its owner is gone', async () => {
    const asked = await start('asked.jsonl');
    expect(await simulatorControl(asked.ready.controlUrl).send('POST', '/stop')).toMatchObject({ status: 200 });
    expect(await asked.ended).toBe(0);
    const left = await start('left.jsonl', '--lease-seconds', '1');
    expect(await left.ended).toBe(0);
  });

  it('names the port or the book that somebody else has, and a wrong option', async () => {
    const { ready } = await start('taken.jsonl');
    const other = join(folder, 'other.jsonl');
    const inUse = (text: string) => ({ status: 1, stderr: expect.stringContaining(text) });
    expect(failToStart('--book', other, '--port', `${ready.port}`)).toMatchObject(
      inUse(`Port ${ready.port} is in use`),
    );
    expect(failToStart('--book', ready.book)).toMatchObject(inUse(`in use by process ${ready.pid}`));
    expect(failToStart('--book', other, '--slow-ms', 'long')).toMatchObject(inUse('--slow-ms is a number'));
    expect(failToStart('--help')).toEqual({ status: 0, stderr: '' });
  });
});
