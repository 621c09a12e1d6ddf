import type { FastifyInstance } from 'fastify';
import type { EndpointRow } from '../contract/endpoint.ts';
import { BridgeError } from '../contract/errors.ts';

/** 404 for a path that is none, 405 with Allow for a method that the path has not; before any body is read. @param sockets the endpoints that are WebSockets */
export function installNotFound(
  app: FastifyInstance,
  endpoints: readonly EndpointRow[],
  sockets: readonly Pick<EndpointRow, 'path'>[],
): void {
  const paths = endpoints.map(({ path, method }) => ({ pattern: patternOf(path), method }));
  const methodsOf = (path: string): string[] => {
    const methods = paths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  };

  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) {
      const allowed = methodsOf(request.url.split('?', 1)[0] ?? '');
      if (allowed.length === 0) throw new BridgeError('NOT_FOUND', 'nothing is known under that path');
      reply.header('allow', allowed.join(', '));
      throw new BridgeError('METHOD_NOT_ALLOWED', 'the path does not take that method');
    }
    if (request.ws && !sockets.some(({ path }) => path === request.routeOptions.url)) {
      const names = sockets.map(({ path }) => path).join(' and ');
      throw new BridgeError('INVALID_REQUEST', `only ${names} is a WebSocket`);
    }
  });
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[A-Za-z]+\}/g, '[^/]+')}$`);
}
