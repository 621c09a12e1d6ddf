import type { Clock } from '../../app/ports/clock.ts';
import { type Transport, TransportError, type TransportFactory } from '../transport/transport.ts';

/** Bytes of answers that are kept while nobody waits for them. */
const maxKeptAnswers = 64;

/** One connection to a printer, for one print. */
export interface PrinterSession {
  write(bytes: Uint8Array): Promise<void>;
  /** The next byte that `isWanted`; undefined when none comes within `timeoutMs` or the line is lost. */
  answer(isWanted: (byte: number) => boolean, timeoutMs: number): Promise<number | undefined>;
  isLost(): boolean;
  close(): Promise<void>;
}

/** @throws TransportError */
export async function openPrinterSession(
  createTransport: TransportFactory,
  clock: Clock,
  signal: AbortSignal,
): Promise<PrinterSession> {
  let answers: number[] = [];
  let isLost = false;
  let wake = (): void => undefined;
  const transport: Transport = createTransport({
    onData(bytes) {
      answers = [...answers, ...bytes].slice(-maxKeptAnswers);
      wake();
    },
    onClose() {
      isLost = true;
      wake();
    },
  });
  await transport.open(signal);
  const onAbort = (): void => void transport.close();
  signal.addEventListener('abort', onAbort, { once: true });

  async function answer(isWanted: (byte: number) => boolean, timeoutMs: number): Promise<number | undefined> {
    let isLate = false;
    const cancel = clock.after(timeoutMs, () => {
      isLate = true;
      wake();
    });
    try {
      for (;;) {
        const at = answers.findIndex(isWanted);
        if (at >= 0) {
          const found = answers[at];
          // The others wait: two kinds of answers come in between one another.
          answers = answers.filter((_, index) => index !== at);
          return found;
        }
        if (isLate || isLost) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      cancel();
      wake = () => undefined;
    }
  }

  return {
    async write(bytes) {
      if (isLost) throw new TransportError('CLOSED', `${transport.description} was closed; nothing was sent.`);
      await transport.write(bytes);
    },
    answer,
    isLost: () => isLost,
    async close() {
      signal.removeEventListener('abort', onAbort);
      await transport.close();
    },
  };
}
