import { type Static, Type } from 'typebox';
import { dateTime, PosClientName } from '../parts.ts';
import { MAX_POS_CLIENTS } from './host-limits.ts';
import { strict } from './host-parts.ts';

const KeyHash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the key, lower-case hex; the key itself was shown once and is kept nowhere.',
});

/** A POS client that the host holds: its tills let in whoever shows a key of this hash (decisions: Credentials). */
const HostPosClient = Type.Object(
  {
    clientId: Type.String({
      pattern: '^[!-~]{1,64}$',
      description: 'Identifier; the same at every till and in the cloud.',
    }),
    name: PosClientName,
    keyHash: KeyHash,
    earlierKey: Type.Optional(
      Type.Object(
        { keyHash: KeyHash, validUntil: dateTime('Until when it works, ISO 8601.') },
        { ...strict, description: 'The key before a rotation.' },
      ),
    ),
    createdAt: dateTime('When it was made, ISO 8601.'),
    revokedAt: Type.Optional(dateTime('When its keys were taken out of force, ISO 8601.')),
  },
  { ...strict, description: 'A POS client.' },
);

/** GET /api/v1/terminal/pos-clients. */
export const PosClientsResponse = Type.Object(
  {
    version: Type.Integer({ minimum: 0, description: 'Rises with each change; the configuration carries it, too.' }),
    clients: Type.Array(HostPosClient, { maxItems: MAX_POS_CLIENTS }),
  },
  { ...strict, description: 'The POS clients of the merchant, revoked ones included.' },
);
export type PosClientsResponse = Static<typeof PosClientsResponse>;
