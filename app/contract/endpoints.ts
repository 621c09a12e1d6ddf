import { completeErrors, type EndpointRow } from './endpoint.ts';
import { dayAndServiceEndpoints } from './endpoints/day-and-service-endpoints.ts';
import { lookUpEndpoints } from './endpoints/look-up-endpoints.ts';
import { moneyEndpoints } from './endpoints/money-endpoints.ts';

/**
 * Every endpoint of the POS address, once (specification: POS transaction API, Reconciliation and settlements; decisions section 2).
 * The server registers its routes from it; OpenAPI and the API page are made from it.
 */
const rows = [...moneyEndpoints, ...lookUpEndpoints, ...dayAndServiceEndpoints] as const;

export type EndpointId = (typeof rows)[number]['id'];

export interface Endpoint extends EndpointRow {
  readonly id: EndpointId;
}

/** A browser's page, and a name under which the till is called, must be allowed (decisions: Host and Origin). */
const ofAddress = ['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED'] as const;

/** All endpoints, each with every error code that it may answer. */
export const endpoints: readonly Endpoint[] = rows.map((row: Endpoint) => ({
  ...row,
  errors: completeErrors(row, ofAddress),
}));

/** What a till tells of its own address. */
const ofOwnAddress: ReadonlySet<EndpointId> = new Set(['pos.session', 'session.ticket', 'service.meta']);

/** Rows that a POS may also call at our host, which passes them to the till over the link of the terminal (decisions: Cloud POS). */
export const linkedEndpoints: readonly Endpoint[] = endpoints.filter(
  ({ id, credential }) => credential === 'pos' && !ofOwnAddress.has(id),
);

const byId: ReadonlyMap<EndpointId, Endpoint> = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

export function endpointOf(id: EndpointId): Endpoint {
  const endpoint = byId.get(id);
  if (endpoint === undefined) throw new RangeError(`no endpoint ${id}`);
  return endpoint;
}
