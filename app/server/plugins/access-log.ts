import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log, LogFields } from '../../ports/log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The transaction that a call was about, for the log. */
    transactionId: string | null;
    /** The code that the caller was refused with, for the log. */
    errorCode: string | null;
  }
}

/** One line per answer, with the request id that the caller got (decisions: Service). The route's pattern is logged, never the URL. */
export function installAccessLog(app: FastifyInstance, log: Log): void {
  app.decorateRequest('transactionId', null);
  app.decorateRequest('errorCode', null);
  app.addHook('onResponse', async (request, reply) => {
    const fields: LogFields = {
      requestId: request.id,
      method: request.method,
      statusCode: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      ...namesOf(request),
    };
    // Polling would fill the log with nothing.
    const isRoutine = request.method !== 'POST' && reply.statusCode < 400;
    if (isRoutine) log.debug('answered', fields);
    else log.info('answered', fields);
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
