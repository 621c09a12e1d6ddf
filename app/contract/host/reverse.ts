import { type Static, Type } from 'typebox';
import { oneOfStrings, text } from '../parts.ts';
import { MAX_REASON_CHARACTERS } from './host-limits.ts';
import { HostTransactionId, strict } from './host-parts.ts';
import { Payment } from './payment.ts';

/**
 * POST /api/v1/terminal/transactions/recovery/reverse (specification: Terminal device API; decisions: recovery/reverse). Idempotent by
 * originalTransactionId: it needs no Idempotency-Key.
 */
export const ReverseRequest = Type.Object(
  {
    originalTransactionId: HostTransactionId,
    reason: text(MAX_REASON_CHARACTERS, 'Why the terminal could not finish, in words.'),
  },
  { ...strict, description: 'The authorization that the terminal could not safely finish.' },
);
export type ReverseRequest = Static<typeof ReverseRequest>;

export const ReverseResponse = Type.Object(
  {
    payment: Payment,
    originalTransactionId: HostTransactionId,
    reversalId: Type.String({ description: 'The id of the original payment: it is updated, none is added.' }),
    status: oneOfStrings(
      ['pending', 'reversed'],
      'pending: stored and repeated until the acquirer confirms. reversed: confirmed, or nothing was out.',
    ),
    message: Type.Optional(Type.String({ description: 'What happened, in words.' })),
  },
  { ...strict, description: 'How far the reversal is. A payment that the host has never seen reads CANCELED.' },
);
export type ReverseResponse = Static<typeof ReverseResponse>;
