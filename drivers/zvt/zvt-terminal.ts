import { BridgeError } from '../../app/contract/errors.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type {
  PreparedExchange,
  Terminal,
  TerminalCommand,
  TerminalNotice,
  TerminalOutcome,
  TerminalStatus,
} from '../../app/ports/terminal.ts';
import type { WireRecorder } from '../../app/ports/wire-traces.ts';
import type { LinkFactory } from '../session/link.ts';
import { createSerialLink } from '../session/serial-link.ts';
import { createStreamLink } from '../session/stream-link.ts';
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
import { gaveUp, makeReady, type ReadinessDeps } from './readiness.ts';
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
  const listeners = new Set<(notice: TerminalNotice) => void>();
  const tell = (notice: TerminalNotice): void => {
    for (const listener of [...listeners]) listener(notice);
  };
  const attachment = createAttachment({
    clock,
    log,
    terminalId,
    settings,
    createLink: linkFactory(deps),
    onChange: tellStatus,
    onBatchClosed: (batch) => tell({ kind: 'BATCH_CLOSED_BY_TERMINAL', batch }),
  });

  /** Whoever listens to the status cannot disturb a payment. */
  function tellStatus(): void {
    try {
      tell({ kind: 'STATUS', status: status() });
    } catch (error) {
      log.warn('a listener failed', { terminalId, reason: error instanceof Error ? error.name : 'unknown' });
    }
  }

  function status(): TerminalStatus {
    const { state, isConnected, softwareVersion, zvtTerminalId, lastSeenMs } = attachment.state();
    return {
      connected: isConnected && state !== 'CONNECTING',
      state,
      ...(softwareVersion === undefined ? {} : { firmwareVersion: softwareVersion }),
      ...(zvtTerminalId === undefined ? {} : { serialNumber: zvtTerminalId }),
      ...(lastSeenMs === undefined ? {} : { lastSeenAt: new Date(lastSeenMs).toISOString() }),
      connectivity: { method: line === 'TCP' ? 'ETHERNET' : 'SERIAL' },
    };
  }

  async function prepare(command: TerminalCommand, signal: AbortSignal): Promise<PreparedExchange> {
    checkCommand(command, settings);
    checkEncodable(command, settings);
    const { turn, attached } = await takeTurn(attachment, signal);
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
      const { attached, mark } = await markFor(readiness, first, command);
      if (!attached.connection.isOpen()) throw unreachable(attachment);
      return prepared({ ...deps, attachment, attached, turn, command, mark });
    } catch (error) {
      turn.release();
      throw error;
    }
  }

  /** Runs `work` on the ready terminal and gives it free again. */
  async function withTerminal<T>(signal: AbortSignal, work: (attached: Attached) => Promise<T>): Promise<T> {
    const { turn, attached } = await takeTurn(attachment, signal);
    try {
      await makeReady({ clock, attachment, signal }, attached, 'CARD_READ');
      return await untilAborted({ clock, attachment, signal }, attached, work);
    } finally {
      turn.release();
    }
  }

  return {
    terminalId,
    protocol: 'ZVT',
    capabilities,
    start: () => attachment.start(),
    stop: () => attachment.stop(),
    status,
    async probe(signal, opensLine = false) {
      if (opensLine) await attachment.waitForLink(signal, zvtLimits.maxTurnWaitMs);
      await probeBriefly(attachment, signal);
      return status();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
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

function unreachable(attachment: Attachment): BridgeError {
  return new BridgeError('TERMINAL_UNREACHABLE', attachment.state().problem ?? 'The terminal is not connected.');
}

/** The turn at an open link. @throws BridgeError TERMINAL_UNREACHABLE at once without a link, TERMINAL_BUSY when the turn does not come */
async function takeTurn(attachment: Attachment, signal: AbortSignal): Promise<{ turn: Turn; attached: Attached }> {
  if (attachment.current() === undefined) throw unreachable(attachment);
  const turn = await attachment.turns.take(zvtLimits.maxTurnWaitMs, signal);
  if (turn === undefined) throw new BridgeError('TERMINAL_BUSY', 'The terminal is in use.');
  const attached = attachment.current();
  if (attached !== undefined) return { turn, attached };
  turn.release();
  throw unreachable(attachment);
}

interface Marked {
  readonly attached: Attached;
  readonly mark: Mark;
}

/** What recovery will compare with: the last payment known, and before a day close the totals of the open batch. @throws BridgeError */
async function markFor(deps: ReadinessDeps, attached: Attached, command: TerminalCommand): Promise<Marked> {
  const { attachment, signal } = deps;
  if (attachment.mark().knowledge === 'UNKNOWN') await attachment.learnMark(attached);
  if (signal.aborted) throw gaveUp();
  return command.operation === 'DAY_CLOSE' ? markForClose(deps, attached) : { attached, mark: attachment.mark() };
}

/** A terminal that falls silent at the question for its totals is connected anew and closed without them. @throws BridgeError */
async function markForClose(deps: ReadinessDeps, attached: Attached): Promise<Marked> {
  const { attachment, signal } = deps;
  const answer = await attachment.learnTurnover(attached);
  if (answer.kind !== 'NOT_TOLD') {
    const turnover = answer.kind === 'TURNOVER' ? turnoverMarkOf(answer) : undefined;
    return { attached, mark: { ...attachment.mark(), ...(turnover === undefined ? {} : { turnover }) } };
  }
  const mark: Mark = { ...attachment.mark(), turnover: NOT_TOLD };
  if (attached.connection.isOpen()) return { attached, mark };
  const next = await attachment.waitForLink(signal, zvtLimits.maxTurnWaitMs);
  if (next === undefined) throw unreachable(attachment);
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
  let phase: 'READY' | 'RUNNING' | 'DONE' = 'READY';
  let isAbortRequested = false;
  let endedAs: TerminalOutcome['kind'] | undefined;
  let tellEnd = (): void => undefined;
  const end = new Promise<void>((resolve) => {
    tellEnd = resolve;
  });

  async function run(hooks: Parameters<PreparedExchange['run']>[0]): Promise<TerminalOutcome> {
    if (phase !== 'READY') throw new BridgeError('ILLEGAL_STATE', 'A prepared command runs once.');
    phase = 'RUNNING';
    attachment.setBusy(true);
    try {
      // Asked to stop before anything was sent: nothing is.
      if (isAbortRequested) return { kind: 'CANCELLED', reason: 'POS_REQUEST', receipts: [] };
      const outcome = await runCommand({
        ...deps,
        connection: attached.connection,
        hooks,
        isAbortRequested: () => isAbortRequested,
        onMark: (next) => attachment.setMark(next),
      });
      endedAs = outcome.kind;
      if (outcome.kind === 'UNKNOWN' && movesMoney(deps.command) && !attached.connection.isOpen())
        attachment.abortOnReconnect();
      return outcome;
    } finally {
      phase = 'DONE';
      tellEnd();
      attachment.setBusy(false);
      turn.release();
    }
  }

  async function waitOrEnd(waitMs: number): Promise<void> {
    let stopTimer = (): void => undefined;
    const time = new Promise<void>((resolve) => {
      stopTimer = deps.clock.after(waitMs, resolve);
    });
    await Promise.race([time, end]);
    stopTimer();
  }

  /** A positive answer to 06 B0 is not the end: that still comes through `run`. */
  async function requestAbort(): Promise<'REQUESTED' | 'TOO_LATE'> {
    if (phase === 'DONE') return 'TOO_LATE';
    const wasRequested = isAbortRequested;
    isAbortRequested = true;
    if (phase === 'READY') return 'REQUESTED';
    for (let send = 0; send < zvtLimits.maxAbortSends && phase === 'RUNNING'; send++) {
      const answer = await attached.connection.interrupt();
      if (answer === 'ACCEPTED' || answer === 'ENDED') return 'REQUESTED';
      if (answer === 'REFUSED') break;
      // Both spoke at once, the command is only just leaving, or no answer came: back off, then once more.
      await waitOrEnd(zvtLimits.abortRetryMs);
    }
    // The terminal may have taken a request whose acknowledgement got lost among its own messages.
    if (endedAs === 'CANCELLED') return 'REQUESTED';
    isAbortRequested = wasRequested;
    return 'TOO_LATE';
  }

  return {
    mark,
    run,
    requestAbort,
    discard() {
      if (phase !== 'READY') return;
      phase = 'DONE';
      turn.release();
    },
  };
}

/** A status enquiry that a silent terminal cannot hold up beyond the caller's deadline; a running exchange is not disturbed. */
async function probeBriefly(attachment: Attachment, signal: AbortSignal): Promise<void> {
  if (attachment.state().state === 'BUSY') return;
  const turn = await attachment.turns.take(zvtLimits.maxTurnWaitMs, signal);
  if (turn === undefined) return;
  const asked = enquire(attachment).finally(() => turn.release());
  await new Promise<void>((resolve) => {
    const done = (): void => resolve();
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
    void asked.then(() => {
      signal.removeEventListener('abort', done);
      done();
    });
  });
}

async function enquire(attachment: Attachment): Promise<void> {
  const attached = attachment.current();
  if (attached === undefined) return;
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

/** Rejects as soon as the caller gives up; what was under way comes to its end by itself, and what it made is given to `discard`. */
function unlessGivenUp<T>(signal: AbortSignal, work: Promise<T>, discard: (made: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    const giveUp = (): void => {
      isGivenUp = true;
      reject(gaveUp());
    };
    const made = (result: T): void => (isGivenUp ? discard(result) : resolve(result));
    void work.then(made, reject).finally(() => signal.removeEventListener('abort', giveUp));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
}
