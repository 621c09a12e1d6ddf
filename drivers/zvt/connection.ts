import type { Clock } from '../../app/ports/clock.ts';
import {
  type ExchangeEnd,
  type ExchangeEnding,
  type ExchangeInput,
  INITIAL_EXCHANGE_STATE,
  stepExchange,
} from '../session/exchange.machine.ts';
import type { Link, LinkFactory } from '../session/link.ts';
import type { ZvtCharset } from './codec/charset.ts';
import type { ZvtCommand } from './codec/command-types.ts';
import { encodeCommand } from './codec/commands.ts';
import type {
  Abort,
  AnswerTo,
  Completion,
  NegativeReply,
  PositiveReply,
  StatusInformation,
  ZvtMessage,
} from './codec/message-types.ts';
import { decodeMessage } from './codec/messages.ts';
import { zvtLimits } from './zvt-settings.ts';

/**
 * What the terminal gets for a message. WITHHOLD: nothing, and the link is closed, so that it reverses by itself. `endWithinMs`: an
 * acknowledgement, after which nothing but the end is to come, soon.
 */
export type Answer = 'ACKNOWLEDGE' | 'WITHHOLD' | { readonly refuseWith: number } | { readonly endWithinMs: number };

/** One command and how its exchange runs. */
interface ExchangeRequest {
  readonly command: ZvtCommand;
  readonly ending: ExchangeEnding;
  readonly answerTo?: AnswerTo;
  /** 06 C0 ends with its status information, not with a completion. */
  readonly endsWithStatus?: boolean;
  readonly replyTimeoutMs?: number;
  readonly completionTimeoutMs?: number;
  /** A reply that does not come leaves the link open (status enquiry: retried later). */
  readonly keepsLinkOnSilence?: boolean;
  /** A bare end before the reply is that of an earlier abort; only of a command that moves no money, whose own end cannot be missed by it. */
  readonly ignoresEarlierEnd?: boolean;
  /** The terminal has taken the command. */
  onStarted?(): void;
  /** A message of the running command, except replies. Must not throw. */
  handle?(message: ZvtMessage): Answer | Promise<Answer>;
}

export type LostReason =
  | Exclude<ExchangeEnd, 'REPLIED' | 'REFUSED' | 'COMPLETED'>
  | 'COLLISION'
  | 'WITHHELD'
  | 'UNREADABLE';

export type ExchangeResult =
  | { readonly kind: 'REPLIED'; readonly reply: PositiveReply }
  | { readonly kind: 'REFUSED'; readonly reply: NegativeReply }
  | { readonly kind: 'COMPLETED'; readonly message: Completion | Abort | StatusInformation }
  /** `mayHaveLeft` false: not one byte of the command was sent. */
  | { readonly kind: 'LOST'; readonly reason: LostReason; readonly mayHaveLeft: boolean; readonly message: string };

/** ENDED: the command came to its end before the answer. */
type InterruptionResult = 'ACCEPTED' | 'REFUSED' | 'COLLIDED' | 'NO_ANSWER' | 'NOT_RUNNING' | 'ENDED';

export interface ZvtConnection {
  readonly description: string;
  open(signal: AbortSignal): Promise<void>;
  isOpen(): boolean;
  /** Character set of texts from now on (tag 14 of the registration's completion). */
  setCharset(charset: ZvtCharset | undefined): void;
  /** Runs one command; one at a time. Never rejects. */
  exchange(request: ExchangeRequest): Promise<ExchangeResult>;
  /** Sends 06 B0 into the running command. One that waits for its reply (display, input) is given up: ENDED when the terminal is at rest. */
  interrupt(): Promise<InterruptionResult>;
  close(reason?: string): Promise<void>;
}

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly createLink: LinkFactory;
  onDown(reason: string): void;
  /** Any sign of life of the terminal. */
  onReceived(): void;
  onReport(what: string, byteCount: number): void;
  /** A message that belongs to no command of the till. */
  serve(message: ZvtMessage): Answer;
}

const ACKNOWLEDGEMENT = Uint8Array.of(0x80, 0x00, 0x00);
const ABORT_COMMAND: ZvtCommand = { type: 'abort-command' };
const UNSUPPORTED = 0x83;

