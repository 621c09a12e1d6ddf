import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** A serial port of this machine. */
export interface SerialPortDescription {
  /** What a terminal URL names; a name below /dev/serial/by-id stays the same when the cable is plugged in again. */
  readonly path: string;
  readonly manufacturer?: string;
  readonly serialNumber?: string;
  readonly vendorId?: string;
  readonly productId?: string;
}

const DEVICES = '/dev';
const BY_ID = '/dev/serial/by-id';
const PORT_NAME = /^(ttyS|ttyUSB|ttyACM|ttyAMA|ttyXRUSB|rfcomm|cu\.)/;

/** Reads names of serial devices from the file system; the way that needs no udev. */
async function scanDevices(): Promise<SerialPortDescription[]> {
  const names = await readdir(DEVICES).catch(() => [] as string[]);
  return names.filter((name) => PORT_NAME.test(name)).map((name) => ({ path: join(DEVICES, name) }));
}

/** Device path → its lasting name. */
async function lastingNames(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(BY_ID).catch(() => [] as string[]);
  const pairs = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const lasting = join(BY_ID, name);
      return [await realpath(lasting).catch(() => lasting), lasting];
    }),
  );
  return new Map(pairs);
}

async function listByLibrary(): Promise<SerialPortDescription[]> {
  const { SerialPort } = await import('serialport');
  const ports = await SerialPort.list();
  return ports.map((port) => ({
    path: port.path,
    ...(port.manufacturer === undefined ? {} : { manufacturer: port.manufacturer }),
    ...(port.serialNumber === undefined ? {} : { serialNumber: port.serialNumber }),
    ...(port.vendorId === undefined ? {} : { vendorId: port.vendorId }),
    ...(port.productId === undefined ? {} : { productId: port.productId }),
  }));
}

/** Serial ports of this machine; empty where there are none. Never rejects. */
export async function listSerialPorts(
  sources: { readonly library: () => Promise<SerialPortDescription[]> } = { library: listByLibrary },
): Promise<readonly SerialPortDescription[]> {
  // The library asks udevadm on Linux and rejects where that program is missing.
  const ports = await sources.library().catch(scanDevices);
  const lasting = await lastingNames();
  return ports
    .map((port) => ({ ...port, path: lasting.get(port.path) ?? port.path }))
    .sort((left, right) => left.path.localeCompare(right.path));
}
