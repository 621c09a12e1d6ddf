import type { HidLine } from '../line-address.ts';
import { devicesOf } from './find-hid-device.ts';
import { type LoadHidLibrary, listHidDevices } from './load-hid-library.ts';

/** USB number of ID TECH. */
const READER_VENDOR_ID = 0x0acd;

/** A card reader that is plugged in. */
export interface HidReaderDescription {
  readonly line: HidLine;
  /** Maker and model, where it tells them. */
  readonly description?: string;
}

/** Card readers on USB, each once. @throws TransportError NO_DRIVER, OTHER */
export async function listHidReaders(load?: LoadHidLibrary): Promise<readonly HidReaderDescription[]> {
  const devices = (await listHidDevices(load)).filter(({ vendorId }) => vendorId === READER_VENDOR_ID);
  const kinds = new Map(
    devices.map(({ vendorId, productId }) => [productId, { kind: 'HID', vendorId, productId } as const]),
  );
  return [...kinds.values()]
    .flatMap((kind) => devicesOf(kind, devices).map((device) => ({ kind, device })))
    .map(({ kind, device: { serialNumber, manufacturer, product } }) => {
      const description = [manufacturer, product].filter((part) => part !== undefined && part !== '').join(' ');
      return {
        line: serialNumber === undefined || serialNumber === '' ? kind : { ...kind, serialNumber },
        ...(description === '' ? {} : { description }),
      };
    });
}
