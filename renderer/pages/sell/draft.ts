import type { RequestedEntryMode } from '../../../app/contract/transactions.ts';
import type { SellRequest } from './kept-intent.ts';

/** What the amount is for. COMPLETE charges out of a hold, at most what is held. */
export type SellMode =
  | { readonly kind: 'SALE' }
  | { readonly kind: 'HOLD' }
  | { readonly kind: 'COMPLETE'; readonly transactionId: string; readonly heldMinor: number };

/** What the cashier has put together and not yet charged. */
export interface Draft {
  /** The chosen terminal; the first one while nobody chose. */
  readonly terminalId?: string;
  readonly mode: SellMode;
  readonly amountMinor: number;
  readonly tipMinor: number;
  readonly cashbackMinor: number;
  readonly reference: string;
  readonly entryMode: RequestedEntryMode;
}

export const emptyDraft: Draft = {
  mode: { kind: 'SALE' },
  amountMinor: 0,
  tipMinor: 0,
  cashbackMinor: 0,
  reference: '',
  entryMode: 'AUTO',
};

/** The request of a draft; what was not given is left out. */
export function requestOf(draft: Draft, currency: string): SellRequest {
  const { mode } = draft;
  const referenceId = draft.reference.trim();
  const common = {
    amount: draft.amountMinor,
    currency,
    ...(draft.tipMinor === 0 ? {} : { tipAmount: draft.tipMinor }),
    ...(referenceId === '' ? {} : { referenceId }),
    ...(draft.entryMode === 'AUTO' ? {} : { entryMode: draft.entryMode }),
  };
  if (mode.kind === 'HOLD') return { type: 'PRE_AUTH', ...common };
  if (mode.kind === 'COMPLETE') {
    return { type: 'PRE_AUTH_COMPLETE', ...common, originalTransactionId: mode.transactionId };
  }
  return { type: 'SALE', ...common, ...(draft.cashbackMinor === 0 ? {} : { cashbackAmount: draft.cashbackMinor }) };
}

/** What the customer will be charged in all. */
export function draftTotal(draft: Draft): number {
  return draft.amountMinor + draft.tipMinor + draft.cashbackMinor;
}
