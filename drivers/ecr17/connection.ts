// One connection to a terminal: one command after the other, its messages, timers and losses in one order.
import type { Clock } from '../../app/ports/clock.ts';
import { ECR17_ACKNOWLEDGEMENT, ECR17_PROGRESS } from '../session/ecr17.machine.ts';
import type { Link, LinkFactory } from '../session/link.ts';
import type { Ecr17Command } from './codec/command-types.ts';
import { encodeCommand } from './codec/commands.ts';
import type { Ecr17Message, ReceiptPart } from './codec/message-types.ts';
import { decodeMessage } from './codec/messages.ts';
import { ecr17Limits } from './ecr17-settings.ts';
import {
  type ExchangeEnd,
  type ExchangeEnding,
  type ExchangeInput,
  INITIAL_EXCHANGE_STATE,
  stepExchange,
} from './exchange.machine.ts';

/**
 * What becomes of an answer. TAKE: it is acknowledged, and it is the answer. IGNORE: it is acknowledged, and the answer is still to come. LEAVE: it is not
 * acknowledged, and the answer is still to come. WITHHOLD: it is not acknowledged, and the connection is closed.
 */
export type Judgement = 'TAKE' | 'IGNORE' | 'LEAVE' | 'WITHHOLD';

/** Every answer of a terminal that is no piece of a receipt. */
export type Reply = Exclude<Ecr17Message, ReceiptPart>;

/** One command and how its exchange runs. */
interface ExchangeRequest {
  readonly command: Ecr17Command;
  readonly ending: ExchangeEnding;
  readonly replyTimeoutMs: number;
  /** A receipt was asked for and is waited for. */
  readonly receiptTimeoutMs?: number;
  /** The terminal has the command. Must not throw. */
  onStarted?(): void;
  onProgress?(text: string): void;
  onReceipt?(part: ReceiptPart): void;
  /**
   * Whether this is the answer; what it returns is waited for before anything is acknowledged.
   * @param isStarted the terminal had shown before that it has the command: a message that comes without that may be of something earlier
   */
  judge?(reply: Reply, isStarted: boolean): Judgement | Promise<Judgement>;
}

export type LostReason = 'SILENT' | 'LINK_LOST' | 'WITHHELD' | 'UNREADABLE';

export type ExchangeResult =
  | { readonly kind: 'ACKNOWLEDGED' }
  /** `isAcknowledged` false: the line was lost before the till's acknowledgement could be given to it. */
  | { readonly kind: 'REPLIED'; readonly reply: Reply; readonly isAcknowledged: boolean }
  /** Three NAK, and nothing else: the terminal does not know the command, or does not take it now. Nothing has begun. */
  | { readonly kind: 'REFUSED' }
  /** `mayHaveLeft` false: not one byte of the command was sent. */
  | { readonly kind: 'LOST'; readonly reason: LostReason; readonly mayHaveLeft: boolean; readonly message: string };

export interface Ecr17Connection {
  open(signal: AbortSignal): Promise<void>;
  isOpen(): boolean;
  /** No command is under way, or it has its answer: a terminal that closes now has told what was asked. */
  isAtRest(): boolean;
  /** Runs one command; one at a time. Never rejects. */
  exchange(request: ExchangeRequest): Promise<ExchangeResult>;
  close(reason?: string): Promise<void>;
}

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly createLink: LinkFactory;
  onDown(reason: string): void;
  /** Any sign of life of the terminal. */
  onReceived(): void;
  onReport(what: string, byteCount: number): void;
}

const lostWords: { readonly [Reason in LostReason]: string } = {
  SILENT: 'no answer within the time',
  LINK_LOST: 'the link was lost',
  WITHHELD: 'the acknowledgement was withheld',
  UNREADABLE: 'the terminal sent a message that cannot be read',
};

interface Running {
  readonly request: ExchangeRequest;
  state: typeof INITIAL_EXCHANGE_STATE;
  mayHaveLeft: boolean;
  /** The answer is there, acknowledged or just about to be. */
  isAnswered: boolean;
  answer?: { readonly reply: Reply; readonly isAcknowledged: boolean };
  stopTimer(): void;
  /** Rises with each timer: one that fired while a message was dealt with says nothing any more. */
  timerSerial: number;
  resolve(result: ExchangeResult): void;
}

type Task = () => void | Promise<void>;

