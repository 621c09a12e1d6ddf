// One question that every ZVT terminal answers, on a line that is opened for it: the status enquiry (05 01), which moves nothing.
import type { Clock } from '../../app/ports/clock.ts';
import type { Candidate, SearchResult } from '../../app/ports/terminal-finder.ts';
import type { Link, LinkListeners } from '../session/link.ts';
import { createSerialLink } from '../session/serial-link.ts';
import { createStreamLink } from '../session/stream-link.ts';
import { TransportError, type TransportErrorKind, type TransportFactory } from '../transport/transport.ts';
import { encodeCommand } from '../zvt/codec/commands.ts';
import { recogniseForeignGreeting } from '../zvt/codec/foreign-greeting.ts';

type NotFound = Extract<SearchResult, { kind: 'NOT_FOUND' }>;

/** How long an answer is waited for; three sends of a serial line fit into it. */
const ANSWER_TIMEOUT_MS = 8_000;
const MAX_HEARD_BYTES = 2_048;

const problems = {
  REFUSED: 'REFUSED',
  NO_ROUTE: 'NO_ROUTE',
  NAME_NOT_FOUND: 'NAME_NOT_FOUND',
  SILENT: 'SILENT',
  NO_SUCH_PORT: 'NO_SUCH_PORT',
  PORT_IN_USE: 'PORT_IN_USE',
  NO_PERMISSION: 'NO_PERMISSION',
  CLOSED: 'NO_ANSWER',
  NO_DRIVER: 'OTHER',
  OTHER: 'OTHER',
} as const satisfies Record<TransportErrorKind, NotFound['problem']>;

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
  let answer: (isMessage: boolean) => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  const link = linkOf(candidate, deps.clock, createTransport, {
    onMessage: () => answer(true),
    onDown: () => answer(false),
    onReport: () => undefined,
  });
  const giveUp = () => answer(false);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await link.open(signal);
    const stopTimer = deps.clock.after(ANSWER_TIMEOUT_MS, giveUp);
    link.send(encodeCommand({ type: 'status-enquiry', password: candidate.password })).catch(() => undefined);
    const isMessage = await answered;
    stopTimer();
    signal.throwIfAborted();
    return isMessage ? { kind: 'FOUND', protocol: 'ZVT' } : silence(Uint8Array.from(heard), link.description);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TransportError)) throw error;
    return { kind: 'NOT_FOUND', problem: problems[error.kind], words: error.message };
  } finally {
    signal.removeEventListener('abort', giveUp);
    await link.close();
  }
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
