import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface SimulatorOptions {
  /** TCP ports on 127.0.0.1; 0 picks one */
  readonly port: number;
  readonly controlPort: number;
  readonly bookPath: string;
  readonly slowMs: number;
  readonly leaseSeconds?: number;
}

/** A command line that cannot be followed, in a sentence. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

const DEFAULT_SLOW_MS = 3000;
const MAX_PORT = 65_535;
const MAX_SLOW_MS = 600_000;
const MAX_LEASE_SECONDS = 86_400;

export const USAGE = `Usage: node dist/host/simulator/main.js [options]
  --port PORT          listen for hosts on 127.0.0.1:PORT (default: picks a port)
  --control-port PORT  control interface on 127.0.0.1 (default: picks a port)
  --book FILE          where the simulator's own book is kept
  --slow-ms MS         how long slow and late messages take (default ${DEFAULT_SLOW_MS})
  --lease-seconds N    end after N seconds without POST /lease`;

/** Reads the command line. @throws OptionError */
export function parseOptions(args: readonly string[]): SimulatorOptions {
  const values = readArguments(args);
  const lease = values['lease-seconds'];
  return {
    port: readNumber('port', values.port, 0, MAX_PORT),
    controlPort: readNumber('control-port', values['control-port'], 0, MAX_PORT),
    bookPath: values.book ?? join(homedir(), '.till-bridge', 'acquirer-simulator.book.jsonl'),
    slowMs: readNumber('slow-ms', values['slow-ms'], DEFAULT_SLOW_MS, MAX_SLOW_MS),
    ...(lease === undefined ? {} : { leaseSeconds: readNumber('lease-seconds', lease, 0, MAX_LEASE_SECONDS) }),
  };
}

function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { port: text, 'control-port': text, book: text, 'slow-ms': text, 'lease-seconds': text };
  try {
    return parseArgs({ args: [...args], strict: true, allowPositionals: false, options }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
}

function readNumber(name: string, text: string | undefined, byDefault: number, max: number): number {
  if (text === undefined) return byDefault;
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) > max)
    throw new OptionError(`--${name} is a number from 0 to ${max}, not ${text}.`);
  return Number(text);
}
