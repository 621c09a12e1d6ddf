import type { FastifyInstance } from 'fastify';
import { CONSOLE_SOCKET_PATH } from '../contract/console/channel.ts';
import { BridgeError } from '../contract/errors.ts';

/** Pages of other origins get nothing, whatever cookie a browser would send along; a socket must say that the console's own page opens it. */
export function installSameOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { origin, host } = request.headers;
    if (origin === undefined && !request.ws) return;
    if (origin !== `http://${host ?? ''}`) {
      throw new BridgeError('ORIGIN_NOT_ALLOWED', 'only the pages of the console itself may call it');
    }
    if (request.ws && request.url !== CONSOLE_SOCKET_PATH) {
      throw new BridgeError('INVALID_REQUEST', `only ${CONSOLE_SOCKET_PATH} is a WebSocket`);
    }
  });
}
