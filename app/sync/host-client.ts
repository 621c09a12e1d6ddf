import type { TSchema } from 'typebox';
import { ErrorResponse, errorCatalogue } from '../contract/errors.ts';
import { AuthorizeResponse } from '../contract/host/authorize.ts';
import { DeviceConfigResponse } from '../contract/host/device-config.ts';
import { type HostEndpointId, hostEndpointOf } from '../contract/host/host-endpoints.ts';
import { Payment } from '../contract/host/payment.ts';
import { ReverseResponse } from '../contract/host/reverse.ts';
import { parseStrictJson } from '../contract/json.ts';
import { ReconciliationResponse } from '../contract/settlements.ts';
import { validate } from '../contract/validate.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostAccess, HostCall, HostClient, HostReply } from '../ports/host-client.ts';
import { exchangeHttp, type HttpReply } from './http-exchange.ts';
import { knownFields } from './known-fields.ts';

export interface HostClientDeps {
  readonly clock: Clock;
  /** undefined while there is no host: nothing is sent then. */
  access(): HostAccess | undefined;
}

interface Asked {
  readonly endpoint: HostEndpointId;
  readonly pathId?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly call: HostCall & { readonly idempotencyKey?: string };
}

const FIRST_ERROR_STATUS = 400;
const OK = 200;

/** The host over HTTPS, by the contract's endpoint table and schemas. Neither token nor card data are in any reason that it gives. */
export function createHostClient({ clock, access }: HostClientDeps): HostClient {
  async function ask<T>(schema: TSchema, asked: Asked): Promise<HostReply<T>> {
    const host = access();
    if (host === undefined) return { kind: 'NOT_SENT', reason: 'the host is not there yet' };
    const { method, path } = hostEndpointOf(asked.endpoint);
    const { idempotencyKey, timeoutMs, signal } = asked.call;
    const query = asked.query === undefined ? '' : `?${new URLSearchParams(asked.query)}`;
    const reply = await exchangeHttp(clock, {
      method,
      url: `${host.url}${path.replace('{id}', encodeURIComponent(asked.pathId ?? ''))}${query}`,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${host.deviceToken.reveal()}`,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      timeoutMs,
      signal,
    });
    return reply.kind === 'ANSWERED' ? readAnswer<T>(schema, reply) : reply;
  }

  return {
    config: (call) => ask(DeviceConfigResponse, { endpoint: 'device.config', call }),
    authorize: (body, call) => ask(AuthorizeResponse, { endpoint: 'device.authorize', body, call }),
    offlineComplete: (body, call) => ask(Payment, { endpoint: 'device.offlineComplete', body, call }),
    reverse: (body, call) => ask(ReverseResponse, { endpoint: 'device.recoveryReverse', body, call }),
    capture: (pathId, body, call) => ask(Payment, { endpoint: 'device.capture', pathId, body, call }),
    voidPayment: (pathId, body, call) => ask(Payment, { endpoint: 'device.void', pathId, body, call }),
    record: (body, call) => ask(Payment, { endpoint: 'device.record', body, call }),
    lookUp: (transactionId, call) => ask(Payment, { endpoint: 'device.lookUp', query: { transactionId }, call }),
    reconcile: (body, call) => ask(ReconciliationResponse, { endpoint: 'device.reconciliation', body, call }),
  };
}

/** An answer that is none of the contract is no answer: whatever stands between may have given it, and the call may have arrived all the same. */
function readAnswer<T>(schema: TSchema, { statusCode, body }: HttpReply & { kind: 'ANSWERED' }): HostReply<T> {
  try {
    const document = parseStrictJson(body);
    if (statusCode === OK) return { kind: 'ANSWERED', body: validate(schema, knownFields(schema, document)) as T };
    if (statusCode < FIRST_ERROR_STATUS) return { kind: 'LOST', reason: `the answer has the status ${statusCode}` };
    const { error, message } = validate(ErrorResponse, knownFields(ErrorResponse, document));
    if (errorCatalogue[error].moneyMayHaveMoved === 'NO') return { kind: 'REFUSED', errorCode: error, message };
    return { kind: 'LOST', reason: `the host answered ${error}` };
  } catch {
    return { kind: 'LOST', reason: `the answer with the status ${statusCode} cannot be read` };
  }
}
