import { type Static, Type } from 'typebox';
import { dateTime } from '../parts.ts';
import { Approval, Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole } from './roles.ts';

const ClientName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$',
  description: '1 to 64 letters, digits, spaces, dots, dashes or underscores.',
});

/** A POS client. Its key is stored as a hash only, and shown nowhere but in the answer that made it. */
export const ClientView = strictObject(
  {
    clientId: Type.String({ description: 'Identifier.' }),
    name: ClientName,
    createdAt: dateTime('When its key was made, ISO 8601.'),
    revokedAt: Type.Optional(dateTime('When its key was taken out of force, ISO 8601.')),
    trainingOnly: Type.Boolean({ description: 'Valid in training only.' }),
  },
  'A POS client.',
);
export type ClientView = Static<typeof ClientView>;

const named = strictObject({ name: ClientName, approval: Type.Optional(Approval) }, 'Which client.');

export const integrationProcedures = {
  'integrations.clients.list': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject({ clients: Type.Array(ClientView) }, 'Every client, oldest first.'),
  },
  'integrations.clients.create': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: named,
    response: strictObject(
      { client: ClientView, key: Type.String({ description: 'Shown this once.' }) },
      'A client and its key. The name of a revoked client gives the same client a new key.',
    ),
  },
  'integrations.clients.revoke': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: named,
    response: ClientView,
  },
} as const satisfies Record<string, Procedure>;
