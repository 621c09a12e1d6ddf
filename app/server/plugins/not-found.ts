import type { FastifyInstance } from 'fastify';
import { endpoints } from '../../contract/endpoints.ts';
import { BridgeError } from '../../contract/errors.ts';

/** 404 for a path that is none, 405 with Allow for a method that the path has not; before any body is read. */
export function installNotFound(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) {
      const allowed = methodsOf(request.url.split('?', 1)[0] ?? '');
      if (allowed.length === 0) throw new BridgeError('NOT_FOUND', 'nothing is known under that path');
      reply.header('allow', allowed.join(', '));
      throw new BridgeError('METHOD_NOT_ALLOWED', 'the path does not take that method');
    }
    if (request.ws && request.routeOptions.config.endpointId !== 'pos.session') {
      throw new BridgeError('INVALID_REQUEST', 'only /v1/session is a WebSocket');
    }
  });
}

function methodsOf(path: string): string[] {
  const methods = endpoints.filter((endpoint) => patternOf(endpoint.path).test(path)).map(({ method }) => method);
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[A-Za-z]+\}/g, '[^/]+')}$`);
}
