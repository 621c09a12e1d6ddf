import { BridgeError } from '../contract/errors.ts';
import type { TransactionRequest } from '../contract/transactions.ts';
import { totalMinor } from '../domain/money.ts';
import { checkTip } from '../domain/tip-source.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { Terminal } from '../ports/terminal.ts';
import type { TipsInForce } from '../ports/tips.ts';
import { operationOf, terminalOriginalOf } from './commands.ts';
import type { Lane } from './lane.ts';
import { amountsOf } from './operations/amounts.ts';

/**
 * Whether the terminal can do what is asked; refused before a byte is sent (decisions: Field widths, Terminal currency, Entry mode).
 * @throws BridgeError OPERATION_NOT_SUPPORTED, UNSUPPORTED_CURRENCY, AMOUNT_TOO_LARGE
 */
export function checkCapabilities(lane: Lane, request: TransactionRequest, mode: TransactionRecord['mode']): void {
  const { capabilities } = lane.terminal;
  if (!capabilities.operations.has(operationOf({ type: request.type, mode }))) {
    const what = mode === 'GRANULAR' ? 'granular payments' : request.type;
    throw new BridgeError('OPERATION_NOT_SUPPORTED', `this terminal cannot do ${what}`);
  }
  const amounts = amountsOf(request);
  if (amounts.cashbackAmountMinor > 0 && !capabilities.cashback) {
    throw new BridgeError('OPERATION_NOT_SUPPORTED', 'this terminal gives no cash-back', { field: 'cashbackAmount' });
  }
  if (request.currency !== lane.attached.currency) {
    throw new BridgeError('UNSUPPORTED_CURRENCY', `this terminal settles in ${lane.attached.currency}`, {
      field: 'currency',
    });
  }
  if (totalMinor(amounts) > capabilities.maxAmountMinor) {
    const limit = `the terminal takes at most ${capabilities.maxAmountMinor} minor units, tip and cash-back included`;
    throw new BridgeError('AMOUNT_TOO_LARGE', limit, { field: 'amount' });
  }
}

/**
 * Whether a tip that was chosen at the till is one that the merchant offers: refused here, before the card, and not by the host behind it.
 * @param tips what the terminal may offer; only the arithmetic holds where it has no configuration
 * @throws BridgeError INVALID_REQUEST naming tipSource or tipAmountMinor
 */
export function checkTipSource(tipSource: string, request: TransactionRequest, tips: TipsInForce | undefined): void {
  const { tipAmountMinor, amountMinor: goodsMinor } = amountsOf(request);
  checkTip({ tipAmountMinor, tipSource, goodsMinor }, tips);
}

/** @throws BridgeError OPERATION_NOT_SUPPORTED for a void that the terminal cannot do any more; before a byte is sent */
export function checkVoidable(
  { terminal }: Lane,
  type: TransactionRequest['type'],
  target: TransactionRecord | undefined,
): void {
  if (type !== 'VOID' || target === undefined || canVoid(terminal, target)) return;
  throw new BridgeError(
    'OPERATION_NOT_SUPPORTED',
    'this terminal takes back its last payment only, and this is not it',
    {
      field: 'originalTransactionId',
    },
  );
}

/** Whether the terminal can still take this payment back: what it says itself, where not every void is possible. */
export function canVoid(terminal: Terminal, record: TransactionRecord): boolean {
  const { type } = record;
  if (type !== 'SALE' && type !== 'PRE_AUTH' && type !== 'PRE_AUTH_COMPLETE') return false;
  return terminal.canVoid?.(terminalOriginalOf(record, type)) ?? true;
}
