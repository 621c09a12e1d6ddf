import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoints.ts';
import { optional, pathParametersOf, readHeaders, routeOf } from '../../http/read-call.ts';
import type { Call } from './handler.ts';

/** Reads what a call carries beside its body. @throws BridgeError INVALID_REQUEST naming the header */
export function readCall(endpoint: Endpoint, request: FastifyRequest): Call {
  const pathParameters = pathParametersOf(request);
  const headers = readHeaders(endpoint, request, true);
  return {
    caller: request.caller,
    pathParameters,
    languages: request.headers['accept-language'] ?? '',
    context: {
      clientId: request.caller?.clientId ?? 'none',
      actor: request.caller === null ? 'none' : `pos:${request.caller.name}`,
      requestId: request.id,
      route: routeOf(endpoint, pathParameters),
      ...optional('eventRequestId', request.caller?.eventRequestId),
      ...optional('onlyTerminalId', request.caller?.onlyTerminalId),
      ...optional('transactionId', request.caller?.transactionId),
      ...optional('terminalId', headers['x-terminal-id']),
      ...optional('idempotencyKey', headers['idempotency-key']),
      ...optional('timeoutSeconds', headers['x-timeout-seconds']),
    },
  };
}
