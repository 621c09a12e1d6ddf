import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProgram, startVirtualTerminal } from '../support/processes.ts';
import { projectRoot } from '../support/project-root.ts';
import { ms, percentile, type Report } from './statistics.ts';

const rounds = 15;
const pollMs = 2;
const giveUpMs = 30_000;
const promisedRatio = 2;
const promisedRssMb = 120;

/**
 * F5: from the start of the process to its first healthy answer, beside a bare Fastify server bundled the same way; and the till's memory at
 * rest. The virtual terminal runs already: children are not counted.
 */
export async function coldStart(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'till-bench-'));
  const terminal = await startVirtualTerminal(['--tcp', '0', '--think-ms', '0', '--book', join(folder, 'book.jsonl')]);
  const tillArgs = [
    '--headless',
    '--data-dir',
    join(folder, 'data'),
    '--training',
    '--terminal',
    `zvt+tcp://127.0.0.1:${terminal.ready.tcp}`,
  ];
  const till: number[] = [];
  const bare: number[] = [];
  const rssMb: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const port = await freePort();
      const tillRun = await firstAnswer('main/headless', [...tillArgs, '--port', String(port)], port);
      const bareRun = await firstAnswer('test/bench/bare-server', [String(port)], port);
      // The first round warms the file cache and migrates the data folder.
      if (round === 0) continue;
      till.push(tillRun.elapsedMs);
      bare.push(bareRun.elapsedMs);
      rssMb.push(tillRun.rssMb);
    }
  } finally {
    await endProgram(terminal);
    rmSync(folder, { recursive: true, force: true });
  }
  const ratio = percentile(till, 50) / percentile(bare, 50);
  const memory = percentile(rssMb, 50);
  return {
    isKept: ratio <= promisedRatio && memory < promisedRssMb,
    lines: [
      `F5 cold start to the first healthy answer (${rounds} starts each, in turn)`,
      `  till                  p50 ${ms(percentile(till, 50))}   max ${ms(Math.max(...till))}`,
      `  bare Fastify server   p50 ${ms(percentile(bare, 50))}   max ${ms(Math.max(...bare))}`,
      `  till / bare           ${ratio.toFixed(2)}   (promised ≤ ${promisedRatio})`,
      `  till's memory (RSS)   p50 ${memory.toFixed(0)} MB   (promised < ${promisedRssMb} MB)`,
    ],
  };
}

async function firstAnswer(
  program: string,
  args: readonly string[],
  port: number,
): Promise<{ elapsedMs: number; rssMb: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(projectRoot, 'dist', `${program}.js`), ...args], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  while (!(await isHealthy(port))) {
    if (performance.now() - startedAt > giveUpMs || child.exitCode !== null)
      throw new Error(`${program} gave no healthy answer`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  const elapsedMs = performance.now() - startedAt;
  const rssMb = residentMb(child);
  child.kill('SIGTERM');
  await ended;
  return { elapsedMs, rssMb };
}

async function isHealthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`)
    .then((response) => response.ok)
    .catch(() => false);
}

/** Resident memory from /proc; NaN where there is none, which fails the promise instead of hiding it. */
function residentMb(child: ChildProcess): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === 'object' && address ? address.port : 0;
}
