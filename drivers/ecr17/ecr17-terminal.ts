import { BridgeError } from '../../app/contract/errors.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { PreparedExchange, Terminal, TerminalCommand } from '../../app/ports/terminal.ts';
import type { WireRecorder } from '../../app/ports/wire-traces.ts';
import { ecr17Links } from '../session/ecr17-links.ts';
import { unlessGivenUp } from '../session/give-up.ts';
import type { LinkFactory } from '../session/link.ts';
import { createPreparedExchange } from '../session/prepared-exchange.ts';
import { createTerminalFrame } from '../session/terminal-frame.ts';
import { tracedLink } from '../session/traced-link.ts';
import type { TransportFactory } from '../transport/transport.ts';
import { createAttachment } from './attachment.ts';
import { encodeCommand } from './codec/commands.ts';
import { traceMessage } from './codec/trace.ts';
import { type Ecr17Settings, ecr17Limits } from './ecr17-settings.ts';
import { capabilities, checkCommand, ecr17CommandFor } from './operations.ts';
import { makeReady } from './readiness.ts';
import { recoverCommand } from './recovery.ts';
import { runCommand } from './run-command.ts';

export interface Ecr17TerminalDeps {
  readonly terminalId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Ecr17Settings;
  readonly line: 'TCP' | 'SERIAL';
  readonly createTransport: TransportFactory;
  /** Keeps what goes over the line, without card data. */
  readonly wire?: WireRecorder;
}

/** An ECR17 terminal (Protocollo 17, Italy) over TCP or a serial line. */
export function createEcr17Terminal(deps: Ecr17TerminalDeps): Terminal {
  const { terminalId, clock, log, settings, line } = deps;
  const attachment = createAttachment({
    clock,
    log,
    terminalId,
    settings,
    line,
    createLink: linkFactory(deps),
    onChange: () => frame.tellStatus(),
  });
  const frame = createTerminalFrame({
    log,
    terminalId,
    noun: 'terminal',
    line: attachment,
    method: line === 'TCP' ? 'ETHERNET' : 'SERIAL',
    maxTurnWaitMs: ecr17Limits.maxTurnWaitMs,
    ask: (attached) => attachment.askStatus(attached),
  });

  async function prepare(command: TerminalCommand, signal: AbortSignal): Promise<PreparedExchange> {
    checkCommand(command, settings);
    encodeCommand(ecr17CommandFor(command, settings, 'payment'));
    checkVoidable(command);
    const { turn, connection: first } = await frame.takeTurn(signal);
    const preparing = async (): Promise<PreparedExchange> => {
      try {
        const { attached, mark } = await makeReady({ clock, attachment, signal }, first, command.operation);
        // The terminal may just have told of a later payment.
        checkVoidable(command);
        if (!attached.isOpen()) throw frame.unreachable();
        const { connection, questions } = attached;
        return createPreparedExchange({
          mark,
          turn,
          setBusy: (isBusy) => attachment.setBusy(isBusy),
          run: (hooks) =>
            runCommand({ clock, settings, connection, questions, command, mark, memory: attachment.memory, hooks }),
          // No abort: in ECR17 nobody but the person at the terminal can end a procedure.
        });
      } catch (error) {
        turn.release();
        throw error;
      }
    };
    // Given up, the question under way is still heard to its end before somebody else may speak.
    return unlessGivenUp(signal, preparing(), (exchange) => exchange.discard());
  }

  /** @throws BridgeError */
  function checkVoidable(command: TerminalCommand): void {
    if (command.operation !== 'VOID' || attachment.memory.canVoid(command.original)) return;
    throw new BridgeError(
      'OPERATION_NOT_SUPPORTED',
      'The terminal takes back its last payment only, and this is not it.',
      { field: 'originalTransactionId' },
    );
  }

  return {
    ...frame.common,
    protocol: 'ECR17',
    capabilities,
    prepare,
    canVoid: (original) => attachment.memory.canVoid(original),
    recover: (question, signal) => recoverCommand({ clock, attachment }, question, signal),
    async display() {
      throw new BridgeError('OPERATION_NOT_SUPPORTED', 'ECR17 shows no text of the till on the terminal.');
    },
    async input() {
      throw new BridgeError('OPERATION_NOT_SUPPORTED', 'ECR17 asks nothing of the person at the terminal.');
    },
    async print() {
      throw new BridgeError('OPERATION_NOT_SUPPORTED', 'ECR17 prints no text of the till on the terminal.');
    },
  };
}

function linkFactory(deps: Ecr17TerminalDeps): LinkFactory {
  const { createTransport, clock, line, settings, wire, terminalId } = deps;
  const createLink = ecr17Links(createTransport, clock, { line, lrc: settings.lrc });
  if (wire === undefined) return createLink;
  return tracedLink(createLink, (direction, message) => wire.record(terminalId, traceMessage(direction, message)));
}
