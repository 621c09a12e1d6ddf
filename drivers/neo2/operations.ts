import { BridgeError } from '../../app/contract/errors.ts';
import type { TerminalCapabilities, TerminalCommand } from '../../app/ports/terminal.ts';
import type { NeoCommand } from './codec/command-types.ts';
import { encodeCommand } from './codec/commands.ts';
import { type TransactionFacts, transactionTags } from './codec/transaction-tags.ts';
import { neo2Limits } from './neo2-limits.ts';
import type { Neo2Settings } from './neo2-settings.ts';

/** What a reader does: it hands out a card, or tells whose it is. */
export type CardCommand = TerminalCommand & { readonly operation: 'GRANULAR' | 'CARD_READ' };
export type StartCommand = NeoCommand & { readonly type: 'start-contact' | 'activate' };

/** 9F02 has twelve digits. */
const MAX_AMOUNT_MINOR = 999_999_999_999;

export const capabilities: TerminalCapabilities = {
  operations: new Set(['GRANULAR', 'CARD_READ', 'INPUT']),
  cashback: true,
  maxAmountMinor: MAX_AMOUNT_MINOR,
  inputTypes: new Set(['CONFIRM', 'DIGITS', 'DECIMAL']),
};

/** Refuses what the reader cannot do, before a byte is sent. @throws BridgeError */
export function checkCommand(command: TerminalCommand, settings: Neo2Settings): CardCommand {
  if (command.operation !== 'GRANULAR' && command.operation !== 'CARD_READ')
    throw new BridgeError('OPERATION_NOT_SUPPORTED', 'A card reader cannot do that without a host.');
  if (command.operation === 'CARD_READ') return { ...command, operation: command.operation };
  if (command.currency !== settings.currency)
    throw new BridgeError('UNSUPPORTED_CURRENCY', `The reader is set up for ${settings.currency} only.`, {
      field: 'currency',
    });
  checkAmount(command.amountMinor, 'amount');
  checkAmount(command.cashbackAmountMinor, 'cashbackAmount');
  if (command.cashbackAmountMinor > command.amountMinor)
    throw new BridgeError('INVALID_REQUEST', 'The cash-back is no part of the amount.', { field: 'cashbackAmount' });
  encodeCommand(startCommand(command, settings));
  return command;
}

function checkAmount(amountMinor: number, field: string): void {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0)
    throw new BridgeError('INVALID_REQUEST', 'The amount is no number of minor units.', { field });
  if (amountMinor > MAX_AMOUNT_MINOR)
    throw new BridgeError('AMOUNT_TOO_LARGE', 'The reader takes amounts of at most 12 digits.', { field });
}

/** The command that waits for the card: 60-10 where only the slot is wanted, else 02-40 over what is wanted. */
export function startCommand(command: CardCommand, settings: Neo2Settings): StartCommand {
  const facts = paymentFacts(command, settings);
  if (command.entryMode === 'CONTACT')
    return {
      type: 'start-contact',
      isFallbackAllowed: true,
      seatTimeoutSeconds: neo2Limits.cardTimeoutSeconds,
      authenticateTimeoutSeconds: neo2Limits.nextStepTimeoutSeconds,
      tags: transactionTags({ ...facts, accountType: '00' }),
    };
  const presentations =
    command.entryMode === 'CONTACTLESS' ? (['CONTACTLESS'] as const) : (['STRIPE', 'CONTACTLESS', 'CONTACT'] as const);
  return activation({
    ...facts,
    presentations,
    fallback: { isAllowed: true, nextCommandTimeoutSeconds: neo2Limits.nextStepTimeoutSeconds },
  });
}

/** 02-40 for the stripe of a card whose chip does not work. */
export function stripeCommand(command: CardCommand, settings: Neo2Settings): StartCommand {
  return activation({ ...paymentFacts(command, settings), presentations: ['STRIPE'] });
}

function activation(facts: TransactionFacts): StartCommand {
  return { type: 'activate', timeoutSeconds: neo2Limits.cardTimeoutSeconds, tags: transactionTags(facts) };
}

/** 9F02 is all that the card is charged, 9F03 the cash-back in it (EMV book 3, annex A). */
function paymentFacts(command: CardCommand, { currencyNumeric }: Neo2Settings): TransactionFacts {
  if (command.operation === 'CARD_READ')
    return { transactionType: '00', amountMinor: 0, otherAmountMinor: 0, currency: currencyNumeric };
  return {
    transactionType: transactionType(command),
    amountMinor: command.amountMinor,
    otherAmountMinor: command.cashbackAmountMinor,
    currency: currencyNumeric,
  };
}

/** 9C, ISO 8583 processing code: goods and services, with cash-back, refund. */
function transactionType(command: CardCommand & { readonly operation: 'GRANULAR' }): string {
  if (command.type === 'REFUND') return '20';
  return command.cashbackAmountMinor > 0 ? '09' : '00';
}
