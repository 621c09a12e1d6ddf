import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpointOf } from '../../../app/contract/endpoints.ts';
import { BridgeError } from '../../../app/contract/errors.ts';
import { parseQuery } from '../../../app/contract/query.ts';
import { SessionQuery } from '../../../app/contract/session.ts';
import { posKeyOf } from '../../../app/http/pos-key.ts';
import { queryOf, readInput } from '../../../app/http/read-call.ts';
import { type TokenBuckets, takeToken } from '../../../app/http/token-buckets.ts';
import { credentialHash } from '../../services/credentials.ts';
import type { HostAdmission, PosKeyHolder, PosTickets } from '../../services/host.ts';
import { posBucketOf } from './pos-session.ts';
import type { PosSessionHub } from './pos-session-hub.ts';

interface SessionRouteDeps {
  readonly hub: PosSessionHub;
  readonly host: Pick<HostAdmission, 'posClientOf' | 'deviceOf' | 'keyOf'> & PosTickets;
  readonly buckets: TokenBuckets;
}

const openAsSocket = () => new BridgeError('UPGRADE_REQUIRED', 'open this address as a WebSocket');

/** GET /v1/session and POST /v1/session/ticket as at the till (decisions: WebSocket, Cloud POS). */
export function registerSession(app: FastifyInstance, deps: SessionRouteDeps): void {
  const holders = new WeakMap<FastifyRequest, PosKeyHolder>();
  const requestIds = new WeakMap<IncomingMessage, string>();
  app.websocketServer.on('headers', (headers: string[], request: IncomingMessage) => {
    const id = requestIds.get(request);
    if (id !== undefined) headers.push(`X-Request-Id: ${id}`);
  });
  app.route({
    method: 'GET',
    url: endpointOf('pos.session').path,
    onRequest: async (request) => {
      const holder = (await holderOf(request, deps)) ?? (await redeem(request, deps));
      if (!request.ws) throw openAsSocket();
      requestIds.set(request.raw, request.id);
      if (holder !== undefined) holders.set(request, holder);
    },
    handler: async () => {
      throw openAsSocket();
    },
    wsHandler: (socket, request) => {
      deps.hub.open({ socket, holder: holders.get(request) ?? null, requestId: request.id });
    },
  });
  const ticket = endpointOf('session.ticket');
  app.route({
    method: ticket.method,
    url: ticket.path,
    onRequest: async (request) => {
      const holder = await holderOf(request, deps);
      if (holder === undefined) throw new BridgeError('UNAUTHENTICATED', 'a POS key is needed');
      holders.set(request, holder);
    },
    handler: async (request) => {
      readInput(ticket, request);
      const holder = holders.get(request);
      if (holder === undefined) throw new TypeError('the key was looked at before');
      return await deps.host.issueTicket(holder);
    },
  });
}

/** @throws BridgeError UNAUTHENTICATED; FORBIDDEN for a credential of another kind */
async function holderOf(
  request: FastifyRequest,
  { host, buckets }: SessionRouteDeps,
): Promise<PosKeyHolder | undefined> {
  const key = posKeyOf(request.headers);
  if (key === undefined) return undefined;
  const caller = await host.posClientOf(key);
  if (caller !== undefined) {
    takeToken(buckets, posBucketOf(caller));
    return { caller, keyHash: credentialHash(key) };
  }
  takeToken(buckets, `unknown ${request.ip}`);
  const isOther = (await host.deviceOf(key)) !== undefined || (await host.keyOf(key)) !== undefined;
  if (isOther) throw new BridgeError('FORBIDDEN', 'this call takes the key of a POS and nothing else');
  throw new BridgeError('UNAUTHENTICATED', 'the POS key is not valid');
}

/** @throws BridgeError UNAUTHENTICATED for a ticket that is not good, INVALID_REQUEST for any other parameter: keys never stand in a URL */
async function redeem(request: FastifyRequest, { host, buckets }: SessionRouteDeps): Promise<PosKeyHolder | undefined> {
  const { ticket } = parseQuery(SessionQuery, queryOf(request.url));
  if (ticket === undefined) return undefined;
  const holder = await host.redeemTicket(ticket);
  if (holder !== undefined) return holder;
  takeToken(buckets, `unknown ${request.ip}`);
  throw new BridgeError('UNAUTHENTICATED', 'the ticket is unknown, used or too old');
}
