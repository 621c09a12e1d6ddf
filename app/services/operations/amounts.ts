import type { TransactionRequest } from '../../contract/transactions.ts';
import type { PosAmounts } from '../../domain/money.ts';

/** The three amounts of a request; what is left out is 0. */
export function amountsOf(request: TransactionRequest): PosAmounts {
  return {
    amountMinor: request.amount,
    tipAmountMinor: request.tipAmount ?? 0,
    cashbackAmountMinor: request.cashbackAmount ?? 0,
  };
}
