// Two questions that every NEO 2 reader answers and that change nothing: ping (18-01) and firmware (29-00).
import type { Clock } from '../../app/ports/clock.ts';
import type { SearchResult } from '../../app/ports/terminal-finder.ts';
import { decodeVivotech2, INITIAL_VIVOTECH2_STATE } from '../framing/vivotech2-stream.ts';
import { encodeCommand } from '../neo2/codec/commands.ts';
import { decodeMessage } from '../neo2/codec/messages.ts';
import type { Link, LinkFactory } from '../session/link.ts';
import { TransportError } from '../transport/transport.ts';
import { notOpened } from './not-opened.ts';

/** How long each answer is waited for; readers answer within milliseconds. */
const ANSWER_TIMEOUT_MS = 1_500;

type Message = ReturnType<typeof decodeMessage>;

export interface SearchNeo2Deps {
  readonly clock: Clock;
  readonly createLink: LinkFactory;
}

/** @throws the abort's reason when `signal` aborts; whatever else happens is an answer */
export async function searchNeo2(deps: SearchNeo2Deps, signal: AbortSignal): Promise<SearchResult> {
  let onMessage = (_message: Message): void => undefined;
  let isDown = false;
  let strayByteCount = 0;
  const link = deps.createLink({
    onMessage(bytes) {
      const [item] = decodeVivotech2(INITIAL_VIVOTECH2_STATE, bytes).items;
      if (item?.type === 'frame') onMessage(decodeMessage(item.frame, { answerTo: 'get-firmware' }));
    },
    onDown: () => {
      isDown = true;
    },
    onReport: (_what, byteCount) => {
      strayByteCount += byteCount;
    },
  });
  const ask = (type: 'ping' | 'get-firmware', isAnswer: (message: Message) => boolean) =>
    answerTo(link, encodeCommand({ type }), deps.clock, signal, (take) => {
      onMessage = (message) => {
        if (isAnswer(message)) take(message);
      };
    });
  try {
    await link.open(signal);
    // A reader that refuses the ping is one all the same.
    const pong = await ask('ping', () => true);
    const firmware = pong === undefined ? undefined : await ask('get-firmware', ({ type }) => type === 'firmware');
    signal.throwIfAborted();
    if (pong !== undefined) return found(firmware);
    if (isDown) throw new TransportError('CLOSED', `${link.description} was lost before anything answered.`);
    return silence(link.description, strayByteCount);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TransportError)) throw error;
    return notOpened(error);
  } finally {
    await link.close();
  }
}

/** The answer, or undefined when none came in time. */
async function answerTo(
  link: Link,
  command: Uint8Array,
  clock: Clock,
  signal: AbortSignal,
  listen: (take: (message: Message) => void) => void,
): Promise<Message | undefined> {
  let end = (_message?: Message): void => undefined;
  const answered = new Promise<Message | undefined>((resolve) => {
    end = resolve;
  });
  const onAbort = (): void => end();
  const stopTimer = clock.after(ANSWER_TIMEOUT_MS, onAbort);
  signal.addEventListener('abort', onAbort, { once: true });
  listen(end);
  try {
    await link.send(command);
    return await answered;
  } finally {
    stopTimer();
    signal.removeEventListener('abort', onAbort);
  }
}

function found(firmware: Message | undefined): SearchResult {
  const text = firmware?.type === 'firmware' ? firmware.text : '';
  return { kind: 'FOUND', protocol: 'NEO2', ...(text === '' ? {} : { firmwareVersion: text }) };
}

function silence(description: string, strayByteCount: number): SearchResult {
  return strayByteCount === 0
    ? { kind: 'NOT_FOUND', problem: 'NO_ANSWER', words: `${description} can be opened, and nothing answers.` }
    : { kind: 'NOT_FOUND', problem: 'NOT_READABLE', words: `${description} sends bytes that are no message.` };
}
