import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers that ask for another protocol; without them a request is a plain one. */
const upgradeHeaders = new Set(['upgrade', 'http2-settings', 'connection']);

/**
 * Hands WebSocket upgrades on to the server that is returned (it never listens). Node takes every request with an Upgrade header for one as
 * soon as anybody listens for upgrades, and no longer reads its body; but Java's HttpClient and `curl --http2` send `Upgrade: h2c` with
 * ordinary calls, payments included. Those are put back into their connection without that wish, which a server may ignore (RFC 9110 section 7.8).
 */
export function websocketUpgradesOf(server: Server): Server {
  const upgrades = createServer();
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket') upgrades.emit('upgrade', request, socket, head);
    else putBack(server, request, socket, head);
  });
  return upgrades;
}

function putBack(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { rawHeaders } = request;
  const kept = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && !upgradeHeaders.has(name.toLowerCase()) ? [`${name}: ${rawHeaders[index + 1] ?? ''}\r\n`] : [],
  );
  const begin = `${request.method} ${request.url} HTTP/1.1\r\n${kept.join('')}\r\n`;
  // Node reads header bytes as Latin-1, so this gives the same bytes back.
  socket.unshift(Buffer.concat([Buffer.from(begin, 'latin1'), head]));
  server.emit('connection', socket);
}
