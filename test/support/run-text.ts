import { spawn } from 'node:child_process';

/** How a person runs a program text: a shell for curl, and each language by its own command, which reads the text from its input. */
export const runners = {
  shell: ['sh', '-s'],
  node: ['node', '--input-type=module', '-'],
  // Node 20 has a WebSocket behind this flag; later ones, and browsers, have it as it is.
  nodeWebSocket: ['node', '--experimental-websocket', '--input-type=module', '-'],
  python: ['python3', '-'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

/** Runs a text exactly as it is, and answers what it wrote. @throws Error with its stderr when it fails */
export async function runText(runner: keyof typeof runners, text: string): Promise<string> {
  const [command, ...args] = runners[runner];
  const { PATH, HOME } = process.env;
  // Of the environment the way to the programs only: no proxy stands between them and the till.
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH, HOME } });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part;
  });
  child.stdin.end(text);
  const code = await new Promise<number | string>((resolve) =>
    child.on('close', (exit, signal) => resolve(exit ?? signal ?? 'unknown')),
  );
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${errors}\n${output}`);
  return output;
}
