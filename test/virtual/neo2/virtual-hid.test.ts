import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { concatBytes, toHex } from '../../../drivers/framing/bytes.ts';
import { encodeReports } from '../../../drivers/framing/vivotech2-reports.ts';
import type { HidHandle, HidLibrary } from '../../../drivers/transport/hid-library.ts';
import type { MachineTerminal } from '../../../drivers/virtual/machine-terminal.ts';
import type { VirtualHid } from '../../../drivers/virtual/neo2/virtual-hid.ts';
import { vector } from '../../support/vectors.ts';
import { HID_IDENTITY, type HidReader, startHidReader } from './hid-reader.ts';

let started: HidReader;
let hid: VirtualHid;
let library: HidLibrary;
let reader: MachineTerminal;

beforeEach(async () => {
  started = await startHidReader();
  ({ hid, reader } = started);
  library = hid.library;
});

afterEach(() => started.stop());

interface OpenReader {
  readonly handle: HidHandle;
  readonly errors: readonly unknown[];
  /** the next report, as it came */
  next(): Promise<Uint8Array>;
  /** resolves when the handle told an error */
  broken(): Promise<void>;
}

async function openReader(): Promise<OpenReader> {
  const [device] = await library.devicesAsync();
  const handle = await library.HIDAsync.open(device?.path ?? '');
  const reports: Uint8Array[] = [];
  const errors: unknown[] = [];
  let wake = () => {};
  handle.on('data', (report) => {
    reports.push(report);
    wake();
  });
  handle.on('error', (error) => {
    errors.push(error);
    wake();
  });
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return {
    handle,
    errors,
    async next() {
      await until(() => reports.length > 0);
      return reports.shift() ?? new Uint8Array(0);
    },
    broken: () => until(() => errors.length > 0),
  };
}

async function write(handle: HidHandle, frame: Uint8Array): Promise<void> {
  for (const report of encodeReports(frame)) await handle.write(Buffer.from(report));
}

/** Waits until the device is plugged in under another path. */
async function pathAfter(before: string | undefined): Promise<string> {
  for (;;) {
    const [device] = await library.devicesAsync();
    if (device?.path !== undefined && device.path !== before) return device.path;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

describe('a virtual reader as a HID device', () => {
  it('is found by vendor, product and serial number', async () => {
    expect(await library.devicesAsync()).toEqual([{ ...HID_IDENTITY, path: '/dev/virtual-hid0' }]);
    await expect(library.HIDAsync.open('/dev/virtual-hid9')).rejects.toThrow('No such file or directory');
  });

  it('answers a ping in one report of 64 bytes', async () => {
    const { handle, next } = await openReader();
    await write(handle, vector('ping'));
    const report = await next();
    expect(report).toHaveLength(64);
    expect(toHex(report)).toBe(`01${toHex(vector('ping-reply'))}`.padEnd(128, '0'));
    await handle.close();
    expect(hid.openHandles()).toBe(0);
  });

  it('takes a command and gives an answer that are cut into reports', async () => {
    const { handle, next } = await openReader();
    // 02-40 of the vectors has its own length in one report; the answer has 2, 3 and 4.
    await write(handle, vector('activate'));
    const ids: number[] = [];
    const payloads: Uint8Array[] = [];
    while (ids.at(-1) !== 4) {
      const report = await next();
      ids.push(report[0] ?? 0);
      payloads.push(report.subarray(1));
    }
    expect(ids.filter((id) => id !== 1)).toEqual([2, ...ids.filter((id) => id === 3), 4]);
    expect(toHex(concatBytes(...payloads))).toContain('DFEE25020009');
    await handle.close();
  });

  it('says nothing to reports that are none, and 04 to one with a wrong checksum', async () => {
    const { handle, next } = await openReader();
    await expect(handle.write(Buffer.from([1, 2, 3]))).rejects.toThrow('64 bytes');
    const [report = new Uint8Array(64)] = encodeReports(vector('ping'));
    await handle.write(Buffer.from(report.map((byte, index) => (index === 0 ? 7 : byte))));
    await handle.write(Buffer.from(report.map((byte, index) => (index === 15 ? byte ^ 1 : byte))));
    expect(toHex((await next()).subarray(11, 13))).toBe('0004');
    await handle.close();
  });

  it('tells an unplug by an error without a message, and refuses what is written after it', async () => {
    const { handle, errors, broken } = await openReader();
    hid.unplug();
    await broken();
    expect(errors).toEqual([new Error('')]);
    await expect(write(handle, vector('ping'))).rejects.toThrow('No such device');
    expect(await library.devicesAsync()).toEqual([]);
    expect(reader.view().link).toBe('DOWN');
    await handle.close();
  });

  it('is there again under another path, and the old handle stays dead', async () => {
    const before = await openReader();
    hid.unplug();
    hid.plug();
    const { handle, next } = await openReader();
    await write(handle, vector('ping'));
    expect(toHex(await next())).toContain(toHex(vector('ping-reply')));
    await expect(write(before.handle, vector('ping'))).rejects.toThrow('No such device');
    expect(await library.devicesAsync()).toMatchObject([{ path: '/dev/virtual-hid1' }]);
    await handle.close();
  });

  it('sends no last report of a half frame, and is gone', async () => {
    const { handle, next, broken } = await openReader();
    reader.arm('half-frame', 1);
    await write(handle, vector('activate'));
    await broken();
    const ids: number[] = [];
    for (let left = 6; left > 0 && ids.at(-1) !== 3; left--) ids.push((await next())[0] ?? 0);
    expect(ids).toContain(2);
    expect(ids).not.toContain(4);
    expect(await pathAfter('/dev/virtual-hid0')).toBe('/dev/virtual-hid1');
    await handle.close();
  });

  it('loses its power with the cable: what it was set up with is gone', async () => {
    const { handle, next, broken } = await openReader();
    await write(handle, vector('set-config'));
    await next();
    expect(reader.view().isRegistered).toBe(true);
    reader.causeFault('unplug');
    await broken();
    expect(reader.view().state).toBe('RESTARTING');
    await pathAfter('/dev/virtual-hid0');
    while (reader.view().state !== 'IDLE') await new Promise((resolve) => setTimeout(resolve, 2));
    expect(reader.view()).toMatchObject({ link: 'UP', isRegistered: false });
    await handle.close();
  });
});
