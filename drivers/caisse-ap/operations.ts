// What the terminal can do, and the one request of each operation.
import { BridgeError } from '../../app/contract/errors.ts';
import type { TerminalCapabilities, TerminalCommand } from '../../app/ports/terminal.ts';
import type { CaisseApSettings } from './caisse-ap-settings.ts';
import { MAX_AMOUNT_MINOR, PROTOCOL_VERSION } from './codec/fields.ts';
import type { CaisseApRequest } from './codec/message-types.ts';
import { CHEQUE_MODE } from './codec/requests.ts';

export type MoneyCommand = TerminalCommand & { readonly operation: 'SALE' | 'REFUND' };

/** Key of a sale's metadata that names what the customer pays with. */
const MEANS_KEY = 'caisseApMeans';

/** A cancel (CD 2) is of the serial format and not proved over IP; a day close and everything else the protocol does not know. */
export const capabilities: TerminalCapabilities = {
  operations: new Set(['SALE', 'REFUND']),
  cashback: false,
  abort: false,
  maxAmountMinor: MAX_AMOUNT_MINOR,
  inputTypes: new Set(),
};

export function notSupported(): BridgeError {
  return new BridgeError('OPERATION_NOT_SUPPORTED', 'A Caisse-AP terminal takes sales and refunds, and nothing else.');
}

function movesMoney(command: TerminalCommand): command is MoneyCommand {
  return command.operation === 'SALE' || command.operation === 'REFUND';
}

/** Refuses what the protocol or this terminal cannot do, before a byte is sent. @throws BridgeError */
export function checkCommand(command: TerminalCommand, settings: CaisseApSettings): MoneyCommand {
  if (!movesMoney(command)) throw notSupported();
  if (command.currency !== settings.currency)
    throw new BridgeError('UNSUPPORTED_CURRENCY', `The terminal settles in ${settings.currency} only.`, {
      field: 'currency',
    });
  if ('cashbackAmountMinor' in command && command.cashbackAmountMinor > 0)
    throw new BridgeError('OPERATION_NOT_SUPPORTED', 'The terminal gives no cash-back.', { field: 'cashbackAmount' });
  const { amountMinor } = command;
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1)
    throw new BridgeError('INVALID_REQUEST', 'The amount is no number of minor units above zero.', { field: 'amount' });
  if (amountMinor > MAX_AMOUNT_MINOR)
    throw new BridgeError('AMOUNT_TOO_LARGE', 'The terminal takes amounts of at most 12 digits.', { field: 'amount' });
  modeOf(command);
  return command;
}

/**
 * CC of the command. A word that is misspelt must not charge a card where a cheque was meant.
 * @throws BridgeError INVALID_REQUEST, OPERATION_NOT_SUPPORTED
 */
function modeOf(command: MoneyCommand): string | undefined {
  const means = command.metadata?.[MEANS_KEY];
  const field = `metadata.${MEANS_KEY}`;
  if (means === undefined || means === 'CARD') return undefined;
  if (means !== 'CHEQUE')
    throw new BridgeError('INVALID_REQUEST', `${field} is CARD or CHEQUE, or left out.`, { field });
  if (command.operation === 'REFUND')
    throw new BridgeError('OPERATION_NOT_SUPPORTED', 'The terminal pays nothing back to a cheque.', { field });
  return CHEQUE_MODE;
}

/** The one request of an operation. @throws BridgeError as checkCommand does */
export function requestFor(command: MoneyCommand, settings: CaisseApSettings): CaisseApRequest {
  const mode = modeOf(command);
  return {
    type: 'request',
    version: PROTOCOL_VERSION,
    protocolId: settings.protocolId,
    tillNumber: settings.tillNumber,
    currency: settings.currencyNumeric,
    answerMode: settings.answerMode,
    operation: command.operation,
    amountMinor: command.amountMinor,
    ...(mode === undefined ? {} : { mode }),
  };
}

/** The command in words, e.g. "Sale of 1234 minor units EUR". */
export function describeCommand({ operation, amountMinor, currency }: MoneyCommand): string {
  return `${operation === 'SALE' ? 'Sale' : 'Refund'} of ${amountMinor} minor units ${currency}`;
}
