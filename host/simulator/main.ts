// The acquirer simulator as a program of its own: `node dist/host/simulator/main.js --help` names its options.
import { createSystemClock } from '../system-clock.ts';
import { OptionError, parseOptions, USAGE } from './options.ts';
import { type RunningSimulator, startSimulator } from './start-simulator.ts';

/** A clean end that takes longer is cut off. */
const STOP_TIMEOUT_MS = 5000;

const clock = createSystemClock();
let running: RunningSimulator | undefined;
let isEnding = false;

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end());
  process.stdout.on('error', () => {});
  running = await startSimulator(parseOptions(args), { clock, onEnd: end });
  process.stdout.write(`READY ${JSON.stringify(running.ready)}\n`);
}

function end(error?: unknown): void {
  if (error !== undefined) say(error);
  if (isEnding) return;
  isEnding = true;
  clock.after(STOP_TIMEOUT_MS, () => process.exit(1));
  const exit = (code: number) => process.exit(code);
  // What is going on, such as the answer to POST /stop, goes out first.
  setImmediate(() => {
    Promise.resolve(running?.stop()).then(
      () => exit(error === undefined ? 0 : 1),
      (stopError: unknown) => {
        say(stopError);
        exit(1);
      },
    );
  });
}

function say(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  say(error);
  if (error instanceof OptionError) process.stderr.write(`${USAGE}\n`);
  process.exit(1);
});
