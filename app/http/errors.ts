import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import { errorAnswerOf, isUnexpected } from './error-answer.ts';
import { jsonType } from './reply.ts';
import { installRequestFacts } from './request-facts.ts';
import { securityHeaders } from './security-headers.ts';

/** What a request is asked for when its credentials are missing or wrong: a value of WWW-Authenticate. */
export type ChallengeOf = (request: FastifyRequest) => string;

/** Where no call has got as far as its credentials. */
const noChallenge = 'Bearer';

/** Every error of every route leaves through here as an ErrorResponse (specification: Errors; decisions: Errors). */
export function installErrorHandler(app: FastifyInstance, log: Log, challengeOf: ChallengeOf): void {
  installRequestFacts(app);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, log, challengeOf(request)));
}

function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
  challenge: string,
): FastifyReply {
  if (isUnexpected(error)) logUnexpected(error, request.id, log);
  const answer = errorAnswerOf(error, request.id, challenge);
  request.errorCode = answer.body.error;
  request.transactionId ??= answer.body.transactionId ?? null;
  return reply
    .code(answer.statusCode)
    .headers(answer.headers)
    .header('content-type', jsonType)
    .send(JSON.stringify(answer.body));
}

/** Errors that Fastify finds before a route is known: the hooks have not run, so their headers are set here. */
export function answerFrameworkError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  reply.headers({ ...securityHeaders, 'x-request-id': request.id });
  sendError(error, request, reply, log, noChallenge);
  log.info('answered', { requestId: request.id, method: request.method, statusCode: reply.statusCode });
}

/** What is not even HTTP is answered in the same words, and the connection is closed. */
export function answerClientError(error: Error, socket: Socket, ids: Ids): void {
  if (!socket.writable || socket.destroyed) return;
  const requestId = ids.next();
  const answer = errorAnswerOf(error, requestId, noChallenge);
  // A parser error is the caller's, whatever it is called.
  const statusCode = answer.statusCode >= 500 ? 400 : answer.statusCode;
  const told =
    answer.statusCode >= 500 ? { error: 'INVALID_REQUEST', message: 'the request is not valid HTTP' } : answer.body;
  const body = JSON.stringify(told);
  const headers = {
    ...securityHeaders,
    'content-type': jsonType,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${head.join('')}\r\n${body}`);
}

export function logUnexpected(error: unknown, requestId: string, log: Log): void {
  const isError = error instanceof Error;
  log.error('a call failed unexpectedly', {
    requestId,
    reason: isError ? error.message : 'not an error object',
    ...(isError && error.stack !== undefined ? { stack: error.stack } : {}),
  });
}
