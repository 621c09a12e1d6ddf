import { describe, expect, it } from 'vitest';
import { encodeVivotech2Frame } from '../../drivers/framing/vivotech2-frame.ts';
import { encodeReports } from '../../drivers/framing/vivotech2-reports.ts';
import type { Link, LinkListeners } from '../../drivers/session/link.ts';
import { frameLinks, reportLinks } from '../../drivers/session/vivotech2-link.ts';
import { createHidTransport } from '../../drivers/transport/hid-transport.ts';
import { createMemoryTransport, type MemoryPeer } from '../../drivers/transport/memory-transport.ts';
import neo2 from '../fixtures/protocols/neo2.json' with { type: 'json' };
import { bytesOf } from '../support/hex.ts';
import { createScriptedHid, type ScriptedHid } from '../support/scripted-hid.ts';
import { vector } from '../support/vectors.ts';
import { createManualClock, type ManualClock, settle } from '../support/zvt-clock.ts';

const never = new AbortController().signal;
/** From the published guide and reader logs. */
const ping = vector('ping');
const pong = vector('ping-reply');
/** Two reports, and three. */
const long = replyOf(80);
const longer = replyOf(150);

function replyOf(length: number): Uint8Array {
  const data = Uint8Array.from({ length }, (_, index) => index);
  return encodeVivotech2Frame({ kind: 'message', command: 0x60, code: 0x00, data }, 'HIGH_FIRST');
}

interface Heard extends LinkListeners {
  readonly messages: Uint8Array[];
  readonly downs: string[];
  readonly reports: (readonly [string, number])[];
}

function listener(): Heard {
  const messages: Uint8Array[] = [];
  const downs: string[] = [];
  const reports: (readonly [string, number])[] = [];
  return {
    messages,
    downs,
    reports,
    onMessage: (message) => void messages.push(message),
    onDown: (reason) => void downs.push(reason),
    onReport: (what, byteCount) => void reports.push([what, byteCount]),
  };
}

interface SerialRig {
  readonly link: Link;
  readonly heard: Heard;
  readonly clock: ManualClock;
  readonly peer: MemoryPeer;
  readonly written: Uint8Array[];
}

async function serialRig(heard = listener()): Promise<SerialRig> {
  const clock = createManualClock();
  const written: Uint8Array[] = [];
  let peer: MemoryPeer | undefined;
  const link = frameLinks(
    (listeners) =>
      createMemoryTransport(
        'line',
        (far) => {
          peer = far;
          return { onData: (bytes) => void written.push(bytes), onClose: () => undefined };
        },
        listeners,
      ),
    clock,
  )(heard);
  await link.open(never);
  if (peer === undefined) throw new Error('not opened');
  return { link, heard, clock, peer, written };
}

async function hidRig(hid: ScriptedHid = createScriptedHid()) {
  const clock = createManualClock();
  const heard = listener();
  const line = { kind: 'HID', vendorId: 0x0acd, productId: 0x3810 } as const;
  hid.plug({});
  const link = reportLinks(
    (listeners) => createHidTransport({ line, clock, loadLibrary: async () => hid }, listeners),
    clock,
  )(heard);
  await link.open(never);
  const handle = hid.handles[0];
  if (handle === undefined) throw new Error('not opened');
  return { link, heard, clock, hid, handle };
}

