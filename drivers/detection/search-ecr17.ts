// One question that every ECR17 terminal answers and that moves nothing: the status (s). It is asked in each of the four ways that a frame's check
// byte is counted, since no terminal says which one it takes.
import type { Clock } from '../../app/ports/clock.ts';
import type { SearchResult } from '../../app/ports/terminal-finder.ts';
import { decodeMessage } from '../ecr17/codec/messages.ts';
import {
  decodeEcr17,
  type Ecr17Item,
  encodeAck,
  encodeEcr17Message,
  INITIAL_ECR17_STATE,
  type Lrc,
} from '../framing/ecr17-framing.ts';
import { type Transport, TransportError, type TransportFactory } from '../transport/transport.ts';
import { type NotFound, notOpened } from './not-opened.ts';

/** How long an acknowledgement or a refusal is waited for: it comes from the line's own layer, at once. */
const ACKNOWLEDGE_TIMEOUT_MS = 1_200;
/** How long the status is waited for once the question was acknowledged. */
const REPLY_TIMEOUT_MS = 4_000;
/** Terminal id 00000000: whichever terminal hears it. */
const STATUS_QUESTION = '000000000s';
/** Those seen most often come first. */
const VARIANTS = ['STD', 'NOEXT', 'STX', 'STX_NOEXT'] as const satisfies readonly Lrc[];

export interface SearchEcr17Deps {
  readonly clock: Clock;
  readonly createTransport: TransportFactory;
}

type Message = Extract<Ecr17Item, { type: 'message' }>;

/** What became of the question in one variant. */
type Heard =
  | { readonly kind: 'SILENCE' | 'REFUSED' | 'ACKNOWLEDGED' }
  | { readonly kind: 'REPLY'; readonly message: Message };

/** @throws the abort's reason when `signal` aborts; whatever else happens is an answer */
export async function searchEcr17(deps: SearchEcr17Deps, signal: AbortSignal): Promise<SearchResult> {
  let line: OpenLine | undefined;
  let isRefused = false;
  let strayByteCount = 0;
  try {
    for (const lrc of VARIANTS) {
      // Some terminals close the connection on what they cannot read.
      if (line === undefined || line.isDown()) {
        await line?.close();
        line = await openLine(deps, signal);
      }
      const heard = await line.ask(lrc, signal);
      signal.throwIfAborted();
      strayByteCount += line.takeStrayByteCount();
      if (heard.kind === 'ACKNOWLEDGED') return { kind: 'FOUND', protocol: 'ECR17', lrc };
      if (heard.kind === 'REPLY') return found(heard.message, lrc);
      isRefused ||= heard.kind === 'REFUSED';
    }
    return nothing(line?.description ?? 'The line', isRefused, strayByteCount);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TransportError)) throw error;
    return notOpened(error);
  } finally {
    await line?.close();
  }
}

/** A terminal that takes any check byte tells its own by the one of its reply. */
function found({ text, lrcs }: Message, asked: Lrc): SearchResult {
  const status = decodeMessage(text);
  const software = status.type === 'status-reply' ? status.software.trim() : '';
  return {
    kind: 'FOUND',
    protocol: 'ECR17',
    lrc: lrcs.includes(asked) ? asked : (lrcs[0] ?? asked),
    ...(software === '' ? {} : { firmwareVersion: software }),
  };
}

function nothing(description: string, isRefused: boolean, strayByteCount: number): NotFound {
  if (isRefused)
    return {
      kind: 'NOT_FOUND',
      problem: 'REFUSES',
      words: `${description} speaks ECR17 and refuses the question for its status, whichever way its check byte is counted.`,
      answeredBy: 'ECR17',
    };
  return strayByteCount === 0
    ? { kind: 'NOT_FOUND', problem: 'NO_ANSWER', words: `${description} can be opened, and nothing answers.` }
    : { kind: 'NOT_FOUND', problem: 'NOT_READABLE', words: `${description} sends bytes that are no message.` };
}

/** A line that is open, and what was heard on it since the last question. */
interface OpenLine {
  readonly description: string;
  isDown(): boolean;
  ask(lrc: Lrc, signal: AbortSignal): Promise<Heard>;
  /** Bytes that were no frame, since the last call. */
  takeStrayByteCount(): number;
  close(): Promise<void>;
}

type Telling = Message | { readonly type: 'ack' | 'nak' };

async function openLine({ clock, createTransport }: SearchEcr17Deps, signal: AbortSignal): Promise<OpenLine> {
  let state = INITIAL_ECR17_STATE;
  let isDown = false;
  let strayByteCount = 0;
  let heard: Telling[] = [];
  let wake = (): void => undefined;
  const transport: Transport = createTransport({
    onData(bytes) {
      const step = decodeEcr17(state, bytes);
      state = step.state;
      for (const item of step.items) {
        const telling = tellingOf(item);
        if (telling !== undefined) heard.push(telling);
        else if (item.type === 'noise') strayByteCount += item.bytes.length;
        else if (item.type === 'bad-lrc') strayByteCount += item.byteCount;
      }
      wake();
    },
    onClose() {
      isDown = true;
      wake();
    },
  });
  await transport.open(signal);

  /** What is heard next; undefined when nothing comes in time, when the line is lost, or when `abort` aborts. */
  async function next(timeoutMs: number, abort: AbortSignal): Promise<Telling | undefined> {
    let isOver = false;
    const end = (): void => {
      isOver = true;
      wake();
    };
    const stopTimer = clock.after(timeoutMs, end);
    abort.addEventListener('abort', end, { once: true });
    try {
      while (heard.length === 0 && !isOver && !isDown && !abort.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return heard.shift();
    } finally {
      stopTimer();
      abort.removeEventListener('abort', end);
    }
  }

  /** A reply that nobody acknowledges is repeated to whoever comes next. */
  async function acknowledged(message: Message, asked: Lrc): Promise<Heard> {
    await transport.write(encodeAck(message.lrcs[0] ?? asked));
    return { kind: 'REPLY', message };
  }

  return {
    description: transport.description,
    isDown: () => isDown,
    async ask(lrc, abort) {
      heard = [];
      await transport.write(encodeEcr17Message(STATUS_QUESTION, lrc));
      const first = await next(ACKNOWLEDGE_TIMEOUT_MS, abort);
      if (first === undefined) return { kind: 'SILENCE' };
      if (first.type === 'nak') return { kind: 'REFUSED' };
      if (first.type === 'message') return acknowledged(first, lrc);
      const reply = await next(REPLY_TIMEOUT_MS, abort);
      return reply?.type === 'message' ? acknowledged(reply, lrc) : { kind: 'ACKNOWLEDGED' };
    },
    takeStrayByteCount() {
      const count = strayByteCount;
      strayByteCount = 0;
      return count;
    },
    close: () => transport.close(),
  };
}

/** An acknowledgement or a refusal counts whatever its own check byte is: terminals differ there. */
function tellingOf(item: Ecr17Item): Telling | undefined {
  if (item.type === 'message') return item;
  if (item.type === 'bad-lrc' && item.frame !== 'message') return { type: item.frame };
  return item.type === 'ack' || item.type === 'nak' ? { type: item.type } : undefined;
}
