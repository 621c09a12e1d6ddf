import { readFileSync } from 'node:fs';
import { type ConnectionOptions, credsAuthenticator } from 'nats';

const DEFAULT_NATS_PORT = 4222;

/** Where NATS is, and who this node is there. */
export interface NatsAddress {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`, several with commas; the first may hold USER:PASSWORD@ or TOKEN@. */
  readonly url: string;
  /** A credentials file, as `nsc` makes them. */
  readonly credentialsFile?: string;
}

/** The servers as people may read them. */
export function natsServersOf(url: string): readonly string[] {
  return url.split(',').map((server) => {
    const { hostname, port } = new URL(server);
    return `${hostname}:${port === '' ? DEFAULT_NATS_PORT : port}`;
  });
}

/** What the client of NATS takes. @throws the system's error for a credentials file that cannot be read */
export function natsOptionsOf({ url, credentialsFile }: NatsAddress): ConnectionOptions {
  const first = new URL(url.split(',')[0] ?? '');
  const user = decodeURIComponent(first.username);
  const pass = decodeURIComponent(first.password);
  return {
    servers: [...natsServersOf(url)],
    ...(first.protocol === 'tls:' ? { tls: {} } : {}),
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
    ...(credentialsFile === undefined ? {} : { authenticator: credsAuthenticator(readFileSync(credentialsFile)) }),
  };
}