/** Malformed messages that only inform; all others end the exchange, because nothing may be concluded from them. */
const informative: ReadonlySet<number> = new Set([0x04ff, 0x0401, 0x06d1, 0x06d3]);

const lostWords: { readonly [Reason in LostReason]: string } = {
  FOREIGN_RESULT: 'the terminal sent the result of something else',
  REPLY_TIMEOUT: 'no reply within the time (T3)',
  COMPLETION_TIMEOUT: 'no end within the time (T4)',
  LINK_LOST: 'the link was lost',
  COLLISION: 'the terminal spoke at the same time and did not acknowledge the command',
  GIVEN_UP: 'the till gave it up',
  WITHHELD: 'the acknowledgement was withheld',
  UNREADABLE: 'the terminal sent a message that cannot be read',
};

interface Running {
  readonly request: ExchangeRequest;
  state: ReturnType<typeof stepExchange>['state'];
  mayHaveLeft: boolean;
  reply?: PositiveReply | NegativeReply;
  last?: Completion | Abort | StatusInformation;
  stopTimer(): void;
  timerSerial: number;
  /** Answers the interruption that is under way. */
  onInterruptionReply?: (isPositive: boolean) => void;
  onEnd?: () => void;
  resolve(result: ExchangeResult): void;
}

type Task = () => void | Promise<void>;

