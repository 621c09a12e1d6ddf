import { parseArgs } from 'node:util';
import type { Log } from '../app/ports/log.ts';
import { nodeClock } from '../app/programs/node-ports.ts';
import { createFinder } from '../drivers/registry.ts';
import { describeFinding, surveyOf } from './survey.ts';

const usage = `Usage: npm run detect -- [options]

Asks every USB card reader and every serial port of this machine what it speaks, and names the address for --terminal.
What is asked moves no money, but a port with something else on it (a receipt printer, a modem) gets bytes that it does
not know: name the port then.

  --port PATH       only this serial port
  --all-speeds      serial ports also at 57600, 38400 and 19200 baud (each takes up to twenty seconds)
  --currency CODE   for the addresses (default EUR)
  --help            this text

Terminals in the network are not looked for: the console's wizard asks one address what it speaks. Exit code 0: something was found; 1: nothing; 2: wrong options.`;

/** Nothing is written: what counts is on the screen. */
const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const exitCodes = { found: 0, nothing: 1, wrongOptions: 2 } as const;

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      port: { type: 'string' },
      'all-speeds': { type: 'boolean' },
      currency: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  return values;
}

async function detect(values: ReturnType<typeof readOptions>): Promise<number> {
  const finder = await createFinder(nodeClock, quiet);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const options = {
    asksAllSpeeds: values['all-speeds'] ?? false,
    currency: values.currency ?? 'EUR',
    ...(values.port === undefined ? {} : { port: values.port }),
  };
  let placeCount = 0;
  let foundCount = 0;
  for await (const finding of surveyOf(finder, options, stop.signal)) {
    placeCount += 1;
    if (finding.result.kind === 'FOUND') foundCount += 1;
    process.stdout.write(`${describeFinding(finding)}\n`);
  }
  const { problem } = await finder.readers();
  if (problem !== undefined) process.stdout.write(`${problem}\n`);
  if (placeCount === 0)
    process.stdout.write('This machine has no serial port and no card reader. Plug the terminal in and ask again.\n');
  return foundCount > 0 ? exitCodes.found : exitCodes.nothing;
}

async function main(): Promise<number> {
  try {
    const values = readOptions(process.argv.slice(2));
    if (values.help !== true) return await detect(values);
    process.stdout.write(`${usage}\n`);
    return exitCodes.found;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    return exitCodes.wrongOptions;
  }
}

process.exitCode = await main();
