const DEFAULT_NATS_PORT = 4222;

/** Where NATS is, and who this node is there. */
export interface NatsAddress {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`, several with commas; the first may hold USER:PASSWORD@ or TOKEN@. */
  readonly url: string;
  /** Content of a credentials file, as `nsc` makes them. */
  readonly credentials?: string;
}

/** Whether `url` names NATS servers. */
export function isNatsUrl(url: string): boolean {
  const servers = url.split(',');
  return servers.every((server) => /^(nats|tls):\/\/[^/]/.test(server) && URL.canParse(server));
}

/** Whether a URL holds what other users of the machine must not read. */
export function hasNatsSecret(url: string): boolean {
  return url.split(',').some((server) => URL.canParse(server) && new URL(server).username !== '');
}

/** The servers as people may read them. */
export function natsServersOf(url: string): readonly string[] {
  return url.split(',').map((server) => {
    const { hostname, port } = new URL(server);
    return `${hostname}:${port === '' ? DEFAULT_NATS_PORT : port}`;
  });
}