/** One connection: messages, timers and losses are taken one after the other, so that the machine sees them in one order. */
export function createConnection(deps: ConnectionDeps): ZvtConnection {
  let charset: ZvtCharset | undefined;
  let running: Running | undefined;
  const tasks: Task[] = [];
  let isPumping = false;

  const link: Link = deps.createLink({
    onMessage(message) {
      deps.onReceived();
      if (tasks.length >= zvtLimits.maxPendingMessages) void link.close('the terminal floods the line');
      else enqueue(() => receive(message));
    },
    onDown(reason) {
      deps.onDown(reason);
      enqueue(() => step({ type: 'LINK_DOWN' }, `${lostWords.LINK_LOST}: ${reason}`));
    },
    onReport: deps.onReport,
  });

  function enqueue(task: Task): void {
    tasks.push(task);
    if (!isPumping) void pump();
  }

  async function pump(): Promise<void> {
    isPumping = true;
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      try {
        await task();
      } catch (error) {
        // What could not be handled is not acknowledged; a new connection starts from a known state.
        deps.onReport(`a message could not be handled: ${error instanceof Error ? error.name : 'unknown'}`, 0);
        void link.close('a message could not be handled');
      }
    }
    isPumping = false;
  }

  async function receive(bytes: Uint8Array): Promise<void> {
    const message = decodeMessage(bytes, {
      answerTo: running?.request.answerTo ?? 'OTHER',
      ...(charset === undefined ? {} : { charset }),
    });
    if (message.type === 'malformed') {
      deps.onReport(`message that cannot be read (${message.reason})`, bytes.length);
      if (message.controlField !== undefined && informative.has(message.controlField))
        return acknowledge('ACKNOWLEDGE');
      if (running === undefined) return acknowledge('ACKNOWLEDGE');
      return lose(running, 'UNREADABLE');
    }
    if (message.type === 'positive' || message.type === 'negative') {
      if (running !== undefined && running.state.phase !== 'RUNNING') running.reply = message;
      return step({ type: 'REPLY', isPositive: message.type === 'positive' });
    }
    if (running === undefined) return acknowledge(deps.serve(message));
    return step(classify(running.request, message), undefined, message);
  }

  async function step(input: ExchangeInput, words?: string, message?: ZvtMessage): Promise<void> {
    const current = running;
    if (current === undefined) return;
    const { replyTimeoutMs, completionTimeoutMs } = zvtLimits;
    const { ending, ...times } = { replyTimeoutMs, completionTimeoutMs, ...current.request };
    if (input.type === 'INTERRUPTION_SENT') times.replyTimeoutMs = replyTimeoutMs;
    const wasRunning = current.state.phase === 'RUNNING';
    const next = stepExchange(ending, times, current.state, input);
    current.state = next.state;
    for (const action of next.actions) {
      switch (action.type) {
        case 'START_TIMER':
          startTimer(current, action.delayMs);
          break;
        case 'STOP_TIMER':
          stopTimer(current);
          break;
        case 'STARTED':
          current.request.onStarted?.();
          break;
        case 'HANDLE':
          if (message !== undefined) await handle(current, message);
          break;
        case 'SERVE':
          if (message !== undefined) await acknowledge(deps.serve(message));
          break;
        case 'INTERRUPTION_REPLIED':
          current.onInterruptionReply?.(input.type === 'REPLY' && input.isPositive);
          break;
        case 'IGNORE':
          deps.onReport('reply to nothing', 3);
          break;
        case 'END':
          if (running === current) await finish(current, action.end, words, wasRunning);
          break;
      }
    }
  }

  async function handle(current: Running, message: ZvtMessage): Promise<void> {
    if (message.type === 'completion' || message.type === 'abort' || message.type === 'status-information')
      current.last = message;
    const answer = await answerTo(current, message);
    if (answer === 'WITHHOLD') return lose(current, 'WITHHELD');
    await acknowledge(answer);
    if (typeof answer === 'object' && 'endWithinMs' in answer)
      await step({ type: 'END_EXPECTED', withinMs: answer.endWithinMs });
  }

  /** A defect while a message is handled must not acknowledge it. */
  async function answerTo(current: Running, message: ZvtMessage): Promise<Answer> {
    try {
      return (await current.request.handle?.(message)) ?? deps.serve(message);
    } catch (error) {
      deps.onReport(`message could not be handled: ${error instanceof Error ? error.name : 'unknown'}`, 0);
      return 'WITHHOLD';
    }
  }

  async function acknowledge(answer: Answer): Promise<void> {
    if (answer === 'WITHHOLD' || !link.isOpen()) return;
    const isRefusal = typeof answer === 'object' && 'refuseWith' in answer;
    const bytes = isRefusal ? Uint8Array.of(0x84, answer.refuseWith, 0x00) : ACKNOWLEDGEMENT;
    // A failed send closes the link; the loss is told by onDown.
    await link.send(bytes).catch(() => undefined);
  }

  async function finish(
    current: Running,
    end: ExchangeEnd,
    words: string | undefined,
    wasRunning: boolean,
  ): Promise<void> {
    if (end === 'REPLIED' && current.reply?.type === 'positive')
      return settle(current, { kind: 'REPLIED', reply: current.reply });
    if (end === 'REFUSED' && current.reply?.type === 'negative')
      return settle(current, { kind: 'REFUSED', reply: current.reply });
    if (end === 'COMPLETED' && current.last !== undefined)
      return settle(current, { kind: 'COMPLETED', message: current.last });
    const reason: LostReason = end === 'REPLIED' || end === 'REFUSED' || end === 'COMPLETED' ? 'UNREADABLE' : end;
    if (reason === 'GIVEN_UP') return settle(current, lost(current, reason, words));
    if (reason === 'REPLY_TIMEOUT' && !wasRunning && current.request.keepsLinkOnSilence === true)
      return settle(current, lost(current, reason, words));
    return lose(current, reason, words);
  }

  /** The exchange is given up: the link is closed, so that nothing late can be taken for an answer to the next command. */
  function lose(current: Running, reason: LostReason, words?: string): void {
    settle(current, lost(current, reason, words));
    void link.close(lostWords[reason]);
  }

  function lost(current: Running, reason: LostReason, words?: string): ExchangeResult {
    return { kind: 'LOST', reason, mayHaveLeft: current.mayHaveLeft, message: words ?? lostWords[reason] };
  }

  function settle(current: Running, result: ExchangeResult): void {
    if (running !== current) return;
    running = undefined;
    stopTimer(current);
    current.onEnd?.();
    current.resolve(result);
  }

  function startTimer(current: Running, delayMs: number): void {
    stopTimer(current);
    const serial = current.timerSerial;
    current.stopTimer = deps.clock.after(delayMs, () =>
      enqueue(() => {
        // A message that was handled meanwhile may have restarted or stopped the timer.
        const isCurrent = current.timerSerial === serial && running === current;
        return isCurrent ? step({ type: 'TIMER_EXPIRED' }) : undefined;
      }),
    );
  }

  function stopTimer(current: Running): void {
    current.timerSerial++;
    current.stopTimer();
  }

  function begin(current: Running, bytes: Uint8Array): void {
    running = current;
    current.mayHaveLeft = true;
    // Not awaited: over a serial line the reply itself may be what proves that the command was taken.
    link.send(bytes, current.request.keepsLinkOnSilence === true).then(
      (result) =>
        enqueue(() => {
          if (running !== current || current.state.phase !== 'NEW') return;
          if (result === 'DELIVERED') return step({ type: 'SENT' });
          if (current.request.keepsLinkOnSilence === true) return settle(current, lost(current, 'COLLISION'));
          return lose(current, 'COLLISION');
        }),
      () => undefined,
    );
  }

  function exchange(request: ExchangeRequest): Promise<ExchangeResult> {
    return new Promise((resolve) => {
      const current: Running = {
        request,
        state: INITIAL_EXCHANGE_STATE,
        mayHaveLeft: false,
        stopTimer: () => undefined,
        timerSerial: 0,
        resolve,
      };
      const bytes = encodeCommand(request.command);
      enqueue(() => {
        if (running !== undefined || !link.isOpen()) return resolve(lost(current, 'LINK_LOST'));
        return begin(current, bytes);
      });
    });
  }

  function interrupt(): Promise<InterruptionResult> {
    return new Promise((resolve) => {
      enqueue(async () => {
        const current = running;
        if (current === undefined || !canInterrupt(current) || !link.isOpen()) return resolve('NOT_RUNNING');
        const answer = (result: InterruptionResult): void => {
          stop();
          resolve(result);
        };
        const stop = deps.clock.after(zvtLimits.replyTimeoutMs, () => resolve('NO_ANSWER'));
        current.onInterruptionReply = (isPositive) => answer(isPositive ? 'ACCEPTED' : 'REFUSED');
        current.onEnd = () => answer('ENDED');
        await step({ type: 'INTERRUPTION_SENT' });
        const sent = await link.send(encodeCommand(ABORT_COMMAND), true).catch(() => 'COLLISION' as const);
        if (sent === 'COLLISION') answer('COLLIDED');
      });
    });
  }

  return {
    description: link.description,
    open: (signal) => link.open(signal),
    isOpen: () => link.isOpen(),
    setCharset(next) {
      charset = next;
    },
    exchange,
    interrupt,
    close: (reason) => link.close(reason),
  };
}

