import { randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { PosProbe, ProbeAnswer } from '../ports/pos-probe.ts';

const probeTimeoutMs = 3_000;
const maxAnswerCharacters = 16_384;

interface Call {
  readonly method: 'GET' | 'OPTIONS';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls the till's own POS API over the network. Never rejects: no answer is an answer too. */
export function probePos(posUrl: string, probe: PosProbe): Promise<ProbeAnswer> {
  const { method, path, headers } = callOf(probe);
  const common = {
    host: probe.host,
    'x-request-id': probe.requestId,
    ...(probe.origin === undefined ? {} : { origin: probe.origin }),
  };
  return new Promise((resolve) => {
    const call = request(new URL(path, posUrl), {
      method,
      headers: { ...common, ...headers },
      timeout: probeTimeoutMs,
      agent: false,
    });
    call.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(statusOf(answer));
    });
    call.on('response', (answer) => void readAnswer(answer, call).then(resolve));
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve({}));
    call.end();
  });
}

function callOf({ kind }: PosProbe): Call {
  switch (kind) {
    case 'PLAIN':
      return { method: 'GET', path: '/health', headers: {} };
    case 'PREFLIGHT':
      return {
        method: 'OPTIONS',
        path: '/v1/transaction/sale',
        headers: {
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,idempotency-key,x-api-key',
        },
      };
    case 'WEB_SOCKET':
      return { method: 'GET', path: '/v1/session', headers: upgradeHeaders() };
  }
}

/** Headers that ask for a WebSocket (RFC 6455 section 4.1). */
function upgradeHeaders(): Record<string, string> {
  return {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
}

function statusOf({ statusCode }: IncomingMessage): ProbeAnswer {
  return statusCode === undefined ? {} : { statusCode };
}

async function readAnswer(answer: IncomingMessage, call: ClientRequest): Promise<ProbeAnswer> {
  let text = '';
  answer.setEncoding('utf8');
  try {
    for await (const part of answer) {
      text += String(part);
      if (text.length > maxAnswerCharacters) call.destroy();
    }
  } catch {
    // Cut off: the status is what counts.
  }
  const errorCode = /"error":"([A-Z_]+)"/.exec(text)?.[1];
  return { ...statusOf(answer), ...(errorCode === undefined ? {} : { errorCode }) };
}
