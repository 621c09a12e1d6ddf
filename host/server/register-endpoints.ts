import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type HostEndpoint, type HostEndpointId, hostEndpoints } from '../../app/contract/host/host-endpoints.ts';
import { readInput, routePath } from '../../app/http/read-call.ts';
import { deviceHandlers } from './device.handlers.ts';
import { type Handler, type HandlerDeps, readCall } from './handler.ts';
import { merchantHandlers } from './merchant.handlers.ts';
import { answerPos } from './pos-calls.ts';
import { serviceHandlers } from './service.handlers.ts';

/** The link is a WebSocket and is registered apart. */
type RestEndpointId = Exclude<HostEndpointId, 'device.link'>;

/** What each endpoint of the table does. */
const handlers: Readonly<Record<RestEndpointId, Handler>> = {
  ...deviceHandlers,
  ...merchantHandlers,
  ...serviceHandlers,
};

/** Registers every endpoint of the contract's table, and nothing else. */
export function registerEndpoints(app: FastifyInstance, deps: HandlerDeps): void {
  for (const endpoint of hostEndpoints) {
    if (endpoint.id !== 'device.link') registerEndpoint(app, deps, endpoint, handlers[endpoint.id]);
  }
}

/** @throws TypeError for a handler that was written for another row */
function registerEndpoint(app: FastifyInstance, deps: HandlerDeps, endpoint: HostEndpoint, handler: Handler): void {
  const isOfThisRow =
    handler.requestSchema === endpoint.requestSchema &&
    handler.querySchema === endpoint.querySchema &&
    handler.credential === endpoint.credential;
  if (!isOfThisRow) throw new TypeError(`the handler of ${endpoint.id} was written for another schema or caller`);
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    config: { endpointId: endpoint.id },
    handler: async (request, reply) => await answer(deps, endpoint, handler, request, reply),
  });
}

async function answer(
  deps: HandlerDeps,
  endpoint: HostEndpoint,
  handler: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { hostCaller } = request;
  if (hostCaller?.kind === 'POS') return await answerPos(deps.host, hostCaller, request, reply);
  const call = readCall(endpoint, request);
  const out = await handler.run(deps, hostCaller, call, readInput(endpoint, request));
  request.transactionId = out.transactionId ?? call.pathParameters.id ?? null;
  return reply
    .code(out.statusCode)
    .headers(out.headers ?? {})
    .send(out.body);
}
