// The virtual terminal as a program of its own: `npm run virtual-terminal -- --help` names its options.
import { OptionError, parseOptions, USAGE } from './options.ts';
import { type RunningTerminal, startVirtualTerminal } from './start-virtual-terminal.ts';
import { createSystemClock } from './system-clock.ts';

/** A clean end that takes longer is cut off. */
const STOP_TIMEOUT_MS = 5000;

const clock = createSystemClock();
let running: RunningTerminal | undefined;
let isEnding = false;

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end());
  process.stdout.on('error', () => {});
  running = await startVirtualTerminal(parseOptions(args), { clock, onEnd: end });
  process.stdout.write(`READY ${JSON.stringify(running.ready)}\n`);
}

function end(error?: unknown): void {
  if (error !== undefined) say(error);
  if (isEnding) return;
  isEnding = true;
  const exitCode = error === undefined ? 0 : 1;
  clock.after(STOP_TIMEOUT_MS, () => process.exit(1));
  // What is going on, such as the answer to POST /stop, goes out first.
  clock.after(0, () => {
    Promise.resolve(running?.stop()).then(
      () => process.exit(exitCode),
      (stopError: unknown) => {
        say(stopError);
        process.exit(1);
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
