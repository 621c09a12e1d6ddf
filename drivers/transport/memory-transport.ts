import { createOneConnection } from './one-connection.ts';
import { type Transport, TransportError, type TransportListeners } from './transport.ts';

/** The far end of a memory line: what a simulated terminal holds. */
export interface MemoryPeer {
  /** Bytes to the till; false when the line is closed. */
  send(bytes: Uint8Array): boolean;
  /** Pulls the plug. */
  drop(reason?: string): void;
}

interface MemoryPeerListeners {
  onData(bytes: Uint8Array): void;
  onClose(): void;
}

/** What answers when a till connects; throwing a TransportError refuses the connection. */
export type MemoryAccept = (peer: MemoryPeer) => MemoryPeerListeners;

/** A line inside the process, for simulations: bytes arrive in order, each chunk in a microtask of its own. */
export function createMemoryTransport(
  description: string,
  accept: MemoryAccept,
  listeners: TransportListeners,
): Transport {
  const connection = createOneConnection(description, listeners);
  let far: MemoryPeerListeners | undefined;

  function end(reason: string): void {
    if (!connection.beginClose()) return;
    connection.closed(reason);
    far?.onClose();
  }

  return {
    description,
    async open(signal) {
      connection.begin();
      await Promise.resolve();
      try {
        if (signal.aborted) throw new TransportError('CLOSED', `Connecting to ${description} was given up.`);
        far = accept({
          send(bytes) {
            if (!connection.isOpen()) return false;
            const copy = bytes.slice();
            queueMicrotask(() => connection.received(copy));
            return true;
          },
          drop: (reason = 'closed by the terminal') => queueMicrotask(() => end(reason)),
        });
      } catch (error) {
        connection.beginClose();
        connection.closed('refused');
        throw error;
      }
      connection.opened();
    },
    async write(bytes) {
      connection.refuseWhenNotOpen();
      const copy = bytes.slice();
      queueMicrotask(() => {
        if (connection.isOpen()) far?.onData(copy);
      });
    },
    async close() {
      end('closed by the till');
    },
  };
}
