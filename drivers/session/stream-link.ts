import { decodeStream, INITIAL_STREAM_STATE, type StreamState } from '../framing/apdu-stream.ts';
import { TransportError, type TransportFactory } from '../transport/transport.ts';
import type { Link, LinkListeners } from './link.ts';

/** ZVT over TCP: bare APDUs one after the other, in any fragmentation. */
export function createStreamLink(createTransport: TransportFactory, listeners: LinkListeners): Link {
  let state: StreamState = INITIAL_STREAM_STATE;
  let isOpen = false;
  let downReason: string | undefined;

  const transport = createTransport({
    onData(bytes) {
      if (!isOpen) return;
      const step = decodeStream(state, bytes);
      state = step.state;
      for (const item of step.items) {
        if (!isOpen) return;
        if (item.type === 'apdu') listeners.onMessage(item.apdu);
        else giveUp(item.bytes.length);
      }
    },
    onClose(reason) {
      isOpen = false;
      listeners.onDown(downReason ?? reason);
    },
  });

  /** After bytes that begin no message nobody knows where the next one begins: the connection is not trusted any more. */
  function giveUp(byteCount: number): void {
    listeners.onReport('bytes that are no message', byteCount);
    void close('the terminal sent bytes that are no message');
  }

  async function close(reason?: string): Promise<void> {
    isOpen = false;
    downReason ??= reason;
    await transport.close();
  }

  return {
    description: transport.description,
    isOpen: () => isOpen,
    async open(signal) {
      await transport.open(signal);
      isOpen = true;
    },
    async send(message) {
      if (!isOpen) throw new TransportError('CLOSED', `${transport.description} is not open; nothing was sent.`);
      try {
        await transport.write(message);
        return 'DELIVERED';
      } catch (error) {
        await close('a write failed');
        throw error;
      }
    },
    close,
  };
}
