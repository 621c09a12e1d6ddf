import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { TerminalProtocol } from '../../app/contract/console/terminals.ts';
import { Secret } from '../../app/domain/secret.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import { udevCommand } from '../../drivers/detection/port-facts.ts';
import { createTerminalFinder } from '../../drivers/detection/terminal-finder.ts';
import { encodeVivotech2Frame } from '../../drivers/framing/vivotech2-frame.ts';
import { decodeReport, encodeReports, INITIAL_REPORT_STATE } from '../../drivers/framing/vivotech2-reports.ts';
import { describeFinding, type Finding, surveyOf } from '../../main/survey.ts';
import { createScriptedHid, type ScriptedHandle } from '../support/scripted-hid.ts';
import { vector } from '../support/vectors.ts';
import { realClock } from '../support/zvt-clock.ts';
import { openPty, type Pty } from '../support/zvt-pty.ts';

const never = new AbortController().signal;
const money = { password: new Secret('000000'), currency: 'EUR' };
const ping = vector('ping');
const pong = vector('ping-reply');
const firmware = encodeVivotech2Frame(
  { kind: 'message', command: 0x29, code: 0x00, data: Uint8Array.from(Buffer.from('VP3300 V1.01.151\0')) },
  'HIGH_FIRST',
);
/** ACK, then the positive acknowledgement 80 00 00 as a ZVT frame, DLE STX … DLE ETX with its CRC (test/fixtures/protocols/zvt-serial.json). */
const zvtAnswer = Uint8Array.of(0x06, 0x10, 0x02, 0x80, 0x00, 0x00, 0x10, 0x03, 0xf5, 0x1f);

const ptys: Pty[] = [];
afterEach(async () => {
  for (const pty of ptys.splice(0)) await pty.close();
});

/** What a reader answers to the two questions; written by hand, not by the driver. */
function answerOf(command: Uint8Array): Uint8Array | undefined {
  const [first, second] = command.subarray(10);
  if (first === 0x18 && second === 0x01) return pong;
  return first === 0x29 && second === 0x00 ? firmware : undefined;
}

async function portWith(answer: (heard: Uint8Array, far: Socket) => void): Promise<string> {
  const pty = await openPty();
  ptys.push(pty);
  pty.far.on('data', (bytes) => answer(new Uint8Array(bytes), pty.far));
  return pty.path;
}

const readerAt = (heard: Uint8Array, far: Socket): void => {
  const answer = answerOf(heard);
  if (answer !== undefined) far.write(answer);
};
const zvtAt = (heard: Uint8Array, far: Socket): void => {
  if (heard[0] === 0x10 && heard[1] === 0x02) far.write(zvtAnswer);
};

function sendAll(handle: ScriptedHandle, reports: readonly Uint8Array[]): void {
  for (const report of reports) handle.report(report);
}

function hidWithReader(device = {}) {
  const hid = createScriptedHid();
  hid.plug(device);
  hid.onWrite((report, handle: ScriptedHandle) => {
    const [item] = decodeReport(INITIAL_REPORT_STATE, report).items;
    const isCommand = item?.type === 'frame' && item.frame.kind === 'message';
    const answer = isCommand ? answerOf(report.subarray(1)) : undefined;
    if (answer !== undefined) queueMicrotask(() => sendAll(handle, encodeReports(answer)));
    return report.length;
  });
  return hid;
}

const noTerminal = (): Promise<Terminal> => Promise.reject(new Error('a search makes no terminal'));
const finderWith = (hid = createScriptedHid()) =>
  createTerminalFinder({ clock: realClock, createTerminal: noTerminal, loadHidLibrary: async () => hid });
const serial = (path: string, protocol?: TerminalProtocol) => ({
  line: { kind: 'SERIAL', path, baudRate: 115_200 } as const,
  ...(protocol === undefined ? {} : { protocol }),
  ...money,
});

