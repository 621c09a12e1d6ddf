import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BridgeError } from '../../contract/errors.ts';

const nameAndPort = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+)(?::[0-9]{1,5})?$/;

/**
 * Refuses every request whose Host names another machine (decisions: Host and Origin). A web page that has rebound its own name to this
 * machine still sends its own name.
 */
export function installHostCheck(app: FastifyInstance, allowedHosts: readonly string[]): void {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  app.addHook('onRequest', async (request) => {
    if (!isAllowedHost(request, allowed)) {
      throw new BridgeError('HOST_NOT_ALLOWED', 'this address does not answer under that host name');
    }
  });
}

function isAllowedHost(request: FastifyRequest, allowed: ReadonlySet<string>): boolean {
  // A target with a host in it (as to a proxy) would count instead of Host; the router drops it unread.
  if (!request.url.startsWith('/')) return false;
  const hosts = valuesOf(request.raw.rawHeaders, 'host');
  const name = hosts.length === 1 ? nameAndPort.exec(hosts[0] ?? '')?.[1] : undefined;
  return name !== undefined && allowed.has(name.toLowerCase());
}

/** Every value of a header: Node keeps only the first Host, and a second one is a trick. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
