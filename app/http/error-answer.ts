import { BridgeError, type ErrorResponse } from '../contract/errors.ts';

/** An error as it goes out. */
export interface ErrorAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorResponse;
}

/**
 * Any error → what a caller may read of it. A BridgeError says itself; Fastify's and Node's own errors are put into our words; of anything
 * else nothing is told but the request id, under which the log has the rest.
 * @param challenge value of WWW-Authenticate on a 401
 */
export function errorAnswerOf(error: unknown, requestId: string, challenge: string): ErrorAnswer {
  const known = error instanceof BridgeError ? error : translated(error);
  const told = known ?? new BridgeError('INTERNAL', `the call failed; the log has it under request id ${requestId}`);
  return { statusCode: told.httpStatus, headers: headersOf(told, challenge), body: told.toResponse() };
}

/** Whether the error is a fault of ours that somebody must look into. */
export function isUnexpected(error: unknown): boolean {
  return error instanceof BridgeError ? error.code === 'INTERNAL' : translated(error) === undefined;
}

function headersOf(error: BridgeError, challenge: string): Record<string, string> {
  const seconds = error.details?.retryAfterSeconds;
  return {
    ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
    ...(error.code === 'UNAUTHENTICATED' ? { 'www-authenticate': challenge } : {}),
    ...(error.code === 'UPGRADE_REQUIRED' ? { upgrade: 'websocket', connection: 'Upgrade' } : {}),
  };
}

/** Codes of Fastify and of Node's HTTP parser that stand for a fault of the caller. */
const translations: Readonly<Record<string, () => BridgeError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new BridgeError('PAYLOAD_TOO_LARGE', 'the body is larger than 64 KiB'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new BridgeError('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new BridgeError('INVALID_REQUEST', 'the body is not as long as Content-Length says'),
  FST_ERR_BAD_URL: () => new BridgeError('INVALID_REQUEST', 'the path is not a valid URL path'),
  FST_ERR_MAX_PARAM_LENGTH: () => new BridgeError('NOT_FOUND', 'nothing is known under that path'),
  HPE_HEADER_OVERFLOW: () => new BridgeError('INVALID_REQUEST', 'the headers are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new BridgeError('INVALID_REQUEST', 'the request did not arrive in time'),
  // The caller went away while its body was read; nobody reads this answer.
  ECONNRESET: () => new BridgeError('INVALID_REQUEST', 'the body did not arrive whole'),
  ECONNABORTED: () => new BridgeError('INVALID_REQUEST', 'the body did not arrive whole'),
};

function translated(error: unknown): BridgeError | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (Object.hasOwn(translations, error.code)) return translations[error.code]?.();
  if (error.code.startsWith('HPE_')) return new BridgeError('INVALID_REQUEST', 'the request is not valid HTTP');
  return undefined;
}
