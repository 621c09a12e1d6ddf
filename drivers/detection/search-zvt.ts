// One question that every ZVT terminal answers, on a line that is opened for it: the status enquiry (05 01), which moves nothing.
import type { Clock } from '../../app/ports/clock.ts';
import type { Candidate, SearchResult } from '../../app/ports/terminal-finder.ts';
import type { Link, LinkListeners } from '../session/link.ts';
import { createSerialLink } from '../session/serial-link.ts';
import { createStreamLink } from '../session/stream-link.ts';
import { TransportError, type TransportFactory } from '../transport/transport.ts';
import { recogniseForeignGreeting } from '../zvt/codec/foreign-greeting.ts';
import { createConnection, type ZvtConnection } from '../zvt/connection.ts';
import { type NotFound, notOpened } from './not-opened.ts';

/** How long the first answer is waited for; three sends of a serial line fit into it. */
const ANSWER_TIMEOUT_MS = 8_000;
/** How long the end of the enquiry is waited for: a terminal whose end nobody takes repeats it to whoever comes next. */
const END_TIMEOUT_MS = 3_000;
const MAX_HEARD_BYTES = 2_048;

export interface SearchDeps {
  readonly clock: Clock;
  readonly createTransport: TransportFactory;
}

/** @throws the abort's reason when `signal` aborts; whatever else happens is an answer */
export async function searchZvt(deps: SearchDeps, candidate: Candidate, signal: AbortSignal): Promise<SearchResult> {
  const heard: number[] = [];
  /** Everything that arrives, before anybody judges it. */
  const createTransport: TransportFactory = (listeners) =>
    deps.createTransport({
      ...listeners,
      onData(bytes) {
        if (heard.length < MAX_HEARD_BYTES) heard.push(...bytes.subarray(0, MAX_HEARD_BYTES - heard.length));
        listeners.onData(bytes);
      },
    });
  let isMessage = false;
  const connection = createConnection({
    clock: deps.clock,
    createLink: (listeners) => linkOf(candidate, deps.clock, createTransport, listeners),
    onReceived: () => {
      isMessage = true;
    },
    onDown: () => undefined,
    onReport: () => undefined,
    serve: () => 'ACKNOWLEDGE',
  });
  try {
    await connection.open(signal);
    await enquire(connection, candidate, deps.clock, signal, () => isMessage);
    signal.throwIfAborted();
    return isMessage ? { kind: 'FOUND', protocol: 'ZVT' } : silence(Uint8Array.from(heard), connection.description);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TransportError)) throw error;
    return notOpened(error);
  } finally {
    await connection.close();
  }
}

/** Resolves when the enquiry has ended, when nothing has answered in time, or when `signal` aborts. */
async function enquire(
  connection: ZvtConnection,
  { password }: Candidate,
  clock: Clock,
  signal: AbortSignal,
  isAnswered: () => boolean,
): Promise<void> {
  let stopTimer = (): void => undefined;
  const givenUp = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    stopTimer = clock.after(ANSWER_TIMEOUT_MS, () => {
      if (!isAnswered()) resolve();
    });
  });
  const ended = connection.exchange({
    command: { type: 'status-enquiry', password },
    answerTo: 'STATUS_ENQUIRY',
    ending: 'MESSAGE',
    completionTimeoutMs: END_TIMEOUT_MS,
    ignoresEarlierEnd: true,
  });
  await Promise.race([ended, givenUp]);
  stopTimer();
}

function linkOf(candidate: Candidate, clock: Clock, createTransport: TransportFactory, listeners: LinkListeners): Link {
  return candidate.line.kind === 'TCP'
    ? createStreamLink(createTransport, listeners)
    : createSerialLink(createTransport, clock, { provesReceipt: () => true }, listeners);
}

function silence(heard: Uint8Array, description: string): NotFound {
  if (heard.length === 0)
    return { kind: 'NOT_FOUND', problem: 'NO_ANSWER', words: `${description} can be opened, and nothing answers.` };
  const greeting = recogniseForeignGreeting(heard);
  if (greeting === undefined)
    return { kind: 'NOT_FOUND', problem: 'NOT_READABLE', words: `${description} sends bytes that are no message.` };
  const answeredBy = greeting.kind === 'ecr17-nak' ? 'ECR17' : greeting.text;
  return { kind: 'NOT_FOUND', problem: 'FOREIGN', words: `${description} speaks another protocol.`, answeredBy };
}
