import type { PrinterTroubleKind } from '../../app/domain/print-job.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { PrintEnd, Printer } from '../../app/ports/printer.ts';
import { TransportError, type TransportErrorKind, type TransportFactory } from '../transport/transport.ts';
import { openPrinterSession, type PrinterSession } from './printer-session.ts';
import {
  askOfflineCause,
  askPaper,
  askState,
  askWhenDone,
  isDoneAnswer,
  isOffline,
  isRealTimeAnswer,
  troubleOf,
} from './status-bytes.ts';

/** Limits of one print. */
export interface PrintLimits {
  /** Milliseconds for the answer to a question in real time. */
  readonly answerTimeoutMs: number;
  /** Milliseconds for the printer to take the bytes, and then to say that all was printed. */
  readonly takeTimeoutMs: number;
  readonly doneTimeoutMs: number;
  /** Milliseconds between questions while it prints. */
  readonly lookAgainMs: number;
}

const defaultPrintLimits: PrintLimits = {
  answerTimeoutMs: 1_000,
  takeTimeoutMs: 15_000,
  doneTimeoutMs: 15_000,
  lookAgainMs: 1_000,
};

export interface EscposPrinterDeps {
  /** Named in what is told to support. */
  readonly name: string;
  createTransport(): Promise<TransportFactory>;
  readonly clock: Clock;
  readonly limits?: PrintLimits;
}

type Trouble = { readonly trouble: PrinterTroubleKind; readonly text: string };

/** A printer that understands ESC/POS. It is asked before and after each print how it is; one that never answers is printed on all the same. */
export function createEscposPrinter(deps: EscposPrinterDeps): Printer {
  const { name, clock, limits = defaultPrintLimits } = deps;
  /** Silence means trouble only from a printer that has answered before. */
  let hasAnswered = false;

  const trouble = (kind: PrinterTroubleKind, text: string): Trouble => ({ trouble: kind, text: `${name} ${text}.` });
  const silent = () => trouble('NOT_ANSWERING', 'answered before and does not answer now');

  async function ask(session: PrinterSession, question: Uint8Array): Promise<number | undefined> {
    await session.write(question);
    return session.answer(isRealTimeAnswer, limits.answerTimeoutMs);
  }

  /** What keeps it from printing; `isTelling` is false when it does not answer at all. */
  async function stateOf(session: PrinterSession): Promise<{ isTelling: boolean; trouble?: Trouble }> {
    const state = await ask(session, askState);
    if (state === undefined) return { isTelling: false };
    hasAnswered = true;
    const cause = await ask(session, askOfflineCause);
    const paper = await ask(session, askPaper);
    const kind = troubleOf(cause ?? 0, paper ?? 0) ?? (isOffline(state) ? 'OFFLINE' : undefined);
    return kind === undefined
      ? { isTelling: true }
      : { isTelling: true, trouble: trouble(kind, troubleTexts[kind] ?? kind) };
  }

  async function printOver(session: PrinterSession, bytes: Uint8Array): Promise<PrintEnd> {
    const wasKnown = hasAnswered;
    const before = await stateOf(session);
    if (before.trouble !== undefined) return { end: 'NOT_PRINTED', ...before.trouble };
    if (session.isLost()) return { end: 'NOT_PRINTED', ...trouble('LINE_LOST', 'closed the line before the print') };
    if (!before.isTelling && wasKnown) return { end: 'NOT_PRINTED', ...silent() };
    const taken = await within(
      session.write(before.isTelling ? Uint8Array.of(...bytes, ...askWhenDone) : bytes),
      limits.takeTimeoutMs,
      clock,
    );
    if (!taken) return { end: 'PERHAPS_PRINTED', ...trouble('LINE_LOST', 'stopped taking the print') };
    return before.isTelling ? doneOf(session) : { end: 'PRINTED', isConfirmed: false };
  }

  /** Waits for the answer that stands behind the last line, and looks meanwhile whether the paper ran out. */
  async function doneOf(session: PrinterSession): Promise<PrintEnd> {
    const untilMs = clock.monotonicMs() + limits.doneTimeoutMs;
    for (;;) {
      const done = await session.answer(isDoneAnswer, limits.lookAgainMs);
      if (done !== undefined) return { end: 'PRINTED', isConfirmed: true };
      if (session.isLost())
        return { end: 'PERHAPS_PRINTED', ...trouble('LINE_LOST', 'closed the line while printing') };
      const now = await stateOf(session);
      if (now.trouble !== undefined) return { end: 'PERHAPS_PRINTED', ...now.trouble };
      if (!now.isTelling) return { end: 'PERHAPS_PRINTED', ...silent() };
      // Some know no GS r: what is well after so long has printed.
      if (clock.monotonicMs() >= untilMs) return { end: 'PRINTED', isConfirmed: false };
    }
  }

  return {
    async print(bytes, signal) {
      let session: PrinterSession | undefined;
      try {
        session = await openPrinterSession(await deps.createTransport(), clock, signal);
        return await printOver(session, bytes);
      } catch (error) {
        const { kind, message } = asTransportError(error);
        // What was refused after the line was open may have left a part on paper.
        if (session !== undefined) return { end: 'PERHAPS_PRINTED', trouble: 'LINE_LOST', text: message };
        return { end: 'NOT_PRINTED', trouble: openTroubles[kind], text: message };
      } finally {
        await session?.close();
      }
    },
  };
}

const troubleTexts: { readonly [Kind in PrinterTroubleKind]?: string } = {
  COVER_OPEN: 'has its cover open',
  PAPER_OUT: 'has no paper',
  DEVICE_ERROR: 'reports an error',
  OFFLINE: 'is switched offline',
};

const openTroubles: Readonly<Record<TransportErrorKind, PrinterTroubleKind>> = {
  REFUSED: 'UNREACHABLE',
  NO_ROUTE: 'UNREACHABLE',
  NAME_NOT_FOUND: 'UNREACHABLE',
  SILENT: 'UNREACHABLE',
  NO_SUCH_PORT: 'NOT_FOUND',
  PORT_IN_USE: 'IN_USE',
  NO_PERMISSION: 'NO_PERMISSION',
  NO_DRIVER: 'DRIVER_MISSING',
  CLOSED: 'LINE_LOST',
  OTHER: 'UNREACHABLE',
};

function asTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  return new TransportError('OTHER', error instanceof Error ? error.message : 'unknown', error);
}

/** Whether it ended well in time; what fails later is nobody's business any more. @throws what it rejects with in time */
async function within(work: Promise<void>, timeoutMs: number, clock: Clock): Promise<boolean> {
  let cancel = (): void => undefined;
  const late = new Promise<false>((resolve) => {
    cancel = clock.after(timeoutMs, () => resolve(false));
  });
  try {
    return await Promise.race([work.then(() => true as const), late]);
  } finally {
    cancel();
  }
}
