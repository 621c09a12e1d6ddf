import type { PrinterTroubleKind } from '../domain/print-job.ts';
import type { Clock } from '../ports/clock.ts';
import type { PrintEnd, Printer } from '../ports/printer.ts';

/** Prints that wait for one printer; one more is refused. */
const maxWaitingPrints = 50;
/** Attempts of one print before a person is asked; only what has certainly not been printed is tried again. */
const maxAttempts = 5;
/** Milliseconds before the second attempt; doubled before each further one. */
const firstRetryMs = 1_000;

/** One print in the queue of its printer. */
export interface QueuedPrint {
  /** Made anew for each attempt, so that it says truly whether it is a duplicate. Rejects: it could not be made. */
  make(): Promise<Uint8Array>;
  /** A test is tried once. */
  readonly isTest: boolean;
  /** Told after each attempt. `willRetry`: it stays in the queue. */
  onAttempt(end: PrintEnd, willRetry: boolean): void;
}

/** The prints of one printer, one after the other. */
export interface PrintQueue {
  /** False when too many wait already. */
  add(print: QueuedPrint): boolean;
  waiting(): number;
  /** Ends the running attempt; nothing more is printed, and what waited is told why. */
  stop(why: PrinterTroubleKind): Promise<void>;
}

export function createPrintQueue(printer: Printer, clock: Clock): PrintQueue {
  const waiting: QueuedPrint[] = [];
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  /** After a print that failed for good the next ones are tried once, so that a queue before a dead printer does not stand for hours. */
  let isDown = false;

  async function run(): Promise<void> {
    for (let print = waiting[0]; print !== undefined && !stopping.signal.aborted; print = waiting[0]) {
      const isOver = await printOne(print);
      if (isOver) waiting.shift();
    }
    running = undefined;
  }

  /** False when the queue was stopped before the print came to its end. */
  async function printOne(print: QueuedPrint): Promise<boolean> {
    const attempts = print.isTest || isDown ? 1 : maxAttempts;
    let retryMs = firstRetryMs;
    for (let attempt = 1; !stopping.signal.aborted; attempt += 1) {
      const end = await attemptOf(print);
      const mayRetry = end.end === 'NOT_PRINTED' && end.trouble !== 'NOT_MADE' && attempt < attempts;
      // A stopped queue tells what waits itself.
      if (mayRetry && stopping.signal.aborted) return false;
      if (!print.isTest) isDown = end.end !== 'PRINTED' && !mayRetry;
      print.onAttempt(end, mayRetry);
      if (!mayRetry) return true;
      await pause(retryMs);
      retryMs *= 2;
    }
    return false;
  }

  async function attemptOf(print: QueuedPrint): Promise<PrintEnd> {
    let bytes: Uint8Array;
    try {
      bytes = await print.make();
    } catch (error) {
      return { end: 'NOT_PRINTED', trouble: 'NOT_MADE', text: error instanceof Error ? error.message : 'unknown' };
    }
    return printer.print(bytes, stopping.signal);
  }

  function pause(delayMs: number): Promise<void> {
    const { signal } = stopping;
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(delayMs, end);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }

  return {
    add(print) {
      if (stopping.signal.aborted || waiting.length >= maxWaitingPrints) return false;
      waiting.push(print);
      running ??= run();
      return true;
    },
    waiting: () => waiting.length,
    async stop(why) {
      stopping.abort();
      await running;
      for (const print of waiting.splice(0)) {
        print.onAttempt({ end: 'NOT_PRINTED', trouble: why, text: 'The print was stopped while it waited.' }, false);
      }
    },
  };
}
