import { describe, expect, it } from 'vitest';
import type { HidLine } from '../../drivers/line-address.ts';
import { createHidTransport } from '../../drivers/transport/hid-transport.ts';
import { loadNodeHid } from '../../drivers/transport/load-hid-library.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import { createScriptedHid, type ScriptedHid } from '../support/scripted-hid.ts';
import { createManualClock, type ManualClock } from '../support/zvt-clock.ts';

const never = new AbortController().signal;
const reader: HidLine = { kind: 'HID', vendorId: 0x0acd, productId: 0x3810, serialNumber: '7T1' };
const anyReader: HidLine = { kind: 'HID', vendorId: 0x0acd, productId: 0x3810 };
const report = (id: number, ...payload: number[]): Uint8Array => Uint8Array.of(id, ...payload);

interface Rig {
  readonly hid: ScriptedHid;
  readonly clock: ManualClock;
  readonly reports: Uint8Array[];
  readonly closes: string[];
  transport(line?: HidLine): Transport;
}

function rig(): Rig {
  const hid = createScriptedHid();
  const clock = createManualClock();
  const reports: Uint8Array[] = [];
  const closes: string[] = [];
  return {
    hid,
    clock,
    reports,
    closes,
    transport: (line = reader) =>
      createHidTransport(
        { line, clock, loadLibrary: async () => hid },
        { onData: (bytes) => void reports.push(bytes), onClose: (reason) => void closes.push(reason) },
      ),
  };
}

function pluggedIn(): Rig {
  const made = rig();
  made.hid.plug({});
  return made;
}

