import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '../ports/clock.ts';
import { MAX_ANSWER_BYTES } from './sync-limits.ts';

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** NOT_SENT: no connection came about. LOST: one did, and no whole answer came over it. */
export type HttpReply =
  | {
      readonly kind: 'ANSWERED';
      readonly statusCode: number;
      readonly body: Uint8Array /** The Date header, milliseconds since 1970. */;
      readonly dateMs?: number;
      readonly etag?: string;
    }
  | { readonly kind: 'LOST' | 'NOT_SENT'; readonly reason: string };

/**
 * One HTTP exchange over a connection of its own, so that it is known whether anything can have arrived: a kept connection may have died in the
 * night. No redirect is followed. Never rejects; no reason holds anything of the call.
 */
export function exchangeHttp(clock: Clock, call: HttpCall): Promise<HttpReply> {
  const isSecure = call.url.startsWith('https:');
  return new Promise((resolve) => {
    let isConnected = false;
    let reason = 'the connection broke';
    const body = call.body === undefined ? undefined : Buffer.from(call.body, 'utf8');
    const request = (isSecure ? requestHttps : requestHttp)(call.url, {
      method: call.method,
      agent: false,
      headers: {
        ...call.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
      },
    });
    const end = (reply: HttpReply) => {
      cancelTimer();
      call.signal.removeEventListener('abort', abort);
      resolve(reply);
    };
    const giveUp = (why: string) => {
      reason = why;
      request.destroy();
      fail();
    };
    const fail = () => end({ kind: isConnected ? 'LOST' : 'NOT_SENT', reason });
    const abort = () => giveUp('the call was given up');
    const cancelTimer = clock.after(call.timeoutMs, () => giveUp('no answer came in time'));
    call.signal.addEventListener('abort', abort, { once: true });
    request.on('socket', (socket) => {
      // Over TLS nothing of the call leaves before the other side has shown who it is.
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      reason = error.code === undefined ? reason : `the connection broke (${error.code})`;
      fail();
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) giveUp('the answer is too long');
        else chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('close', () => {
        if (!response.complete) fail();
        else
          end({
            kind: 'ANSWERED',
            statusCode: response.statusCode ?? 0,
            body: Buffer.concat(chunks),
            ...dateOf(response),
            ...(response.headers.etag === undefined ? {} : { etag: response.headers.etag }),
          });
      });
    });
    if (call.signal.aborted) abort();
    else request.end(body);
  });
}

function dateOf({ headers }: IncomingMessage): { readonly dateMs?: number } {
  const dateMs = Date.parse(headers.date ?? '');
  return Number.isNaN(dateMs) ? {} : { dateMs };
}
