import type { Endpoint } from '../../app/contract/endpoints.ts';
import { posHeaders } from './server-harness.ts';

export interface InjectedRequest {
  readonly method: Endpoint['method'];
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: object;
}

/** A right request to an endpoint, as its documentation shows it. */
export function requestFor(endpoint: Endpoint, headers: Record<string, string> = {}): InjectedRequest {
  const idempotency = endpoint.idempotency === 'required' ? { 'idempotency-key': 'key-1' } : {};
  return {
    method: endpoint.method,
    url: endpoint.path.replace('{id}', 'tx-1').replace('{settlementId}', 'settlement-1'),
    headers: { ...posHeaders, ...idempotency, ...headers },
    ...(typeof endpoint.example === 'object' && endpoint.example !== null ? { payload: endpoint.example } : {}),
  };
}