describe('a HID reader', () => {
  it('is found by vendor, product and serial number among others, and carries one report for one write', async () => {
    const { hid, reports, closes, transport } = pluggedIn();
    hid.plug({ path: '/dev/hidraw1', serialNumber: '7T2' });
    hid.plug({ path: '/dev/hidraw2', productId: 0x3530 });
    const line = transport();
    await expect(line.write(report(1))).rejects.toMatchObject({ kind: 'CLOSED' });
    await line.open(never);
    await line.write(report(1, 2, 3));
    hid.handles[0]?.report(report(1, 9, 8));
    hid.handles[0]?.report(new Uint8Array(64).fill(4));
    expect(hid.handles.map(({ path }) => path)).toEqual(['/dev/hidraw0']);
    expect(hid.handles[0]?.written).toEqual([report(1, 2, 3)]);
    expect(reports).toEqual([report(1, 9, 8), new Uint8Array(64).fill(4)]);
    await Promise.all([line.close(), line.close()]);
    await line.close();
    expect(closes).toEqual(['closed by the till']);
    expect(hid.handles[0]?.closeCount()).toBe(1);
    await expect(line.write(report(1))).rejects.toMatchObject({ kind: 'CLOSED' });
    await expect(line.open(never)).rejects.toMatchObject({ kind: 'CLOSED' });
    expect(hid.handles[0]?.written).toHaveLength(1);
  });

  it('loses no report that comes with the first listener, before anybody knows that the line is open', async () => {
    const { hid, reports, transport } = pluggedIn();
    hid.onListen((handle) => handle.report(report(1, 7)));
    const line = transport();
    await line.open(never);
    expect(reports).toEqual([report(1, 7)]);
    await line.close();
  });

  it.each([
    ['with a text', new Error('could not read from HID device')],
    ['without a text', new Error('')],
    ['without anything', undefined],
  ])('is gone with an error event %s; what comes then is dropped, what is written refused', async (_how, error) => {
    const { hid, reports, closes, transport } = pluggedIn();
    const line = transport();
    await line.open(never);
    hid.handles[0]?.fail(error);
    hid.handles[0]?.fail(error);
    hid.handles[0]?.report(report(1, 1));
    expect(closes).toHaveLength(1);
    expect(closes[0]).toMatch(/\w/);
    expect(reports).toEqual([]);
    await expect(line.write(report(1))).rejects.toMatchObject({ kind: 'CLOSED' });
    await line.close();
    expect(hid.handles[0]?.closeCount()).toBe(1);
    expect(hid.handles[0]?.written).toEqual([]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('Cannot write to hid device'))],
    ['takes fewer bytes', () => 3],
  ])('is closed when a write %s', async (_how, onWrite) => {
    const { hid, closes, transport } = pluggedIn();
    hid.onWrite(onWrite);
    const line = transport();
    await line.open(never);
    await expect(line.write(new Uint8Array(64))).rejects.toMatchObject({ kind: 'CLOSED' });
    expect(closes).toEqual(['a write failed']);
    await line.close();
    expect(hid.handles[0]?.closeCount()).toBe(1);
  });

  it('is closed when the system takes a report for too long', async () => {
    const { hid, clock, closes, transport } = pluggedIn();
    hid.onWrite(() => new Promise<number>(() => undefined));
    const line = transport();
    await line.open(never);
    const written = expect(line.write(new Uint8Array(64))).rejects.toMatchObject({ kind: 'CLOSED' });
    await clock.advance(5_000);
    await written;
    expect(closes).toEqual(['a write failed']);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('is found under its new path after it was plugged in again, by a new object', async () => {
    const { hid, closes, transport } = pluggedIn();
    const first = transport();
    await first.open(never);
    hid.unplug('/dev/hidraw0');
    expect(closes).toHaveLength(1);
    const between = transport();
    await expect(between.open(never)).rejects.toMatchObject({
      kind: 'NO_SUCH_PORT',
      message: expect.stringContaining('0ACD:3810/7T1'),
    });
    hid.plug({ path: '/dev/hidraw1' });
    const second = transport();
    await second.open(never);
    await second.write(report(1, 5));
    expect(hid.handles.map(({ path, written }) => [path, written.length])).toEqual([
      ['/dev/hidraw0', 0],
      ['/dev/hidraw1', 1],
    ]);
    await second.close();
  });

  it('without a serial number in its address is the only one of its kind; two alike are named', async () => {
    const { hid, transport } = pluggedIn();
    // One device that has two collections is still one.
    hid.plug({ path: '/dev/hidraw0b' });
    const alone = transport(anyReader);
    await alone.open(never);
    await alone.close();
    hid.plug({ path: '/dev/hidraw1', serialNumber: '7T2' });
    await expect(transport(anyReader).open(never)).rejects.toMatchObject({
      kind: 'OTHER',
      message: expect.stringMatching(/7T1.*7T2.*neo2\+hid:\/\/0ACD:3810\/SERIAL/),
    });
  });

  it('is not taken for another of its kind, nor for one whose serial number cannot be read', async () => {
    const { hid, transport } = rig();
    hid.plug({ serialNumber: '7T9' });
    await expect(transport().open(never)).rejects.toMatchObject({
      kind: 'NO_SUCH_PORT',
      message: expect.stringContaining('7T9'),
    });
    hid.plug({ path: '/dev/hidraw1', serialNumber: undefined });
    await expect(transport().open(never)).rejects.toMatchObject({
      kind: 'NO_PERMISSION',
      message: expect.stringContaining('udev rule'),
    });
    expect(hid.handles).toEqual([]);
  });

  it.each([
    ["Failed to open a device with path '/dev/hidraw0': Permission denied", 'NO_PERMISSION', 'ATTRS{idVendor}=="0acd"'],
    ["Failed to open a device with path '/dev/hidraw0': No such file or directory", 'NO_SUCH_PORT', 'pulled out'],
    ['hid_error is not implemented yet', 'OTHER', 'cannot be opened'],
  ])('that does not open (%s) is named with what to do', async (text, kind, words) => {
    const { hid, closes, transport } = pluggedIn();
    hid.onOpen(() => Promise.reject(new TypeError(text)));
    await expect(transport().open(never)).rejects.toMatchObject({ kind, message: expect.stringContaining(words) });
    expect(closes).toEqual([]);
  });

  it('that opens only after its time is closed again, and nobody hears of it', async () => {
    const { hid, clock, reports, closes, transport } = pluggedIn();
    let opens = (): void => undefined;
    hid.onOpen(
      () =>
        new Promise((resolve) => {
          opens = resolve;
        }),
    );
    const line = transport();
    const opened = expect(line.open(never)).rejects.toMatchObject({ kind: 'SILENT' });
    await clock.advance(5_000);
    await opened;
    opens();
    await expect.poll(() => hid.handles[0]?.closeCount()).toBe(1);
    hid.handles[0]?.report(report(1, 1));
    expect([reports, closes]).toEqual([[], []]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('that is given up while it opens rejects at once and leaves nothing open', async () => {
    const { hid, closes, transport } = pluggedIn();
    const stop = new AbortController();
    let opens = (): void => undefined;
    hid.onOpen(
      () =>
        new Promise((resolve) => {
          opens = resolve;
        }),
    );
    const aborted = expect(transport().open(stop.signal)).rejects.toMatchObject({ kind: 'CLOSED' });
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await aborted;
    opens();
    await expect.poll(() => hid.handles[0]?.closeCount()).toBe(1);
    await expect(transport().open(AbortSignal.abort())).rejects.toMatchObject({ kind: 'CLOSED' });
    expect(hid.handles).toHaveLength(1);
    expect(closes).toEqual([]);
  });

  it('is given up by a close while it opens', async () => {
    const { hid, closes, transport } = pluggedIn();
    let opens = (): void => undefined;
    hid.onOpen(
      () =>
        new Promise((resolve) => {
          opens = resolve;
        }),
    );
    const line = transport();
    const opened = expect(line.open(never)).rejects.toMatchObject({ kind: 'CLOSED' });
    await new Promise((resolve) => setImmediate(resolve));
    await line.close();
    await opened;
    opens();
    await expect.poll(() => hid.handles[0]?.closeCount()).toBe(1);
    expect(closes).toEqual([]);
  });

  it('whose handle the system does not give back keeps nobody waiting', async () => {
    const { hid, clock, transport } = pluggedIn();
    hid.onClose(() => new Promise(() => undefined));
    const line = transport();
    await line.open(never);
    const closed = line.close();
    await clock.advance(5_000);
    await closed;
    expect(hid.handles[0]?.closeCount()).toBe(1);
  });
});

describe('the HID library', () => {
  it.each([
    ['is not installed', "Cannot find package 'node-hid' imported from till.js", 'load'],
    ['lacks libudev', 'libudev.so.1: cannot open shared object file: No such file or directory', 'list'],
    ['has no build for this machine', 'No native build was found for runtime=node abi=115 platform=linuxmusl', 'list'],
  ])('that %s is a clear message, never a crash', async (_how, text, step) => {
    const hid = createScriptedHid();
    const broken = { ...hid, devicesAsync: () => Promise.reject(new Error(text)) };
    const line = createHidTransport(
      {
        line: reader,
        clock: createManualClock(),
        loadLibrary: () => (step === 'load' ? Promise.reject(new Error(text)) : Promise.resolve(broken)),
      },
      { onData: () => undefined, onClose: () => undefined },
    );
    await expect(line.open(never)).rejects.toMatchObject({
      kind: 'NO_DRIVER',
      message: expect.stringMatching(/USB readers cannot be used on this machine: .*(npm ci)/),
    });
  });

  it('is node-hid, and names a reader that is not plugged in, or what it lacks here', async () => {
    const absent = { ...reader, serialNumber: 'no-such-reader' };
    const line = createHidTransport(
      { line: absent, clock: createManualClock(), loadLibrary: loadNodeHid },
      { onData: () => undefined, onClose: () => undefined },
    );
    await expect(line.open(never)).rejects.toMatchObject({ kind: expect.stringMatching(/^(NO_SUCH_PORT|NO_DRIVER)$/) });
  });
});
