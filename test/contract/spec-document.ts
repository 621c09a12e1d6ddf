import { readFileSync } from 'node:fs';

/** The machine-readable specification, as far as the tests read it. */

export interface SpecField {
  readonly type: string | null;
  readonly required: boolean | null;
  readonly nullable?: boolean;
  readonly enum?: readonly string[];
  readonly resource?: string;
  readonly items?: string | { readonly resource?: string };
  readonly fields?: Readonly<Record<string, SpecField>>;
  readonly rules?: Readonly<Record<string, unknown>>;
}

export type SpecFields = Readonly<Record<string, SpecField>>;

export interface SpecEndpoint {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly address: readonly string[] | null;
  readonly credential: string | null;
  readonly idempotencyKey: boolean;
  readonly request: string | null;
  readonly operation?: string;
  readonly query?: SpecFields;
  readonly success: { readonly status: number | null; readonly body: string | null };
  readonly errors: readonly { readonly status: number | null }[];
}

interface SpecMove {
  readonly from: readonly string[];
  readonly trigger: string;
  readonly to: readonly string[];
}

interface SpecCredential {
  readonly id: string;
  readonly header: string | null;
  readonly validFor: { readonly endpoints: readonly string[] };
}

interface Spec {
  readonly resources: Readonly<Record<string, { readonly fields: SpecFields }>>;
  readonly endpoints: readonly SpecEndpoint[];
  readonly websocket: {
    readonly path: string;
    readonly clientDiscriminator: string;
    readonly serverDiscriminator: string;
    readonly actions: Readonly<Record<string, { readonly fields: SpecFields }>>;
    readonly events: Readonly<
      Record<string, { readonly fields: SpecFields; readonly sampleFields?: readonly string[] }>
    >;
    readonly sequences: readonly { readonly name: string; readonly order: readonly string[] }[];
  };
  readonly transitions: {
    readonly payment: readonly SpecMove[];
    readonly terminalPaymentSession: readonly SpecMove[];
    readonly values: Readonly<Record<string, readonly string[]>>;
    readonly pollingStopsOn: readonly string[];
  };
  readonly credentials: readonly SpecCredential[];
  readonly limits: readonly { readonly limit: string; readonly appliesTo: string | readonly string[] }[];
  readonly versioning: {
    readonly posApi: string;
    readonly posPrefix: string;
    readonly hostPrefixes: readonly string[];
  };
}

function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/spec/${name}`, import.meta.url), 'utf8');
}

export const spec: Spec = JSON.parse(fixture('spec.json'));

/** Sections 3, 4 and 6 of the decisions. */
export const decisions = fixture('decisions-3-4-6.md');

/** Endpoints of the POS address: the POS API itself, and reconciliation and settlements, which it serves too. */
export const posEndpoints = spec.endpoints.filter(({ id }) => /^(pos|reconciliation|settlements)\./.test(id));

/** Resources that those endpoints and the session use. */
export const posResources = [
  'TransactionRequest',
  'TransactionResponse',
  'ReceiptData',
  'DeviceStatus',
  'ErrorResponse',
  'TransactionTotals',
  'Settlement',
  'SettlementList',
  'ReconciliationRequest',
  'ReconciliationResponse',
] as const;

/** Endpoints of the host address, without those of online payments. */
export const hostEndpointsOfSpec = spec.endpoints.filter(({ id }) =>
  /^(device|host|paymentSessions|tipConfig|reconciliation|settlements)\./.test(id),
);

/** Resources that those endpoints use. */
export const hostResources = [
  'TransactionTotals',
  'Settlement',
  'SettlementList',
  'ReconciliationRequest',
  'ReconciliationResponse',
  'Payment',
  'TerminalPaymentSession',
  'SessionDeviceEvent',
  'PaymentSessionDetail',
  'CancelPaymentSessionRequest',
  'TerminalTipConfigRequest',
  'TerminalTipConfigResponse',
  'AuthorizeRequest',
  'AuthorizeResponse',
  'ReverseRequest',
  'ReverseResponse',
  'TipAdjustRequest',
  'ErrorResponse',
] as const;
