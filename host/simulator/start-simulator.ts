// Puts the acquirer simulator together: book, ledger, desk, the line for hosts, the control interface.
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../../app/ports/clock.ts';
import { createArmedRules } from './armed-rules.ts';
import { openBook } from './book-file.ts';
import { createControlRoutes } from './control-routes.ts';
import { startControlServer } from './control-server.ts';
import { createDesk } from './desk.ts';
import { createLedger } from './ledger.ts';
import { startLineServer } from './line-server.ts';
import type { SimulatorOptions } from './options.ts';
import { summarise } from './standing.ts';

/** The line that a starter waits for. */
interface SimulatorReady {
  readonly port: number;
  readonly controlUrl: string;
  readonly book: string;
  readonly pid: number;
}

export interface RunningSimulator {
  readonly ready: SimulatorReady;
  stop(): Promise<void>;
}

export interface SimulatorDeps {
  readonly clock: Clock;
  /** the lease ran out, POST /stop came, or the book cannot be written */
  readonly onEnd: (error?: unknown) => void;
}

/** Starts a simulator. @throws BookError, ListenError: each a sentence for the person who started it */
export async function startSimulator(
  options: SimulatorOptions,
  { clock, onEnd }: SimulatorDeps,
): Promise<RunningSimulator> {
  const bookPath = resolve(options.bookPath);
  mkdirSync(dirname(bookPath), { recursive: true });
  const nowIso = () => new Date(clock.nowMs()).toISOString();
  const book = openBook(bookPath, { nowIso, onFatal: onEnd });
  const undo: (() => unknown)[] = [book.close];
  const stop = async () => {
    for (let last = undo.pop(); last !== undefined; last = undo.pop()) await last();
  };
  try {
    const ledger = createLedger();
    for (const entry of book.initialEntries) ledger.apply(entry);
    const armed = createArmedRules();
    const desk = createDesk({ book, ledger, armed, clock, slowMs: options.slowMs });
    const line = await startLineServer(options.port, desk.receive);
    undo.push(line.close);
    const lease = createLease(options.leaseSeconds, clock, onEnd);
    undo.push(lease.stop);
    const readBook = () => summarise(bookPath, book.read());
    const routes = createControlRoutes({ line, armed, readBook, renewLease: lease.renew, stop: () => onEnd() });
    const control = await startControlServer(options.controlPort, routes);
    undo.push(control.close);
    return { ready: { port: line.port, controlUrl: control.url, book: bookPath, pid: process.pid }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends what runs when nobody renews it in time; without seconds it never ends. */
function createLease(seconds: number | undefined, clock: Clock, onEnd: () => void) {
  let cancel = () => {};
  const renew = () => {
    cancel();
    if (seconds !== undefined) cancel = clock.after(seconds * 1000, onEnd);
  };
  renew();
  return { renew, stop: () => cancel() };
}
