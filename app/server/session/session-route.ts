import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpointOf } from '../../contract/endpoints.ts';
import { BridgeError } from '../../contract/errors.ts';
import { parseQuery } from '../../contract/query.ts';
import { SessionQuery } from '../../contract/session.ts';
import { queryOf } from '../../http/read-call.ts';
import type { RequestLog } from '../../ports/request-log.ts';
import type { Credentials } from '../../services/till.ts';
import { recordRequest } from '../plugins/access-log.ts';
import { callerOf, type PosCaller } from '../plugins/admission.ts';
import type { SessionHub } from './session-hub.ts';
import type { Tickets } from './tickets.ts';

const switchingProtocols = 101;

interface SessionRouteDeps {
  readonly hub: SessionHub;
  readonly tickets: Tickets<PosCaller>;
  readonly credentials: Credentials;
  readonly requests: RequestLog;
}

/** GET /v1/session: the upgrade, after Host, Origin and credentials have been judged as for any call (decisions: WebSocket). */
export function registerSession(app: FastifyInstance, deps: SessionRouteDeps): void {
  const endpoint = endpointOf('pos.session');
  const requestIds = new WeakMap<IncomingMessage, string>();
  app.websocketServer.on('headers', (headers: string[], request: IncomingMessage) => {
    headers.push(`X-Request-Id: ${requestIds.get(request) ?? ''}`);
  });
  app.route({
    method: 'GET',
    url: endpoint.path,
    config: { endpointId: endpoint.id, credential: 'first-message' },
    onRequest: async (request) => {
      if (!request.ws) throw new BridgeError('UPGRADE_REQUIRED', 'open this address as a WebSocket');
      requestIds.set(request.raw, request.id);
      redeemTicket(request, deps);
    },
    handler: async () => {
      throw new BridgeError('UPGRADE_REQUIRED', 'open this address as a WebSocket');
    },
    wsHandler: (socket, request) => {
      recordRequest(deps.requests, request, switchingProtocols, 0);
      const { origin } = request.headers;
      deps.hub.open({
        socket,
        caller: request.caller,
        requestId: request.id,
        ...(origin === undefined ? {} : { origin }),
      });
    },
  });
}

/** @throws BridgeError UNAUTHENTICATED for a ticket that is not good, INVALID_REQUEST for any other parameter: keys never stand in a URL */
function redeemTicket(request: FastifyRequest, deps: SessionRouteDeps): void {
  const { ticket } = parseQuery(SessionQuery, queryOf(request.url));
  if (ticket === undefined) return;
  const caller = deps.tickets.redeem(ticket);
  if (caller === undefined) throw new BridgeError('UNAUTHENTICATED', 'the ticket is unknown, used or too old');
  // The key may have been revoked since.
  request.caller = callerOf(caller.key.reveal(), deps.credentials);
}
