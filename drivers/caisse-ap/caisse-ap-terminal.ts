import { BridgeError } from '../../app/contract/errors.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { PreparedExchange, Terminal, TerminalCommand } from '../../app/ports/terminal.ts';
import type { WireRecorder } from '../../app/ports/wire-traces.ts';
import { type AttachedLine, createAttachedLine } from '../session/attached-line.ts';
import { gaveUp, unlessGivenUp } from '../session/give-up.ts';
import type { LinkFactory } from '../session/link.ts';
import { createPreparedExchange } from '../session/prepared-exchange.ts';
import { type Claim, createTerminalFrame } from '../session/terminal-frame.ts';
import { createTlvLink } from '../session/tlv-link.ts';
import { tracedLink } from '../session/traced-link.ts';
import type { TransportFactory } from '../transport/transport.ts';
import { caisseApLimits } from './caisse-ap-limits.ts';
import type { CaisseApSettings } from './caisse-ap-settings.ts';
import { isWholeReply } from './codec/replies.ts';
import { encodeRequest } from './codec/requests.ts';
import { traceMessage } from './codec/trace.ts';
import { type CaisseApConnection, createCaisseApConnection } from './connection.ts';
import { capabilities, checkCommand, type MoneyCommand, notSupported, requestFor } from './operations.ts';
import { recoverCommand } from './recovery.ts';
import { runCommand } from './run-command.ts';

export interface CaisseApTerminalDeps {
  readonly terminalId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: CaisseApSettings;
  readonly createTransport: TransportFactory;
  /** Keeps what goes over the line, without card data. */
  readonly wire?: WireRecorder;
}

/** Why the till closes a connection that has done its work. */
const DONE_WITH_IT = 'the till has nothing more to ask';

/** A French terminal that speaks Caisse-AP over IP: a connection for each request. */
export function createCaisseApTerminal(deps: CaisseApTerminalDeps): Terminal {
  const { terminalId, clock, log, settings } = deps;
  const line = createLine(deps, () => frame.tellStatus());
  const frame = createTerminalFrame<CaisseApConnection>({
    log,
    terminalId,
    noun: 'terminal',
    line,
    method: 'ETHERNET',
    maxTurnWaitMs: caisseApLimits.maxTurnWaitMs,
    ask: (connection) => look(line, connection),
  });

  async function prepare(command: TerminalCommand, signal: AbortSignal): Promise<PreparedExchange> {
    const money = checkCommand(command, settings);
    checkEncodable(money, settings);
    return unlessGivenUp(signal, preparing(money, signal), (exchange) => exchange.discard());
  }

  /** A new connection proves, just before the request, that the terminal is there; nothing else can be asked of it. */
  async function preparing(command: MoneyCommand, signal: AbortSignal): Promise<PreparedExchange> {
    const claim = await frame.takeTurn(signal);
    const { connection } = claim;
    const turn = closingTurn(claim);
    if (signal.aborted) {
      turn.release();
      throw gaveUp();
    }
    line.learn(connection, { isReady: true, problem: null });
    return createPreparedExchange({
      // Nothing tells one payment from another afterwards.
      mark: {},
      turn,
      setBusy: (isBusy) => line.setBusy(isBusy),
      run: (hooks) => runCommand({ clock, settings, connection, command }, hooks),
    });
  }

  return {
    ...frame.common,
    protocol: 'CAISSE_AP',
    capabilities,
    prepare,
    recover: async () => recoverCommand(clock),
    display: refuse,
    input: refuse,
    print: refuse,
  };
}

async function refuse(): Promise<never> {
  throw notSupported();
}

/** Whoever gives the turn back closes the connection: the next request has one of its own. */
function closingTurn({ turn, connection }: Claim<CaisseApConnection>): Claim<CaisseApConnection>['turn'] {
  return {
    release() {
      void connection.close(DONE_WITH_IT);
      turn.release();
    },
  };
}

function createLine(deps: CaisseApTerminalDeps, onChange: () => void): AttachedLine<CaisseApConnection> {
  const { terminalId, clock, log } = deps;
  const { maxOpenMs, answerTimeoutMs, keepAliveMs } = caisseApLimits;
  const createLink = linkFactory(deps);
  const line: AttachedLine<CaisseApConnection> = createAttachedLine<CaisseApConnection>({
    clock,
    log,
    terminalId,
    noun: 'terminal',
    limits: { ...caisseApLimits, maxHoldMs: answerTimeoutMs },
    makeConnection: (events) => createCaisseApConnection({ clock, createLink, events }),
    setUp: (made) => look(line, made),
    keepAlive: { delayMs: () => keepAliveMs, ask: (made) => look(line, made) },
    onDemand: { maxOpenMs, isOrdinaryEnd: (made) => made.endsWell() },
    onChange,
  });
  return line;
}

/** There is no question that does no harm: that the terminal takes a connection is all that can be learned, and the connection is given up again. */
async function look(line: AttachedLine<CaisseApConnection>, connection: CaisseApConnection): Promise<void> {
  line.learn(connection, { isReady: true, problem: null });
  await connection.close(DONE_WITH_IT);
}

function linkFactory({ wire, terminalId, createTransport, clock }: CaisseApTerminalDeps): LinkFactory {
  const { quietMs, maxReplyBytes } = caisseApLimits;
  const rules = { isWhole: isWholeReply, quietMs, maxMessageBytes: maxReplyBytes };
  const plain: LinkFactory = (listeners) => createTlvLink(createTransport, clock, rules, listeners);
  if (wire === undefined) return plain;
  return tracedLink(plain, (direction, message) => wire.record(terminalId, traceMessage(direction, message)));
}

function checkEncodable(command: MoneyCommand, settings: CaisseApSettings): void {
  try {
    encodeRequest(requestFor(command, settings));
  } catch (error) {
    if (error instanceof BridgeError) throw error;
    throw new BridgeError('INVALID_REQUEST', 'The command does not fit the terminal.', { cause: error });
  }
}
