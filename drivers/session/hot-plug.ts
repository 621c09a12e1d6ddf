import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import type { HidLine } from '../line-address.ts';
import { devicesOf } from '../transport/find-hid-device.ts';
import { type LoadHidLibrary, listHidDevices } from '../transport/load-hid-library.ts';

/** How often the machine is asked what is plugged in while the reader is not connected: the HID library tells no plugging in by itself. */
export const HOT_PLUG_LOOK_MS = 1_000;
/** The same while the machine cannot say it. */
const FAILED_LOOK_MS = 30_000;

export interface HotPlugDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly line: HidLine;
  readonly loadLibrary: LoadHidLibrary;
}

/**
 * A terminal on a HID line that is tried at once when its reader is plugged in, under whatever path, rather than when the pause between two tries is
 * over. A reader that stays plugged in and cannot be opened is left to those tries.
 */
export function withHotPlug(terminal: Terminal, { clock, log, line, loadLibrary }: HotPlugDeps): Terminal {
  /** Paths of the reader at the last look since the line went down. */
  let seen = '';
  let isStarted = false;
  let isLooking = false;
  let stopTimer: (() => void) | undefined;
  let unsubscribe = (): void => undefined;
  let stopping = new AbortController();

  function plan(afterMs = HOT_PLUG_LOOK_MS): void {
    if (terminal.status().connected) {
      stopTimer?.();
      stopTimer = undefined;
      seen = '';
    } else if (isStarted && !isLooking && stopTimer === undefined) {
      stopTimer = clock.after(afterMs, () => void look());
    }
  }

  async function look(): Promise<void> {
    stopTimer = undefined;
    isLooking = true;
    const paths = await pathsNow();
    if (isStarted && !terminal.status().connected) {
      const isNew = paths !== undefined && paths !== '' && paths !== seen;
      seen = paths ?? seen;
      if (isNew) {
        log.info('a reader is plugged in', { terminalId: terminal.terminalId });
        await terminal.probe(stopping.signal, true).catch(() => undefined);
      }
    }
    isLooking = false;
    plan(paths === undefined ? FAILED_LOOK_MS : HOT_PLUG_LOOK_MS);
  }

  /** Undefined when the machine cannot tell. */
  async function pathsNow(): Promise<string | undefined> {
    try {
      const devices = devicesOf(line, await listHidDevices(loadLibrary));
      return devices.map(({ path }) => path).join('\n');
    } catch {
      return undefined;
    }
  }

  return {
    ...terminal,
    start() {
      if (isStarted) return;
      isStarted = true;
      stopping = new AbortController();
      unsubscribe = terminal.subscribe(() => plan());
      terminal.start();
      plan();
    },
    async stop() {
      isStarted = false;
      unsubscribe();
      stopTimer?.();
      stopTimer = undefined;
      stopping.abort();
      await terminal.stop();
    },
  };
}
