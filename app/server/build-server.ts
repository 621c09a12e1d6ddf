import { type FastifyInstance, fastify } from 'fastify';
import type { ServerDeps, ServerSettings } from './server-options.ts';

/** The POS API as a program's part: built without listening, so that tests can inject requests. */
export interface BridgeServer {
  readonly app: FastifyInstance;
  /**
   * Listens; `port` 0 picks a free one. Resolves with the address for callers, e.g. `http://127.0.0.1:8443`.
   * @throws the system's error, with `code` EADDRINUSE when another process holds the port
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Accepts nothing new, answers what runs (up to `closeGraceMs`), closes the sessions with 1001 and then every connection. */
  close(): Promise<void>;
}

/** Builds the server of the POS API (specification: POS transaction API, Events; decisions section 2). */
export async function buildServer(_deps: ServerDeps, _settings: ServerSettings): Promise<BridgeServer> {
  const app = fastify({ logger: false });
  return {
    app,
    listen: (address) => app.listen(address),
    close: () => app.close(),
  };
}
