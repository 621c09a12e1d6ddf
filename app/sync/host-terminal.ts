import { BridgeError, type DayCloseBlocker } from '../contract/errors.ts';
import type { TransactionTotals } from '../contract/settlements.ts';
import type { JsonObject } from '../domain/json-value.ts';
import { notForwarded, waitingSalesOf } from '../domain/offline-sales.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import type {
  ExchangeHooks,
  PreparedExchange,
  Terminal,
  TerminalCapabilities,
  TerminalCommand,
  TerminalOperation,
} from '../ports/terminal.ts';
import type { CardCommand } from './authorize-request.ts';
import { type CardPaymentDeps, runCardPayment } from './card-payment.ts';
import { type HostCommand, recoverHostCommand, runHostCommand } from './host-command.ts';
import { closeDates, createIdentityOf, type HostIdentity, type IdentityOf } from './host-identity.ts';
import { recoverPayment } from './recover-payment.ts';
import { defaultPaymentWaits, type PaymentWaits } from './sync-limits.ts';

export interface HostTerminalDeps extends Omit<CardPaymentDeps, 'terminalId' | 'waits' | 'signal'> {
  /** A terminal that can GRANULAR, and has no acquirer of its own. */
  readonly reader: Terminal;
  /** What the journal counts of the open batch, for a day close. */
  openTotals(terminalId: string, currency: string): TransactionTotals;
  /** Milliseconds that the host's clock is ahead of the till's, as far as it is known. */
  clockSkewMs?(): number;
  readonly waits?: PaymentWaits;
  /** Who the reader is at the host; asked of it where it is left out. */
  readonly identityOf?: IdentityOf;
  /** Whether there is a host for the reader now; always where it is left out. Without one it reads cards for the POS's own acquirer. */
  isServed?(): boolean;
}

