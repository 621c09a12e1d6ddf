import type { HidDeviceInfo, HidLibrary } from './hid-library.ts';
import { TransportError } from './transport.ts';

/** Gives the library with the first use of a HID device: it is not there for every machine. */
export type LoadHidLibrary = () => Promise<HidLibrary>;

/** node-hid; on Linux it needs libudev. @throws TransportError NO_DRIVER */
export const loadNodeHid: LoadHidLibrary = async () => {
  try {
    const { devicesAsync, HIDAsync } = await import('node-hid');
    return { devicesAsync: () => devicesAsync(), HIDAsync: { open: (path) => HIDAsync.open(path) } };
  } catch (error) {
    throw noDriver(error);
  }
};

/** What is plugged in. @throws TransportError NO_DRIVER when the native part does not run here, OTHER for what else the system says */
export async function listHidDevices(load: LoadHidLibrary = loadNodeHid): Promise<readonly HidDeviceInfo[]> {
  const library = await load().catch((error: unknown) => {
    throw error instanceof TransportError ? error : noDriver(error);
  });
  return library.devicesAsync().catch((error: unknown) => {
    throw isMissing(error) ? noDriver(error) : new TransportError('OTHER', listingFailed(error), error);
  });
}

/** The library loads its native part with the first call, and the system names what that lacks. */
function isMissing(error: unknown): boolean {
  return /\.so|\.dll|\.dylib|\.node\b|prebuild|shared object|dlopen|cannot find module|native build/i.test(
    textOf(error),
  );
}

function noDriver(error: unknown): TransportError {
  const advice =
    process.platform === 'linux'
      ? 'install libudev (Debian, Ubuntu: sudo apt install libudev1) and run npm ci again'
      : 'run npm ci again';
  return new TransportError(
    'NO_DRIVER',
    `USB readers cannot be used on this machine: ${textOf(error)} (${advice}).`,
    error,
  );
}

function listingFailed(error: unknown): string {
  return `The USB readers of this machine cannot be listed: ${textOf(error)}.`;
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message.split('\n')[0]?.trim() : undefined;
  return text === undefined || text === '' ? 'the HID library is missing' : text.replace(/\.$/, '');
}
