// A HID device in the process, behind node-hid's asynchronous shape: the till's own HID code runs on it without a kernel's device.
import type { Clock } from '../../../app/ports/clock.ts';
import { HID_REPORT_BYTES } from '../../framing/vivotech2-reports.ts';
import type { ByteLink, LinkEvents } from '../link/byte-link.ts';

/** How it is found. */
export interface VirtualHidIdentity {
  readonly vendorId: number;
  readonly productId: number;
  readonly serialNumber?: string;
  readonly manufacturer?: string;
  readonly product?: string;
}

/** An open device, in the shape of node-hid's HIDAsync. */
interface VirtualHidHandle {
  on(event: 'data', listener: (report: Uint8Array) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  write(report: Buffer): Promise<number>;
  close(): Promise<void>;
}

/** The shape of node-hid that a till uses. */
interface VirtualHidLibrary {
  devicesAsync(): Promise<readonly (VirtualHidIdentity & { readonly path: string })[]>;
  readonly HIDAsync: { open(path: string): Promise<VirtualHidHandle> };
}

export interface VirtualHid {
  readonly library: VirtualHidLibrary;
  /** The device's end, one report at a time: up while it is plugged in. */
  readonly link: ByteLink;
  /** Pulls the cable: each handle gets an error without a message, and refuses to write. */
  unplug(): void;
  /** Plugs it in again, under another path. */
  plug(): void;
  /** whether any handle is open: a till that has gone must leave none */
  openHandles(): number;
}

const GONE = 'No such device';

/** Makes a device that is plugged in once its link is started. Reports travel in a later turn of the event loop, as they do over USB. */
export function createVirtualHid(identity: VirtualHidIdentity, clock: Clock): VirtualHid {
  let plugs = 0;
  let path: string | undefined;
  let events: LinkEvents = { onUp: () => {}, onDown: () => {}, onBytes: () => {}, onFailed: () => {} };
  const handles = new Set<OpenHandle>();

  const plug = () => {
    if (path !== undefined) return;
    path = `/dev/virtual-hid${plugs++}`;
    events.onUp();
  };
  const unplug = () => {
    if (path === undefined) return;
    path = undefined;
    for (const handle of handles) handle.break();
    handles.clear();
    events.onDown();
  };
  const receive = (report: Uint8Array, pluggedAs: string) => {
    clock.after(0, () => {
      if (path === pluggedAs) events.onBytes(report);
    });
  };

  return {
    library: {
      devicesAsync: async () => (path === undefined ? [] : [{ ...identity, path }]),
      HIDAsync: {
        async open(wanted) {
          if (path !== wanted)
            throw new TypeError(`Failed to open a device with path '${wanted}': No such file or directory`);
          const handle: OpenHandle = createHandle(
            clock,
            (report) => receive(report, wanted),
            () => handles.delete(handle),
          );
          handles.add(handle);
          return handle;
        },
      },
    },
    link: {
      async start(linkEvents) {
        events = linkEvents;
        plug();
      },
      write(report) {
        for (const handle of handles) handle.deliver(report);
      },
      // The device vanishes for a moment and is there again, as after a reset of its port.
      dropPeer() {
        clock.after(0, () => {
          unplug();
          plug();
        });
      },
      async suspend() {
        unplug();
      },
      async resume() {
        plug();
      },
      async stop() {
        unplug();
      },
    },
    unplug,
    plug,
    openHandles: () => handles.size,
  };
}

interface OpenHandle extends VirtualHidHandle {
  deliver(report: Uint8Array): void;
  break(): void;
}

function createHandle(clock: Clock, onReport: (report: Uint8Array) => void, onClosed: () => void): OpenHandle {
  const dataListeners: ((report: Uint8Array) => void)[] = [];
  const errorListeners: ((error: unknown) => void)[] = [];
  let isOpen = true;
  const on = (event: 'data' | 'error', listener: (value: never) => void) => {
    if (event === 'data') dataListeners.push(listener as (report: Uint8Array) => void);
    else errorListeners.push(listener as (error: unknown) => void);
  };
  return {
    on,
    async write(report) {
      if (!isOpen) throw new TypeError(GONE);
      if (report.length !== HID_REPORT_BYTES) throw new TypeError(`A report has ${HID_REPORT_BYTES} bytes`);
      onReport(Uint8Array.from(report));
      return report.length;
    },
    async close() {
      isOpen = false;
      onClosed();
    },
    deliver(report) {
      const bytes = Buffer.from(report);
      clock.after(0, () => {
        if (isOpen) for (const listener of dataListeners) listener(bytes);
      });
    },
    break() {
      isOpen = false;
      // As node-hid does at times: an error, and nothing in it.
      for (const listener of errorListeners) listener(new Error(''));
    },
  };
}
