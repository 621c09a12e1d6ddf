import { BridgeError } from '../../app/contract/errors.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type {
  PreparedExchange,
  Terminal,
  TerminalCommand,
  TerminalNotice,
  TerminalStatus,
} from '../../app/ports/terminal.ts';
import type { WireRecorder } from '../../app/ports/wire-traces.ts';
import type { LinkFactory } from '../session/link.ts';
import { tracedLink } from '../session/traced-link.ts';
import type { Turn } from '../session/turns.ts';
import { type Attachment, createAttachment } from './attachment.ts';
import { traceMessage } from './codec/trace.ts';
import type { NeoConnection } from './connection.ts';
import { askPerson, inputCommand } from './input.ts';
import { neo2Limits } from './neo2-limits.ts';
import type { Neo2Settings } from './neo2-settings.ts';
import { capabilities, checkCommand } from './operations.ts';
import { createPrepared } from './prepared.ts';
import { recoverCommand } from './recovery.ts';
import { ping } from './set-up.ts';

export interface Neo2TerminalDeps {
  readonly terminalId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Neo2Settings;
  readonly line: 'HID' | 'SERIAL';
  /** What the till knows the reader by, where that is a serial number; the protocol tells none. */
  readonly serialNumber?: string;
  /** One message = one whole frame with a sound CRC. */
  readonly createLink: LinkFactory;
  /** Keeps what goes over the line, without card data. */
  readonly wire?: WireRecorder;
}

/** An ID TECH NEO 2 reader without a host: it reads cards and hands out their chip data (guide 80139403-002). */
export function createNeo2Terminal(deps: Neo2TerminalDeps): Terminal {
  const { terminalId, clock, log, settings, line } = deps;
  const listeners = new Set<(notice: TerminalNotice) => void>();
  const attachment = createAttachment({
    clock,
    log,
    terminalId,
    settings,
    createLink: linkFactory(deps),
    onChange: tellStatus,
  });

  /** Whoever listens to the status cannot disturb a payment. */
  function tellStatus(): void {
    try {
      for (const listener of [...listeners]) listener({ kind: 'STATUS', status: status() });
    } catch (error) {
      log.warn('a listener failed', { terminalId, reason: error instanceof Error ? error.name : 'unknown' });
    }
  }

  function status(): TerminalStatus {
    const { state, isConnected, firmwareVersion, lastSeenMs } = attachment.state();
    return {
      connected: isConnected && state !== 'CONNECTING',
      state,
      ...(firmwareVersion === undefined ? {} : { firmwareVersion }),
      ...(deps.serialNumber === undefined ? {} : { serialNumber: deps.serialNumber }),
      ...(lastSeenMs === undefined ? {} : { lastSeenAt: new Date(lastSeenMs).toISOString() }),
      connectivity: { method: line === 'HID' ? 'USB' : 'SERIAL' },
    };
  }

  async function prepare(given: TerminalCommand, signal: AbortSignal): Promise<PreparedExchange> {
    const command = checkCommand(given, settings);
    const { turn, connection } = await takeReader(attachment, signal);
    return createPrepared({ settings, attachment, connection, turn, command });
  }

  return {
    terminalId,
    protocol: 'NEO2',
    capabilities,
    start: () => attachment.start(),
    stop: () => attachment.stop(),
    status,
    async probe(signal, opensLine = false) {
      if (opensLine) await attachment.waitForLink(signal, neo2Limits.maxTurnWaitMs);
      await probeBriefly(attachment, signal);
      return status();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prepare,
    recover: async (question) => recoverCommand(clock, question),
    async display() {
      throw new BridgeError('OPERATION_NOT_SUPPORTED', 'The reader shows no text of the till.');
    },
    async input(request, signal) {
      inputCommand(request);
      const { turn, connection } = await takeReader(attachment, signal);
      attachment.setBusy(true);
      try {
        return await askPerson(connection, request, signal);
      } finally {
        void connection.whenFree().finally(() => {
          attachment.setBusy(false);
          turn.release();
        });
      }
    },
    async print() {
      throw new BridgeError('OPERATION_NOT_SUPPORTED', 'The reader has no printer.');
    },
  };
}

function linkFactory({ createLink, wire, terminalId }: Neo2TerminalDeps): LinkFactory {
  if (wire === undefined) return createLink;
  return tracedLink(createLink, (direction, message) => wire.record(terminalId, traceMessage(direction, message)));
}

interface Reader {
  readonly turn: Turn;
  readonly connection: NeoConnection;
}

/**
 * The turn at a reader that is set up and answers.
 * @throws BridgeError TERMINAL_UNREACHABLE at once without a link, TERMINAL_BUSY when the turn does not come, TERMINAL_NOT_READY
 */
async function takeReader(attachment: Attachment, signal: AbortSignal): Promise<Reader> {
  if (attachment.current() === undefined) throw unreachable(attachment);
  const turn = await attachment.turns.take(neo2Limits.maxTurnWaitMs, signal);
  if (turn === undefined) throw new BridgeError('TERMINAL_BUSY', 'The reader is in use.');
  try {
    const connection = attachment.ready();
    if (connection === undefined) throw unreachable(attachment);
    if (!(await ping(connection))) throw unreachable(attachment);
    if (signal.aborted)
      throw new BridgeError('TERMINAL_NOT_READY', 'The reader was not ready in time; nothing was sent.');
    return { turn, connection };
  } catch (error) {
    turn.release();
    throw error;
  }
}

function unreachable(attachment: Attachment): BridgeError {
  return new BridgeError('TERMINAL_UNREACHABLE', attachment.state().problem ?? 'The reader is not connected.');
}

/** A ping that a silent reader cannot hold up beyond the caller's deadline; a running payment is not disturbed. */
async function probeBriefly(attachment: Attachment, signal: AbortSignal): Promise<void> {
  if (attachment.state().state === 'BUSY') return;
  const turn = await attachment.turns.take(neo2Limits.maxTurnWaitMs, signal);
  if (turn === undefined) return;
  const connection = attachment.current();
  const asked = (connection === undefined ? Promise.resolve(false) : ping(connection)).finally(() => turn.release());
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
