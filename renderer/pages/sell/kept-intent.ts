import type {
  BalanceInquiryRequest,
  CardReadRequest,
  PreAuthCompleteRequest,
  PreAuthRequest,
  SaleRequest,
  VoidRequest,
} from '../../../app/contract/transactions.ts';

/** What the Sell page starts at the terminal. */
export type SellRequest =
  | (SaleRequest & { readonly tipSource?: string })
  | PreAuthRequest
  | PreAuthCompleteRequest
  | VoidRequest
  | CardReadRequest
  | BalanceInquiryRequest;

/** One press of Charge. Its key is fixed before the first try, so that however often it is asked there is one sale. */
export interface SaleIntent {
  readonly idempotencyKey: string;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly terminalId: string;
  readonly request: SellRequest;
}

/**
 * What was begun and not yet answered, across a reload of this window. It holds amount, reference and key; nothing of a card is known here.
 */
const storageKey = 'console.sale';

type IntentStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function keepIntent(storage: IntentStorage, intent: SaleIntent): void {
  storage.setItem(storageKey, JSON.stringify(intent));
}

export function forgetIntent(storage: IntentStorage): void {
  storage.removeItem(storageKey);
}

/** The kept intent; undefined when there is none. */
export function keptIntent(storage: IntentStorage): SaleIntent | undefined {
  const text = storage.getItem(storageKey);
  return text === null ? undefined : (JSON.parse(text) as SaleIntent);
}
