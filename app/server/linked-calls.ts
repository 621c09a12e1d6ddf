import type { FastifyInstance } from 'fastify';
import { type EndpointId, linkedEndpoints } from '../contract/endpoints.ts';
import { BridgeError } from '../contract/errors.ts';
import type { LinkCall } from '../contract/host/link.ts';
import type { Ids } from '../ports/ids.ts';
import type { LinkedCalls } from '../ports/linked-calls.ts';
import type { Credentials, KnownClient } from '../services/till.ts';

const keyBytes = 32;
/** Headers of an answer that mean something to the POS; the others belong to the connection. */
const toldHeaders = ['content-type', 'idempotent-replayed', 'retry-after'] as const;

/** Keys that live for one call: what the host has admitted is not asked for its key again. */
export interface PassingKeys {
  readonly credentials: Credentials;
  /** Whether what stands in a call's X-Api-Key belongs to one that our host passes on now. */
  isPassing(key: unknown): boolean;
  /** Runs `task` with a key that belongs to `client` until it has ended. */
  during<Result>(client: KnownClient, task: (key: string) => Promise<Result>): Promise<Result>;
}

export function createPassingKeys(credentials: Credentials, ids: Pick<Ids, 'randomBytes'>): PassingKeys {
  const passing = new Map<string, KnownClient>();
  return {
    credentials: {
      isRevoked: credentials.isRevoked,
      clientOf(key) {
        const passed = passing.get(key);
        if (passed === undefined) return credentials.clientOf(key);
        return credentials.isRevoked(passed.clientId) ? undefined : passed;
      },
    },
    isPassing: (key) => typeof key === 'string' && passing.has(key),
    async during(client, task) {
      const key = Buffer.from(ids.randomBytes(keyBytes)).toString('base64url');
      passing.set(key, client);
      try {
        return await task(key);
      } finally {
        passing.delete(key);
      }
    },
  };
}

const reachable: ReadonlySet<string | undefined> = new Set<EndpointId>(linkedEndpoints.map(({ id }) => id));

/** For a call over the link there is nothing but what our host may pass on: judged by the route, however the path was written. */
export function installLinkFence(app: FastifyInstance, keys: PassingKeys): void {
  app.addHook('onRequest', async ({ headers, routeOptions }) => {
    if (keys.isPassing(headers['x-api-key']) && !reachable.has(routeOptions.config.endpointId))
      throw new BridgeError('NOT_FOUND', 'nothing is known under that path');
  });
}

/** Calls over the link meet everything that a call at the till's own address meets. @param host a name under which the till may be called */
export function createLinkedCalls(app: FastifyInstance, keys: PassingKeys, host: string): LinkedCalls {
  return {
    answer: (terminalId, call) =>
      keys.during(clientOf(terminalId, call), async (key) => {
        const reply = await app.inject({
          method: call.method,
          url: call.path,
          headers: headersOf(call, { host, key, terminalId }),
          ...(call.body === undefined ? {} : { payload: call.body }),
        });
        const headers = toldHeaders.flatMap((name) => {
          const value = reply.headers[name];
          return value === undefined ? [] : [[name, String(value)]];
        });
        const isJson = String(reply.headers['content-type']).startsWith('application/json');
        const body = isJson ? namedAs(reply.body, terminalId, call.terminalId ?? terminalId) : reply.body;
        return { statusCode: reply.statusCode, headers: Object.fromEntries(headers), body };
      }),
  };
}

function clientOf(terminalId: string, call: LinkCall): KnownClient {
  const { clientId, clientName, transactionId, eventRequestId } = call;
  return {
    ...{ clientId, name: clientName, onlyTerminalId: terminalId },
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(eventRequestId === undefined ? {} : { eventRequestId }),
  };
}

function headersOf(
  { callId, body, idempotencyKey, timeoutSeconds }: LinkCall,
  { host, key, terminalId }: { readonly host: string; readonly key: string; readonly terminalId: string },
): Record<string, string> {
  return {
    host,
    'x-api-key': key,
    'x-terminal-id': terminalId,
    'x-request-id': callId,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(timeoutSeconds === undefined ? {} : { 'x-timeout-seconds': timeoutSeconds }),
  };
}

/** The body with the terminal named as the host names it; metadata are the POS's own words. */
function namedAs(body: string, own: string, named: string): string {
  if (own === named || !body.includes('"terminalId"')) return body;
  return JSON.stringify(renamed(JSON.parse(body)));

  function renamed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([name, field]) => {
      if (name === 'terminalId' && field === own) return [name, named];
      return [name, name === 'metadata' ? field : renamed(field)];
    });
    return Object.fromEntries(fields);
  }
}
