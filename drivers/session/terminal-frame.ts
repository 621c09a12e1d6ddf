// What every driver's terminal has in common around its attached line: listeners, status, the look at it, the turn.
import { BridgeError } from '../../app/contract/errors.ts';
import type { Log } from '../../app/ports/log.ts';
import type { Terminal, TerminalNotice, TerminalStatus } from '../../app/ports/terminal.ts';
import type { AttachedLine, LineConnection } from './attached-line.ts';
import { endedOrGivenUp } from './give-up.ts';
import type { Turn } from './turns.ts';

export interface FrameDeps<C extends LineConnection> {
  readonly log: Log;
  readonly terminalId: string;
  /** What a person calls it, in messages. */
  readonly noun: 'terminal' | 'reader';
  readonly line: AttachedLine<C>;
  readonly method: NonNullable<NonNullable<TerminalStatus['connectivity']>['method']>;
  /** How long an exchange, a question … waits for its turn, in milliseconds. */
  readonly maxTurnWaitMs: number;
  /** Under the turn: a question that does no harm, set-up included where that is due. Must not reject. */
  ask(made: C): Promise<unknown>;
}

/** The turn and the open connection that came with it. Whoever has it releases the turn, whatever happens. */
export interface Claim<C extends LineConnection> {
  readonly turn: Turn;
  readonly connection: C;
}

export interface TerminalFrame<C extends LineConnection> {
  /** The part of `Terminal` that no protocol does in its own way. */
  readonly common: Pick<Terminal, 'terminalId' | 'start' | 'stop' | 'status' | 'probe' | 'subscribe'>;
  /** Tells a notice to all who listen. @throws what a listener throws: what could not be recorded is not acknowledged */
  tell(notice: TerminalNotice): void;
  /** For `onChange` of the line. Whoever listens to the status cannot disturb a payment. */
  tellStatus(): void;
  /**
   * The turn at an open connection, set up or not. A line on demand is opened for it, by one try.
   * @throws BridgeError TERMINAL_UNREACHABLE at once without a link, TERMINAL_BUSY when the turn does not come
   */
  takeTurn(signal: AbortSignal): Promise<Claim<C>>;
  /** The error of a terminal without a link, in the words of what is known of it. */
  unreachable(): BridgeError;
}

export function createTerminalFrame<C extends LineConnection>(deps: FrameDeps<C>): TerminalFrame<C> {
  const { log, terminalId, noun, line, method, maxTurnWaitMs } = deps;
  const listeners = new Set<(notice: TerminalNotice) => void>();

  function tell(notice: TerminalNotice): void {
    for (const listener of [...listeners]) listener(notice);
  }

  function status(): TerminalStatus {
    const { state, isConnected, firmwareVersion, serialNumber, lastSeenMs } = line.state();
    return {
      connected: isConnected && state !== 'CONNECTING',
      state,
      ...(firmwareVersion === undefined ? {} : { firmwareVersion }),
      ...(serialNumber === undefined ? {} : { serialNumber }),
      ...(lastSeenMs === undefined ? {} : { lastSeenAt: new Date(lastSeenMs).toISOString() }),
      connectivity: { method },
    };
  }

  function unreachable(): BridgeError {
    return new BridgeError('TERMINAL_UNREACHABLE', line.state().problem ?? `The ${noun} is not connected.`);
  }

  async function takeTurn(signal: AbortSignal): Promise<Claim<C>> {
    if (line.current() === undefined && !line.isOnDemand) throw unreachable();
    const turn = await line.turns.take(maxTurnWaitMs, signal);
    if (turn === undefined) throw new BridgeError('TERMINAL_BUSY', `The ${noun} is in use.`);
    const connection = line.current() ?? (await line.openNow(signal));
    if (connection !== undefined) return { turn, connection };
    turn.release();
    throw unreachable();
  }

  /** A silent terminal cannot hold it up beyond the caller's deadline; a running exchange is not disturbed. */
  async function probeBriefly(signal: AbortSignal): Promise<void> {
    if (line.state().state === 'BUSY') return;
    const turn = await line.turns.take(maxTurnWaitMs, signal);
    if (turn === undefined) return;
    const connection = line.current();
    const asked = connection === undefined ? Promise.resolve() : deps.ask(connection);
    await endedOrGivenUp(
      signal,
      asked.finally(() => turn.release()),
    );
  }

  return {
    common: {
      terminalId,
      start: () => line.start(),
      stop: () => line.stop(),
      status,
      async probe(signal, opensLine = false) {
        if (opensLine) await line.waitForLink(signal, maxTurnWaitMs);
        await probeBriefly(signal);
        return status();
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    tell,
    tellStatus() {
      try {
        tell({ kind: 'STATUS', status: status() });
      } catch (error) {
        log.warn('a listener failed', { terminalId, reason: error instanceof Error ? error.name : 'unknown' });
      }
    },
    takeTurn,
    unreachable,
  };
}
