import { type HidLine, usbIdOf } from '../line-address.ts';
import type { HidDeviceInfo } from './hid-library.ts';
import { TransportError } from './transport.ts';

/** A device that can be opened, for now, by its path. */
export type PluggedInDevice = HidDeviceInfo & { readonly path: string };

/** The devices of an address, each once, although one with several collections is listed several times. */
export function devicesOf(line: HidLine, devices: readonly HidDeviceInfo[]): readonly PluggedInDevice[] {
  const alike = ofKind(line, devices).filter(
    ({ serialNumber }) => line.serialNumber === undefined || serialNumber === line.serialNumber,
  );
  return [...new Map(alike.map((device) => [device.serialNumber || device.path, device])).values()];
}

/**
 * The device that an address names.
 * @throws TransportError NO_SUCH_PORT when it is not plugged in; NO_PERMISSION when its serial number cannot be read; OTHER when the address fits several
 */
export function findHidDevice(line: HidLine, devices: readonly HidDeviceInfo[]): PluggedInDevice {
  const [found, ...others] = devicesOf(line, devices);
  if (found === undefined) throw notFound(line, devices);
  if (others.length === 0) return found;
  const names = [found, ...others].map(({ serialNumber, path }) => serialNumber || path).join(', ');
  throw new TransportError(
    'OTHER',
    `Several readers ${usbIdOf(line)} are plugged in (${names}): name one by its serial number, as in neo2+hid://${usbIdOf(line)}/SERIAL.`,
  );
}

function ofKind(line: HidLine, devices: readonly HidDeviceInfo[]): PluggedInDevice[] {
  return devices.filter(
    (device): device is PluggedInDevice =>
      device.vendorId === line.vendorId &&
      device.productId === line.productId &&
      device.path !== undefined &&
      device.path !== '',
  );
}

function notFound(line: HidLine, devices: readonly HidDeviceInfo[]): TransportError {
  const alike = ofKind(line, devices);
  const wanted = descriptionOf(line);
  if (alike.length === 0)
    return new TransportError('NO_SUCH_PORT', `${wanted} is not plugged in; check its cable and its power.`);
  const serialNumbers = alike.map(({ serialNumber }) => serialNumber).filter((one) => one !== undefined && one !== '');
  if (serialNumbers.length < alike.length)
    return new TransportError(
      'NO_PERMISSION',
      `A reader ${usbIdOf(line)} is plugged in, but its serial number cannot be read (${permissionAdvice(line)}).`,
    );
  return new TransportError(
    'NO_SUCH_PORT',
    `${wanted} is not plugged in; another of its kind is (serial number ${serialNumbers.join(', ')}).`,
  );
}

/** What people call it in messages and logs. */
export function descriptionOf(line: HidLine): string {
  return `Reader ${usbIdOf(line)}${line.serialNumber === undefined ? '' : `/${line.serialNumber}`}`;
}

export const UDEV_RULE_FILE = '/etc/udev/rules.d/70-card-reader.rules';

/** The udev rule that lets the person at the screen use the device. */
export function udevRule(vendorId: number): string {
  return `SUBSYSTEM=="hidraw", ATTRS{idVendor}=="${vendorId.toString(16).padStart(4, '0')}", MODE="0660", TAG+="uaccess"`;
}

export function permissionAdvice({ vendorId }: Pick<HidLine, 'vendorId'>): string {
  return `on Linux a udev rule gives the right: the line ${udevRule(vendorId)} in ${UDEV_RULE_FILE}, then plug the reader in again`;
}
