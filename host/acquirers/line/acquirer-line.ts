import { createConnection, type Socket } from 'node:net';
import type { Clock } from '../../../app/ports/clock.ts';

/** Pauses between attempts to connect. */
const MIN_RECONNECT_MS = 200;
const MAX_RECONNECT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5000;
/** Idle time after which the system starts to probe the peer. */
const KEEP_ALIVE_DELAY_MS = 10_000;
/** What may wait to be written; beyond it the peer no longer reads, and nothing more is sent. */
const MAX_UNSENT_BYTES = 1_048_576;
/** How long what is written last may take to leave when the line is closed. */
const CLOSE_TIMEOUT_MS = 1000;

export interface LineAddress {
  readonly host: string;
  readonly port: number;
}

export interface LineListeners {
  readonly onOpen: () => void;
  readonly onBytes: (bytes: Buffer) => void;
  /** Once for every connection that was open. */
  readonly onClosed: (reason: string) => void;
}

/** One TCP connection to an acquirer that is made again whenever it is lost. */
export interface AcquirerLine {
  start(): void;
  stop(): Promise<void>;
  /** Whether bytes would be taken now. */
  isOpen(): boolean;
  /**
   * Hands bytes over, and calls back when they are no longer needed. False when nothing of them has left or ever will; true means that they may
   * have arrived.
   */
  write(bytes: Buffer, onReleased?: () => void): boolean;
  /** The peer is the one that is wanted: the next loss is followed by a short pause again. */
  markSound(): void;
  /** Drops the connection and makes a new one. */
  reset(reason: string): void;
}

export function createAcquirerLine(address: LineAddress, clock: Clock, listeners: LineListeners): AcquirerLine {
  let socket: Socket | undefined;
  let isConnected = false;
  let isStopped = true;
  let failures = 0;
  let cancelRetry = () => {};

  const connect = () => {
    const made = createConnection({
      ...address,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_DELAY_MS,
    });
    socket = made;
    let reason = 'closed by the acquirer';
    const cancelTimeout = clock.after(CONNECT_TIMEOUT_MS, () => {
      if (made.connecting) made.destroy(new Error('no answer to the connection'));
    });
    made.on('connect', () => {
      cancelTimeout();
      isConnected = true;
      listeners.onOpen();
    });
    made.on('data', (bytes: Buffer) => {
      listeners.onBytes(bytes);
    });
    // Half-closed is closed: an answer could not be trusted to come.
    made.on('end', () => made.destroy());
    made.on('error', (error) => {
      reason = error.message;
    });
    made.on('close', () => {
      cancelTimeout();
      socket = undefined;
      const wasConnected = isConnected;
      isConnected = false;
      if (wasConnected) listeners.onClosed(reason);
      if (!isStopped) retry();
    });
  };
  const retry = () => {
    const pauseMs = Math.min(MAX_RECONNECT_MS, MIN_RECONNECT_MS * 2 ** Math.min(failures, 20));
    failures++;
    cancelRetry = clock.after(pauseMs, connect);
  };
  const isOpen = () => isConnected && socket?.writable === true && socket.writableLength < MAX_UNSENT_BYTES;

  return {
    start() {
      if (!isStopped) return;
      isStopped = false;
      failures = 0;
      connect();
    },
    async stop() {
      isStopped = true;
      cancelRetry();
      const last = socket;
      if (last === undefined) return;
      const closed = new Promise<void>((resolve) => last.once('close', () => resolve()));
      if (isConnected) last.destroySoon();
      else last.destroy();
      const cancel = clock.after(CLOSE_TIMEOUT_MS, () => last.destroy());
      await closed;
      cancel();
    },
    isOpen,
    write(bytes, onReleased = () => {}) {
      if (!isOpen()) return false;
      socket?.write(bytes, () => onReleased());
      return true;
    },
    markSound() {
      failures = 0;
    },
    reset(reason) {
      if (isConnected) socket?.destroy(new Error(reason));
    },
  };
}
