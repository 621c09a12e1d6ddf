import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log, LogFields } from '../../ports/log.ts';
import type { RequestLog } from '../../ports/request-log.ts';

/**
 * One line per answer, with the request id that the caller got (decisions: Service), and one entry in the list that the console shows. The route's
 * pattern is logged, never the URL.
 */
export function installAccessLog(app: FastifyInstance, log: Log, requests: RequestLog): void {
  app.addHook('onResponse', async (request, reply) => {
    const durationMs = Math.round(reply.elapsedTime);
    const fields: LogFields = {
      requestId: request.id,
      method: request.method,
      statusCode: reply.statusCode,
      durationMs,
      ...namesOf(request),
    };
    // Polling would fill the log with nothing.
    const isRoutine = request.method !== 'POST' && reply.statusCode < 400;
    if (isRoutine) log.debug('answered', fields);
    else log.info('answered', fields);
    recordRequest(requests, request, reply.statusCode, durationMs);
  });
}

/** The entry of one request in the list. */
export function recordRequest(
  requests: RequestLog,
  request: FastifyRequest,
  statusCode: number,
  durationMs: number,
): void {
  const route = request.routeOptions.url;
  const { origin } = request.headers;
  requests.record({
    method: request.method,
    statusCode,
    durationMs,
    requestId: request.id,
    ...(route === undefined ? {} : { path: route.replace(/:([A-Za-z]+)/g, '{$1}') }),
    ...(request.caller === null ? {} : { clientName: request.caller.name }),
    ...(request.errorCode === null ? {} : { errorCode: request.errorCode }),
    ...(origin === undefined ? {} : { origin }),
  });
}

function namesOf(request: FastifyRequest): LogFields {
  const route = request.routeOptions.url;
  return {
    ...(route === undefined ? {} : { route }),
    ...(request.caller === null ? {} : { clientName: request.caller.name }),
    ...(request.transactionId === null ? {} : { transactionId: request.transactionId }),
    ...(request.errorCode === null ? {} : { code: request.errorCode }),
  };
}
