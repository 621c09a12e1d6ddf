// What ECR17 can do, and the one message of each operation.
import { BridgeError } from '../../app/contract/errors.ts';
import type { TerminalCapabilities, TerminalCommand, TerminalOriginal } from '../../app/ports/terminal.ts';
import type { Ecr17Command } from './codec/command-types.ts';
import type { Ecr17Settings } from './ecr17-settings.ts';

/** What moves money at once: its result is committed before it is acknowledged, and a lost answer is asked for. */
export type MoneyCommand = TerminalCommand & {
  readonly operation: 'SALE' | 'PRE_AUTH' | 'PRE_AUTH_COMPLETE' | 'VOID';
};

/** The amount field has eight digits. */
const MAX_AMOUNT_MINOR = 99_999_999;
/** Whichever terminal hears it: a line has one. */
const ANY_TERMINAL = '00000000';

export const capabilities: TerminalCapabilities = {
  operations: new Set(['SALE', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'VOID', 'CARD_READ', 'DAY_CLOSE']),
  cashback: false,
  abort: false,
  maxAmountMinor: MAX_AMOUNT_MINOR,
  inputTypes: new Set(),
};

/** Why what is missing is missing. */
const refusals: { readonly [Name in TerminalCommand['operation']]?: string } = {
  REFUND: 'ECR17 knows no refund to a card; the last payment can be voided, anything else is paid back in another way.',
  BALANCE_INQUIRY: 'ECR17 knows no balance inquiry.',
  GRANULAR: 'An ECR17 terminal authorizes by itself; it hands out no chip data.',
};

export function movesMoney(command: TerminalCommand): command is MoneyCommand {
  switch (command.operation) {
    case 'SALE':
    case 'PRE_AUTH':
    case 'PRE_AUTH_COMPLETE':
    case 'VOID':
      return true;
    default:
      return false;
  }
}

/** Refuses what ECR17 or this terminal cannot do, before a byte is sent. @throws BridgeError */
export function checkCommand(command: TerminalCommand, settings: Ecr17Settings): void {
  const refusal = refusals[command.operation];
  if (refusal !== undefined) throw new BridgeError('OPERATION_NOT_SUPPORTED', refusal);
  if ('currency' in command && command.currency !== settings.currency)
    throw new BridgeError('UNSUPPORTED_CURRENCY', `The terminal settles in ${settings.currency} only.`, {
      field: 'currency',
    });
  if ('cashbackAmountMinor' in command && command.cashbackAmountMinor > 0)
    throw new BridgeError('OPERATION_NOT_SUPPORTED', 'The terminal gives no cash-back.', { field: 'cashbackAmount' });
  if (!movesMoney(command)) return;
  if (!Number.isSafeInteger(command.amountMinor) || command.amountMinor < 0)
    throw new BridgeError('INVALID_REQUEST', 'The amount is no number of minor units.', { field: 'amount' });
  if (command.amountMinor > MAX_AMOUNT_MINOR)
    throw new BridgeError('AMOUNT_TOO_LARGE', 'The terminal takes amounts of at most 8 digits.', { field: 'amount' });
  if (command.operation === 'VOID') stanOfOriginal(command.original);
  if (command.operation === 'PRE_AUTH_COMPLETE') codeOfOriginal(command.original);
}

/** The STAN by which the terminal knows the payment to take back. @throws BridgeError for what the terminal cannot take back */
function stanOfOriginal(original: TerminalOriginal): string {
  if (original.kind === 'PRE_AUTH')
    throw new BridgeError('OPERATION_NOT_SUPPORTED', 'ECR17 takes back payments only, no pre-authorization.', {
      field: 'originalTransactionId',
    });
  return fieldOf(original, 'stan', 'number (STAN)');
}

function codeOfOriginal(original: TerminalOriginal): string {
  return fieldOf(original, 'preAuthorizationCode', 'code');
}

/** @throws BridgeError when the terminal did not tell it */
function fieldOf(original: TerminalOriginal, name: string, words: string): string {
  const value = original.reference[name];
  if (typeof value === 'string') return value;
  throw new BridgeError(
    'OPERATION_NOT_SUPPORTED',
    `The terminal gave the original no ${words}, so it cannot find it again.`,
    { field: 'originalTransactionId' },
  );
}

/** P tells no amount in its result; X does, and is asked for wherever the terminal has it. */
export type PaymentType = 'extended-payment' | 'payment';

/** The one message of an operation. @throws BridgeError as checkCommand does */
export function ecr17CommandFor(
  command: TerminalCommand,
  { tillId }: Ecr17Settings,
  paymentType: PaymentType,
): Ecr17Command {
  const head = { terminalId: ANY_TERMINAL, tillId };
  switch (command.operation) {
    case 'SALE':
      return { ...head, type: paymentType, amountMinor: command.amountMinor };
    case 'PRE_AUTH':
      return { ...head, type: 'pre-authorization', amountMinor: command.amountMinor };
    case 'PRE_AUTH_COMPLETE': {
      const preAuthorizationCode = codeOfOriginal(command.original);
      return { ...head, type: 'closure', amountMinor: command.amountMinor, preAuthorizationCode };
    }
    case 'VOID':
      return { ...head, type: 'reversal', stan: stanOfOriginal(command.original) };
    case 'CARD_READ':
      return { ...head, type: 'verification' };
    case 'DAY_CLOSE':
      return { ...head, type: 'close-session' };
    default:
      throw new BridgeError('OPERATION_NOT_SUPPORTED', refusals[command.operation] ?? 'ECR17 cannot do that.');
  }
}

export const statusCommand: Ecr17Command = { type: 'status', terminalId: ANY_TERMINAL };
export const receiptsToTillCommand: Ecr17Command = { type: 'receipts', terminalId: ANY_TERMINAL, goToTill: true };

export function questionCommand(type: 'totals' | 'last-result', { tillId }: Ecr17Settings): Ecr17Command {
  return { type, terminalId: ANY_TERMINAL, tillId };
}

const names: { readonly [Name in TerminalCommand['operation']]: string } = {
  SALE: 'Sale',
  PRE_AUTH: 'Pre-authorization',
  PRE_AUTH_COMPLETE: 'Completion of a pre-authorization',
  REFUND: 'Refund',
  VOID: 'Void',
  CARD_READ: 'Card verification',
  BALANCE_INQUIRY: 'Balance inquiry',
  GRANULAR: 'Granular payment',
  DAY_CLOSE: 'Day close',
};

/** The command in words, e.g. "Sale of 1234 minor units EUR". */
export function describeCommand(command: TerminalCommand): string {
  if (!movesMoney(command)) return names[command.operation];
  return `${names[command.operation]} of ${command.amountMinor} minor units ${command.currency}`;
}
