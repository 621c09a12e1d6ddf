import { type Static, Type } from 'typebox';
import { minorUnits, text } from '../parts.ts';
import { MAX_REASON_CHARACTERS } from './host-limits.ts';
import { strict, TipSource } from './host-parts.ts';

/** What a device asks of a payment that it has authorized: tip-adjust, capture and void (specification: tip-adjust; decisions: Device additions). Each is answered with the Payment. */

/** POST /api/v1/terminal/payments/{id}/tip-adjust */
export const TipAdjustRequest = Type.Object(
  {
    tipAmountMinor: minorUnits(0, 'The whole tip in minor units, in place of the one before.'),
    tipSource: Type.Optional(TipSource),
  },
  { ...strict, description: 'Sets the tip of an open authorization; its total becomes base + tip.' },
);
export type TipAdjustRequest = Static<typeof TipAdjustRequest>;

/** POST /api/v1/terminal/payments/{id}/capture */
export const PaymentCaptureRequest = Type.Object(
  {
    amountMinor: Type.Optional(
      minorUnits(1, 'Minor units to capture, tip included; the whole hold when left out. The rest is released.'),
    ),
  },
  { ...strict, description: 'Captures a hold, once.' },
);
export type PaymentCaptureRequest = Static<typeof PaymentCaptureRequest>;

/** POST /api/v1/terminal/payments/{id}/void */
export const PaymentVoidRequest = Type.Object(
  { reason: Type.Optional(text(MAX_REASON_CHARACTERS, 'Why, in words.')) },
  { ...strict, description: 'Takes back a payment as a whole, or releases its hold.' },
);
export type PaymentVoidRequest = Static<typeof PaymentVoidRequest>;
