import type { ErrorCode } from '../contract/errors.ts';
import type { AuthorizeRequest, AuthorizeResponse } from '../contract/host/authorize.ts';
import type { DeviceConfigResponse } from '../contract/host/device-config.ts';
import type { DeviceReconciliationRequest } from '../contract/host/device-reconciliation.ts';
import type { Payment } from '../contract/host/payment.ts';
import type { PaymentCaptureRequest, PaymentVoidRequest, TipAdjustRequest } from '../contract/host/payment-changes.ts';
import type {
  ClaimPaymentSessionRequest,
  ClaimPaymentSessionResponse,
  SessionDeviceEvent,
  TerminalPaymentSession,
} from '../contract/host/payment-session.ts';
import type { PosClientsResponse } from '../contract/host/pos-clients.ts';
import type { RecordRequest } from '../contract/host/record.ts';
import type { ReverseRequest, ReverseResponse } from '../contract/host/reverse.ts';
import type { ReconciliationResponse } from '../contract/settlements.ts';
import type { Secret } from '../domain/secret.ts';

/** Where the host is and who the till is there; read at each call, since a training till's own host comes after the till. */
export interface HostAccess {
  /** As readHostUrl gives it. */
  readonly url: string;
  readonly deviceToken: Secret<string>;
}

/**
 * How a call ended.
 * ANSWERED: the host did it, and this is its answer. REFUSED: the host says why it did nothing. LOST: it may have arrived, and nobody knows what it did.
 * NOT_SENT: there was no connection, so certainly nothing arrived.
 */
export type HostReply<T> =
  | { readonly kind: 'ANSWERED'; readonly body: T }
  | {
      readonly kind: 'REFUSED';
      readonly errorCode: ErrorCode;
      readonly message: string;
      readonly field?: string;
    }
  | { readonly kind: 'LOST'; readonly reason: string }
  | { readonly kind: 'NOT_SENT'; readonly reason: string };

export interface HostCall {
  /** Milliseconds after which the call is given up. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A call that is done once however often it is sent: by its key. */
interface KeyedHostCall extends HostCall {
  readonly idempotencyKey: string;
}

/** The terminal device API of our host (specification: Terminal device API; decisions: Device additions). No method rejects. */
export interface HostClient {
  config(call: HostCall): Promise<HostReply<DeviceConfigResponse>>;
  posClients(call: HostCall): Promise<HostReply<PosClientsResponse>>;
  authorize(request: AuthorizeRequest, call: KeyedHostCall): Promise<HostReply<AuthorizeResponse>>;
  offlineComplete(request: AuthorizeRequest, call: KeyedHostCall): Promise<HostReply<Payment>>;
  /** Needs no key: it is idempotent by what it names. */
  reverse(request: ReverseRequest, call: HostCall): Promise<HostReply<ReverseResponse>>;
  capture(paymentId: string, request: PaymentCaptureRequest, call: KeyedHostCall): Promise<HostReply<Payment>>;
  /** Sets the whole tip of a payment that is held. */
  adjustTip(paymentId: string, request: TipAdjustRequest, call: KeyedHostCall): Promise<HostReply<Payment>>;
  voidPayment(paymentId: string, request: PaymentVoidRequest, call: KeyedHostCall): Promise<HostReply<Payment>>;
  /** Tells of a payment of the terminal's own acquirer. */
  record(request: RecordRequest, call: KeyedHostCall): Promise<HostReply<Payment>>;
  /** By the name that the till gave the payment. REFUSED NOT_FOUND: the host has never seen it. */
  lookUp(transactionId: string, call: HostCall): Promise<HostReply<Payment>>;
  reconcile(request: DeviceReconciliationRequest, call: KeyedHostCall): Promise<HostReply<ReconciliationResponse>>;
  /** An answer without a session: none waits. */
  claimSession(
    request: ClaimPaymentSessionRequest,
    call: KeyedHostCall,
  ): Promise<HostReply<ClaimPaymentSessionResponse>>;
  /** Needs no key: it is idempotent by its sequence number. */
  sessionEvent(
    sessionId: string,
    event: SessionDeviceEvent,
    call: HostCall,
  ): Promise<HostReply<TerminalPaymentSession>>;
}
