import { SerialPort } from 'serialport';

const WAIT_MS = 20_000;
const HEADER = '5669564F746563683200';

/** A till on a serial line that knows nothing but the frame of ViVOtech2; its checksum is computed bit by bit here. */
export interface RawReaderTill {
  /** writes bytes as they are */
  write(bytes: Uint8Array): void;
  /** writes a frame; command with sub-command, and data, as hex */
  send(command: string, data?: string): void;
  /** the next frame as hex from its command byte to the end of its data; its checksum was right in one of the two orders */
  next(): Promise<string>;
  /** the next frame that is no 61-xx and no first response */
  answer(): Promise<string>;
  close(): Promise<void>;
}

export async function openRawReaderTill(path: string): Promise<RawReaderTill> {
  const port = new SerialPort({ path, baudRate: 115_200, autoOpen: false });
  await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
  const received: number[] = [];
  let wake = () => {};
  port.on('data', (bytes: Buffer) => {
    received.push(...bytes);
    wake();
  });
  port.on('error', () => {});
  const take = async (count: number): Promise<number[]> => {
    const deadline = Date.now() + WAIT_MS;
    while (received.length < count) {
      if (Date.now() > deadline) throw new Error('Nothing came from the reader in time');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return received.splice(0, count);
  };
  /** Looks for a header wherever it begins: noise may come before it. */
  const header = async () => {
    let seen = '';
    while (!seen.endsWith(HEADER)) seen += hexOf(await take(1));
  };
  const next = async () => {
    await header();
    const head = await take(4);
    const data = await take((head[2] ?? 0) * 256 + (head[3] ?? 0));
    const [first = 0, second = 0] = await take(2);
    const expected = checksum(bytesOf(HEADER + hexOf([...head, ...data])));
    if (![first * 256 + second, second * 256 + first].includes(expected)) throw new Error('The checksum is wrong');
    return hexOf([...head.slice(0, 2), ...data]);
  };
  return {
    write: (bytes) => port.write(Buffer.from(bytes)),
    send(command, data = '') {
      const size = (data.length / 2).toString(16).padStart(4, '0');
      const body = bytesOf(HEADER + command + size + data);
      const crc = checksum(body);
      port.write(Buffer.from([...body, crc & 0xff, crc >> 8]));
    },
    next,
    async answer() {
      for (let frame = await next(); ; frame = await next())
        if (!frame.startsWith('61') && !/^(60|02)63$/.test(frame)) return frame;
    },
    close: () => new Promise((resolve) => port.close(() => resolve())),
  };
}

function checksum(bytes: readonly number[]): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc;
}

function bytesOf(hex: string): number[] {
  return (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

function hexOf(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');
}
