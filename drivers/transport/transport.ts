/** Why a line could not be opened or was lost; each kind has its own advice for the person at the till. */
export type TransportErrorKind =
  /** Somebody answers there, but nothing listens on that port. */
  | 'REFUSED'
  /** The network has no way to that address. */
  | 'NO_ROUTE'
  | 'NAME_NOT_FOUND'
  /** Nobody answered within the time. */
  | 'SILENT'
  | 'NO_SUCH_PORT'
  | 'PORT_IN_USE'
  | 'NO_PERMISSION'
  /** The library that reaches it is not installed, or does not run here. */
  | 'NO_DRIVER'
  /** The line is not open (any more). */
  | 'CLOSED'
  | 'OTHER';

/** A line that failed. The message is a whole sentence that names the address. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly kind: TransportErrorKind;

  constructor(kind: TransportErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** Why a connection ended that the other side closed in the ordinary way. */
export const CLOSED_BY_TERMINAL = 'closed by the terminal';

/** Listeners of one connection, given when it is made so that no byte and no close can be missed. */
export interface TransportListeners {
  onData(bytes: Uint8Array): void;
  /** Called exactly once after a successful open, whoever closed. */
  onClose(reason: string): void;
}

/**
 * One connection to a terminal. The object is used once: open, then close, then forgotten; a new connection is a new object
 * (a re-opened serialport delivers what was written while it was closed).
 */
export interface Transport {
  /** Address in words, for messages and logs. */
  readonly description: string;
  /** @throws TransportError; after that the object is spent. Aborting rejects too and leaves nothing open. */
  open(signal: AbortSignal): Promise<void>;
  /** Resolves when the bytes were handed to the system. @throws TransportError CLOSED before open, after close and while closing: never queued. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the connection; any number of calls close once. Resolves when the handle is released. */
  close(): Promise<void>;
}

/** Makes a new connection object. */
export type TransportFactory = (listeners: TransportListeners) => Transport;
