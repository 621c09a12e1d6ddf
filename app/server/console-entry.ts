import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BridgeError } from '../contract/errors.ts';
import type { Ids } from '../ports/ids.ts';
import type { ConsoleDoor } from './console-door.ts';

/** 128 bits. */
const tokenBytes = 16;
/** Tokens that wait to be used; one more, and the oldest is void. */
const maxTokens = 8;

/** The one-time tokens that let a browser in. */
export interface EntryTokens {
  issue(): string;
  /** Whether it was good; it is not a second time. */
  redeem(token: string): boolean;
}

export function createEntryTokens(ids: Ids): EntryTokens {
  const waiting = new Set<string>();
  return {
    issue() {
      const token = Buffer.from(ids.randomBytes(tokenBytes)).toString('base64url');
      const [oldest] = waiting;
      if (waiting.size >= maxTokens && oldest !== undefined) waiting.delete(oldest);
      waiting.add(hashOf(token));
      return token;
    },
    redeem: (token) => waiting.delete(hashOf(token)),
  };
}

/** Looked up by hash, so that the time of the look-up tells nothing about the tokens that wait. */
function hashOf(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('base64url');
}

interface EntryDeps {
  readonly door: ConsoleDoor;
  readonly tokens: EntryTokens;
  readonly cookieMaxAgeSeconds: number;
}

/**
 * Only a browser that was let in gets anything: a good token becomes its cookie, every other request without one is refused. The cookie cannot be
 * read by scripts, and no other site's page can have it sent along.
 */
export function installConsoleEntry(app: FastifyInstance, { door, tokens, cookieMaxAgeSeconds }: EntryDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const isAdmitted = door.isAdmitted(cookieOf(request) ?? '');
    const token = tokenOf(request);
    if (token === undefined) {
      if (isAdmitted) return;
      throw new BridgeError('UNAUTHENTICATED', 'open the console by the address that the till gave at its start');
    }
    const isGood = tokens.redeem(token);
    if (!isGood && !isAdmitted) throw new BridgeError('UNAUTHENTICATED', 'this address was used already');
    if (!isAdmitted) {
      const path = '/';
      const attributes = { path, httpOnly: true, sameSite: 'strict', maxAge: cookieMaxAgeSeconds } as const;
      reply.setCookie(cookieNameOf(request), door.admit(), attributes);
    }
    return toTheConsole(reply);
  });
}

/** The token is gone from the address bar and from the history. */
function toTheConsole(reply: FastifyReply): FastifyReply {
  return reply.redirect('/', 303);
}

function tokenOf(request: FastifyRequest): string | undefined {
  const { pathname, searchParams } = new URL(request.url, 'http://console');
  return request.method === 'GET' && pathname === '/' ? (searchParams.get('token') ?? undefined) : undefined;
}

/** Browsers keep cookies per machine and not per port: two tills on one machine must not overwrite each other's. */
function cookieNameOf(request: FastifyRequest): string {
  return `console_${request.socket.localPort ?? 0}`;
}

export function cookieOf(request: FastifyRequest): string | undefined {
  return request.cookies[cookieNameOf(request)];
}
