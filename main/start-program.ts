import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';

/**
 * Starts a built program beside the till and resolves with what its READY line says. What it writes on stderr goes to the log file.
 * @throws Error in plain words when the program cannot be started
 */
export type StartProgram = (program: string, args: readonly string[], logFile: string) => Promise<string>;

const startTimeoutMs = 15_000;

/** As a process of its own, which outlives the till: from its READY line on it lives by its lease. */
export const startNodeProgram: StartProgram = async (program, args, logFile) => {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [program, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const ended = new Promise<never>((_resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`The virtual terminal ended with code ${code}; see ${logFile}.`)));
  });
  if (child.stdout === null) throw new Error('The virtual terminal has no output.');
  const ready = await Promise.race([readyLine(child.stdout), ended]);
  child.stdout.destroy();
  child.unref();
  return ready;
};

/** What stands after READY in the output of a program. */
export function readyLine(output: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The virtual terminal did not start in time.')), startTimeoutMs);
    let text = '';
    output.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const ready = /^READY (.*)$/m.exec(text)?.[1];
      if (ready === undefined) return;
      clearTimeout(timer);
      resolve(ready);
    });
    output.on('close', () => clearTimeout(timer));
  });
}