/** Messages, timers and losses are taken one after the other, so that the machine sees them in one order. */
export function createConnection(deps: ConnectionDeps): Ecr17Connection {
  let running: Running | undefined;
  const tasks: Task[] = [];
  let isPumping = false;

  const link: Link = deps.createLink({
    onMessage(message) {
      deps.onReceived();
      if (tasks.length >= ecr17Limits.maxPendingMessages) void link.close('the terminal floods the line');
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
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task();
    isPumping = false;
  }

  async function receive(bytes: Uint8Array): Promise<void> {
    const text = String.fromCharCode(...bytes);
    if (bytes[0] === ECR17_PROGRESS) {
      step({ type: 'SIGN_OF_LIFE' });
      running?.request.onProgress?.(text.slice(1));
      return;
    }
    const message = decodeMessage(text);
    if (message.type === 'malformed') {
      deps.onReport(`message that cannot be read (${message.reason})`, bytes.length);
      return running === undefined ? undefined : lose(running, 'UNREADABLE');
    }
    if (message.type === 'receipt-part') return receiveReceipt(message);
    if (running === undefined) return deps.onReport('an answer to nothing', bytes.length);
    return receiveReply(running, message, bytes.length);
  }

  /** A receipt tells nothing about money: it is acknowledged, wanted or not, or the terminal would not go on. */
  async function receiveReceipt(part: ReceiptPart): Promise<void> {
    running?.request.onReceipt?.(part);
    await acknowledge();
    step({ type: 'RECEIPT', isLast: part.isLast });
  }

  async function receiveReply(current: Running, reply: Reply, byteCount: number): Promise<void> {
    const judgement = await judge(current, reply);
    if (judgement === 'WITHHOLD') return lose(current, 'WITHHELD');
    current.isAnswered = judgement === 'TAKE';
    const isAcknowledged = judgement !== 'LEAVE' && (await acknowledge());
    if (judgement !== 'TAKE') return deps.onReport('an answer to something else', byteCount);
    current.answer = { reply, isAcknowledged };
    step({ type: 'REPLY' });
  }

  /** A defect while an answer is dealt with must not acknowledge it. */
  async function judge(current: Running, reply: Reply): Promise<Judgement> {
    try {
      return (await current.request.judge?.(reply, current.state.phase !== 'NEW')) ?? 'TAKE';
    } catch (error) {
      deps.onReport(`message could not be handled: ${error instanceof Error ? error.name : 'unknown'}`, 0);
      return 'WITHHOLD';
    }
  }

  /** False when the line was gone. */
  async function acknowledge(): Promise<boolean> {
    if (!link.isOpen()) return false;
    // A failed send closes the link; the loss is told by onDown.
    return link.send(ECR17_ACKNOWLEDGEMENT).then(
      () => true,
      () => false,
    );
  }

  function step(input: ExchangeInput, words?: string): void {
    const current = running;
    if (current === undefined) return;
    const next = stepExchange(current.request, current.state, input);
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
        case 'END':
          finish(current, action.end, words);
          break;
      }
    }
  }

  function finish(current: Running, end: ExchangeEnd, words?: string): void {
    const { answer } = current;
    if (end === 'SILENT' || end === 'LINK_LOST') lose(current, end, words);
    else if (end !== 'REPLIED') settle(current, { kind: end });
    else if (answer === undefined) lose(current, 'UNREADABLE');
    else settle(current, { kind: 'REPLIED', ...answer });
  }

  /** The exchange is given up: the link is closed, so that nothing late can be taken for an answer to the next command. */
  function lose(current: Running, reason: LostReason, words: string = lostWords[reason]): void {
    void link.close(lostWords[reason]);
    settle(current, { kind: 'LOST', reason, mayHaveLeft: current.mayHaveLeft, message: words });
  }

  function settle(current: Running, result: ExchangeResult): void {
    if (running !== current) return;
    running = undefined;
    stopTimer(current);
    current.resolve(result);
  }

  function startTimer(current: Running, delayMs: number): void {
    stopTimer(current);
    const serial = current.timerSerial;
    current.stopTimer = deps.clock.after(delayMs, () =>
      enqueue(() => {
        if (current.timerSerial === serial && running === current) step({ type: 'TIMER_EXPIRED' });
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
    // Not awaited: the answer itself may be what shows that the command was taken.
    link.send(bytes).then(
      (result) =>
        enqueue(() => {
          if (running === current) step({ type: result === 'REFUSED' ? 'REFUSED' : 'TAKEN' });
        }),
      () => undefined,
    );
  }

  return {
    open: (signal) => link.open(signal),
    isOpen: () => link.isOpen(),
    isAtRest: () => running?.isAnswered !== false,
    exchange(request) {
      return new Promise((resolve) => {
        const current: Running = {
          request,
          state: INITIAL_EXCHANGE_STATE,
          mayHaveLeft: false,
          isAnswered: false,
          stopTimer: () => undefined,
          timerSerial: 0,
          resolve,
        };
        const text = encodeCommand(request.command);
        const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
        enqueue(() => {
          if (running !== undefined || !link.isOpen())
            return resolve({ kind: 'LOST', reason: 'LINK_LOST', mayHaveLeft: false, message: lostWords.LINK_LOST });
          return begin(current, bytes);
        });
      });
    },
    close: (reason) => link.close(reason),
  };
}
