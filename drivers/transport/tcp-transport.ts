import { createConnection, type Socket } from 'node:net';
import type { Clock } from '../../app/ports/clock.ts';
import { createOneConnection } from './one-connection.ts';
import {
  CLOSED_BY_TERMINAL,
  type Transport,
  TransportError,
  type TransportErrorKind,
  type TransportListeners,
} from './transport.ts';

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly connectTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Idle time after which the system starts to probe the peer. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** A TCP connection with keep-alive and a bounded connect. */
export function createTcpTransport(address: TcpAddress, listeners: TransportListeners): Transport {
  const description = `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
  const connectTimeoutMs = address.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const connection = createOneConnection(description, listeners);
  let socket: Socket | undefined;
  let released: Promise<void> = Promise.resolve();
  let closeReason = CLOSED_BY_TERMINAL;

  async function open(signal: AbortSignal): Promise<void> {
    connection.begin();
    return new Promise((resolve, reject) => {
      const made = createConnection({ host: address.host, port: address.port, noDelay: true });
      socket = made;
      made.setKeepAlive(true, KEEP_ALIVE_DELAY_MS);
      const fail = (error: TransportError): void => {
        stopWaiting();
        connection.beginClose();
        made.destroy();
        reject(error);
      };
      const onAbort = (): void => fail(new TransportError('CLOSED', `Connecting to ${description} was given up.`));
      const stopTimer = address.clock.after(connectTimeoutMs, () =>
        fail(new TransportError('SILENT', `No answer from ${description} within ${connectTimeoutMs / 1000} s.`)),
      );
      const stopWaiting = (): void => {
        stopTimer();
        signal.removeEventListener('abort', onAbort);
      };
      released = new Promise((done) => {
        made.once('close', () => {
          connection.closed(closeReason);
          done();
        });
      });
      made.on('error', (error: NodeJS.ErrnoException) => {
        closeReason = error.message;
        if (!connection.isOpen()) fail(describeConnectError(error, description));
        connection.beginClose();
      });
      made.on('data', (bytes: Buffer) => connection.received(new Uint8Array(bytes)));
      // The peer's FIN: everything it sent has been read; nothing of ours may follow.
      made.once('end', () => {
        connection.beginClose();
        made.destroy();
      });
      made.once('connect', () => {
        stopWaiting();
        connection.opened();
        resolve();
      });
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  async function write(bytes: Uint8Array): Promise<void> {
    connection.refuseWhenNotOpen();
    await new Promise<void>((resolve, reject) => {
      socket?.write(bytes, (error) => {
        if (error) reject(new TransportError('CLOSED', `${description}: ${error.message}.`, error));
        else resolve();
      });
    });
  }

  async function close(): Promise<void> {
    if (connection.beginClose()) {
      closeReason = 'closed by the till';
      // A terminal that is gone never answers a FIN: the handle is released at once, the system still sends what was written.
      socket?.destroySoon();
      const stopTimer = address.clock.after(CONNECT_TIMEOUT_MS, () => socket?.destroy());
      await released;
      stopTimer();
    }
    await released;
    connection.closed(closeReason);
  }

  return { description, open, write, close };
}

const kinds: { readonly [code: string]: readonly [TransportErrorKind, string] } = {
  ECONNREFUSED: ['REFUSED', 'refuses the connection: nothing listens on that port'],
  EHOSTUNREACH: ['NO_ROUTE', 'cannot be reached: the network knows no way there'],
  ENETUNREACH: ['NO_ROUTE', 'cannot be reached: the network knows no way there'],
  ENETDOWN: ['NO_ROUTE', 'cannot be reached: the network is down'],
  EHOSTDOWN: ['NO_ROUTE', 'cannot be reached: the host is down'],
  ENOTFOUND: ['NAME_NOT_FOUND', 'has a name that is not known'],
  EAI_AGAIN: ['NAME_NOT_FOUND', 'has a name that cannot be looked up now'],
  ETIMEDOUT: ['SILENT', 'does not answer'],
  ECONNRESET: ['REFUSED', 'took the connection and dropped it at once: perhaps another till is connected'],
};

/** Tells refused, no route, unknown name and silence apart (bug reports: "cannot connect" says too little). */
export function describeConnectError(error: NodeJS.ErrnoException, description: string): TransportError {
  const [kind, words] = kinds[error.code ?? ''] ?? ['OTHER', `cannot be reached: ${error.message}`];
  return new TransportError(kind, `${description} ${words}.`, error);
}