describe('a NEO 2 link on a serial line', () => {
  it('hands on whole frames, however the bytes are cut', async () => {
    const stream = Uint8Array.of(...pong, ...long, ...vector('ping-reply'));
    for (let cut = 1; cut < stream.length; cut++) {
      const { link, heard, peer } = await serialRig();
      peer.send(stream.subarray(0, cut));
      peer.send(stream.subarray(cut));
      await settle();
      expect(heard.messages).toEqual([pong, long, pong]);
      expect(heard.reports).toEqual([]);
      await link.close();
    }
  });

  it('keeps the order of checksum bytes that the reader chose', async () => {
    const { heard, peer } = await serialRig();
    const lowFirst = encodeVivotech2Frame(
      { kind: 'message', command: 0x18, code: 0, data: new Uint8Array() },
      'LOW_FIRST',
    );
    peer.send(lowFirst);
    await settle();
    expect(heard.messages).toEqual([lowFirst]);
    expect(lowFirst).not.toEqual(pong);
  });

  it('tells noise and wrong checksums, and goes on with what follows', async () => {
    const { heard, peer } = await serialRig();
    const broken = Uint8Array.from(long);
    broken[20] = (broken[20] ?? 0) ^ 1;
    peer.send(Uint8Array.of(0xff, 0x00, ...pong, ...broken, ...pong));
    await settle();
    expect(heard.messages).toEqual([pong, pong]);
    expect(heard.reports.map(([what]) => what)).toEqual(['bytes that are no message', 'a frame with a wrong checksum']);
  });

  it('gives half a frame up after a second of silence, and hears the next one', async () => {
    const { heard, clock, peer } = await serialRig();
    peer.send(long.subarray(0, 40));
    await clock.advance(999);
    expect(heard.reports).toEqual([]);
    await clock.advance(1);
    expect(heard.reports).toEqual([['a frame whose end did not come', 40]]);
    peer.send(pong);
    await settle();
    expect(heard.messages).toEqual([pong]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('does not count the silence between two halves that come in time', async () => {
    const { heard, clock, peer } = await serialRig();
    for (const byte of pong) {
      await clock.advance(900);
      peer.send(Uint8Array.of(byte));
    }
    await settle();
    expect(heard.messages).toEqual([pong]);
  });

  it('refuses what is sent when it is not open, and tells its end once', async () => {
    const { link, heard, peer, written } = await serialRig();
    expect(await link.send(ping)).toBe('DELIVERED');
    await settle();
    peer.drop('unplugged');
    await settle();
    expect(heard.downs).toEqual(['unplugged']);
    expect(link.isOpen()).toBe(false);
    await expect(link.send(ping)).rejects.toMatchObject({
      kind: 'CLOSED',
      message: expect.stringContaining('nothing'),
    });
    await link.close();
    expect(written).toEqual([ping]);
    expect(heard.downs).toHaveLength(1);
  });

  it('hands nothing on after it was closed, not even the rest of what came in one piece', async () => {
    const heard = listener();
    let close = (): void => undefined;
    const { link, peer, clock } = await serialRig({
      ...heard,
      onMessage(message) {
        heard.onMessage(message);
        close();
      },
    });
    close = () => void link.close('no longer wanted');
    peer.send(Uint8Array.of(...pong, ...pong, ...long.subarray(0, 9)));
    await settle();
    expect(heard.messages).toEqual([pong]);
    expect(heard.downs).toEqual(['no longer wanted']);
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('a NEO 2 link over HID', () => {
  it('puts short and long answers together from their reports', async () => {
    const { heard, handle } = await hidRig();
    for (const message of [pong, long, longer, pong])
      for (const report of encodeReports(message)) handle.report(report);
    expect(heard.messages).toEqual([pong, long, longer, pong]);
    expect(heard.reports).toEqual([]);
  });

  it('writes a command as the guide shows it', async () => {
    const { link, handle } = await hidRig();
    await link.send(ping);
    const reports = neo2.find(({ id }) => id === 'ping')?.reports ?? [];
    expect(handle.written).toEqual(reports.map(bytesOf));
  });

  it('writes the reports of a command one after the other, and those of two commands never mixed', async () => {
    const hid = createScriptedHid();
    const takes: (() => void)[] = [];
    hid.onWrite((report) => new Promise((resolve) => takes.push(() => resolve(report.length))));
    const { link, handle } = await hidRig(hid);
    const sent = Promise.all([link.send(longer), link.send(ping)]);
    for (let count = 1; count <= 4; count++) {
      await settle();
      expect(handle.written).toHaveLength(count);
      takes.shift()?.();
    }
    await sent;
    expect(handle.written).toEqual([...encodeReports(longer), ...encodeReports(ping)]);
  });

  it('skips a report of a wrong number, and what belongs to no frame', async () => {
    const { heard, handle } = await hidRig();
    const [first, second] = encodeReports(long);
    if (first === undefined || second === undefined) throw new Error('two reports');
    handle.report(second);
    handle.report(new Uint8Array(64).fill(9));
    handle.report(Uint8Array.of());
    handle.report(first);
    handle.report(new Uint8Array(64).fill(7));
    handle.report(second);
    expect(heard.messages).toEqual([long]);
    expect(heard.reports.map(([what]) => what)).toEqual(Array(4).fill('a report that belongs to no frame'));
  });

  it('tells a frame that another one interrupted, and one with a wrong checksum', async () => {
    const { heard, handle } = await hidRig();
    const [first] = encodeReports(long);
    const [broken] = encodeReports(Uint8Array.from(pong, (byte, index) => (index === 11 ? byte ^ 1 : byte)));
    if (first === undefined || broken === undefined) throw new Error('reports');
    handle.report(first);
    for (const report of encodeReports(pong)) handle.report(report);
    handle.report(broken);
    expect(heard.messages).toEqual([pong]);
    expect(heard.reports.map(([what]) => what)).toEqual([
      'a frame that another one interrupted',
      'a frame with a wrong checksum',
    ]);
  });

  it('gives half a frame up after a second of silence', async () => {
    const { heard, clock, handle } = await hidRig();
    const [first, second] = encodeReports(long);
    if (first === undefined || second === undefined) throw new Error('two reports');
    handle.report(first);
    await clock.advance(1_000);
    handle.report(second);
    expect(heard.messages).toEqual([]);
    expect(heard.reports.map(([what]) => what)).toEqual([
      'a frame whose end did not come',
      'a report that belongs to no frame',
    ]);
  });

  it('ends when the reader is pulled out in the middle of an answer, and of a command', async () => {
    const hid = createScriptedHid();
    const { link, heard, handle, clock } = await hidRig(hid);
    const [first, second] = encodeReports(long);
    if (first === undefined || second === undefined) throw new Error('two reports');
    handle.report(first);
    hid.onWrite(() => {
      hid.unplug('/dev/hidraw0');
      return 64;
    });
    await expect(link.send(longer)).rejects.toMatchObject({ message: expect.stringContaining('cut off') });
    handle.report(second);
    expect(handle.written).toHaveLength(1);
    expect(heard.messages).toEqual([]);
    expect(heard.downs).toEqual(['the reader is gone']);
    expect(clock.pendingTimers()).toBe(0);
    await link.close();
    expect(handle.closeCount()).toBe(1);
  });

  it('loses nothing that the reader says while the line is being opened', async () => {
    const hid = createScriptedHid();
    hid.onListen((handle) => {
      for (const report of encodeReports(long)) handle.report(report);
    });
    const { link, heard } = await hidRig(hid);
    expect(heard.messages).toEqual([long]);
    await link.close();
  });
});
