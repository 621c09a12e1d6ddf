import { appendFileSync } from 'node:fs';
import { utilityProcess } from 'electron';
import type { RunProgram } from '../../app/logs/support-work.ts';
import { readyLine, type StartProgram } from '../../app/programs/start-program.ts';
import { programPath, readOutput, scratchEnvironment } from '../run-program.ts';

/**
 * As Electron's utility process: the one way to run a program of ours where the runtime is not allowed to act as Node. It ends with the till; its
 * book stays.
 */
export const startUtilityProgram: StartProgram = async ({ name, program, args, logFile }) => {
  const child = utilityProcess.fork(program, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error(`${name} has no output.`);
  stderr.on('data', (piece: Buffer) => appendFileSync(logFile, piece, { mode: 0o600 }));
  const ended = new Promise<never>((_resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`${name} ended with code ${code}; see ${logFile}.`)));
  });
  return Promise.race([readyLine(name, stdout), ended]);
};

/** Runs a program of ours to its end, as Electron's utility process. */
export const runUtilityProgram: RunProgram = (program, args, scratch, onLine) => {
  const child = utilityProcess.fork(programPath(program), [...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: scratchEnvironment(scratch),
  });
  const { stdout, stderr } = child;
  const output = stdout === null || stderr === null ? undefined : readOutput(stdout, stderr, onLine);
  const ended = new Promise<{ code: number | null; words: string }>((resolve) => {
    child.on('exit', (code) => resolve({ code, words: output?.words() ?? '' }));
  });
  return { ended, stop: () => child.kill() };
};
