import { BridgeError } from '../../app/contract/errors.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { PreparedExchange, Terminal, TerminalCommand } from '../../app/ports/terminal.ts';
import type { WireRecorder } from '../../app/ports/wire-traces.ts';
import { gaveUp, unlessGivenUp } from '../session/give-up.ts';
import type { LinkFactory } from '../session/link.ts';
import { createPreparedExchange, type ExchangeControl } from '../session/prepared-exchange.ts';
import { createSerialLink } from '../session/serial-link.ts';
import { createStreamLink } from '../session/stream-link.ts';
import { createTerminalFrame, type TerminalFrame } from '../session/terminal-frame.ts';
import { tracedLink } from '../session/traced-link.ts';
import type { Turn } from '../session/turns.ts';
import type { TransportFactory } from '../transport/transport.ts';
import { type Attached, type Attachment, createAttachment } from './attachment.ts';
import { encodeCommand } from './codec/commands.ts';
import { traceMessage } from './codec/trace.ts';
import type { ZvtConnection } from './connection.ts';
import { askPerson, checkInput, printLines, showText } from './device.ts';
import { type Mark, NOT_TOLD, turnoverMarkOf } from './mark.ts';
import { capabilities, checkCommand, movesMoney, zvtCommandFor } from './operations.ts';
import { makeReady, type ReadinessDeps } from './readiness.ts';
import { recoverCommand } from './recovery.ts';
import { runCommand } from './run-command.ts';
import { type ZvtSettings, zvtLimits } from './zvt-settings.ts';

export interface ZvtTerminalDeps {
  readonly terminalId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: ZvtSettings;
  readonly line: 'TCP' | 'SERIAL';
  readonly createTransport: TransportFactory;
  /** Keeps what goes over the line, without card data. */
  readonly wire?: WireRecorder;
}

/** A ZVT terminal over TCP or a serial line (PA00P015, PA00P016). */
export function createZvtTerminal(deps: ZvtTerminalDeps): Terminal {
  const { terminalId, clock, log, settings, line } = deps;
  const attachment = createAttachment({
    clock,
    log,
    terminalId,
    settings,
    createLink: linkFactory(deps),
    onChange: () => frame.tellStatus(),
    onBatchClosed: (batch) => frame.tell({ kind: 'BATCH_CLOSED_BY_TERMINAL', batch }),
  });
  const frame: TerminalFrame<Attached> = createTerminalFrame({
    log,
    terminalId,
    noun: 'terminal',
    line: attachment,
    method: line === 'TCP' ? 'ETHERNET' : 'SERIAL',
    maxTurnWaitMs: zvtLimits.maxTurnWaitMs,
    ask: (attached) => enquire(attachment, attached),
  });

  async function prepare(command: TerminalCommand, signal: AbortSignal): Promise<PreparedExchange> {
    checkCommand(command, settings);
    checkEncodable(command, settings);
    const { turn, connection: attached } = await frame.takeTurn(signal);
    // Given up, the question under way is still heard to its end before somebody else may speak.
    return unlessGivenUp(signal, preparing(command, turn, attached, signal), (exchange) => exchange.discard());
  }

  async function preparing(
    command: TerminalCommand,
    turn: Turn,
    first: Attached,
    signal: AbortSignal,
  ): Promise<PreparedExchange> {
    try {
      const readiness = { clock, attachment, signal };
      await makeReady(readiness, first, command.operation);
      const marked = await markFor(readiness, first, command);
      if (marked === undefined || !marked.attached.isOpen()) throw frame.unreachable();
      const { attached, mark } = marked;
      return prepared({ ...deps, attachment, attached, turn, command, mark });
    } catch (error) {
      turn.release();
      throw error;
    }
  }

  /** Runs `work` on the ready terminal and gives it free again. */
  async function withTerminal<T>(signal: AbortSignal, work: (attached: Attached) => Promise<T>): Promise<T> {
    const { turn, connection: attached } = await frame.takeTurn(signal);
    try {
      await makeReady({ clock, attachment, signal }, attached, 'CARD_READ');
      return await untilAborted({ clock, attachment, signal }, attached, work);
    } finally {
      turn.release();
    }
  }

  return {
    ...frame.common,
    protocol: 'ZVT',
    capabilities,
    prepare,
    recover: (question, signal) => recoverCommand({ clock, settings, attachment }, question, signal),
    display: (request, signal) => withTerminal(signal, ({ connection }) => showText(connection, request)),
    async input(request, signal) {
      checkInput(request);
      return withTerminal(signal, ({ connection }) => askPerson(connection, request));
    },
    print: (lines, signal) => withTerminal(signal, ({ connection }) => printLines(connection, lines)),
  };
}

function linkFactory(deps: ZvtTerminalDeps): LinkFactory {
  const { wire, terminalId } = deps;
  if (wire === undefined) return plainLink(deps);
  return tracedLink(plainLink(deps), (direction, message) => wire.record(terminalId, traceMessage(direction, message)));
}

function plainLink({ line, createTransport, clock }: ZvtTerminalDeps): LinkFactory {
  if (line === 'TCP') return (listeners) => createStreamLink(createTransport, listeners);
  const isReply = (message: Uint8Array): boolean => message[0] === 0x80 || message[0] === 0x84;
  // After a reply of the till anything new shows that the terminal has it; after a command only its reply does.
  const provesReceipt = (sent: Uint8Array, received: Uint8Array): boolean => isReply(sent) || isReply(received);
  return (listeners) => createSerialLink(createTransport, clock, { provesReceipt }, listeners);
}

