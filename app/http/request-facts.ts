import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a call was about, for the log: a transaction, a payment, a settlement. */
    transactionId: string | null;
    /** The code that the caller was refused with, for the log. */
    errorCode: string | null;
  }
  interface FastifyContextConfig {
    /** Id of the endpoint in its contract's table. */
    endpointId?: string;
  }
}

/** Gives every request a place for what its line in the log will say. */
export function installRequestFacts(app: FastifyInstance): void {
  app.decorateRequest('transactionId', null);
  app.decorateRequest('errorCode', null);
}
