import { access, constants } from 'node:fs/promises';
import type { Clock } from '../../app/ports/clock.ts';
import type { HidLine } from '../line-address.ts';
import { descriptionOf, findHidDevice, type PluggedInDevice, permissionAdvice } from './find-hid-device.ts';
import type { HidHandle } from './hid-library.ts';
import { type LoadHidLibrary, listHidDevices } from './load-hid-library.ts';
import { createOneConnection } from './one-connection.ts';
import { type Transport, TransportError, type TransportListeners } from './transport.ts';

export interface HidAddress {
  readonly line: HidLine;
  readonly clock: Clock;
  readonly loadLibrary: LoadHidLibrary;
}

/** Time in which the system finds and opens the device, takes one report, and gives the handle back. */
const OPEN_TIMEOUT_MS = 5_000;
const WRITE_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * A USB HID device. It is looked for by vendor, product and serial number at every open; one `onData` is one input report and one `write` one output
 * report, the report's number first.
 */
export function createHidTransport(address: HidAddress, listeners: TransportListeners): Transport {
  const { line, clock, loadLibrary } = address;
  const description = descriptionOf(line);
  const connection = createOneConnection(description, listeners);
  let handle: HidHandle | undefined;
  let released: Promise<void> | undefined;
  /** Aborts, with the reason, when nobody waits for the open any more. */
  const givenUp = new AbortController();

  async function open(signal: AbortSignal): Promise<void> {
    connection.begin();
    const onAbort = (): void => giveUp('CLOSED', `Opening ${description} was given up.`);
    const stopTimer = clock.after(OPEN_TIMEOUT_MS, () =>
      giveUp('SILENT', `${description} did not open within ${OPEN_TIMEOUT_MS / 1000} s.`),
    );
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const opening = findAndOpen();
    try {
      await Promise.race([opening, rejectionOf(givenUp.signal)]);
    } catch (error) {
      if (connection.beginClose()) connection.closed('not opened');
      // What the system opens after all is closed again.
      opening.then(closeOnce, () => undefined);
      throw error;
    } finally {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
    }
  }

  function giveUp(kind: 'CLOSED' | 'SILENT', message: string): void {
    givenUp.abort(new TransportError(kind, message));
  }

  async function findAndOpen(): Promise<HidHandle> {
    const device = findHidDevice(line, await listHidDevices(loadLibrary));
    const library = await loadLibrary();
    givenUp.signal.throwIfAborted();
    const opened = await library.HIDAsync.open(device.path).catch(async (error: unknown) => {
      throw await describeOpenError(error, line, device);
    });
    // A device without a listener for its errors ends the process when it is pulled out.
    opened.on('error', (error) => end(opened, reasonOf(error)));
    if (givenUp.signal.aborted) return opened;
    handle = opened;
    connection.opened();
    // Reading begins with this listener: no report comes before it.
    opened.on('data', (report) => connection.received(new Uint8Array(report)));
    return opened;
  }

  function end(opened: HidHandle, reason: string): void {
    if (!connection.beginClose()) return;
    void closeOnce(opened);
    connection.closed(reason);
  }

  /** Resolves when the handle is given back, or when the system does not do it in time. */
  function closeOnce(opened: HidHandle): Promise<void> {
    released ??= within(opened.close(), clock, CLOSE_TIMEOUT_MS).catch(() => undefined);
    return released;
  }

  async function write(bytes: Uint8Array): Promise<void> {
    connection.refuseWhenNotOpen();
    const opened = handle;
    if (opened === undefined) throw new TransportError('CLOSED', `${description} is not open; nothing was sent.`);
    try {
      const taken = await within(opened.write(Buffer.from(bytes)), clock, WRITE_TIMEOUT_MS);
      if (taken < bytes.length) throw new Error(`took ${taken} of ${bytes.length} bytes`);
    } catch (error) {
      end(opened, 'a write failed');
      throw new TransportError('CLOSED', `${description}: ${reasonOf(error)}.`, error);
    }
  }

  async function close(): Promise<void> {
    giveUp('CLOSED', `${description} was closed while it was being opened.`);
    if (handle !== undefined) end(handle, 'closed by the till');
    else if (connection.beginClose()) connection.closed('closed by the till');
    await released;
  }

  return { description, open, write, close };
}

/** The text of an error of the device, if it has one (node-hid issue 536). */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : '';
  return text === '' ? 'the reader is gone' : text;
}

async function describeOpenError(error: unknown, line: HidLine, device: PluggedInDevice): Promise<TransportError> {
  const description = descriptionOf(line);
  const text = reasonOf(error);
  const isForbidden = /permission|access denied|not permitted/i.test(text) || (await isUnreadable(device.path));
  if (isForbidden)
    return new TransportError(
      'NO_PERMISSION',
      `${description} may not be opened by this user (${permissionAdvice(line)}).`,
      error,
    );
  if (/no such file|no such device|not found/i.test(text))
    return new TransportError('NO_SUCH_PORT', `${description} was pulled out while it was being opened.`, error);
  if (/busy|in use|sharing violation|exclusive/i.test(text))
    return new TransportError('PORT_IN_USE', `${description} is in use by another program.`, error);
  return new TransportError('OTHER', `${description} cannot be opened: ${text}.`, error);
}

/** On Linux the library says of every device that cannot be opened the same. */
async function isUnreadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK | constants.W_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'EACCES' || error.code === 'EPERM',
  );
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** The result of `work`, unless its time is over before; the work itself runs on. */
async function within<T>(work: Promise<T>, clock: Clock, timeoutMs: number): Promise<T> {
  let stopTimer = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the system did not answer within ${timeoutMs / 1000} s`);
    stopTimer = clock.after(timeoutMs, () => reject(error));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stopTimer();
  }
}
