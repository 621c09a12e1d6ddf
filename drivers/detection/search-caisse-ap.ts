// Caisse-AP has no question that moves no money, so that nothing is asked: the line is opened, and whoever speaks first is no such terminal.
import type { Clock } from '../../app/ports/clock.ts';
import type { SearchResult } from '../../app/ports/terminal-finder.ts';
import { TransportError, type TransportFactory } from '../transport/transport.ts';
import { notOpened } from './not-opened.ts';

/** How long is listened whether something else greets there, or closes the connection. */
const LISTEN_MS = 1_000;

export interface SearchCaisseApDeps {
  readonly clock: Clock;
  readonly createTransport: TransportFactory;
}

/** @throws the abort's reason when `signal` aborts; whatever else happens is an answer */
export async function searchCaisseAp(
  { clock, createTransport }: SearchCaisseApDeps,
  signal: AbortSignal,
): Promise<SearchResult> {
  let heardByteCount = 0;
  let end = (): void => undefined;
  let closeReason: string | undefined;
  const quiet = new Promise<void>((resolve) => {
    end = resolve;
  });
  const transport = createTransport({
    onData(bytes) {
      heardByteCount += bytes.length;
      end();
    },
    onClose(reason) {
      closeReason = reason;
      end();
    },
  });
  const { description } = transport;
  const stopTimer = clock.after(LISTEN_MS, () => end());
  signal.addEventListener('abort', end, { once: true });
  try {
    await transport.open(signal);
    await quiet;
    signal.throwIfAborted();
    if (heardByteCount > 0)
      return {
        kind: 'NOT_FOUND',
        problem: 'NOT_READABLE',
        words: `${description} speaks without being asked, which no Caisse-AP terminal does.`,
      };
    if (closeReason !== undefined)
      return { kind: 'NOT_FOUND', problem: 'NO_ANSWER', words: `${description} was closed at once: ${closeReason}.` };
    return { kind: 'FOUND', protocol: 'CAISSE_AP', isUnproven: true };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TransportError)) throw error;
    return notOpened(error);
  } finally {
    stopTimer();
    signal.removeEventListener('abort', end);
    await transport.close();
  }
}
