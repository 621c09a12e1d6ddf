import { EventEmitter } from 'node:events';
import type { HidDeviceInfo, HidHandle, HidLibrary } from '../../drivers/transport/hid-library.ts';

/** One open of a scripted device. */
export interface ScriptedHandle extends HidHandle {
  readonly path: string;
  /** Output reports as they were taken. */
  readonly written: readonly Uint8Array[];
  readonly closeCount: () => number;
  /** One input report. */
  report(bytes: Uint8Array): void;
  fail(error?: unknown): void;
}

/** A HIDAsync-shaped library without hardware: what is plugged in, opened and written is scripted. */
export interface ScriptedHid extends HidLibrary {
  readonly handles: readonly ScriptedHandle[];
  looks(): number;
  plug(device: Partial<HidDeviceInfo>): void;
  /** Pulls it out: it is listed no more, and its open handles tell an error without a text. */
  unplug(path: string): void;
  onOpen(action: (path: string) => Promise<void> | void): void;
  onWrite(action: (report: Uint8Array, handle: ScriptedHandle) => Promise<number> | number): void;
  onClose(action: () => Promise<void>): void;
  /** What happens as soon as somebody listens to the reports. */
  onListen(action: (handle: ScriptedHandle) => void): void;
}

const readerDevice: HidDeviceInfo = {
  vendorId: 0x0acd,
  productId: 0x3810,
  path: '/dev/hidraw0',
  serialNumber: '7T1',
  manufacturer: 'ID TECH',
  product: 'VP3300',
};

export function createScriptedHid(): ScriptedHid {
  let devices: HidDeviceInfo[] = [];
  let lookCount = 0;
  let opens: (path: string) => Promise<void> | void = () => undefined;
  let takes: (report: Uint8Array, handle: ScriptedHandle) => Promise<number> | number = (report) => report.length;
  let closes: () => Promise<void> = async () => undefined;
  let listens: (handle: ScriptedHandle) => void = () => undefined;
  const handles: ScriptedHandle[] = [];

  function createHandle(path: string): ScriptedHandle {
    const events = new EventEmitter();
    const written: Uint8Array[] = [];
    let closeCount = 0;
    const handle: ScriptedHandle = {
      path,
      written,
      closeCount: () => closeCount,
      on(event: 'data' | 'error', listener: (value: never) => void) {
        events.on(event, listener as (value: unknown) => void);
        if (event === 'data') listens(handle);
      },
      async write(report) {
        written.push(Uint8Array.from(report));
        return takes(report, handle);
      },
      async close() {
        closeCount += 1;
        await closes();
      },
      report: (bytes) => void events.emit('data', Buffer.from(bytes)),
      fail: (error) => void events.emit('error', error),
    };
    return handle;
  }

  return {
    handles,
    looks: () => lookCount,
    async devicesAsync() {
      lookCount += 1;
      return devices;
    },
    HIDAsync: {
      async open(path) {
        await opens(path);
        if (!devices.some((device) => device.path === path))
          throw new TypeError(`Failed to open a device with path '${path}': No such file or directory`);
        const handle = createHandle(path);
        handles.push(handle);
        return handle;
      },
    },
    plug: (device) => {
      devices = [...devices, { ...readerDevice, ...device }];
    },
    unplug: (path) => {
      devices = devices.filter((device) => device.path !== path);
      for (const handle of handles) if (handle.path === path && handle.closeCount() === 0) handle.fail();
    },
    onOpen: (action) => {
      opens = action;
    },
    onWrite: (action) => {
      takes = action;
    },
    onClose: (action) => {
      closes = action;
    },
    onListen: (action) => {
      listens = action;
    },
  };
}
