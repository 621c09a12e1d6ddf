import { createReadStream, mkdirSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_TOLD_FINDINGS } from '../contract/console/console-limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { BundleEnd, Running, SupportProgress, SupportWork, VerificationEnd } from '../ports/support-work.ts';
import { partialPathOf } from './bundle/partial-path.ts';
import { readEntryText } from './bundle/read-entry.ts';
import { bundleEndOf, isProgress, objectOfLine, verificationEndOf } from './support-lines.ts';

/**
 * Runs one of the till's own programs to its end, in a process of its own.
 * @param scratch folder for what it writes meanwhile; whoever calls removes it
 * @param onLine told each line of its output
 */
export type RunProgram = (
  program: 'support-bundle' | 'verify-journal',
  args: readonly string[],
  scratch: string,
  onLine: (line: string) => void,
) => {
  /** The exit code, and what it wrote for people. Never rejects. */
  readonly ended: Promise<{ readonly code: number | null; readonly words: string }>;
  stop(): void;
};

interface SupportWorkOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly version: string;
  readonly runProgram: RunProgram;
}

/** Characters of what a program says of its failure. */
const maxReasonCharacters = 300;
const bundleName = 'bundle.zip';

/** What is done for support, by the programs that do the same beside a till that does not run. */
export function createSupportWork({ dataDir, clock, version, runProgram }: SupportWorkOptions): SupportWork {
  const startedMs = clock.monotonicMs();
  const folder = join(dataDir, 'support');
  const bundlePath = join(folder, bundleName);
  const running = new Set<Running<unknown>>();
  // What a run before has left.
  rmSync(folder, { recursive: true, force: true });

  function start<End>(
    program: 'support-bundle' | 'verify-journal',
    args: readonly string[],
    onProgress: (progress: SupportProgress) => void,
    endOf: (last: Readonly<Record<string, unknown>> | undefined, words: string) => End,
  ): Running<End | { readonly kind: 'CANCELLED' }> {
    const scratch = join(folder, `${program}-work`);
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    let last: Readonly<Record<string, unknown>> | undefined;
    let isCancelled = false;
    const child = runProgram(program, args, scratch, (line) => {
      const told = objectOfLine(line);
      if (isProgress(told)) onProgress(told);
      else last = told ?? last;
    });
    const ended = child.ended.then(async ({ words }) => {
      await rm(scratch, { recursive: true, force: true });
      // A program that is stopped cannot tidy up any more.
      if (program === 'support-bundle') await rm(partialPathOf(bundlePath), { force: true });
      running.delete(run);
      return isCancelled ? ({ kind: 'CANCELLED' } as const) : endOf(last, words.slice(0, maxReasonCharacters));
    });
    const run = {
      ended,
      cancel() {
        isCancelled = true;
        child.stop();
      },
    };
    running.add(run);
    return run;
  }

  return {
    facts: () => ({
      version,
      runtime:
        process.versions.electron === undefined
          ? `Node ${process.versions.node}`
          : `Electron ${process.versions.electron}`,
      platform: `${process.platform} ${process.arch}`,
      upSeconds: Math.round((clock.monotonicMs() - startedMs) / 1000),
      memoryBytes: process.memoryUsage.rss(),
      dataDir,
      ...diskOf(dataDir),
      journalBytes: sizeOf(join(dataDir, 'journal.db')),
      walBytes: sizeOf(join(dataDir, 'journal.db-wal')),
      logBytes: sizeOfFolder(join(dataDir, 'logs')),
    }),
    verifyJournal(onProgress) {
      const at = new Date(clock.nowMs()).toISOString();
      return start<VerificationEnd>('verify-journal', ['--progress', dataDir], onProgress, (last, words) =>
        verificationEndOf(last, at, words, MAX_TOLD_FINDINGS),
      );
    },
    makeBundle({ days, leavesOutLines, terminals }, onProgress) {
      rmSync(bundlePath, { force: true });
      const madeAt = new Date(clock.nowMs()).toISOString();
      const fileName = `support-${madeAt.slice(0, 16).replaceAll(':', '-')}.zip`;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const terminalsPath = join(folder, 'terminals.json');
      writeFileSync(terminalsPath, JSON.stringify(terminals), { mode: 0o600 });
      const args = ['--data-dir', dataDir, '--out', bundlePath, '--days', String(days), '--terminals', terminalsPath];
      return start<BundleEnd>(
        'support-bundle',
        [...args, ...(leavesOutLines ? ['--leave-out'] : []), '--progress'],
        onProgress,
        (last, words) => bundleEndOf(last, { fileName, madeAt, byteCount: sizeOf(bundlePath) }, words),
      );
    },
    readEntry: (name, maxCharacters) => readEntryText(bundlePath, name, maxCharacters),
    openBundle: () => createReadStream(bundlePath),
    async close() {
      const ends = [...running].map((run) => {
        run.cancel();
        return run.ended;
      });
      await Promise.all(ends);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function diskOf(path: string): { readonly diskFreeBytes: number; readonly diskBytes: number } {
  const { bavail, blocks, bsize } = statfsSync(path);
  return { diskFreeBytes: bavail * bsize, diskBytes: blocks * bsize };
}

/** 0 for a file that is not there. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function sizeOfFolder(path: string): number {
  try {
    return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
  } catch {
    return 0;
  }
}
