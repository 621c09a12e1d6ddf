import { BridgeError } from '../contract/errors.ts';
import type { TransactionRequest } from '../contract/transactions.ts';
import { totalMinor } from '../domain/money.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import { operationOf } from './commands.ts';
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
