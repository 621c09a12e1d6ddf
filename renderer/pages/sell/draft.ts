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
  /** A tip that somebody has typed. */
  readonly tipMinor: number;
  /** One of the tips that the merchant offers, or none, in place of a typed one (specification: tipSource). */
  readonly tipSource?: string;
  readonly cashbackMinor: number;
  readonly reference: string;
  readonly entryMode: RequestedEntryMode;
}

/** The tip of a sale; without a source it is the shop's own, and nobody has chosen it. */
export interface SaleTip {
  readonly tipMinor: number;
  readonly tipSource?: string;
}

export const emptyDraft: Draft = {
  mode: { kind: 'SALE' },
  amountMinor: 0,
  tipMinor: 0,
  cashbackMinor: 0,
  reference: '',
  entryMode: 'AUTO',
};

/** The draft before anybody has chosen or typed a tip. */
export function withoutTip({ tipSource: _tipSource, ...draft }: Draft): Draft {
  return { ...draft, tipMinor: 0 };
}

/** The request of a draft and its tip; what was not given is left out, and a tip of which somebody said that there is none is 0. */
export function requestOf(draft: Draft, currency: string, { tipMinor, tipSource }: SaleTip): SellRequest {
  const { mode } = draft;
  const referenceId = draft.reference.trim();
  const common = {
    amount: draft.amountMinor,
    currency,
    ...(tipMinor === 0 && tipSource === undefined ? {} : { tipAmount: tipMinor }),
    ...(referenceId === '' ? {} : { referenceId }),
    ...(draft.entryMode === 'AUTO' ? {} : { entryMode: draft.entryMode }),
  };
  if (mode.kind === 'HOLD') return { type: 'PRE_AUTH', ...common };
  if (mode.kind === 'COMPLETE') {
    return { type: 'PRE_AUTH_COMPLETE', ...common, originalTransactionId: mode.transactionId };
  }
  return {
    type: 'SALE',
    ...common,
    ...(tipSource === undefined ? {} : { tipSource }),
    ...(draft.cashbackMinor === 0 ? {} : { cashbackAmount: draft.cashbackMinor }),
  };
}

/** What the customer will be charged in all. */
export function draftTotal(draft: Draft, { tipMinor }: SaleTip): number {
  return draft.amountMinor + tipMinor + draft.cashbackMinor;
}
