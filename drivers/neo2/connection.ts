// One connection to a reader: commands one after the other, timers and losses, through the command machine.
import type { Clock } from '../../app/ports/clock.ts';
import { readFrame, readFrameLayout } from '../framing/vivotech2-frame.ts';
import type { LinkFactory } from '../session/link.ts';
import type { NeoCommand } from './codec/command-types.ts';
import { encodeCommand } from './codec/commands.ts';
import type { ReplyContext } from './codec/message-types.ts';
import { decodeMessage } from './codec/messages.ts';
import {
  type CancelEnd,
  type CommandAction,
  type CommandEndKind,
  type CommandInput,
  type CommandType,
  INITIAL_COMMAND_STATE,
  stepCommand,
} from './command.machine.ts';
import { type Received, replyInput } from './expected-replies.ts';
import { neo2Limits } from './neo2-limits.ts';

type Command = NeoCommand & { readonly type: CommandType };

/** How a command ended. SILENT: no answer in time; the reader was told to stop. LOST: the link is gone. */
export type CommandEnd =
  | { readonly kind: 'ANSWERED'; readonly message: Received }
  | { readonly kind: Exclude<CommandEndKind, 'ANSWERED'> };

interface Asking {
  readonly answerTimeoutMs?: number;
  /** How soon a reader that was seen, or is presumed, to send 63 before this answer must do so. */
  readonly firstResponseTimeoutMs?: number;
  /** Asked right before the command would leave; false ends it as cancelled, unsent. */
  isStillWanted?(): boolean;
  /** The reader has taken the command. */
  onTaken?(): void;
  /** What comes between: progress, and what the reader asks and shows by itself. */
  onAside?(message: Received): void;
}

export interface NeoConnection {
  readonly description: string;
  open(signal: AbortSignal): Promise<void>;
  isOpen(): boolean;
  /** Sends a command once, as soon as the reader is free, and waits for its end. Never rejects. */
  ask(command: Command, asking?: Asking): Promise<CommandEnd>;
  /** 05-01: ends what runs. REFUSED: it runs on. */
  cancel(): Promise<CancelEnd>;
  /** Resolves when nothing is under way, a cancelled command's late answer included. */
  whenFree(): Promise<void>;
  /** Commands that the reader was seen, or is presumed, to answer with 63 first. */
  firstResponses(): ReadonlySet<CommandType>;
  /** What an earlier connection has shown of them: believed until the reader is silent to one. */
  presume(firstResponses: ReadonlySet<CommandType>): void;
  close(reason: string): Promise<void>;
}

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly createLink: LinkFactory;
  readonly encryptionExpected: NonNullable<ReplyContext['encryptionExpected']>;
  onReceived(): void;
  onReport(what: string, byteCount: number): void;
  onDown(reason: string): void;
}

interface Current {
  readonly command: Command;
  readonly asking: Asking;
  readonly resolve: (end: CommandEnd) => void;
}

export function createConnection(deps: ConnectionDeps): NeoConnection {
  const { clock } = deps;
  let state = INITIAL_COMMAND_STATE;
  let current: Current | undefined;
  /** The message that is being judged; the end of a command takes it along. */
  let received: Received | undefined;
  let stopTimer = (): void => undefined;
  let last: Promise<unknown> = Promise.resolve();
  const waitingForFree: (() => void)[] = [];
  const waitingForCancel: ((end: CancelEnd) => void)[] = [];

  const link = deps.createLink({
    onMessage,
    onReport: deps.onReport,
    onDown(reason) {
      feed({ type: 'LINK_DOWN' });
      deps.onDown(reason);
    },
  });

  function onMessage(bytes: Uint8Array): void {
    deps.onReceived();
    const layout = readFrameLayout(bytes);
    const read = layout === undefined ? undefined : readFrame(bytes, layout);
    if (read === undefined) {
      deps.onReport('a frame that cannot be read', bytes.length);
      return;
    }
    const waiting = current?.command.type;
    const context = {
      encryptionExpected: deps.encryptionExpected,
      ...(waiting === undefined ? {} : { answerTo: waiting }),
    };
    const message = decodeMessage(read.frame, context);
    const input = replyInput(message, waiting);
    if (input === undefined) {
      current?.asking.onAside?.(message);
      return;
    }
    received = message;
    feed(input, bytes.length);
    received = undefined;
  }

  function feed(input: CommandInput, byteCount = 0): void {
    const step = stepCommand(neo2Limits, state, input);
    state = step.state;
    for (const action of step.actions) perform(action, byteCount);
  }

  function perform(action: CommandAction, byteCount: number): void {
    switch (action.type) {
      case 'SEND_COMMAND':
        if (current !== undefined) write(current.command);
        return;
      case 'SEND_CANCEL':
        write({ type: 'cancel' });
        return;
      case 'START_TIMER':
        stopTimer();
        stopTimer = clock.after(action.delayMs, () => feed({ type: 'TIMER_EXPIRED' }));
        return;
      case 'STOP_TIMER':
        stopTimer();
        return;
      case 'TAKEN':
        current?.asking.onTaken?.();
        return;
      case 'END':
        end(action.end);
        return;
      case 'CANCEL_ENDED':
        for (const tell of waitingForCancel.splice(0)) tell(action.end);
        return;
      case 'DROP':
        deps.onReport('a reply to nothing that waits', byteCount);
        return;
      case 'CLOSE':
        void link.close('the reader does not answer');
        return;
      case 'FREE':
        for (const tell of waitingForFree.splice(0)) tell();
        return;
    }
  }

  function write(command: Command): void {
    link.send(encodeCommand(command)).catch(() => feed({ type: 'LINK_DOWN' }));
  }

  function end(kind: CommandEndKind): void {
    const ended = current;
    current = undefined;
    if (kind !== 'ANSWERED') ended?.resolve({ kind });
    else if (received !== undefined) ended?.resolve({ kind, message: received });
  }

  function whenFree(): Promise<void> {
    if (state.phase === 'IDLE') return Promise.resolve();
    return new Promise((resolve) => waitingForFree.push(resolve));
  }

  async function run(command: Command, asking: Asking): Promise<CommandEnd> {
    while (state.phase !== 'IDLE') await whenFree();
    if (!link.isOpen()) return { kind: 'LOST' };
    if (asking.isStillWanted?.() === false) return { kind: 'CANCELLED' };
    return new Promise((resolve) => {
      current = { command, asking, resolve };
      const { answerTimeoutMs = neo2Limits.answerTimeoutMs, firstResponseTimeoutMs = answerTimeoutMs } = asking;
      feed({ type: 'SEND', command: command.type, answerTimeoutMs, firstResponseTimeoutMs });
    });
  }

  return {
    description: link.description,
    open: (signal) => link.open(signal),
    isOpen: () => link.isOpen(),
    ask(command, asking = {}) {
      const asked = last.then(() => run(command, asking));
      last = asked;
      return asked;
    },
    cancel() {
      if (!link.isOpen()) return Promise.resolve('LOST');
      if (state.phase === 'DRAINING') return whenFree().then(() => 'DONE');
      return new Promise((resolve) => {
        waitingForCancel.push(resolve);
        feed({ type: 'CANCEL' });
      });
    },
    whenFree,
    firstResponses: () => new Set([...state.answersInTwo, ...state.presumed]),
    presume(presumed) {
      state = { ...state, presumed };
    },
    close: (reason) => link.close(reason),
  };
}
