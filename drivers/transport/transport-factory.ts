import type { Clock } from '../../app/ports/clock.ts';
import type { LineAddress } from '../line-address.ts';
import { type LoadHidLibrary, loadNodeHid } from './load-hid-library.ts';
import type { TransportFactory } from './transport.ts';

export interface LineOptions {
  /** Of a serial port; 2 unless told otherwise. */
  readonly stopBits?: 1 | 2;
  /** What reaches HID devices; node-hid unless told otherwise. */
  readonly loadHidLibrary?: LoadHidLibrary;
}

/** Connections to one address; each call of the factory makes a new object. Loads serialport only for a serial port, node-hid only for a HID device. */
export async function createTransportFactory(
  line: LineAddress,
  clock: Clock,
  { loadHidLibrary = loadNodeHid, ...options }: LineOptions = {},
): Promise<TransportFactory> {
  switch (line.kind) {
    case 'TCP': {
      const { createTcpTransport } = await import('./tcp-transport.ts');
      return (listeners) => createTcpTransport({ host: line.host, port: line.port, clock }, listeners);
    }
    case 'SERIAL': {
      const { createSerialTransport } = await import('./serial-transport.ts');
      const { path, baudRate } = line;
      return (listeners) => createSerialTransport({ path, baudRate, clock, ...options }, listeners);
    }
    case 'HID': {
      const { createHidTransport } = await import('./hid-transport.ts');
      return (listeners) => createHidTransport({ line, clock, loadLibrary: loadHidLibrary }, listeners);
    }
  }
}
