import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { CONSOLE_DOWNLOADS_PATH } from '../contract/console/channel.ts';
import { BridgeError } from '../contract/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Downloads, OfferedFile } from '../ports/downloads.ts';
import type { Ids } from '../ports/ids.ts';
import type { ConsoleDoor } from './console-door.ts';
import { cookieOf } from './console-entry.ts';

/** 128 bits. */
const tokenBytes = 16;
/** Files that wait to be fetched; one more, and the oldest is void. */
const maxWaitingFiles = 32;
/** Milliseconds for which a file waits. */
const waitMs = 60_000;

/** The files that wait, with the way to fetch one. */
export interface WaitingDownloads extends Downloads {
  /** The file, once. Undefined when nothing waits under the token, its time is over, or it was made for another browser. */
  take(token: string, sessionId: string): OfferedFile | undefined;
}

interface Waiting {
  readonly sessionId: string;
  readonly file: OfferedFile;
  readonly untilMs: number;
}

export function createDownloads({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): WaitingDownloads {
  const waiting = new Map<string, Waiting>();

  function forgetOld(): void {
    const nowMs = clock.monotonicMs();
    for (const [hash, { untilMs }] of waiting) {
      if (untilMs <= nowMs || waiting.size >= maxWaitingFiles) waiting.delete(hash);
    }
  }

  return {
    offer(sessionId, file) {
      forgetOld();
      const token = Buffer.from(ids.randomBytes(tokenBytes)).toString('base64url');
      waiting.set(hashOf(token), { sessionId, file, untilMs: clock.monotonicMs() + waitMs });
      return { url: `${CONSOLE_DOWNLOADS_PATH}/${token}` };
    },
    take(token, sessionId) {
      const hash = hashOf(token);
      const found = waiting.get(hash);
      if (found?.sessionId !== sessionId) return undefined;
      waiting.delete(hash);
      return found.untilMs > clock.monotonicMs() ? found.file : undefined;
    },
  };
}

/** Looked up by hash, so that the time of the look-up tells nothing about the tokens that wait. */
function hashOf(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('base64url');
}

/** Gives a waiting file to the browser it was made for, while somebody is signed in there. */
export function installConsoleDownloads(
  app: FastifyInstance,
  { door, downloads }: { readonly door: ConsoleDoor; readonly downloads: WaitingDownloads },
): void {
  app.route<{ Params: { token: string } }>({
    method: 'GET',
    url: `${CONSOLE_DOWNLOADS_PATH}/:token`,
    // A look at the headers alone would use the file up.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const sessionId = door.signedInSession(cookieOf(request) ?? '');
      if (sessionId === undefined) throw new BridgeError('UNAUTHENTICATED', 'sign in at the console first');
      const file = downloads.take(request.params.token, sessionId);
      if (file === undefined) throw new BridgeError('NOT_FOUND', 'this file was fetched already, or its time is over');
      return send(reply, file);
    },
  });
}

function send(reply: FastifyReply, file: OfferedFile): FastifyReply {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const content = Readable.from(file.open(gone.signal));
  return reply
    .header('content-type', file.contentType)
    .header('content-disposition', dispositionOf(file.fileName))
    .header('cache-control', 'no-store')
    .send(content);
}

/** Saved, never shown: RFC 6266, with the plain name for whatever does not read the encoded one. */
function dispositionOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9._ -]/g, '_');
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