function checkEncodable(command: TerminalCommand, settings: ZvtSettings): void {
  try {
    encodeCommand(zvtCommandFor(command, settings));
  } catch (error) {
    if (error instanceof BridgeError) throw error;
    throw new BridgeError('INVALID_REQUEST', 'The command does not fit the terminal.', { cause: error });
  }
}

interface Marked {
  readonly attached: Attached;
  readonly mark: Mark;
}

/** What recovery will compare with: the last payment known, and before a day close the totals of the open batch. @throws BridgeError */
async function markFor(deps: ReadinessDeps, attached: Attached, command: TerminalCommand): Promise<Marked | undefined> {
  const { attachment, signal } = deps;
  if (attachment.mark().knowledge === 'UNKNOWN') await attachment.learnMark(attached);
  if (signal.aborted) throw gaveUp();
  return command.operation === 'DAY_CLOSE' ? markForClose(deps, attached) : { attached, mark: attachment.mark() };
}

/** A terminal that falls silent at the question for its totals is connected anew and closed without them; undefined when it does not come back. @throws BridgeError */
async function markForClose(deps: ReadinessDeps, attached: Attached): Promise<Marked | undefined> {
  const { attachment, signal } = deps;
  const answer = await attachment.learnTurnover(attached);
  if (answer.kind !== 'NOT_TOLD') {
    const turnover = answer.kind === 'TURNOVER' ? turnoverMarkOf(answer) : undefined;
    return { attached, mark: { ...attachment.mark(), ...(turnover === undefined ? {} : { turnover }) } };
  }
  const mark: Mark = { ...attachment.mark(), turnover: NOT_TOLD };
  if (attached.connection.isOpen()) return { attached, mark };
  const next = await attachment.waitForLink(signal, zvtLimits.maxTurnWaitMs);
  if (next === undefined) return undefined;
  await makeReady(deps, next, 'DAY_CLOSE');
  return { attached: next, mark };
}

interface PreparedDeps extends ZvtTerminalDeps {
  readonly attachment: Attachment;
  readonly attached: Attached;
  readonly turn: Turn;
  readonly command: TerminalCommand;
  readonly mark: Mark;
}

function prepared(deps: PreparedDeps): PreparedExchange {
  const { attachment, attached, turn, mark } = deps;
  return createPreparedExchange({
    mark,
    turn,
    setBusy: attachment.setBusy,
    async run(hooks, control) {
      const outcome = await runCommand({
        ...deps,
        connection: attached.connection,
        hooks,
        isAbortRequested: control.isAbortRequested,
        onMark: (next) => attachment.setMark(next),
      });
      if (outcome.kind === 'UNKNOWN' && movesMoney(deps.command) && !attached.connection.isOpen())
        attachment.abortOnReconnect();
      return outcome;
    },
    abort: (control) => abortCommand(deps, control),
  });
}

async function abortCommand(
  { clock, attached }: PreparedDeps,
  control: ExchangeControl,
): Promise<'REQUESTED' | 'TOO_LATE'> {
  for (let send = 0; send < zvtLimits.maxAbortSends && control.isRunning(); send++) {
    const answer = await attached.connection.interrupt();
    if (answer === 'ACCEPTED' || answer === 'ENDED') return 'REQUESTED';
    if (answer === 'REFUSED') break;
    // Both spoke at once, the command is only just leaving, or no answer came: back off, then once more.
    await waitOrEnd(clock, zvtLimits.abortRetryMs, control.ended);
  }
  // The terminal may have taken a request whose acknowledgement got lost among its own messages.
  return !control.isRunning() && (await control.ended)?.kind === 'CANCELLED' ? 'REQUESTED' : 'TOO_LATE';
}

async function waitOrEnd(clock: Clock, waitMs: number, end: Promise<unknown>): Promise<void> {
  let stopTimer = (): void => undefined;
  const time = new Promise<void>((resolve) => {
    stopTimer = clock.after(waitMs, resolve);
  });
  await Promise.race([time, end]);
  stopTimer();
}

async function enquire(attachment: Attachment, attached: Attached): Promise<void> {
  const answer = await attachment.ensureRegistered(attached);
  if (answer.kind === 'REGISTERED') await attachment.askStatus(attached);
}

/** Ends a text or an input on the terminal when the caller gives up. @throws BridgeError when he had given up before */
async function untilAborted<T>(
  deps: ReadinessDeps,
  attached: Attached,
  work: (attached: Attached) => Promise<T>,
): Promise<T> {
  const { signal } = deps;
  if (signal.aborted) throw gaveUp();
  let isOver = false;
  const giveUp = (): void => void abortDialog(deps, attached.connection, () => isOver);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await work(attached);
  } finally {
    isOver = true;
    signal.removeEventListener('abort', giveUp);
  }
}

/** A dialog that lets itself be aborted leaves the link as it is; anything else could be answered into the next command. */
async function abortDialog(
  { clock, attachment }: ReadinessDeps,
  connection: ZvtConnection,
  isOver: () => boolean,
): Promise<void> {
  for (let send = 0; send < zvtLimits.maxAbortSends; send++) {
    const answer = await connection.interrupt();
    if (answer === 'ENDED' || isOver()) return;
    if (answer !== 'NOT_RUNNING') break;
    // Its command is only just leaving: the terminal may show it already, the line has not confirmed it yet.
    await new Promise<void>((resolve) => void clock.after(zvtLimits.abortRetryMs, resolve));
    if (isOver()) return;
  }
  // On a serial line a terminal does not notice that the link was closed: it is told at the next one.
  attachment.abortOnReconnect();
  await connection.close('the till gave up waiting');
}
