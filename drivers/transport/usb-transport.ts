import { createOneConnection } from './one-connection.ts';
import { type Transport, TransportError, type TransportListeners } from './transport.ts';

export interface UsbAddress {
  readonly vendorId: number;
  readonly productId: number;
  readonly serialNumber?: string;
}

/** USB class of printers (USB Device Class Definition for Printing Devices). */
const printerClass = 7;
/** Bytes of one read: as many as a packet of any speed has. */
const readBytes = 512;
/** Milliseconds of one read, and reads in a row without an answer before the line is no longer listened to: longer than any print. */
const readTimeoutMs = 1_000;
const maxQuietReads = 60;
/** Milliseconds for a printer to take one print. */
const writeTimeoutMs = 10_000;

/** What is used of a device; the library's own types follow WebUSB. */
interface Endpoint {
  readonly endpointNumber: number;
  readonly direction: 'in' | 'out';
  readonly type: string;
}
interface PrinterInterface {
  readonly interfaceNumber: number;
  readonly input: Endpoint | undefined;
  readonly output: Endpoint;
}

/** A USB printer's bulk endpoints as a line. The library is loaded with the first use: it is not there for every machine. */
export function createUsbTransport(address: UsbAddress, listeners: TransportListeners): Transport {
  const hex = (value: number) => value.toString(16).padStart(4, '0');
  const description = `USB ${hex(address.vendorId)}:${hex(address.productId)}`;
  const connection = createOneConnection(description, listeners);
  let device: Awaited<ReturnType<typeof findDevice>> | undefined;
  let claimed: PrinterInterface | undefined;

  async function read(from: Endpoint): Promise<void> {
    let quietReads = 0;
    while (connection.isOpen() && quietReads < maxQuietReads) {
      // A read without an answer rejects after its time, and at once when the device is gone.
      const bytes = await device?.nativeTransferIn(from.endpointNumber, readTimeoutMs, readBytes).catch(() => null);
      quietReads = bytes ? 0 : quietReads + 1;
      if (bytes) connection.received(Uint8Array.from(bytes));
    }
  }

  async function close(reason: string): Promise<void> {
    if (!connection.beginClose()) return;
    // A device that was pulled out refuses both.
    if (claimed !== undefined) await device?.releaseInterface(claimed.interfaceNumber).catch(() => undefined);
    await device?.close().catch(() => undefined);
    connection.closed(reason);
  }

  return {
    description,
    async open(signal) {
      connection.begin();
      try {
        device = await findDevice(address, description);
        await device.open();
        claimed = printerInterfaceOf(device.configuration?.interfaces ?? [], description);
        if (process.platform === 'linux')
          await device.detachKernelDriver(claimed.interfaceNumber).catch(() => undefined);
        await device.claimInterface(claimed.interfaceNumber);
        if (signal.aborted) throw new TransportError('CLOSED', `Opening ${description} was given up.`);
      } catch (error) {
        await close('not opened');
        throw describeUsbError(error, description);
      }
      connection.opened();
      if (claimed.input !== undefined) void read(claimed.input);
    },
    async write(bytes) {
      connection.refuseWhenNotOpen();
      try {
        const taken = await device?.nativeTransferOut(claimed?.output.endpointNumber ?? 0, writeTimeoutMs, bytes);
        if (taken !== bytes.length) throw new Error('a part was not taken');
      } catch (error) {
        throw describeUsbError(error, description);
      }
    },
    close: () => close('closed by the till'),
  };
}

async function findDevice(address: UsbAddress, description: string) {
  const { usb } = await import('usb').catch((error: unknown) => {
    throw new TransportError(
      'NO_DRIVER',
      `USB printers cannot be used on this machine: the library is missing.`,
      error,
    );
  });
  const devices = await usb.getDevices();
  const found = devices.find(
    ({ vendorId, productId, serialNumber }) =>
      vendorId === address.vendorId &&
      productId === address.productId &&
      (address.serialNumber === undefined || serialNumber === address.serialNumber),
  );
  if (found === undefined) throw new TransportError('NO_SUCH_PORT', `${description} is not plugged in.`);
  return found;
}

function printerInterfaceOf(
  interfaces: readonly {
    readonly interfaceNumber: number;
    readonly alternates: readonly { readonly interfaceClass: number; readonly endpoints: readonly Endpoint[] }[];
  }[],
  description: string,
): PrinterInterface {
  const found = interfaces.flatMap(({ interfaceNumber, alternates: [alternate] }) => {
    const output = alternate?.endpoints.find(({ direction, type }) => direction === 'out' && type === 'bulk');
    if (alternate?.interfaceClass !== printerClass || output === undefined) return [];
    const input = alternate.endpoints.find(({ direction, type }) => direction === 'in' && type === 'bulk');
    return [{ interfaceNumber, input, output }];
  })[0];
  if (found === undefined) throw new TransportError('OTHER', `${description} is no printer.`);
  return found;
}

/** The texts are those of the native library, which gives no codes. */
export function describeUsbError(error: unknown, description: string): TransportError {
  if (error instanceof TransportError) return error;
  const text = error instanceof Error ? error.message : 'unknown';
  if (/permission|access denied|not permitted/i.test(text)) {
    const advice = 'on Linux by a udev rule, on Windows by the WinUSB driver';
    return new TransportError('NO_PERMISSION', `${description} may not be opened by this user (${advice}).`, error);
  }
  if (/busy|claimed|in use/i.test(text))
    return new TransportError('PORT_IN_USE', `${description} is in use by another program.`, error);
  if (/disconnected|no device|not found/i.test(text))
    return new TransportError('NO_SUCH_PORT', `${description} is not plugged in.`, error);
  return new TransportError('OTHER', `${description} cannot be used: ${text}`, error);
}
