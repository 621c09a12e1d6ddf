import { parseArgs } from 'node:util';
import { hasNatsSecret, isNatsUrl } from '../nodes/nats-address.ts';

/** Who authorizes. */
export type AcquirerOption =
  | { readonly kind: 'simulator' }
  | { readonly kind: 'iso8583'; readonly host: string; readonly port: number; readonly acquirerId: string };

/** What the command line of the host says. */
export interface HostOptions {
  readonly port: number;
  readonly listenHost: string;
  /** Without a password; absent: TILL_HOST_DATABASE_URL, else SQLite in the data folder. */
  readonly database?: string;
  readonly acquirer: AcquirerOption;
  /** Without a password; absent: TILL_HOST_NATS_URL, else this host is the only one, or the others hear nothing of it. */
  readonly nats?: string;
  readonly demo: boolean;
  readonly dataDir?: string;
  /** Ends when standard input ends: whoever started it has ended. */
  readonly untilInputEnds: boolean;
  readonly help: boolean;
}

const DEFAULT_HOST_PORT = 8080;

export const usage = `Usage: npm run host -- [options]
       npm run host -- admin --help      merchants, terminals, keys, pairing codes, recovery

  --port N              port of the host API (default ${DEFAULT_HOST_PORT}; 0 picks a free one)
  --listen HOST         address to listen on (default 127.0.0.1; TLS is for the proxy in front)
  --database URL        sqlite:FILE or postgres://USER@HOST/NAME (default: SQLite in the data folder)
  --acquirer WHICH      simulator (default; no real money), or iso8583://HOST:PORT?acquirerId=DIGITS
  --nats URL            nats://HOST:PORT or tls://HOST:PORT, several with commas: passes POS calls between several
                        hosts on one PostgreSQL database; one host needs none
  --data-dir DIR        where SQLite, the secret and the simulator's book live
  --demo                makes a merchant with a terminal and keys, and names them in READY
  --until-input-ends    ends when standard input ends, and the simulator with it: for a program
                        that starts a host of its own
  --help                this text

Secrets come from the environment or from files, never from the command line:
  TILL_HOST_DATABASE_URL or TILL_HOST_DATABASE_URL_FILE   the database with its password
  TILL_HOST_NATS_URL or TILL_HOST_NATS_URL_FILE           NATS with USER:PASSWORD@ or TOKEN@
  TILL_HOST_NATS_CREDENTIALS or TILL_HOST_NATS_CREDENTIALS_FILE   a credentials file of NATS
  TILL_HOST_SECRET or TILL_HOST_SECRET_FILE               key of the keyed hashes, the same for every host on
                                                          one database (default: made in the data folder)`;

/** A command line that cannot be understood; the message says which option and why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Options that say which host is meant, also by its admin command. */
export const databaseOptions = { database: { type: 'string' }, 'data-dir': { type: 'string' } } as const;

/** @throws UsageError naming the option */
export function parseOptions(args: readonly string[]): HostOptions {
  const { values } = parsed(() =>
    parseArgs({
      args: [...args],
      strict: true,
      options: {
        ...databaseOptions,
        port: { type: 'string' },
        listen: { type: 'string' },
        acquirer: { type: 'string' },
        nats: { type: 'string' },
        demo: { type: 'boolean' },
        'until-input-ends': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  return {
    port: values.port === undefined ? DEFAULT_HOST_PORT : portOf('--port', values.port),
    listenHost: values.listen ?? '127.0.0.1',
    acquirer: acquirerOf(values.acquirer ?? 'simulator'),
    demo: values.demo ?? false,
    untilInputEnds: values['until-input-ends'] ?? false,
    help: values.help ?? false,
    ...(values.nats === undefined ? {} : { nats: natsOf(values.nats) }),
    ...databaseOf(values),
  };
}

/** @throws UsageError for a password: other users of the machine can read a command line */
function natsOf(url: string): string {
  requireNats('--nats', url);
  if (hasNatsSecret(url)) {
    throw new UsageError(
      '--nats must not hold a user or token: everybody on this machine can read it there. Put the URL into TILL_HOST_NATS_URL, or into a file that TILL_HOST_NATS_URL_FILE names.',
    );
  }
  return url;
}

/** @throws UsageError; the value is not repeated, it may hold a password */
export function requireNats(name: string, url: string): void {
  if (!isNatsUrl(url)) throw new UsageError(`${name} must be nats://HOST:PORT or tls://HOST:PORT, several with commas`);
}

/** What the options say of the database. @throws UsageError for a password: other users of the machine can read a command line */
export function databaseOf(values: {
  readonly database?: string | undefined;
  readonly 'data-dir'?: string | undefined;
}): {
  readonly database?: string;
  readonly dataDir?: string;
} {
  const { database, 'data-dir': dataDir } = values;
  if (database !== undefined && hasPassword(database)) {
    throw new UsageError(
      '--database must not hold a password: everybody on this machine can read it there. Put the URL into TILL_HOST_DATABASE_URL, or into a file that TILL_HOST_DATABASE_URL_FILE names.',
    );
  }
  if (database !== undefined) requireDatabase('--database', database);
  return { ...(database === undefined ? {} : { database }), ...(dataDir === undefined ? {} : { dataDir }) };
}

/** @throws UsageError; the value is not repeated, it may hold a password */
export function requireDatabase(name: string, database: string): void {
  const isKnown = /^sqlite:./.test(database) || (/^postgres(ql)?:\/\//.test(database) && URL.canParse(database));
  if (!isKnown) throw new UsageError(`${name} must be sqlite:FILE or postgres://USER@HOST/NAME`);
}

function hasPassword(database: string): boolean {
  if (!URL.canParse(database) || database.startsWith('sqlite:')) return false;
  const url = new URL(database);
  return url.password !== '' || url.searchParams.has('password');
}

function acquirerOf(text: string): AcquirerOption {
  if (text === 'simulator') return { kind: 'simulator' };
  if (text.startsWith('iso8583://') && URL.canParse(text)) {
    const { hostname, port, searchParams } = new URL(text);
    const acquirerId = searchParams.get('acquirerId') ?? '';
    if (hostname === '' || port === '') throw new UsageError('--acquirer iso8583:// needs a host and a port');
    if (!/^[0-9]{1,11}$/.test(acquirerId)) {
      throw new UsageError('--acquirer iso8583:// needs acquirerId=, the up to eleven digits of the acquirer (DE 32)');
    }
    return { kind: 'iso8583', host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port), acquirerId };
  }
  throw new UsageError('--acquirer must be simulator or iso8583://HOST:PORT?acquirerId=DIGITS');
}

function portOf(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError(`${option} must be a port number from 0 to 65535`);
  return port;
}

/** What `parse` returns. @throws UsageError in place of its own error */
export function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
