import type { RequestedEntryMode, SaleRequest } from '../../../app/contract/transactions.ts';

/** What the cashier has put together and not yet charged. */
export interface Draft {
  /** The chosen terminal; the first one while nobody chose. */
  readonly terminalId?: string;
  readonly amountMinor: number;
  readonly tipMinor: number;
  readonly cashbackMinor: number;
  readonly reference: string;
  readonly entryMode: RequestedEntryMode;
}

export const emptyDraft: Draft = { amountMinor: 0, tipMinor: 0, cashbackMinor: 0, reference: '', entryMode: 'AUTO' };

/** The sale of a draft; what was not given is left out. */
export function requestOf(draft: Draft, currency: string): SaleRequest {
  const referenceId = draft.reference.trim();
  return {
    type: 'SALE',
    amount: draft.amountMinor,
    currency,
    ...(draft.tipMinor === 0 ? {} : { tipAmount: draft.tipMinor }),
    ...(draft.cashbackMinor === 0 ? {} : { cashbackAmount: draft.cashbackMinor }),
    ...(referenceId === '' ? {} : { referenceId }),
    ...(draft.entryMode === 'AUTO' ? {} : { entryMode: draft.entryMode }),
  };
}

/** What the customer will be charged in all. */
export function draftTotal(draft: Draft): number {
  return draft.amountMinor + draft.tipMinor + draft.cashbackMinor;
}
