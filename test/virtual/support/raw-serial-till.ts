import { SerialPort } from 'serialport';
import { bytesOf, hexOf } from '../../support/hex.ts';

const WAIT_MS = 20_000;

/** A till on a serial line that knows the frame of PA00P016 and nothing else; its checksum is computed bit by bit here. */
export interface RawSerialTill {
  /** writes bytes as they are */
  write(hex: string): void;
  /** writes an APDU as a frame */
  send(hex: string): void;
  /** reads the bytes that must come next */
  expectBytes(hex: string): Promise<void>;
  /** reads one frame, checks it, and gives back its APDU; acknowledges it unless told not to */
  nextApdu(options?: { readonly acknowledge: boolean }): Promise<string>;
  /** reads on until a whole frame came, after one that broke off anywhere: a start mark, wherever it stands, begins anew */
  nextWholeApdu(): Promise<string>;
  close(): Promise<void>;
}

export async function openRawSerialTill(path: string): Promise<RawSerialTill> {
  const port = new SerialPort({ path, baudRate: 9600, stopBits: 2, autoOpen: false });
  await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
  const received: number[] = [];
  let wake = () => {};
  port.on('data', (bytes: Buffer) => {
    received.push(...bytes);
    wake();
  });
  port.on('error', () => {});
  const nextByte = async () => {
    const deadline = Date.now() + WAIT_MS;
    while (received.length === 0) {
      if (Date.now() > deadline) throw new Error('Nothing came from the terminal in time');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return received.shift() ?? 0;
  };
  const write = (hex: string) => port.write(Buffer.from(bytesOf(hex)));
  const restOfFrame = async (acknowledge: boolean) => {
    let apdu: number[] = [];
    for (;;) {
      const byte = await nextByte();
      if (byte !== 0x10) {
        apdu.push(byte);
        continue;
      }
      const mark = await nextByte();
      if (mark === 0x03) break;
      if (mark === 0x02) apdu = [];
      else apdu.push(0x10);
    }
    const crc = [await nextByte(), await nextByte()];
    const expected = checksum(apdu);
    if (crc[0] !== (expected & 0xff) || crc[1] !== expected >> 8) throw new Error('The checksum is wrong');
    if (acknowledge) write('06');
    return hexOf(Uint8Array.from(apdu));
  };
  const nextApdu = async ({ acknowledge } = { acknowledge: true }) => {
    const start = [await nextByte(), await nextByte()];
    if (hexOf(Uint8Array.from(start)) !== '10 02') throw new Error(`No frame begins with ${start}`);
    return restOfFrame(acknowledge);
  };
  const nextWholeApdu = async () => {
    for (let before = 0, byte = await nextByte(); ; before = byte, byte = await nextByte())
      if (before === 0x10 && byte === 0x02) return restOfFrame(true);
  };
  return {
    write,
    send: (hex) => write(hexOf(frame([...bytesOf(hex)]))),
    async expectBytes(hex) {
      for (const wanted of bytesOf(hex)) {
        const byte = await nextByte();
        if (byte !== wanted) throw new Error(`Expected ${wanted}, got ${byte}`);
      }
    },
    nextApdu,
    nextWholeApdu,
    close: () => new Promise((resolve) => port.close(() => resolve())),
  };
}

function frame(apdu: readonly number[]): Uint8Array {
  const crc = checksum(apdu);
  return Uint8Array.from([
    0x10,
    0x02,
    ...apdu.flatMap((byte) => (byte === 0x10 ? [byte, byte] : [byte])),
    0x10,
    0x03,
    crc & 0xff,
    crc >> 8,
  ]);
}

function checksum(apdu: readonly number[]): number {
  let crc = 0;
  for (const byte of [...apdu, 0x03]) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  }
  return crc;
}
