import { type Static, Type } from 'typebox';
import { oneOfStrings } from '../parts.ts';
import { strict } from './host-parts.ts';

/** What the host tells of itself (decisions: Service, Versioning). */

/** Answer of GET /ready, with 200 and with 503. */
export const ReadyResponse = Type.Object(
  {
    status: oneOfStrings(['ready', 'draining', 'unavailable'], 'Whether calls are taken.'),
    database: Type.Boolean({ description: 'Whether the database answers.' }),
    nodes: Type.Optional(
      Type.Boolean({
        description:
          'Whether this host is reached over NATS. Not ready while it is not, and another host is. Absent where no NATS is set up.',
      }),
    ),
  },
  { ...strict, description: 'Readiness.' },
);
export type ReadyResponse = Static<typeof ReadyResponse>;

/** Answer of GET /v1/meta. */
export const HostMetaResponse = Type.Object(
  {
    version: Type.String({ description: 'Version of the program.' }),
    apiVersions: Type.Array(Type.String(), { description: 'Versions of the host API, e.g. 1.0.0.' }),
    features: Type.Array(Type.String(), { description: 'Names of features beyond the specification.' }),
    acquirer: Type.Object(
      {
        kind: oneOfStrings(['simulator', 'iso8583'], 'Which acquirer authorizes.'),
        tipAdjust: Type.Boolean({ description: 'Whether it can adjust tips.' }),
        balances: Type.Boolean({ description: 'Whether balance inquiries are configured.' }),
        simulated: Type.Boolean({ description: 'True where no real money can move.' }),
      },
      { ...strict, description: 'The acquirer behind this host.' },
    ),
  },
  { ...strict, description: 'Versions and features.' },
);
export type HostMetaResponse = Static<typeof HostMetaResponse>;
