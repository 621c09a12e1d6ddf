import type { Clock } from '../../app/ports/clock.ts';
import type { LineAddress } from '../terminal-url.ts';
import type { TransportFactory } from './transport.ts';

/** Connections to one address; each call of the factory makes a new object. Loads serialport only for a serial port. */
export async function createTransportFactory(line: LineAddress, clock: Clock): Promise<TransportFactory> {
  if (line.kind === 'TCP') {
    const { createTcpTransport } = await import('./tcp-transport.ts');
    return (listeners) => createTcpTransport({ host: line.host, port: line.port, clock }, listeners);
  }
  const { createSerialTransport } = await import('./serial-transport.ts');
  return (listeners) => createSerialTransport({ path: line.path, baudRate: line.baudRate, clock }, listeners);
}