/** What our host adds to a reader. */
const hostOperations: readonly TerminalOperation[] = [
  ...(['SALE', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID', 'DAY_CLOSE'] as const),
];

/**
 * A terminal made of a reader and our host: the reader reads the card, the host authorizes and keeps the batch. What needs no host goes to the reader
 * as it is.
 */
export function createHostTerminal(options: HostTerminalDeps): Terminal {
  const { reader, host, outbox, openTotals, isServed = () => true } = options;
  const { clockSkewMs = () => 0 } = options;
  const { terminalId } = reader;
  const stopping = new AbortController();
  const deps: CardPaymentDeps = {
    ...options,
    terminalId,
    waits: options.waits ?? defaultPaymentWaits,
    signal: stopping.signal,
  };
  const identityOf = options.identityOf ?? createIdentityOf(host);
  const whole = capabilitiesOf(reader.capabilities);

  async function prepareCard(command: CardCommand, signal: AbortSignal): Promise<PreparedExchange> {
    const identity = await identityOf(signal);
    requireFit(command, identity);
    // What was reversed must not be overtaken by a new payment of the same terminal (decisions: recovery/reverse).
    const isHostBehind = !(await reversalsGone(command, signal));
    if (command.operation === 'REFUND') await requireForwarded(command.original.transactionId, signal);
    const exchange = await reader.prepare(granularOf(command), signal);
    let isAborted = false;
    let isAuthorizing = false;
    return {
      mark: { reader: exchange.mark },
      run: (hooks: ExchangeHooks) =>
        runCardPayment(
          deps,
          {
            command,
            identity,
            exchange,
            isHostBehind,
            isAborted: () => isAborted,
            onAuthorizing: () => {
              isAuthorizing = true;
            },
          },
          hooks,
        ),
      async requestAbort() {
        if (isAuthorizing) return 'TOO_LATE';
        const taken = await exchange.requestAbort();
        isAborted ||= taken === 'REQUESTED';
        return isAuthorizing ? 'TOO_LATE' : taken;
      },
      discard: () => exchange.discard(),
    };
  }

  /** @returns false for a sale that may be taken without its issuer, while something must leave first. @throws BridgeError HOST_UNREACHABLE */
  async function reversalsGone({ operation }: CardCommand, signal: AbortSignal): Promise<boolean> {
    const flushed = outbox.flush(terminalId, ['REVERSAL']);
    const isPatient = operation === 'SALE' && options.offlineSales?.isOpen() === true;
    if (isPatient) return (await untilAborted(flushed, signal)).length === 0;
    await requireGone(flushed, signal);
    return true;
  }

  /** @throws BridgeError HOST_UNREACHABLE while the host has not taken everything of this payment */
  async function requireForwarded(transactionId: string, signal: AbortSignal): Promise<void> {
    const owed = outbox.flush(terminalId).then((items) => items.filter((item) => item.transactionId === transactionId));
    await requireGone(owed, signal);
  }

  async function prepareAtHost(command: HostCommand, signal: AbortSignal): Promise<PreparedExchange> {
    if (command.operation === 'DAY_CLOSE') {
      const identity = await identityOf(signal);
      const waiting = await untilAborted(outbox.flush(terminalId), signal);
      requireNothingOwed([...waiting, ...outbox.refused(terminalId)]);
      return atHost(command, {
        deviceId: identity.deviceId,
        terminalId: identity.terminalId,
        journalTotals: { ...openTotals(terminalId, command.currency) },
        ...closeDates(identity, command.close, clockSkewMs()),
      });
    }
    await requireForwarded(command.original.transactionId, signal);
    return atHost(command, {});
  }

  function atHost(command: HostCommand, mark: JsonObject): PreparedExchange {
    return {
      mark,
      run: () => runHostCommand(deps, command, mark),
      requestAbort: async () => 'TOO_LATE',
      discard: () => undefined,
    };
  }

  return {
    terminalId,
    protocol: reader.protocol,
    get capabilities() {
      return isServed() ? whole : reader.capabilities;
    },
    start: () => reader.start(),
    async stop() {
      stopping.abort();
      await reader.stop();
    },
    status: () => reader.status(),
    probe: (signal, opensLine) => reader.probe(signal, opensLine),
    subscribe: (listener) => reader.subscribe(listener),
    async prepare(command, signal) {
      if (!isServed()) return await reader.prepare(command, signal);
      if (isCardCommand(command)) return await prepareCard(command, signal);
      return isHostCommand(command) ? await prepareAtHost(command, signal) : await reader.prepare(command, signal);
    },
    async recover(question, signal) {
      const { command, mark } = question;
      if (isCardCommand(command)) return await recoverPayment(deps, command, question, signal);
      return isHostCommand(command)
        ? await recoverHostCommand(deps, command, mark, signal)
        : await reader.recover(question, signal);
    },
    display: (request, signal) => reader.display(request, signal),
    input: (request, signal) => reader.input(request, signal),
    print: (lines, signal) => reader.print(lines, signal),
  };
}

/** Whether our host can make a whole terminal of it. */
export function isReaderOnly({ capabilities }: Terminal): boolean {
  return capabilities.operations.has('GRANULAR') && !capabilities.operations.has('SALE');
}

function capabilitiesOf(reader: TerminalCapabilities): TerminalCapabilities {
  return { ...reader, operations: new Set([...reader.operations, ...hostOperations]), cashback: true };
}

function isCardCommand(command: TerminalCommand): command is CardCommand {
  return command.operation === 'SALE' || command.operation === 'PRE_AUTH' || command.operation === 'REFUND';
}

function isHostCommand(command: TerminalCommand): command is HostCommand {
  const { operation } = command;
  return operation === 'VOID' || operation === 'PRE_AUTH_COMPLETE' || operation === 'DAY_CLOSE';
}

function granularOf(command: CardCommand): TerminalCommand {
  const { transactionId, operation: type, amountMinor, currency } = command;
  const rest =
    command.operation === 'REFUND'
      ? { tipAmountMinor: 0, cashbackAmountMinor: 0, entryMode: 'AUTO' as const }
      : {
          tipAmountMinor: command.tipAmountMinor,
          cashbackAmountMinor: command.cashbackAmountMinor,
          entryMode: command.entryMode,
        };
  return { transactionId, operation: 'GRANULAR', type, amountMinor, currency, ...rest };
}

/** @throws BridgeError UNSUPPORTED_CURRENCY, AMOUNT_TOO_LARGE */
function requireFit({ currency, amountMinor }: CardCommand, { currencyCode, limits }: HostIdentity): void {
  if (currency !== currencyCode) {
    throw new BridgeError('UNSUPPORTED_CURRENCY', `the host settles this terminal in ${currencyCode}`, {
      field: 'currency',
    });
  }
  if (amountMinor <= limits.maxAmountMinor) return;
  const rule = `the acquirer takes at most ${limits.maxAmountMinor} minor units, tip and cash-back included`;
  throw new BridgeError('AMOUNT_TOO_LARGE', rule, { field: 'amount' });
}

/** @throws BridgeError HOST_UNREACHABLE while something must leave first */
async function requireGone(flushed: Promise<readonly OutboxItem[]>, signal: AbortSignal): Promise<void> {
  const [first] = await untilAborted(flushed, signal);
  if (first === undefined) return;
  const { transactionId, trouble = 'it has not left yet' } = first;
  const why = `what is owed to it for an earlier payment must leave first (${trouble})`;
  throw new BridgeError('HOST_UNREACHABLE', `the host has not taken everything: ${why}; nothing was sent`, {
    details: { transactionId },
  });
}

/** @throws BridgeError DAY_CLOSE_BLOCKED: what the host has not taken, or refuses, would be in no batch, or in the wrong one */
function requireNothingOwed(items: readonly OutboxItem[]): void {
  if (items.length === 0) return;
  const toForward = waitingSalesOf(items);
  const blockers = items.map(({ transactionId, kind }): DayCloseBlocker => {
    const sale = toForward.find((one) => one.transactionId === transactionId);
    const isSale = sale !== undefined && kind === 'DEFERRED_AUTHORIZATION';
    return isSale ? notForwarded(sale) : { transactionId, reason: 'OUTCOME_UNKNOWN' };
  });
  throw new BridgeError('DAY_CLOSE_BLOCKED', 'the host has not taken everything of this day yet', {
    details: { blockers },
  });
}

/** @throws BridgeError TERMINAL_NOT_READY when the time of the call is over first */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new BridgeError('TERMINAL_NOT_READY', 'the host took too long; nothing was sent'));
    if (signal.aborted) late();
    signal.addEventListener('abort', late, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
  });
}
