import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { BridgeError } from '../../../app/contract/errors.ts';
import { hostEndpointOf } from '../../../app/contract/host/host-endpoints.ts';
import { readInput } from '../../../app/http/read-call.ts';
import type { HostAdmission } from '../../services/host.ts';
import type { TerminalLinkHub } from './terminal-link-hub.ts';

const bearer = /^Bearer +/i;

/** Seconds after which a till may try again, at another host. */
const CUT_OFF_RETRY_SECONDS = 1;

function cutOff(): BridgeError {
  return new BridgeError('JOURNAL_UNAVAILABLE', 'this host is cut off from the others; link to another', {
    details: { retryAfterSeconds: CUT_OFF_RETRY_SECONDS },
  });
}

/** GET /api/v1/terminal/link: the upgrade, after the token has been judged as for any call. */
export function registerLink(app: FastifyInstance, links: TerminalLinkHub, admission: HostAdmission): void {
  const endpoint = hostEndpointOf('device.link');
  const requestIds = new WeakMap<IncomingMessage, string>();
  app.websocketServer.on('headers', (headers: string[], request: IncomingMessage) => {
    const id = requestIds.get(request);
    if (id !== undefined) headers.push(`X-Request-Id: ${id}`);
  });
  app.route({
    method: 'GET',
    url: endpoint.path,
    config: { endpointId: endpoint.id },
    onRequest: async (request) => {
      if (!request.ws) throw new BridgeError('UPGRADE_REQUIRED', 'open this address as a WebSocket');
      if (!links.canOpen()) throw cutOff();
      requestIds.set(request.raw, request.id);
      // A credential in the URL would stand in other people's logs.
      readInput(endpoint, request);
    },
    handler: async () => {
      throw new BridgeError('UPGRADE_REQUIRED', 'open this address as a WebSocket');
    },
    wsHandler: (socket, request) => {
      const { hostCaller } = request;
      if (hostCaller?.kind !== 'DEVICE') throw new TypeError('the endpoint needs a device token, so there is a caller');
      const token = (request.headers.authorization ?? '').replace(bearer, '');
      links.open({ socket, caller: hostCaller, token, requestId: request.id, admission });
    },
  });
}
