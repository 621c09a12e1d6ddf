import { type Static, Type } from 'typebox';
import { oneOfStrings } from './parts.ts';

/** Issuer answers and what they mean for the shop (decisions section 4). */

const categories = [
  'INSUFFICIENT_FUNDS',
  'LIMIT_EXCEEDED',
  'AUTHENTICATION_REQUIRED',
  'PIN_INCORRECT',
  'PIN_TRIES_EXCEEDED',
  'EXPIRED_CARD',
  'INVALID_CARD',
  'LOST_OR_STOLEN',
  'PICK_UP_CARD',
  'SUSPECTED_FRAUD',
  'NOT_PERMITTED',
  'DO_NOT_HONOR',
  'INVALID_REQUEST',
  'ISSUER_UNAVAILABLE',
  'SYSTEM_ERROR',
  'OFFLINE_DECLINED',
  'CARDHOLDER_CANCELLED',
  'DUPLICATE',
  'UNKNOWN',
] as const;

export const DeclineCategory = oneOfStrings(categories, 'Why, in one word.');
export type DeclineCategory = Static<typeof DeclineCategory>;

export const RetryClass = oneOfStrings(
  ['LATER', 'FIX_AND_RETRY', 'OTHER_CARD', 'NEVER', 'UNKNOWN_OUTCOME'],
  'LATER: may work later. FIX_AND_RETRY: correct and try again. OTHER_CARD: ask for another card. NEVER: this card, this payment, not again. UNKNOWN_OUTCOME: ask first.',
);
export type RetryClass = Static<typeof RetryClass>;

/** Why a payment was declined (specification: Payment.decline; decisions section 4). */
export const Decline = Type.Object(
  {
    category: DeclineCategory,
    retryClass: RetryClass,
    retryable: Type.Boolean({ description: 'True for LATER and FIX_AND_RETRY only.' }),
    networkResponseCode: Type.Optional(Type.String({ description: "The issuer's own code, when one was given." })),
    customerMessage: Type.String({ description: 'What the customer may read; never reveals fraud, lost or stolen.' }),
    merchantMessage: Type.String({ description: 'What the shop reads.' }),
  },
  { additionalProperties: false, description: 'Why the payment was declined, and what may be tried.' },
);
export type Decline = Static<typeof Decline>;
