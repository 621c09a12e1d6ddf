import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BridgeError } from '../../app/contract/errors.ts';
import { type HostEndpoint, type HostEndpointId, hostEndpointOf } from '../../app/contract/host/host-endpoints.ts';
import { type TokenBuckets, takeToken } from '../../app/http/token-buckets.ts';
import type { Caller, HostAdmission, PosCaller } from '../services/host.ts';
import { posEndpointOf } from './pos-calls.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the host; null until the credential was checked, and where none is needed. */
    hostCaller: Caller | PosCaller | null;
  }
}

/** Longest credential that is looked at; ours are shorter. */
const maxCredentialCharacters = 512;
/** How keys of a POS begin: they open what the till answers, and nothing of the host's own (decisions: Credentials). */
const posKey = /^pos_[A-Za-z0-9_-]+$/;

/** What a call without the right credential is told to send. */
export function challengeOf(request: FastifyRequest): string {
  return endpointOf(request)?.credential === 'secret' || posEndpointOf(request) !== undefined
    ? 'ApiKey realm="host"'
    : 'Bearer realm="host"';
}

/** The row of the table that a request has met; undefined for a path that is none. */
export function endpointOf(request: FastifyRequest): HostEndpoint | undefined {
  const { endpointId } = request.routeOptions.config;
  return endpointId === undefined ? undefined : hostEndpointOf(endpointId as HostEndpointId);
}

/** Reversals take money back that nobody wanted to charge: they are never put off (decisions: Rate limits). */
const isUnlimited = (endpoint: HostEndpoint | undefined): boolean => endpoint?.id === 'device.recoveryReverse';

/**
 * Who calls, and not too often, before a body is read (specification: Authentication; decisions: Wrong credentials, Rate limits). Each
 * credential has a bucket of its own; callers without one that works share one per address, so guessing is limited as well; what needs none has
 * another, so that nobody's guesses keep a probe from its answer.
 */
export function installAdmission(app: FastifyInstance, host: HostAdmission, buckets: TokenBuckets): void {
  app.decorateRequest('hostCaller', null);
  app.addHook('onRequest', async (request) => {
    const endpoint = endpointOf(request);
    if (isForPos(request, endpoint)) {
      const found = await identifyPos(request, host);
      takeToken(buckets, found instanceof BridgeError ? `unknown ${request.ip}` : posBucketOf(found));
      if (found instanceof BridgeError) throw found;
      request.hostCaller = found;
      return;
    }
    if (endpoint === undefined || endpoint.credential === 'none') {
      takeToken(buckets, `open ${request.ip}`);
      return;
    }
    const found = await identify(request, endpoint.credential === 'device' ? 'DEVICE' : 'SECRET', host);
    if (found instanceof BridgeError) {
      takeToken(buckets, `unknown ${request.ip}`);
      throw found;
    }
    if (!isUnlimited(endpoint)) takeToken(buckets, bucketOf(found));
    request.hostCaller = found;
  });
}

/** Where both APIs have a path, the kind of key decides. */
function isForPos(request: FastifyRequest, endpoint: HostEndpoint | undefined): boolean {
  if (posEndpointOf(request) === undefined) return false;
  return endpoint === undefined || posKey.test(keysOf(request)[0] ?? '');
}

/** The keys that a call carries: X-Api-Key, Authorization: Bearer. */
function keysOf({ headers }: FastifyRequest): readonly string[] {
  const bearer = /^Bearer +([\x21-\x7e]+)$/i.exec(headers.authorization ?? '')?.[1];
  const apiKey = typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : undefined;
  return [apiKey, bearer].filter((key) => key !== undefined);
}

/** The POS that calls, or why it is refused. @throws StoreUnavailable */
async function identifyPos(request: FastifyRequest, host: HostAdmission): Promise<PosCaller | BridgeError> {
  const [key, other] = keysOf(request);
  if (other !== undefined && other !== key) {
    return new BridgeError('UNAUTHENTICATED', 'X-Api-Key and Authorization carry different keys');
  }
  if (key !== undefined && key.length <= maxCredentialCharacters) {
    const client = await host.posClientOf(key);
    if (client !== undefined) return client;
    if (!posKey.test(key) && (await lookUp(key, host)) !== undefined) {
      return new BridgeError('FORBIDDEN', 'this call takes the key of a POS and nothing else');
    }
  }
  return new BridgeError('UNAUTHENTICATED', 'a POS key is needed: X-Api-Key, or Authorization: Bearer');
}

function posBucketOf({ merchantId, clientId }: PosCaller): string {
  return `pos ${JSON.stringify([merchantId, clientId])}`;
}

function bucketOf(caller: Caller): string {
  return caller.kind === 'DEVICE'
    ? `device ${JSON.stringify([caller.merchantId, caller.terminalId])}`
    : `key ${JSON.stringify([caller.merchantId, caller.keyId])}`;
}

/** The caller that the call needs, or why it is refused. @throws StoreUnavailable */
async function identify(
  request: FastifyRequest,
  needed: Caller['kind'],
  host: HostAdmission,
): Promise<Caller | BridgeError> {
  const { headers } = request;
  const bearer = /^Bearer +([\x21-\x7e]+)$/i.exec(headers.authorization ?? '')?.[1];
  const apiKey = typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : undefined;
  // The header that the call takes decides; another one is looked at only to say what is wrong with it.
  const inPlace = needed === 'DEVICE' ? bearer : apiKey;
  const given = inPlace ?? bearer ?? apiKey;
  const known = given === undefined || given.length > maxCredentialCharacters ? undefined : await lookUp(given, host);
  if (inPlace !== undefined && typeof known === 'object' && known.kind === needed) return known;
  if (known === undefined) return new BridgeError('UNAUTHENTICATED', `${wants[needed]} is needed`);
  return new BridgeError('FORBIDDEN', `this call takes ${wants[needed]} and nothing else`);
}

const wants = {
  DEVICE: 'a device token (Authorization: Bearer)',
  SECRET: 'a secret key (X-Api-Key)',
} as const;

async function lookUp(credential: string, host: HostAdmission): Promise<Caller | 'OTHER' | undefined> {
  if (posKey.test(credential)) return 'OTHER';
  const device = await host.deviceOf(credential);
  if (device !== undefined) return device;
  const key = await host.keyOf(credential);
  if (key === undefined) return undefined;
  return key.kind === 'SECRET' ? key.caller : 'OTHER';
}