describe('a search for a card reader', () => {
  it('knows one on USB by its answers to ping and firmware, and sends nothing else', async () => {
    const hid = hidWithReader();
    const { search } = finderWith(hid);
    const line = { kind: 'HID', vendorId: 0x0acd, productId: 0x3810, serialNumber: '7T1' } as const;
    expect(await search({ line, ...money }, never)).toEqual({
      kind: 'FOUND',
      protocol: 'NEO2',
      firmwareVersion: 'VP3300 V1.01.151',
    });
    expect(hid.handles[0]?.written.map((report) => [...report.subarray(11, 13)])).toEqual([
      [0x18, 0x01],
      [0x29, 0x00],
    ]);
    expect(hid.handles[0]?.closeCount()).toBe(1);
  });

  it('knows one on a serial port', async () => {
    const heard: Uint8Array[] = [];
    const path = await portWith((bytes, far) => {
      heard.push(bytes);
      readerAt(bytes, far);
    });
    expect(await finderWith().search(serial(path, 'NEO2'), never)).toMatchObject({ kind: 'FOUND', protocol: 'NEO2' });
    expect(heard[0]).toEqual(ping);
    expect(heard).toHaveLength(2);
  });

  it('names a ZVT terminal on the port, and the reverse', async () => {
    const finder = finderWith();
    const zvtPath = await portWith(zvtAt);
    expect(await finder.search(serial(zvtPath, 'NEO2'), never)).toMatchObject({
      problem: 'FOREIGN',
      answeredBy: 'ZVT',
      words: `${zvtPath} answers as ZVT, not as NEO 2.`,
    });
    const readerPath = await portWith(readerAt);
    expect(await finder.search(serial(readerPath, 'ZVT'), never)).toMatchObject({
      problem: 'FOREIGN',
      answeredBy: 'NEO 2',
      words: `${readerPath} answers as NEO 2, not as ZVT.`,
    });
  }, 60_000);

  it('tells a reader that is silent, one that is not there, and one that this user may not open', async () => {
    const hid = createScriptedHid();
    const { search } = finderWith(hid);
    const candidate = { line: { kind: 'HID', vendorId: 0x0acd, productId: 0x3810 }, ...money } as const;
    expect(await search(candidate, never)).toMatchObject({ problem: 'NO_SUCH_PORT' });
    hid.plug({});
    expect(await search(candidate, never)).toMatchObject({ problem: 'NO_ANSWER' });
    hid.onOpen(() => Promise.reject(new Error('Permission denied')));
    const answer = await search(candidate, never);
    expect(answer).toMatchObject({ problem: 'NO_PERMISSION', words: expect.stringContaining('udev rule') });
    if (process.platform === 'linux') expect(answer).toHaveProperty('command', udevCommand(0x0acd));
  });

  it('tells a machine whose library is missing', async () => {
    const broken = { ...createScriptedHid(), devicesAsync: () => Promise.reject(new Error('libudev.so.1: not found')) };
    const { search, readers } = finderWith(broken);
    const candidate = { line: { kind: 'HID', vendorId: 0x0acd, productId: 0x3810 }, ...money } as const;
    expect(await search(candidate, never)).toMatchObject({ problem: 'NO_DRIVER' });
    expect(await readers()).toEqual({ readers: [], problem: expect.stringContaining('libudev') });
  });

  it('ends at once when it is stopped', async () => {
    const hid = createScriptedHid();
    hid.plug({});
    const stop = new AbortController();
    const candidate = { line: { kind: 'HID', vendorId: 0x0acd, productId: 0x3810 }, ...money } as const;
    const search = finderWith(hid).search(candidate, stop.signal);
    stop.abort();
    await expect(search).rejects.toThrow();
  });
});

describe('the readers of this machine', () => {
  it('are those of their maker, each once, with its numbers as addresses write them', async () => {
    const hid = createScriptedHid();
    hid.plug({});
    hid.plug({ path: '/dev/hidraw0b' });
    hid.plug({
      path: '/dev/hidraw1',
      productId: 0x3530,
      serialNumber: '',
      manufacturer: undefined,
      product: undefined,
    });
    hid.plug({ path: '/dev/hidraw2', vendorId: 0x046d, product: 'Mouse' });
    expect(await finderWith(hid).readers()).toEqual({
      readers: [
        {
          vendorId: 0x0acd,
          productId: 0x3810,
          serialNumber: '7T1',
          address: '0ACD:3810/7T1',
          description: 'ID TECH VP3300',
        },
        { vendorId: 0x0acd, productId: 0x3530, address: '0ACD:3530' },
      ],
    });
  });
});

describe('the address of a reader', () => {
  it('is written for the settings and read again as the same line', () => {
    const { urlOf, lineOf } = finderWith();
    const line = { kind: 'HID', vendorId: 0x0acd, productId: 0x3810, serialNumber: 'A/1' } as const;
    expect(urlOf({ line, ...money })).toBe('neo2+hid://0ACD:3810/A%2F1?currency=EUR');
    expect(lineOf('neo2+hid://0acd:3810/A%2F1?currency=CHF')).toBe('0ACD:3810/A/1');
    expect(urlOf(serial('/dev/ttyS0', 'NEO2'))).toBe('neo2+serial:///dev/ttyS0?baudRate=115200&currency=EUR');
    // A port is one place, whatever speaks on it.
    expect(lineOf('neo2+serial:///dev/ttyS0')).toBe(lineOf('zvt+serial:///dev/ttyS0'));
  });
});

describe('npm run detect', () => {
  async function findings(finder: ReturnType<typeof finderWith>, port?: string): Promise<Finding[]> {
    const options = { asksAllSpeeds: false, currency: 'CHF', ...(port === undefined ? {} : { port }) };
    const all: Finding[] = [];
    for await (const finding of surveyOf(finder, options, never)) all.push(finding);
    return all;
  }

  it('says of readers and ports what they speak, and the address to use', async () => {
    const readerPath = await portWith(readerAt);
    const zvtPath = await portWith(zvtAt);
    const ports = async () => [{ path: readerPath }, { path: zvtPath, description: 'FTDI' }];
    const found = await findings({ ...finderWith(hidWithReader()), serialPorts: ports });
    expect(found.map(describeFinding)).toEqual([
      '0ACD:3810/7T1 (ID TECH VP3300)\n  speaks NEO 2, VP3300 V1.01.151\n  npm start -- --terminal "neo2+hid://0ACD:3810/7T1?currency=CHF"',
      `${readerPath}\n  speaks NEO 2, VP3300 V1.01.151\n  npm start -- --terminal "neo2+serial://${readerPath}?baudRate=115200&currency=CHF"`,
      `${zvtPath} (FTDI)\n  speaks ZVT\n  npm start -- --terminal "zvt+serial://${zvtPath}?baudRate=115200&password=000000&currency=CHF"`,
    ]);
  }, 60_000);

  it('says why it cannot tell', async () => {
    const [finding] = await findings(finderWith(hidWithReader()), '/dev/ttyNOTHING9');
    expect(finding).toMatchObject({ place: '/dev/ttyNOTHING9', result: { problem: 'NO_SUCH_PORT' } });
    expect(finding?.url).toBeUndefined();
    expect(describeFinding(finding ?? { place: '', result: { kind: 'FOUND', protocol: 'ZVT' } })).toContain(
      'does not exist',
    );
  });
});
