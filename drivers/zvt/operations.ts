import { BridgeError } from '../../app/contract/errors.ts';
import type { TerminalCapabilities, TerminalCommand, TerminalOriginal } from '../../app/ports/terminal.ts';
import type { ZvtCommand } from './codec/command-types.ts';
import type { ZvtSettings } from './zvt-settings.ts';

type Operation = TerminalCommand['operation'];
/** What moves money at once: its result is committed before it is acknowledged, and a lost answer is asked for. */
export type MoneyCommand = TerminalCommand & {
  readonly operation: 'SALE' | 'PRE_AUTH' | 'PRE_AUTH_COMPLETE' | 'REFUND' | 'VOID';
};

/** BMP 04 has twelve digits. */
const MAX_AMOUNT_MINOR = 999_999_999_999;
/** Seconds in which a card must be presented for 06 C0 (00 would wait for ever). */
export const READ_CARD_SECONDS = 60;
/** 06 C0: chip and stripe. */
const READ_CHIP_AND_STRIPE = 0x50;

export const capabilities: TerminalCapabilities = {
  operations: new Set([
    'SALE',
    'PRE_AUTH',
    'PRE_AUTH_COMPLETE',
    'REFUND',
    'VOID',
    'CARD_READ',
    'BALANCE_INQUIRY',
    'DAY_CLOSE',
    'DISPLAY',
    'INPUT',
    'PRINT',
  ]),
  cashback: false,
  maxAmountMinor: MAX_AMOUNT_MINOR,
  inputTypes: new Set(['CONFIRM', 'MENU', 'DIGITS']),
};

export function movesMoney(command: TerminalCommand): command is MoneyCommand {
  switch (command.operation) {
    case 'SALE':
    case 'PRE_AUTH':
    case 'PRE_AUTH_COMPLETE':
    case 'REFUND':
    case 'VOID':
      return true;
    default:
      return false;
  }
}

/** What the terminal shows and charges; for a void what it takes back. */
export function amountOf(command: MoneyCommand): number {
  return command.amountMinor === 0 && command.operation === 'VOID' ? command.original.amountMinor : command.amountMinor;
}

/** Refuses what ZVT or this terminal cannot do, before a byte is sent. @throws BridgeError */
export function checkCommand(command: TerminalCommand, settings: ZvtSettings): void {
  if (command.operation === 'GRANULAR')
    throw new BridgeError('OPERATION_NOT_SUPPORTED', 'A ZVT terminal authorizes by itself; it hands out no chip data.');
  if ('currency' in command && command.currency !== settings.currency)
    throw new BridgeError('UNSUPPORTED_CURRENCY', `The terminal settles in ${settings.currency} only.`, {
      field: 'currency',
    });
  if ('cashbackAmountMinor' in command && command.cashbackAmountMinor > 0)
    throw new BridgeError('OPERATION_NOT_SUPPORTED', 'The terminal gives no cash-back.', { field: 'cashbackAmount' });
  if (!movesMoney(command)) return;
  const amount = amountOf(command);
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new BridgeError('INVALID_REQUEST', 'The amount is no number of minor units.', { field: 'amount' });
  if (amount > MAX_AMOUNT_MINOR)
    throw new BridgeError('AMOUNT_TOO_LARGE', 'The terminal takes amounts of at most 12 digits.', { field: 'amount' });
  if (command.operation === 'VOID' || command.operation === 'PRE_AUTH_COMPLETE') receiptOfOriginal(command.original);
}

/** The receipt number by which the terminal finds what a later command acts on. */
function receiptOfOriginal(original: TerminalOriginal): string {
  const receipt = text(original, 'receipt');
  if (receipt === undefined)
    throw new BridgeError(
      'OPERATION_NOT_SUPPORTED',
      'The terminal gave the original no receipt number, so it cannot find it again.',
      { field: 'originalTransactionId' },
    );
  return receipt;
}

function text(original: TerminalOriginal, name: string): string | undefined {
  const value = original.reference[name];
  return typeof value === 'string' ? value : undefined;
}

/** The one ZVT command of an operation. @throws BridgeError as checkCommand does */
export function zvtCommandFor(command: TerminalCommand, settings: ZvtSettings): ZvtCommand {
  const { password } = settings;
  const currency = settings.currencyNumeric;
  switch (command.operation) {
    case 'SALE':
      return { type: 'authorization', amountMinor: command.amountMinor, currency };
    case 'PRE_AUTH':
      return { type: 'pre-authorization', amountMinor: command.amountMinor, currency };
    case 'PRE_AUTH_COMPLETE':
      return completion(command.original, command.amountMinor, settings);
    case 'VOID':
      return reversal(command.original, amountOf(command), settings);
    case 'REFUND':
      return { type: 'refund', password, amountMinor: command.amountMinor, currency };
    case 'CARD_READ':
      return { type: 'read-card', timeoutSeconds: READ_CARD_SECONDS, paymentType: READ_CHIP_AND_STRIPE };
    case 'BALANCE_INQUIRY':
      return { type: 'balance', currency };
    case 'DAY_CLOSE':
      return { type: 'end-of-day', password };
    case 'GRANULAR':
      throw new BridgeError(
        'OPERATION_NOT_SUPPORTED',
        'A ZVT terminal authorizes by itself; it hands out no chip data.',
      );
  }
}

function reservation(original: TerminalOriginal): { trace?: string; authorizationAttribute?: Uint8Array } {
  const trace = text(original, 'trace');
  const attribute = text(original, 'authorizationAttribute');
  return {
    // Only a trace of six digits has room in BMP 0B.
    ...(trace !== undefined && /^\d{6}$/.test(trace) ? { trace } : {}),
    ...(attribute === undefined ? {} : { authorizationAttribute: bytesOfHex(attribute) }),
  };
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** 06 24 carries the amount used, 06 23 the amount NOT used. */
function completion(original: TerminalOriginal, usedMinor: number, settings: ZvtSettings): ZvtCommand {
  const receipt = receiptOfOriginal(original);
  const currency = settings.currencyNumeric;
  if (settings.completion === 'PARTIAL_REVERSAL')
    return { type: 'partial-reversal', receipt, unusedAmountMinor: original.amountMinor - usedMinor, currency };
  return { type: 'book-total', receipt, amountMinor: usedMinor, currency, ...reservation(original) };
}

function reversal(original: TerminalOriginal, amountMinor: number, settings: ZvtSettings): ZvtCommand {
  const receipt = receiptOfOriginal(original);
  const currency = settings.currencyNumeric;
  if (original.kind !== 'PRE_AUTH')
    return { type: 'reversal', password: settings.password, receipt, amountMinor, currency };
  if (settings.completion === 'PARTIAL_REVERSAL')
    return { type: 'partial-reversal', receipt, unusedAmountMinor: amountMinor, currency };
  return { type: 'pre-authorization-reversal', receipt, amountMinor, currency };
}

const names: { readonly [Name in Operation]: string } = {
  SALE: 'Sale',
  PRE_AUTH: 'Pre-authorization',
  PRE_AUTH_COMPLETE: 'Completion of a pre-authorization',
  REFUND: 'Refund',
  VOID: 'Void',
  CARD_READ: 'Card read',
  BALANCE_INQUIRY: 'Balance inquiry',
  GRANULAR: 'Granular payment',
  DAY_CLOSE: 'Day close',
};

/** The command in words, e.g. "Sale of 1234 minor units EUR". */
export function describeCommand(command: TerminalCommand): string {
  if (!movesMoney(command)) return names[command.operation];
  return `${names[command.operation]} of ${amountOf(command)} minor units ${command.currency}`;
}
