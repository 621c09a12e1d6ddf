import { BridgeError } from '../../app/contract/errors.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { PreparedExchange, Terminal, TerminalCommand } from '../../app/ports/terminal.ts';
import type { WireRecorder } from '../../app/ports/wire-traces.ts';
import { gaveUp } from '../session/give-up.ts';
import type { LinkFactory } from '../session/link.ts';
import { type Claim, createTerminalFrame, type TerminalFrame } from '../session/terminal-frame.ts';
import { tracedLink } from '../session/traced-link.ts';
import { createAttachment } from './attachment.ts';
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
  const attachment = createAttachment({
    clock,
    log,
    terminalId,
    settings,
    ...(deps.serialNumber === undefined ? {} : { serialNumber: deps.serialNumber }),
    createLink: linkFactory(deps),
    onChange: () => frame.tellStatus(),
  });
  const frame: TerminalFrame<NeoConnection> = createTerminalFrame({
    log,
    terminalId,
    noun: 'reader',
    line: attachment,
    method: line === 'HID' ? 'USB' : 'SERIAL',
    maxTurnWaitMs: neo2Limits.maxTurnWaitMs,
    ask: ping,
  });

  /** The turn at a reader that is set up and answers. @throws BridgeError as `takeTurn`, and TERMINAL_NOT_READY when the caller gave up */
  async function takeReader(signal: AbortSignal): Promise<Claim<NeoConnection>> {
    const claim = await frame.takeTurn(signal);
    try {
      if (!attachment.isReady(claim.connection) || !(await ping(claim.connection))) throw frame.unreachable();
      if (signal.aborted) throw gaveUp('reader');
      return claim;
    } catch (error) {
      claim.turn.release();
      throw error;
    }
  }

  async function prepare(given: TerminalCommand, signal: AbortSignal): Promise<PreparedExchange> {
    const command = checkCommand(given, settings);
    const { turn, connection } = await takeReader(signal);
    return createPrepared({ settings, attachment, connection, turn, command });
  }

  return {
    ...frame.common,
    protocol: 'NEO2',
    capabilities,
    prepare,
    recover: async (question) => recoverCommand(clock, question),
    async display() {
      throw new BridgeError('OPERATION_NOT_SUPPORTED', 'The reader shows no text of the till.');
    },
    async input(request, signal) {
      inputCommand(request);
      const { turn, connection } = await takeReader(signal);
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
