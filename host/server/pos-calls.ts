import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Endpoint, linkedEndpoints } from '../../app/contract/endpoints.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import { hostEndpoints } from '../../app/contract/host/host-endpoints.ts';
import { MAX_LINK_PATH_CHARACTERS } from '../../app/contract/host/host-limits.ts';
import { optional, pathParametersOf, readHeaders, readInput, routeOf, routePath } from '../../app/http/read-call.ts';
import type { PosCall, PosCaller, PosCalls } from '../services/host.ts';

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;
const ofHost = new Set(hostEndpoints.map(nameOf));

/** Those that only a POS calls; the others are the host's own for a secret key. */
export const posEndpoints: readonly Endpoint[] = linkedEndpoints.filter((endpoint) => !ofHost.has(nameOf(endpoint)));

const byName = new Map(linkedEndpoints.map((endpoint) => [nameOf(endpoint), endpoint]));

/** The row of the POS API that a request has met, also where it is one of the host's, too. */
export function posEndpointOf({ method, routeOptions }: FastifyRequest): Endpoint | undefined {
  const path = routeOptions.url?.replace(/:([A-Za-z]+)/g, '{$1}');
  // HEAD is answered as GET.
  return path === undefined ? undefined : byName.get(nameOf({ method: method === 'HEAD' ? 'GET' : method, path }));
}

/** The paths that are the POS API's alone. */
export function registerPosEndpoints(app: FastifyInstance, host: PosCalls): void {
  for (const endpoint of posEndpoints) {
    app.route({
      method: endpoint.method,
      url: routePath(endpoint.path),
      handler: async (request, reply) => {
        const { hostCaller } = request;
        if (hostCaller?.kind !== 'POS')
          throw new TypeError('the endpoint needs the key of a POS, so there is a caller');
        return await answerPos(host, hostCaller, request, reply);
      },
    });
  }
}

/** Reads the call as its till would, and answers what the till does. */
export async function answerPos(
  host: PosCalls,
  caller: PosCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const endpoint = posEndpointOf(request);
  if (endpoint === undefined) throw new TypeError('the admission lets a POS in where the POS API has a path');
  const answer = await host.posCall(caller, readPosCall(endpoint, request));
  request.transactionId = answer.transactionId ?? null;
  return reply.code(answer.statusCode).headers(answer.headers).send(answer.body);
}

/** @throws BridgeError INVALID_REQUEST naming the field */
function readPosCall(endpoint: Endpoint, request: FastifyRequest): PosCall {
  const pathParameters = pathParametersOf(request);
  const headers = readHeaders(endpoint, request, true);
  // Refused here, what a till would refuse never leaves; what the till reads are the POS's own words.
  readInput(endpoint, request);
  const { url, body } = request;
  if (url.length > MAX_LINK_PATH_CHARACTERS) throw new BridgeError('INVALID_REQUEST', 'the URL is too long');
  const named = pathParameters.id ?? Object(body).transactionId;
  return {
    ...{ endpoint, requestId: request.id, route: routeOf(endpoint, pathParameters), url },
    ...optional('idempotencyKey', headers['idempotency-key']),
    ...optional('terminalId', headers['x-terminal-id']),
    ...optional('timeoutSeconds', headers['x-timeout-seconds']),
    ...optional('body', body),
    ...optional('namedTransactionId', typeof named === 'string' ? named : undefined),
  };
}
