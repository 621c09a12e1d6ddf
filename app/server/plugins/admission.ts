import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BridgeError } from '../../contract/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { posKeyOf } from '../../http/pos-key.ts';
import { type TokenBuckets, takeToken } from '../../http/token-buckets.ts';
import type { Credentials, KnownClient } from '../../services/till.ts';

/** A caller that has shown a valid key. */
export interface PosCaller extends KnownClient {
  /** Kept in memory so that a session notices when its key is revoked. */
  readonly key: Secret<string>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null until the key was checked, and on paths without one. */
    caller: PosCaller | null;
  }
  interface FastifyContextConfig {
    /** `required`: no answer without a key. `first-message`: a session may say later who it is. */
    credential?: 'required' | 'first-message' | 'none';
  }
}

/** Longest key that is looked at; ours are shorter. */
const maxKeyCharacters = 512;

/**
 * Who calls (X-Api-Key or Authorization: Bearer, decisions: Credentials), and not too often (decisions: Limits), before a body is read. Each
 * POS client has its own bucket of tokens; callers without a valid key share one per address, so guessing keys is limited as well.
 */
export function installAdmission(app: FastifyInstance, credentials: Credentials, buckets: TokenBuckets): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    const caller = identify(request, credentials);
    const isKnown = caller !== null && !(caller instanceof BridgeError);
    takeToken(buckets, isKnown ? clientBucket(caller.clientId) : `address ${request.ip}`);
    if (caller instanceof BridgeError) throw caller;
    request.caller = caller;
  });
}

function identify(request: FastifyRequest, credentials: Credentials): PosCaller | null | BridgeError {
  const need = request.routeOptions.config.credential ?? 'none';
  if (need === 'none') return null;
  try {
    const key = posKeyOf(request.headers);
    if (key !== undefined) return callerOf(key, credentials);
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'UNAUTHENTICATED') return error;
    throw error;
  }
  if (need === 'first-message') return null;
  return new BridgeError('UNAUTHENTICATED', 'a POS key is needed: X-Api-Key, or Authorization: Bearer');
}

export function clientBucket(clientId: string): string {
  return `client ${clientId}`;
}

/** @throws BridgeError UNAUTHENTICATED */
export function callerOf(key: string, credentials: Credentials): PosCaller {
  const client = key.length <= maxKeyCharacters ? credentials.clientOf(key) : undefined;
  if (client === undefined) throw new BridgeError('UNAUTHENTICATED', 'the POS key is not valid');
  return { ...client, key: new Secret(key) };
}
