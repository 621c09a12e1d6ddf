import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournalFolder } from '../support/journal-folder.ts';
import { projectRoot } from '../support/project-root.ts';
import type { Report } from './statistics.ts';

const promisedRssMb = 150;
const linesPerWrite = 2_000;
const mebibyte = 1024 * 1024;

/** F9: most memory that the support bundle's program holds while it packs and scans logs of this size. */
export async function supportBundleMemory(logMb: number): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'till-bench-'));
  try {
    const dataDir = join(folder, 'data');
    openJournalFolder(dataDir);
    writeLog(join(dataDir, 'logs'), logMb * mebibyte);
    const startedAt = performance.now();
    const { code, peakMb } = await runBundle(dataDir, join(folder, 'bundle.zip'));
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      isKept: code === 0 && peakMb < promisedRssMb,
      lines: [
        `F9 support bundle of ${logMb} MB of logs`,
        `  most memory (RSS)     ${peakMb.toFixed(0)} MB   (promised < ${promisedRssMb} MB)`,
        `  time                  ${seconds.toFixed(1)} s   (${(logMb / seconds).toFixed(1)} MB/s), exit code ${code}`,
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A log of so many bytes, as a till writes it. */
export function writeLog(folder: string, byteCount: number): void {
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, 'till.log'), 'w');
  let written = 0;
  for (let sequence = 0; written < byteCount; sequence += linesPerWrite) {
    const lines = Array.from({ length: linesPerWrite }, (_, index) => lineOf(sequence + index));
    written += writeSync(file, lines.join(''));
  }
  closeSync(file);
}

/** As the till logs an answer: its durations are whole milliseconds. */
function lineOf(sequence: number): string {
  const line = {
    level: sequence % 50 === 0 ? 'warn' : 'info',
    time: new Date(1_790_000_000_000 + sequence * 37).toISOString(),
    requestId: randomUUID(),
    transactionId: randomUUID(),
    ...{ clientName: `Till ${sequence % 20}`, method: 'POST', route: '/v1/transaction/sale' },
    ...{ statusCode: 200, durationMs: sequence % 9_000, message: 'answered' },
  };
  return `${JSON.stringify(line)}\n`;
}

async function runBundle(dataDir: string, out: string): Promise<{ code: number | null; peakMb: number }> {
  const program = join(projectRoot, 'dist', 'main/support-bundle.js');
  const child = spawn(process.execPath, [program, '--data-dir', dataDir, '--out', out], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child));
  }, 50);
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  clearInterval(timer);
  return { code, peakMb: peakMb === 0 ? Number.NaN : peakMb };
}

/** The system's own high-water mark; 0 once the process has gone. */
function peakOf(child: ChildProcess): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
