import type {
  AuthorizationCommand,
  BalanceCommand,
  BookTotalCommand,
  PartialReversalCommand,
  PreAuthorizationCommand,
  PreAuthorizationReversalCommand,
  RefundCommand,
  ReversalCommand,
} from '../../zvt/codec/command-types.ts';
import { type LedgerTransaction, type LedgerView, stands } from '../book/ledger.ts';
import type { ZvtOrder } from './state.ts';

export type PaymentCommand =
  | AuthorizationCommand
  | PreAuthorizationCommand
  | BookTotalCommand
  | PartialReversalCommand
  | PreAuthorizationReversalCommand
  | ReversalCommand
  | RefundCommand
  | BalanceCommand;

/** What a command asks for, or the result code that refuses it before any card is read. */
export type OrderResult =
  | { readonly ok: true; readonly order: ZvtOrder }
  | { readonly ok: false; readonly resultCode: number };

/** Result codes (ZVT PA00P015, chapter "Error messages"). */
const NOT_FOR_DEBIT = 0x67;
const ALREADY_REVERSED = 0xb4;
const REVERSAL_IMPOSSIBLE = 0xb5;
const ABOVE_PRE_AUTHORIZATION = 0xb7;
const PRE_AUTHORIZATION_ERROR = 0xb8;
const AMOUNT_TOO_SMALL = 0xc8;

const refused = (resultCode: number): OrderResult => ({ ok: false, resultCode });
const accepted = (order: ZvtOrder): OrderResult => ({ ok: true, order });

/** Holds a payment command against the book. */
export function orderOf(command: PaymentCommand, ledger: LedgerView): OrderResult {
  switch (command.type) {
    case 'authorization':
      return withAmount({ operation: 'SALE', amountMinor: command.amountMinor });
    case 'refund':
      return withAmount({ operation: 'REFUND', amountMinor: command.amountMinor });
    case 'balance':
      return accepted({ operation: 'BALANCE', amountMinor: 0 });
    case 'pre-authorization':
      return preAuthorization(command, ledger);
    case 'book-total':
      return bookTotal(command, ledger);
    case 'partial-reversal':
      return partialReversal(command, ledger);
    case 'pre-authorization-reversal':
      return release(command, ledger);
    case 'reversal':
      return reversal(command, ledger);
  }
}

function withAmount(order: ZvtOrder): OrderResult {
  return order.amountMinor > 0 ? accepted(order) : refused(AMOUNT_TOO_SMALL);
}

/** With trace and authorization attribute it adds to a pre-authorization that is open. */
function preAuthorization(
  { amountMinor, trace, authorizationAttribute }: PreAuthorizationCommand,
  ledger: LedgerView,
): OrderResult {
  if (trace === undefined && authorizationAttribute === undefined)
    return withAmount({ operation: 'PRE_AUTH', amountMinor });
  const open = openPreAuthorization(ledger, undefined, trace);
  if (open === undefined) return refused(PRE_AUTHORIZATION_ERROR);
  return withAmount({ operation: 'PRE_AUTH', amountMinor, extendsId: open.id, card: open.card });
}

/** The amount is what was used. */
function bookTotal({ receipt, trace, amountMinor }: BookTotalCommand, ledger: LedgerView): OrderResult {
  const open = openPreAuthorization(ledger, receipt, trace);
  return open === undefined ? refused(PRE_AUTHORIZATION_ERROR) : completion(open, amountMinor ?? open.heldMinor);
}

/** The amount is what was not used: the opposite of book total. */
function partialReversal(
  { receipt, trace, unusedAmountMinor }: PartialReversalCommand,
  ledger: LedgerView,
): OrderResult {
  const open = openPreAuthorization(ledger, receipt, trace);
  if (open === undefined) return refused(PRE_AUTHORIZATION_ERROR);
  return completion(open, open.heldMinor - (unusedAmountMinor ?? 0));
}

function completion(open: LedgerTransaction, amountMinor: number): OrderResult {
  if (amountMinor > open.heldMinor || amountMinor < 0) return refused(ABOVE_PRE_AUTHORIZATION);
  const ends = { amountMinor, originalId: open.id, originalTrace: open.trace, card: open.card };
  // Nothing used: the whole hold is given back.
  if (amountMinor === 0) return accepted({ ...ends, operation: 'RELEASE', amountMinor: open.heldMinor });
  return accepted({ ...ends, operation: 'COMPLETION' });
}

function release({ receipt, amountMinor }: PreAuthorizationReversalCommand, ledger: LedgerView): OrderResult {
  const open = openPreAuthorization(ledger, receipt, undefined);
  if (open === undefined) return refused(PRE_AUTHORIZATION_ERROR);
  if (open.card.scheme === 'GIROCARD') return refused(NOT_FOR_DEBIT);
  if (amountMinor !== undefined && amountMinor !== open.heldMinor) return refused(REVERSAL_IMPOSSIBLE);
  return accepted({
    operation: 'RELEASE',
    amountMinor: open.heldMinor,
    originalId: open.id,
    originalTrace: open.trace,
    card: open.card,
  });
}

/** Only of this batch, only once, and only with the amount that was charged. */
function reversal({ receipt, amountMinor }: ReversalCommand, ledger: LedgerView): OrderResult {
  const original = ledger.byReceipt(Number(receipt));
  if (original === undefined || original.batch !== ledger.batch()) return refused(REVERSAL_IMPOSSIBLE);
  if (original.operation !== 'SALE' && original.operation !== 'COMPLETION') return refused(REVERSAL_IMPOSSIBLE);
  if (!stands(original)) return refused(ALREADY_REVERSED);
  if (amountMinor !== undefined && amountMinor !== original.amountMinor) return refused(REVERSAL_IMPOSSIBLE);
  return accepted({
    operation: 'VOID',
    amountMinor: original.amountMinor,
    originalId: original.id,
    originalTrace: original.trace,
    card: original.card,
  });
}

/** The open pre-authorization that receipt or trace name; an extension leads to the one it adds to. */
function openPreAuthorization(
  ledger: LedgerView,
  receipt: string | undefined,
  trace: string | undefined,
): LedgerTransaction | undefined {
  const named = receipt === undefined ? ledger.byTrace(Number(trace)) : ledger.byReceipt(Number(receipt));
  const id = named?.extendsId ?? named?.id;
  return ledger.openPreAuthorizations().find((open) => open.id === id);
}
