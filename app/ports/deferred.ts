import type { JsonObject } from '../domain/json-value.ts';
import type { CardFacts } from '../domain/transaction.ts';

/** What the issuer said at last of a sale that was taken without it. */
export type DeferredAnswer =
  | { readonly kind: 'AUTHORIZED'; readonly card: CardFacts; readonly reference: JsonObject }
  /** `reason`: in words, where the issuer gave no code. */
  | { readonly kind: 'DECLINED'; readonly card: CardFacts; readonly reason?: string };

/** The sales of the till that wait for their authorization (decisions section 7). */
export interface DeferredSales {
  /** NOT_YET: its end is not on disk yet, so that nothing may be asked for it. OVER: a person has said that it brought nothing. */
  standing(transactionId: string): 'NOT_YET' | 'WAITS' | 'OVER';
  /** Writes the answer to the sale; once, however often it is told. @throws BridgeError JOURNAL_UNAVAILABLE */
  answered(transactionId: string, answer: DeferredAnswer): void;
}