function canInterrupt({ state, request }: Running): boolean {
  return state.phase === 'RUNNING' || (state.phase === 'AWAITING_REPLY' && request.ending === 'REPLY');
}

function classify(request: ExchangeRequest, message: ZvtMessage): ExchangeInput {
  const isStatus = message.type === 'status-information';
  const minutes = message.type === 'intermediate-status' ? message.timeoutMinutes : undefined;
  return {
    type: 'MESSAGE',
    isSignOfLife: true,
    ...(minutes === undefined || minutes === 0
      ? {}
      : { completionTimeoutMs: Math.min(minutes, zvtLimits.maxRequestedTimeoutMinutes) * 60_000 }),
    isEnd: message.type === 'completion' || message.type === 'abort' || (isStatus && request.endsWithStatus === true),
    isResult: isStatus && message.totals === undefined,
    beforeReply: beforeReply(request, message),
  };
}

/** Some terminals complete an abort of nothing, after the till has asked something else already. */
function beforeReply(
  request: ExchangeRequest,
  message: ZvtMessage,
): (ExchangeInput & { readonly type: 'MESSAGE' })['beforeReply'] {
  const hasStatus = message.type === 'completion' && message.terminalStatus !== undefined;
  if (request.command.type === 'status-enquiry' && hasStatus) return 'ANSWER';
  return request.ignoresEarlierEnd === true && isBareEnd(message) ? 'STRAY' : 'FOREIGN';
}

/** 06 0F without data, or 06 1E: says of nothing but itself that it is over. */
function isBareEnd(message: ZvtMessage): boolean {
  return message.type === 'abort' || (message.type === 'completion' && Object.keys(message).length === 1);
}

/** What a terminal gets that asks the till for something it cannot do. */
export const UNSUPPORTED_ANSWER: Answer = { refuseWith: UNSUPPORTED };
