import type { Clock } from '../../app/ports/clock.ts';
import { createMemoryTransport, type MemoryPeer } from '../../drivers/transport/memory-transport.ts';
import { TransportError, type TransportFactory } from '../../drivers/transport/transport.ts';
import type { ByteLink, LinkEvents } from '../../drivers/virtual/link/byte-link.ts';
import { createMeddledWire, type TestLine } from './meddled-wire.ts';

export interface StreamLine {
  readonly line: TestLine;
  /** The terminal's end. */
  readonly byteLink: ByteLink;
  /** A till's end; the one that was given out before is dead from now on, as if its program had been killed. */
  connectTill(): TransportFactory;
}

/**
 * A line of bytes inside the process. Over TCP the terminal sees the till come and go; on a serial line it sees neither, only that its own port
 * is away.
 */
export function createStreamLine(kind: 'TCP' | 'SERIAL', clock: Clock): StreamLine {
  const isSeen = kind === 'TCP';
  let events: LinkEvents = { onUp() {}, onDown() {}, onBytes() {}, onFailed() {} };
  let peer: MemoryPeer | undefined;
  let isUp = false;
  let till = 0;

  const wire = createMeddledWire(clock, {
    deliver(direction, bytes) {
      if (direction === 'TO_TILL') peer?.send(bytes);
      else if (isUp) events.onBytes(bytes);
    },
    unplug: dropTill,
  });

  function dropTill(): void {
    const dropped = peer;
    peer = undefined;
    wire.clear();
    dropped?.drop('unplugged');
    if (isSeen && dropped !== undefined) events.onDown();
  }

  function connectTill(): TransportFactory {
    till++;
    const mine = till;
    dropTill();
    return (listeners) =>
      createMemoryTransport(
        'memory',
        (next) => {
          if (!isUp || mine !== till) throw new TransportError('REFUSED', 'memory refuses the connection.');
          peer = next;
          if (isSeen) events.onUp();
          return {
            onData(bytes) {
              if (peer === next) wire.carry('TO_TERMINAL', bytes);
            },
            onClose() {
              if (peer !== next) return;
              peer = undefined;
              wire.clear();
              if (isSeen) events.onDown();
            },
          };
        },
        listeners,
      );
  }

  async function goDown(): Promise<void> {
    isUp = false;
    dropTill();
    if (!isSeen) events.onDown();
  }

  async function comeUp(): Promise<void> {
    isUp = true;
    if (!isSeen) events.onUp();
  }

  return {
    line: wire,
    connectTill,
    byteLink: {
      async start(next) {
        events = next;
        await comeUp();
      },
      write: (bytes) => wire.carry('TO_TILL', bytes),
      dropPeer() {
        if (isSeen) return wire.endBehind();
        // The port itself goes, and comes back.
        void goDown().then(comeUp);
      },
      suspend: goDown,
      resume: comeUp,
      stop: goDown,
    },
  };
}
