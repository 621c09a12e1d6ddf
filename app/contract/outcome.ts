import { type Static, Type } from 'typebox';
import { oneOfStrings } from './parts.ts';

/** What is known about the money (decisions: Extra response fields). */
export const Outcome = Type.Object(
  {
    charged: oneOfStrings(
      ['YES', 'NO', 'UNKNOWN'],
      'Whether the cardholder was charged (for a refund: credited). UNKNOWN: a recovery task finds out.',
    ),
    safeToRetry: Type.Boolean({ description: 'Whether the same payment may be started again without charging twice.' }),
    evidence: Type.String({ description: 'What this is known from, in one sentence.' }),
  },
  { additionalProperties: false, description: 'What is known about the money.' },
);
export type Outcome = Static<typeof Outcome>;
