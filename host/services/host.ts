import type { Endpoint } from '../../app/contract/endpoints.ts';
import type { AuthorizeRequest, TransactionLookUpQuery } from '../../app/contract/host/authorize.ts';
import type { DeviceConfigResponse } from '../../app/contract/host/device-config.ts';
import type { DeviceReconciliationRequest } from '../../app/contract/host/device-reconciliation.ts';
import type { PairRequest, PairResponse } from '../../app/contract/host/pairing.ts';
import type {
  Payment,
  PaymentList,
  PaymentQuery,
  PaymentRecoveryRequest,
  PaymentRefundRequest,
} from '../../app/contract/host/payment.ts';
import type {
  PaymentCaptureRequest,
  PaymentVoidRequest,
  TipAdjustRequest,
} from '../../app/contract/host/payment-changes.ts';
import type {
  CancelPaymentSessionRequest,
  ClaimPaymentSessionRequest,
  CreatePaymentSessionRequest,
  PaymentSessionDetail,
  SessionDeviceEvent,
  TerminalPaymentSession,
} from '../../app/contract/host/payment-session.ts';
import type { PosClientsResponse } from '../../app/contract/host/pos-clients.ts';
import type { RecordRequest } from '../../app/contract/host/record.ts';
import type { ReverseRequest, ReverseResponse } from '../../app/contract/host/reverse.ts';
import type { SettlementExport } from '../../app/contract/host/settlement-export.ts';
import type { TerminalTipConfigRequest, TerminalTipConfigResponse } from '../../app/contract/host/tip-config.ts';
import type { SessionTicket } from '../../app/contract/session.ts';
import type {
  ReconciliationRequest,
  Settlement,
  SettlementList,
  SettlementQuery,
  TotalsResponse,
} from '../../app/contract/settlements.ts';
import type { BusinessDayRule } from '../../app/domain/business-day.ts';

/** A paired terminal, by its device token. */
export interface DeviceCaller {
  readonly kind: 'DEVICE';
  readonly merchantId: string;
  readonly terminalId: string;
  readonly deviceId: string;
  /** The currency in which the terminal settles (decisions: Terminal currency). */
  readonly currency: string;
  /** By what its business dates are told. */
  readonly businessDay: BusinessDayRule;
}

/** A merchant's server, by its secret key. */
export interface SecretCaller {
  readonly kind: 'SECRET';
  readonly merchantId: string;
  readonly keyId: string;
}

export type Caller = DeviceCaller | SecretCaller;

/** A POS, by the key of its client (decisions: Credentials). */
export interface PosCaller {
  readonly kind: 'POS';
  readonly merchantId: string;
  readonly clientId: string;
  readonly name: string;
}

/** What a call carries beside who sends it and what it asks. */
export interface HostCall {
  readonly requestId: string;
  /** Method and path with its ids: part of what an Idempotency-Key is one key within (decisions: Idempotency). */
  readonly route: string;
  /** There where the endpoint requires it: the server has refused the call otherwise. */
  readonly idempotencyKey?: string;
}

/** An answer that is kept under an Idempotency-Key, byte for byte. */
export interface HostAnswer {
  readonly statusCode: number;
  readonly body: string;
  /** True when an earlier call has got it before. */
  readonly replayed: boolean;
  /** What it is about: the id of a payment, a session, a settlement. */
  readonly subjectId: string;
}

/** Who calls. @throws StoreUnavailable */
export interface HostAdmission {
  /** The terminal that holds this token; undefined when none does. */
  deviceOf(token: string): Promise<DeviceCaller | undefined>;
  /** The POS client that holds this key; undefined when none does. */
  posClientOf(key: string): Promise<PosCaller | undefined>;
  /** The same by the hash of the key (`credentialHash`): for whoever has seen the key before, and keeps no key. */
  posClientOfHash(keyHash: string): Promise<PosCaller | undefined>;
  /** What the key is, SECRET or PUBLISHABLE; undefined when it is none that works. */
  keyOf(key: string): Promise<{ readonly kind: 'SECRET' | 'PUBLISHABLE'; readonly caller: SecretCaller } | undefined>;
}

