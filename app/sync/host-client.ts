import type { TSchema } from 'typebox';
import { AuthorizeResponse } from '../contract/host/authorize.ts';
import { DeviceConfigResponse } from '../contract/host/device-config.ts';
import { type HostEndpointId, hostEndpointOf } from '../contract/host/host-endpoints.ts';
import { Payment } from '../contract/host/payment.ts';
import { ClaimPaymentSessionResponse, TerminalPaymentSession } from '../contract/host/payment-session.ts';
import { PosClientsResponse } from '../contract/host/pos-clients.ts';
import { ReverseResponse } from '../contract/host/reverse.ts';
import { ReconciliationResponse } from '../contract/settlements.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostAccess, HostCall, HostClient, HostReply } from '../ports/host-client.ts';
import { exchangeHttp, type HttpReply } from './http-exchange.ts';
import { readAnswer } from './read-answer.ts';

export interface HostClientDeps {
  readonly clock: Clock;
  /** undefined while there is no host: nothing is sent then. */
  access(): HostAccess | undefined | Promise<HostAccess | undefined>;
  /** Why there is none, in words. */
  readonly whyAbsent?: () => string;
  /** Told how each call that was tried has ended. */
  readonly onReply?: (reply: HostReply<unknown>, timing: CallTiming) => void;
}

/** When a call was made, by the till's clock, and when the host has dated its answer; milliseconds since 1970. */
export interface CallTiming {
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
  readonly hostDateMs?: number;
}

interface Asked {
  readonly endpoint: HostEndpointId;
  readonly pathId?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** What the caller has, and is told anew only when it has changed. */
  readonly known?: KnownAnswer | undefined;
  readonly onTagged?: (answer: KnownAnswer) => void;
  readonly call: HostCall & { readonly idempotencyKey?: string };
}

/** An answer that can be asked for again by its ETag (RFC 9110 section 13.1.2): the same tag is the same bytes. */
interface KnownAnswer {
  readonly etag: string;
  readonly reply: HttpReply & { readonly kind: 'ANSWERED' };
}

const NOT_MODIFIED = 304;

/** The host over HTTPS, by the contract's endpoint table and schemas. Neither token nor card data are in any reason that it gives. */
export function createHostClient({ clock, access, whyAbsent, onReply }: HostClientDeps): HostClient {
  let knownConfig: KnownAnswer | undefined;

  async function ask<T>(schema: TSchema, asked: Asked): Promise<HostReply<T>> {
    const host = await access();
    if (host === undefined) return { kind: 'NOT_SENT', reason: whyAbsent?.() ?? 'the host is not there yet' };
    const sentAtMs = clock.nowMs();
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
        ...(asked.known === undefined ? {} : { 'if-none-match': asked.known.etag }),
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      timeoutMs,
      signal,
    });
    const receivedAtMs = clock.nowMs();
    if (reply.kind !== 'ANSWERED') {
      onReply?.(reply, { sentAtMs, receivedAtMs });
      return reply;
    }
    const isKnown = reply.statusCode === NOT_MODIFIED && asked.known !== undefined;
    const answer = readAnswer<T>(schema, isKnown ? asked.known.reply : reply);
    if (answer.kind === 'ANSWERED' && reply.etag !== undefined && !isKnown) {
      asked.onTagged?.({ etag: reply.etag, reply });
    }
    const { dateMs: hostDateMs } = reply;
    onReply?.(answer, { sentAtMs, receivedAtMs, ...(hostDateMs === undefined ? {} : { hostDateMs }) });
    return answer;
  }

  return {
    config: (call) =>
      ask(DeviceConfigResponse, {
        endpoint: 'device.config',
        call,
        known: knownConfig,
        onTagged: (answer) => {
          knownConfig = answer;
        },
      }),
    posClients: (call) => ask(PosClientsResponse, { endpoint: 'device.posClients', call }),
    authorize: (body, call) => ask(AuthorizeResponse, { endpoint: 'device.authorize', body, call }),
    offlineComplete: (body, call) => ask(Payment, { endpoint: 'device.offlineComplete', body, call }),
    reverse: (body, call) => ask(ReverseResponse, { endpoint: 'device.recoveryReverse', body, call }),
    capture: (pathId, body, call) => ask(Payment, { endpoint: 'device.capture', pathId, body, call }),
    adjustTip: (pathId, body, call) => ask(Payment, { endpoint: 'device.tipAdjust', pathId, body, call }),
    voidPayment: (pathId, body, call) => ask(Payment, { endpoint: 'device.void', pathId, body, call }),
    record: (body, call) => ask(Payment, { endpoint: 'device.record', body, call }),
    lookUp: (transactionId, call) => ask(Payment, { endpoint: 'device.lookUp', query: { transactionId }, call }),
    reconcile: (body, call) => ask(ReconciliationResponse, { endpoint: 'device.reconciliation', body, call }),
    claimSession: (body, call) => ask(ClaimPaymentSessionResponse, { endpoint: 'device.claimSession', body, call }),
    sessionEvent: (pathId, body, call) =>
      ask(TerminalPaymentSession, { endpoint: 'device.sessionEvent', pathId, body, call }),
  };
}
