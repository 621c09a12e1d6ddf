import { SerialPort } from 'serialport';
import type { Clock } from '../../app/ports/clock.ts';
import { createOneConnection } from './one-connection.ts';
import { type Transport, TransportError, type TransportErrorKind, type TransportListeners } from './transport.ts';

export interface SerialAddress {
  readonly path: string;
  readonly baudRate: number;
  /** 2 unless told otherwise (ZVT PA00P016). */
  readonly stopBits?: 1 | 2;
  readonly clock: Clock;
}

/** Only Linux always tells the settings of a port that is there. */
const canAskForSettings = process.platform === 'linux';
/** How often a port is asked whether it is still there. */
const WATCHDOG_MS = 1_000;

/** A serial port at 8 data bits, no parity, no flow control. */
export function createSerialTransport(address: SerialAddress, listeners: TransportListeners): Transport {
  const { path, baudRate, clock, stopBits = 2 } = address;
  const description = path;
  const connection = createOneConnection(description, listeners);
  let port: SerialPort | undefined;
  let released: Promise<void> = Promise.resolve();
  let closeReason = 'the serial port is gone';
  let stopWatchdog = (): void => undefined;
  let giveUp = (): void => undefined;

  async function open(signal: AbortSignal): Promise<void> {
    connection.begin();
    return new Promise((resolve, reject) => {
      const made = new SerialPort({ path, baudRate, dataBits: 8, parity: 'none', stopBits, autoOpen: false });
      port = made;
      // Without a data listener serialport shows no close when the other side goes away.
      made.on('data', (bytes: Buffer) => connection.received(new Uint8Array(bytes)));
      made.on('error', (error: Error) => {
        closeReason = error.message;
        end(made);
      });
      released = new Promise((done) => {
        giveUp = () => {
          stopWatchdog();
          connection.beginClose();
          connection.closed(closeReason);
          done();
        };
        made.once('close', giveUp);
      });
      made.open((error) => {
        if (error !== null) {
          connection.beginClose();
          connection.closed(error.message);
          released = Promise.resolve();
          reject(describeSerialError(error, description));
        } else if (signal.aborted) {
          end(made);
          reject(new TransportError('CLOSED', `Opening ${description} was given up.`));
        } else {
          connection.opened();
          resolve();
          void watch(made, canAskForSettings);
        }
      });
    });
  }

  /**
   * On Linux a port that was pulled out may read as "nothing yet" for ever, so that no close is told; its settings can no longer be
   * read then. Where they cannot be read at all (macOS), nothing follows from that.
   */
  async function watch(made: SerialPort, hasAnswered: boolean): Promise<void> {
    const answers =
      (await made.port?.getBaudRate().then(
        () => true,
        () => false,
      )) ?? false;
    if (!connection.isOpen() || (!answers && !hasAnswered)) return;
    if (answers) stopWatchdog = clock.after(WATCHDOG_MS, () => void watch(made, true));
    else end(made);
  }

  /** Closes the handle once; a port that broke has closed itself. */
  function end(made: SerialPort): void {
    if (!connection.beginClose()) return;
    stopWatchdog();
    // A close that fails emits no event; the port is given up all the same.
    if (made.isOpen) made.close(() => giveUp());
    else giveUp();
  }

  async function write(bytes: Uint8Array): Promise<void> {
    connection.refuseWhenNotOpen();
    const made = port;
    // isOpen is asked as well: a write on a closed port is queued and delivered at the next open of the object.
    if (made === undefined || !made.isOpen)
      throw new TransportError('CLOSED', `${description} is not open; nothing was sent.`);
    await new Promise<void>((resolve, reject) => {
      made.write(Buffer.from(bytes), (error) => {
        if (error) reject(new TransportError('CLOSED', `${description}: ${error.message}.`, error));
        else resolve();
      });
    });
  }

  async function close(): Promise<void> {
    const made = port;
    if (made !== undefined) {
      if (connection.isOpen()) closeReason = 'closed by the till';
      const hadHandle = made.isOpen || made.closing;
      end(made);
      if (hadHandle) await released;
    }
    connection.beginClose();
    connection.closed(closeReason);
  }

  return { description, open, write, close };
}

/** The texts are those of the native binding, which gives no codes. */
export function describeSerialError(error: Error, description: string): TransportError {
  const text = error.message;
  const [kind, words]: readonly [TransportErrorKind, string] = /no such file|file not found|cannot find/i.test(text)
    ? ['NO_SUCH_PORT', 'does not exist; check that the cable is plugged in']
    : /cannot lock|resource busy|temporarily unavailable|access denied/i.test(text)
      ? ['PORT_IN_USE', 'is in use by another program']
      : /permission denied/i.test(text)
        ? ['NO_PERMISSION', 'may not be opened by this user (on Linux: group dialout)']
        : ['OTHER', `cannot be opened: ${text}`];
  return new TransportError(kind, `Serial port ${description} ${words}.`, error);
}
