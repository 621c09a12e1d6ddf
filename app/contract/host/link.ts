import { type Static, Type } from 'typebox';
import { oneOfStrings } from '../parts.ts';
import { strict } from './host-parts.ts';

/**
 * What the host sends over GET /api/v1/terminal/link (decisions: Device additions): there is something to fetch. It carries no facts, so that a
 * wake-up that is lost, doubled or late changes nothing but the time.
 */
export const LinkMessage = Type.Object(
  {
    event: Type.Literal('wake', { description: 'There is something to fetch.' }),
    subject: oneOfStrings(
      ['PAYMENT_SESSION', 'CONFIGURATION'],
      'PAYMENT_SESSION: claim the session that waits. CONFIGURATION: read the configuration again.',
    ),
  },
  { ...strict, description: 'A message of the link, from the host to the device.' },
);
export type LinkMessage = Static<typeof LinkMessage>;
