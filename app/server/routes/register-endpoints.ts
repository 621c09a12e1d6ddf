import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Endpoint, type EndpointId, endpoints } from '../../contract/endpoints.ts';
import { readInput, routePath } from '../../http/read-call.ts';
import { readCall } from './call.ts';
import { deviceHandlers } from './device.handlers.ts';
import type { Handler, HandlerDeps } from './handler.ts';
import { serviceHandlers } from './service.handlers.ts';
import { settlementHandlers } from './settlement.handlers.ts';
import { transactionHandlers } from './transaction.handlers.ts';

/** The session is a WebSocket and is registered apart. */
type RestEndpointId = Exclude<EndpointId, 'pos.session'>;

/** What each endpoint of the table does. */
const handlers: Readonly<Record<RestEndpointId, Handler>> = {
  ...transactionHandlers,
  ...deviceHandlers,
  ...settlementHandlers,
  ...serviceHandlers,
};

/** Registers every endpoint of the contract's table, and nothing else. */
export function registerEndpoints(app: FastifyInstance, deps: HandlerDeps): void {
  for (const endpoint of endpoints) {
    if (endpoint.id !== 'pos.session') registerEndpoint(app, deps, endpoint, handlers[endpoint.id]);
  }
}

function registerEndpoint(app: FastifyInstance, deps: HandlerDeps, endpoint: Endpoint, handler: Handler): void {
  if (handler.requestSchema !== endpoint.requestSchema || handler.querySchema !== endpoint.querySchema) {
    throw new TypeError(`the handler of ${endpoint.id} was written for another schema`);
  }
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    config: { endpointId: endpoint.id, credential: endpoint.credential === 'pos' ? 'required' : 'none' },
    handler: async (request, reply) => answer(deps, endpoint, handler, request, reply),
  });
}

async function answer(
  deps: HandlerDeps,
  endpoint: Endpoint,
  handler: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const call = readCall(endpoint, request);
  const out = await handler.run(deps, call, readInput(endpoint, request));
  request.transactionId = out.transactionId ?? call.pathParameters.id ?? null;
  return reply
    .code(out.statusCode)
    .headers(out.headers ?? {})
    .send(out.body);
}
