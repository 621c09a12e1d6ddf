import { afterEach, describe, expect, it } from 'vitest';
import { listSerialPorts } from '../../drivers/transport/serial-ports.ts';
import { createSerialTransport, describeSerialError } from '../../drivers/transport/serial-transport.ts';
import type { TransportListeners } from '../../drivers/transport/transport.ts';
import { realClock, until } from '../support/zvt-clock.ts';
import { openPty, type Pty } from '../support/zvt-pty.ts';

const never = new AbortController().signal;
const ptys: Pty[] = [];
afterEach(async () => {
  for (const pty of ptys.splice(0)) await pty.close();
});

function listeners(): TransportListeners & { readonly bytes: number[]; readonly closes: string[] } {
  const bytes: number[] = [];
  const closes: string[] = [];
  return { bytes, closes, onData: (chunk) => void bytes.push(...chunk), onClose: (reason) => void closes.push(reason) };
}

async function pty(): Promise<Pty> {
  const made = await openPty();
  ptys.push(made);
  return made;
}

describe('a serial port (pty)', () => {
  it('carries bytes both ways and closes once', async () => {
    const line = await pty();
    const heard = listeners();
    const toTerminal: number[] = [];
    line.far.on('data', (bytes) => toTerminal.push(...bytes));
    const transport = createSerialTransport({ path: line.path, baudRate: 9600, clock: realClock }, heard);
    await expect(transport.write(Uint8Array.of(1))).rejects.toMatchObject({ kind: 'CLOSED' });
    await transport.open(never);
    await transport.write(Uint8Array.of(0x10, 0x02, 0x03, 0x11, 0x13, 0x0d, 0x0a, 0x04));
    line.far.write(Uint8Array.of(0x06, 0x15, 0x1a, 0x03));
    await until(() => toTerminal.length === 8 && heard.bytes.length === 4, 'bytes both ways');
    expect(toTerminal).toEqual([0x10, 0x02, 0x03, 0x11, 0x13, 0x0d, 0x0a, 0x04]);
    await Promise.all([transport.close(), transport.close()]);
    expect(heard.closes).toEqual(['closed by the till']);
    await expect(transport.write(Uint8Array.of(1))).rejects.toMatchObject({ kind: 'CLOSED' });
    await expect(transport.open(never)).rejects.toMatchObject({ kind: 'CLOSED' });
  });

  it('tells at once when the other end goes away, and refuses what is written then', async () => {
    const line = await pty();
    const heard = listeners();
    const transport = createSerialTransport({ path: line.path, baudRate: 9600, clock: realClock }, heard);
    await transport.open(never);
    await line.unplug();
    await until(() => heard.closes.length === 1, 'close');
    await expect(transport.write(Uint8Array.of(1))).rejects.toMatchObject({ kind: 'CLOSED' });
    await transport.close();
    expect(heard.closes).toHaveLength(1);
  });

  it('tells it even when the system reads a pulled-out port as "nothing yet" for ever', async () => {
    const line = await pty();
    const heard = listeners();
    const transport = createSerialTransport({ path: line.path, baudRate: 9600, clock: realClock }, heard);
    await transport.open(never);
    // The hang-up meets the port while its bytes are being handled, not while it waits for some.
    line.far.write(new Uint8Array(256));
    await until(() => heard.bytes.length === 256, 'bytes');
    await line.unplug();
    await until(() => heard.closes.length === 1, 'close');
    await transport.close();
    expect(heard.closes).toHaveLength(1);
  });

  it('is opened anew with a new object, and nothing written before arrives', async () => {
    const line = await pty();
    const toTerminal: number[] = [];
    line.far.on('data', (bytes) => toTerminal.push(...bytes));
    const first = createSerialTransport({ path: line.path, baudRate: 9600, clock: realClock }, listeners());
    await first.open(never);
    await first.close();
    await first.write(Uint8Array.of(0x55)).catch(() => undefined);
    const second = createSerialTransport({ path: line.path, baudRate: 9600, clock: realClock }, listeners());
    await second.open(never);
    await second.write(Uint8Array.of(0x66));
    await until(() => toTerminal.length > 0, 'byte of the second object');
    expect(toTerminal).toEqual([0x66]);
    await second.close();
  });

  it('that another program holds is named as in use', async () => {
    const line = await pty();
    const first = createSerialTransport({ path: line.path, baudRate: 9600, clock: realClock }, listeners());
    await first.open(never);
    const second = createSerialTransport({ path: line.path, baudRate: 9600, clock: realClock }, listeners());
    await expect(second.open(never)).rejects.toMatchObject({ kind: 'PORT_IN_USE' });
    await second.close();
    await first.close();
  });

  it('that does not exist is named', async () => {
    const transport = createSerialTransport(
      { path: '/dev/no-such-port', baudRate: 9600, clock: realClock },
      listeners(),
    );
    await expect(transport.open(never)).rejects.toMatchObject({
      kind: 'NO_SUCH_PORT',
      message: expect.stringContaining('/dev/no-such-port'),
    });
    await transport.close();
  });

  it('without permission is named so', () => {
    expect(describeSerialError(new Error('Error: Permission denied, cannot open /dev/ttyS0'), '/dev/ttyS0').kind).toBe(
      'NO_PERMISSION',
    );
  });
});

describe('listing serial ports', () => {
  it('works on this machine', async () => {
    expect(Array.isArray(await listSerialPorts())).toBe(true);
  });

  it('works without udev: what the library cannot tell is read from the file system', async () => {
    const ports = await listSerialPorts({ library: () => Promise.reject(new Error('spawn udevadm ENOENT')) });
    for (const port of ports) expect(port.path).toMatch(/^\/dev\//);
  });

  it('gives an empty list where there is none', async () => {
    expect(await listSerialPorts({ library: async () => [] })).toEqual([]);
  });
});
