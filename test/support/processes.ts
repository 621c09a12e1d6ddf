import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';

/** Only a program that hangs needs so long, also on a machine that is busy with other things. */
const readyTimeoutMs = 180_000;

/** A program of ours as a real process; its READY line is what it says of itself. */
export interface Program<Ready> {
  readonly ready: Ready;
  readonly process: ChildProcess;
  /** What it has written on stderr so far. */
  errors(): string;
  /** Resolves with the exit code, or the signal's name, when it has ended. */
  readonly ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
}

export interface TillReady {
  readonly posUrl: string;
  readonly posKey?: string;
  readonly consoleUrl: string | null;
  readonly terminalId: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly children: readonly number[];
  readonly simulated: boolean;
  readonly virtualTerminal?: VirtualTerminalReady;
  readonly hostUrl?: string;
}

export interface VirtualTerminalReady {
  readonly tcp: number | null;
  readonly pty: string | null;
  readonly controlUrl: string;
  readonly book: string;
  readonly pid: number;
}

/** Starts a built program and waits for its READY line. @throws Error with its stderr when it ends before that */
export async function startProgram<Ready>(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Program<Ready>> {
  const child = spawn(process.execPath, ['--enable-source-maps', join(projectRoot, 'dist', `${program}.js`), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<number | string>((resolve) =>
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  );
  const ready = await new Promise<Ready>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${program} was not ready in time:\n${errors}`));
    }, readyTimeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const line = /^READY (.*)$/m.exec(output)?.[1];
      if (line === undefined) return;
      clearTimeout(timer);
      resolve(JSON.parse(line) as Ready);
    });
    void ended.then((code) => {
      clearTimeout(timer);
      reject(new ProgramEnded(program, code, errors));
    });
  });
  return { ready, process: child, errors: () => errors, ended, kill: (signal) => void child.kill(signal) };
}

/** A program that ended without READY. */
export class ProgramEnded extends Error {
  readonly code: number | string;
  readonly errors: string;

  constructor(program: string, code: number | string, errors: string) {
    super(`${program} ended with ${code}:\n${errors}`);
    this.code = code;
    this.errors = errors;
  }
}

export function startTill(args: readonly string[]): Promise<Program<TillReady>> {
  return startProgram<TillReady>('main/headless', ['--headless', '--port', '0', ...args]);
}

export function startVirtualTerminal(args: readonly string[]): Promise<Program<VirtualTerminalReady>> {
  return startProgram<VirtualTerminalReady>('drivers/virtual/main', args);
}

/** Runs a program that ends by itself. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number | string; output: string; errors: string }> {
  const child = spawn(process.execPath, [join(projectRoot, 'dist', `${program}.js`), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise<number | string>((resolve) =>
    child.on('close', (exit, signal) => resolve(exit ?? signal ?? 'unknown')),
  );
  return { code, output, errors };
}

/** Ends a program by SIGTERM, or by SIGKILL when it does not follow. */
export async function endProgram(program: Program<unknown> | undefined): Promise<void> {
  if (program === undefined || program.process.exitCode !== null || program.process.signalCode !== null) return;
  program.kill('SIGTERM');
  const timer = setTimeout(() => program.kill('SIGKILL'), readyTimeoutMs);
  await program.ended;
  clearTimeout(timer);
}

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'till-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
