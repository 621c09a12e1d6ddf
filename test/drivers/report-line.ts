import type { Clock } from '../../app/ports/clock.ts';
import type { HidLine } from '../../drivers/line-address.ts';
import type { HidLibrary } from '../../drivers/transport/hid-library.ts';
import { createHidTransport } from '../../drivers/transport/hid-transport.ts';
import type { TransportFactory } from '../../drivers/transport/transport.ts';
import type { ByteLink, LinkEvents } from '../../drivers/virtual/link/byte-link.ts';
import { createVirtualHid } from '../../drivers/virtual/neo2/virtual-hid.ts';
import { createMeddledWire, type TestLine } from './meddled-wire.ts';

const identity = { vendorId: 0x0acd, productId: 0x3810, serialNumber: '123T456789' } as const;
const hidLine: HidLine = { kind: 'HID', ...identity };

export interface ReportLine {
  readonly line: TestLine;
  /** The reader's end. */
  readonly byteLink: ByteLink;
  /** A till's end; the one that was given out before is dead from now on, as if its program had been killed. */
  connectTill(): TransportFactory;
}

/**
 * A HID device inside the process: each report is one write. A connection that is lost is a device that vanishes and is there again under another
 * path. The reader does not see the till come and go.
 */
export function createReportLine(clock: Clock): ReportLine {
  const hid = createVirtualHid(identity, clock);
  let events: LinkEvents = { onUp() {}, onDown() {}, onBytes() {}, onFailed() {} };
  let isIn = false;
  let till = 0;

  const wire = createMeddledWire(clock, {
    deliver(direction, report) {
      if (direction === 'TO_TILL') hid.link.write(report);
      else events.onBytes(report);
    },
    unplug: replug,
  });

  function replug(): void {
    if (!isIn) return;
    hid.unplug();
    hid.plug();
  }

  function connectTill(): TransportFactory {
    till++;
    const mine = till;
    if (hid.openHandles() > 0) replug();
    const library: HidLibrary = {
      devicesAsync: async () => (mine === till ? hid.library.devicesAsync() : []),
      HIDAsync: {
        async open(path) {
          const handle = await hid.library.HIDAsync.open(path);
          // What was under way belongs to the connection that ends.
          const close = (): Promise<void> => {
            wire.clear();
            return handle.close();
          };
          return { ...handle, close };
        },
      },
    };
    return (listeners) => createHidTransport({ line: hidLine, clock, loadLibrary: async () => library }, listeners);
  }

  return {
    line: wire,
    connectTill,
    byteLink: {
      ...hid.link,
      async start(next) {
        events = next;
        isIn = true;
        await hid.link.start({
          ...next,
          onBytes: (report) => wire.carry('TO_TERMINAL', report),
          onDown() {
            wire.clear();
            next.onDown();
          },
        });
      },
      write: (report) => wire.carry('TO_TILL', report),
      async suspend() {
        isIn = false;
        await hid.link.suspend();
      },
      async resume() {
        isIn = true;
        await hid.link.resume();
      },
    },
  };
}
