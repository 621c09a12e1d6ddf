import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A built program of ours that is to run beside the one that starts it. */
export interface ProgramStart {
  /** What people call it, at the beginning of a sentence: "The virtual terminal". */
  readonly name: string;
  /** Path of the built program. */
  readonly program: string;
  readonly args: readonly string[];
  /** Where what it writes on stderr goes. */
  readonly logFile: string;
}

/** Starts a built program and resolves with what its READY line says. @throws Error in plain words when the program cannot be started */
export type StartProgram = (start: ProgramStart) => Promise<string>;

const startTimeoutMs = 15_000;

/** As a process of its own, which outlives whoever starts it: from its READY line on it lives by its lease. */
export const startNodeProgram: StartProgram = async ({ name, program, args, logFile }) => {
  const { child, ready } = spawnProgram({ name, program, args, logFile }, 'ignore');
  const said = await ready;
  child.stdout?.destroy();
  child.unref();
  return said;
};

/** A program that ends with whoever has started it, however that ends. */
export interface OwnedProgram {
  /** What its READY line says. */
  readonly ready: string;
  /** Ends it; resolves when it has ended, or after `ownedStopMs`. */
  stop(): Promise<void>;
}

/** Milliseconds for which an owned program may end cleanly. */
const ownedStopMs = 5_000;

/** As a process of its own that takes `--until-input-ends`: its input is a pipe that the system closes with this process. @throws Error in plain words */
export async function startOwnedProgram(start: ProgramStart): Promise<OwnedProgram> {
  const { child, ready } = spawnProgram({ ...start, args: [...start.args, '--until-input-ends'] }, 'pipe');
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin?.on('error', () => {});
  try {
    const said = await ready;
    return {
      ready: said,
      async stop() {
        child.stdin?.end();
        const timer = setTimeout(() => child.kill('SIGKILL'), ownedStopMs);
        if (child.exitCode === null && child.signalCode === null) await ended;
        clearTimeout(timer);
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** @returns the process, and what its READY line will say */
function spawnProgram({ name, program, args, logFile }: ProgramStart, input: 'ignore' | 'pipe') {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [program, ...args], {
    detached: true,
    stdio: [input, 'pipe', log],
  });
  closeSync(log);
  const ended = new Promise<never>((_resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${name} ended with code ${code}; see ${logFile}.`)));
  });
  // It may end long after anybody waits for its READY line.
  ended.catch(() => undefined);
  if (child.stdout === null) throw new Error(`${name} has no output.`);
  return { child, ready: Promise.race([readyLine(name, child.stdout), ended]) };
}

/** What stands after READY in the output of a program. */
export function readyLine(name: string, output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} did not start in time.`)), startTimeoutMs);
    let text = '';
    output.on('data', (piece: Buffer | string) => {
      text += piece.toString();
      const ready = /^READY (.*)$/m.exec(text)?.[1];
      if (ready === undefined) return;
      clearTimeout(timer);
      resolve(ready);
    });
    output.on('close', () => clearTimeout(timer));
  });
}
