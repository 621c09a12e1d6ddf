import { completeErrors, type EndpointRow } from '../endpoint.ts';
import { deviceEndpoints } from './endpoints/device-endpoints.ts';
import { hostServiceEndpoints } from './endpoints/host-service-endpoints.ts';
import { merchantEndpoints } from './endpoints/merchant-endpoints.ts';

/**
 * Every endpoint of the host address, once (specification: Terminal device API, Remote terminal payment sessions, Tip configuration,
 * Reconciliation and settlements; decisions section 5). The host registers its routes from it; its OpenAPI document and API page are made from it.
 */
const rows = [...deviceEndpoints, ...merchantEndpoints, ...hostServiceEndpoints] as const;

export type HostEndpointId = (typeof rows)[number]['id'];

export interface HostEndpoint extends EndpointRow {
  readonly id: HostEndpointId;
}

/** All endpoints, each with every error code that it may answer. Whatever needs a key needs the database. */
export const hostEndpoints: readonly HostEndpoint[] = rows.map((row: HostEndpoint) => ({
  ...row,
  errors: completeErrors(row, row.credential === 'none' ? [] : ['JOURNAL_UNAVAILABLE']),
}));

const byId: ReadonlyMap<HostEndpointId, HostEndpoint> = new Map(
  hostEndpoints.map((endpoint) => [endpoint.id, endpoint]),
);

export function hostEndpointOf(id: HostEndpointId): HostEndpoint {
  const endpoint = byId.get(id);
  if (endpoint === undefined) throw new RangeError(`no endpoint ${id}`);
  return endpoint;
}
