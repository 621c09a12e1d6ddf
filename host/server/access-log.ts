import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log, LogFields } from '../../app/ports/log.ts';
import type { HostMetrics } from './metrics.ts';

/** Pages and probes that are asked for all the time: they would fill the log with nothing. */
function isRoutine(request: FastifyRequest, statusCode: number): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && statusCode < 400;
}

/**
 * One line per answer with the request id that the caller got (decisions: Service), and its count and duration for the metrics. The route's pattern
 * is written, never the URL; of a caller the id of its terminal or key, which opens nothing.
 */
export function installAccessLog(app: FastifyInstance, log: Log, metrics: HostMetrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const { statusCode } = reply;
    const route = request.routeOptions.url?.replace(/:([A-Za-z]+)/g, '{$1}');
    metrics.countRequest({ method, route: route ?? 'none', statusCode, durationMs: reply.elapsedTime });
    const fields: LogFields = {
      requestId: request.id,
      method,
      ...(route === undefined ? {} : { route }),
      statusCode,
      durationMs: Math.round(reply.elapsedTime),
      ...namesOf(request),
    };
    if (isRoutine(request, statusCode)) log.debug('answered', fields);
    else log.info('answered', fields);
  });
}

function namesOf({ hostCaller, transactionId, errorCode }: FastifyRequest): LogFields {
  return {
    ...(hostCaller?.kind === 'DEVICE' ? { terminalId: hostCaller.terminalId } : {}),
    ...(hostCaller?.kind === 'SECRET' ? { clientName: hostCaller.keyId } : {}),
    ...(hostCaller?.kind === 'POS' ? { clientName: hostCaller.name } : {}),
    ...(transactionId === null ? {} : { transactionId }),
    ...(errorCode === null ? {} : { code: errorCode }),
  };
}