/** What a paired terminal asks for (specification: Terminal device API; decisions: Device additions). */
export interface DeviceCalls {
  authorize(caller: DeviceCaller, call: HostCall, request: AuthorizeRequest): Promise<HostAnswer>;
  offlineComplete(caller: DeviceCaller, call: HostCall, request: AuthorizeRequest): Promise<HostAnswer>;
  reverse(caller: DeviceCaller, call: HostCall, request: ReverseRequest): Promise<ReverseResponse>;
  adjustTip(caller: DeviceCaller, call: HostCall, paymentId: string, request: TipAdjustRequest): Promise<HostAnswer>;
  capture(caller: DeviceCaller, call: HostCall, paymentId: string, request: PaymentCaptureRequest): Promise<HostAnswer>;
  voidPayment(
    caller: DeviceCaller,
    call: HostCall,
    paymentId: string,
    request: PaymentVoidRequest,
  ): Promise<HostAnswer>;
  record(caller: DeviceCaller, call: HostCall, request: RecordRequest): Promise<HostAnswer>;
  lookUp(caller: DeviceCaller, query: TransactionLookUpQuery): Promise<Payment>;
  closeOwnDay(caller: DeviceCaller, call: HostCall, request: DeviceReconciliationRequest): Promise<HostAnswer>;
  deviceConfig(caller: DeviceCaller): Promise<DeviceConfigResponse>;
  posClients(caller: DeviceCaller): Promise<PosClientsResponse>;
  claimSession(caller: DeviceCaller, call: HostCall, request: ClaimPaymentSessionRequest): Promise<HostAnswer>;
  sessionEvent(caller: DeviceCaller, sessionId: string, event: SessionDeviceEvent): Promise<TerminalPaymentSession>;
}

/** What a merchant's server asks for (specification: secret key; decisions: Secret-key additions). */
export interface MerchantCalls {
  createSession(caller: SecretCaller, call: HostCall, request: CreatePaymentSessionRequest): Promise<HostAnswer>;
  session(caller: SecretCaller, sessionId: string): Promise<PaymentSessionDetail>;
  cancelSession(
    caller: SecretCaller,
    sessionId: string,
    request: CancelPaymentSessionRequest,
  ): Promise<TerminalPaymentSession>;
  payments(caller: SecretCaller, query: PaymentQuery): Promise<PaymentList>;
  payment(caller: SecretCaller, paymentId: string): Promise<Payment>;
  refund(caller: SecretCaller, call: HostCall, paymentId: string, request: PaymentRefundRequest): Promise<HostAnswer>;
  recover(caller: SecretCaller, paymentId: string, request: PaymentRecoveryRequest): Promise<Payment>;
  putTipConfig(
    caller: SecretCaller,
    merchantId: string,
    request: TerminalTipConfigRequest,
  ): Promise<TerminalTipConfigResponse>;
  /** @param terminalId of X-Terminal-Id */
  closeDay(
    caller: SecretCaller,
    call: HostCall,
    terminalId: string | undefined,
    request: ReconciliationRequest,
  ): Promise<HostAnswer>;
  totals(caller: SecretCaller, terminalId: string | undefined): Promise<TotalsResponse>;
  settlements(caller: SecretCaller, query: SettlementQuery): Promise<SettlementList>;
  settlement(caller: SecretCaller, settlementId: string): Promise<Settlement>;
  settlementExport(caller: SecretCaller, settlementId: string): Promise<SettlementExport>;
}

/** A call of the POS API, which the till that holds the terminal answers (decisions: Cloud POS). */
export interface PosCall extends HostCall {
  /** Echoed in the events of what the call starts; of an action of a session. */
  readonly eventRequestId?: string;
  readonly endpoint: Endpoint;
  /** Path and query as the POS sent them. */
  readonly url: string;
  readonly terminalId?: string;
  readonly timeoutSeconds?: number;
  readonly body?: unknown;
  /** The transaction that the path or the body names. */
  readonly namedTransactionId?: string;
}

/** The answer of a till, or what the host says in its place. */
export interface PosAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The outcome is unknown: the host says so in the place of a till that it has lost. */
  readonly isHosts?: true;
  readonly transactionId?: string;
}

/** What a session needs to know of a terminal. */
export interface PosTerminals {
  /** The terminal that is named, or the merchant's only one. */
  posTerminal(
    caller: PosCaller,
    terminalId: string | undefined,
  ): Promise<{ readonly terminalId: string; readonly currency: string }>;
}

/** A POS that has shown its key, and the hash by which it is seen later whether that still works. */
export interface PosKeyHolder {
  readonly caller: PosCaller;
  readonly keyHash: string;
}

/** One-time tickets of WebSocket sessions, for browsers, which cannot send headers with them (decisions: WebSocket). Every process of the host takes each. */
export interface PosTickets {
  /** @throws BridgeError RATE_LIMITED while too many of the client wait to be used */
  issueTicket(holder: PosKeyHolder): Promise<SessionTicket>;
  /** Takes the ticket away; undefined for one that is unknown, used or too old, or whose key was revoked. */
  redeemTicket(ticket: string): Promise<PosKeyHolder | undefined>;
}

export interface PosCalls {
  posCall(caller: PosCaller, call: PosCall): Promise<PosAnswer>;
}

/** Everything that the server of the host calls. Every method rejects with a BridgeError of its endpoint's codes, and nothing else. */
export interface Host extends HostAdmission, DeviceCalls, MerchantCalls, PosCalls, PosTerminals, PosTickets {
  /** The code is the credential. */
  pair(request: PairRequest): Promise<PairResponse>;
}
