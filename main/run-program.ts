import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RunProgram } from '../app/logs/support-work.ts';

/** Characters that are kept of what a program writes for people. */
const maxWords = 2_000;
/** Longest line that a program of ours writes. */
const maxLineCharacters = 1_000_000;

/** As a Node process beside the till, in the folder that the till's own programs were built into. */
export const runNodeProgram: RunProgram = (program, args, scratch, onLine) => {
  const child = spawn(process.execPath, [programPath(program), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: scratchEnvironment(scratch),
  });
  const { words } = readOutput(child.stdout, child.stderr, onLine);
  const ended = new Promise<{ code: number | null; words: string }>((resolve) => {
    child.on('error', (error) => resolve({ code: null, words: error.message }));
    child.on('close', (code) => resolve({ code, words: words() }));
  });
  return { ended, stop: () => child.kill('SIGKILL') };
};

/** A built program; this file stands in a folder beside theirs, bundled or not. */
export function programPath(program: string): string {
  return fileURLToPath(new URL(`../main/${program}.js`, import.meta.url));
}

/** What a program writes meanwhile goes where the till takes it away, even when the program is ended in the middle. */
export function scratchEnvironment(scratch: string): NodeJS.ProcessEnv {
  return { ...process.env, TMPDIR: scratch, TEMP: scratch, TMP: scratch };
}

/** Tells each line of the output, and keeps the beginning of what is said to people. */
export function readOutput(
  output: NodeJS.ReadableStream,
  errors: NodeJS.ReadableStream,
  onLine: (line: string) => void,
): { words(): string } {
  let rest = '';
  let words = '';
  output.setEncoding('utf8');
  errors.setEncoding('utf8');
  output.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = (lines.pop() ?? '').slice(0, maxLineCharacters);
    for (const line of lines) onLine(line);
  });
  errors.on('data', (piece: string) => {
    words = (words + piece).slice(0, maxWords);
  });
  return { words: () => words.trim() };
}
