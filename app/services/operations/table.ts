import type { TransactionType } from '../../contract/transactions.ts';
import { planBalanceInquiry } from './balance-inquiry.ts';
import { planCardRead } from './card-read.ts';
import type { PlanOperation } from './operation.ts';
import { planPreAuth } from './pre-auth.ts';
import { planPreAuthComplete } from './pre-auth-complete.ts';
import { planRefund } from './refund.ts';
import { planSale } from './sale.ts';
import { planVoid } from './void.ts';

/** Every operation and what loads and checks it. */
export const planOf: Readonly<Record<TransactionType, PlanOperation>> = {
  SALE: planSale,
  PRE_AUTH: planPreAuth,
  PRE_AUTH_COMPLETE: planPreAuthComplete,
  REFUND: planRefund,
  VOID: planVoid,
  CARD_READ: planCardRead,
  BALANCE_INQUIRY: planBalanceInquiry,
};
