import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { BridgeError } from '../contract/errors.ts';
import { parseStrictJson } from '../contract/json.ts';
import { MAX_BODY_BYTES } from '../contract/limits.ts';

/** `application/json`, with no charset but UTF-8. */
const jsonMediaType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Bodies are JSON by the strict reader and nothing else (decisions: Host and Origin, Limits). */
export function installJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    async (_request: unknown, body: Buffer) => (body.length === 0 ? undefined : parseStrictJson(body)),
  );
  app.addHook('onRequest', async (request) => {
    if (!hasBody(request.headers)) return;
    const mediaType = request.headers['content-type'];
    if (mediaType === undefined || !jsonMediaType.test(mediaType.trim())) {
      throw new BridgeError('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
    }
    if (request.headers['content-encoding'] !== undefined) {
      throw new BridgeError('UNSUPPORTED_MEDIA_TYPE', 'the body must be sent without Content-Encoding');
    }
  });
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
