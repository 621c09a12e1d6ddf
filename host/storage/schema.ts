import type { Generated } from 'kysely';

/** Rows as the tables hold them, on both databases: instants in ms since the Unix epoch, amounts in minor units, objects as JSON text. */

interface MerchantsTable {
  merchant_id: string;
  name: string;
  created_at: number;
}

interface TerminalsTable {
  merchant_id: string;
  terminal_id: string;
  device_id: string;
  name: string;
  currency: string;
  state: string;
  token_hash: string | null;
  batch_number: number;
  created_at: number;
  updated_at: number;
  /** IANA name. */
  time_zone: Generated<string>;
  /** Local time HH:MM. */
  day_cut_off: Generated<string>;
}

interface PairingCodesTable {
  selector: string;
  merchant_id: string;
  terminal_id: string;
  code_hash: string;
  tries: number;
  expires_at: number;
}

interface ApiKeysTable {
  merchant_id: string;
  key_id: string;
  kind: string;
  name: string;
  key_hash: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

interface PosClientsTable {
  merchant_id: string;
  client_id: string;
  name: string;
  key_hash: string;
  earlier_key_hash: string | null;
  earlier_key_until: number | null;
  created_at: number;
  revoked_at: number | null;
}

interface CloudCallsTable {
  merchant_id: string;
  client_id: string;
  terminal_id: string;
  route: string;
  key: string;
  request_hash: string;
  transaction_id: string;
  request: string;
  state: 'ASSIGNED' | 'SENT' | 'ANSWERED';
  created_at: number;
  status_code: number | null;
  body: string | null;
}

interface PosClientListsTable {
  merchant_id: string;
  version: number;
}

export interface PaymentsTable {
  merchant_id: string;
  payment_id: string;
  created_at: number;
  terminal_id: string;
  transaction_id: string;
  session_id: string | null;
  channel: string;
  status: string;
  type: string;
  capture_method: string | null;
  /** Authorized, tip included. */
  amount_minor: number;
  base_minor: number;
  tip_minor: number;
  cashback_minor: number;
  captured_minor: number | null;
  refunded_minor: number;
  refund_count: number;
  currency: string;
  reference_id: string | null;
  original_id: string | null;
  auth_expires_at: number | null;
  batch_number: number | null;
  operation: string | null;
  revision: number;
  updated_at: number;
  /** What nothing is looked up by. */
  details: string;
}

interface PaymentNamesTable {
  merchant_id: string;
  /** Empty for ids; the terminal for names that its till gave. */
  scope: string;
  name: string;
  payment_id: string;
  /** Of the payment: it tells the partition. */
  created_at: number;
}

interface EntriesTable {
  merchant_id: string;
  payment_id: string;
  /** Revision of the payment that the entry belongs to, and its line among those of the revision. */
  revision: number;
  line: number;
  created_at: number;
  terminal_id: string;
  batch_number: number;
  currency: string;
  kind: string;
  debit: string;
  credit: string;
  amount_minor: number;
}

export interface AcquirerMessagesTable {
  merchant_id: string;
  payment_id: string;
  message_id: string;
  created_at: number;
  terminal_id: string;
  acquirer: string;
  kind: string;
  attempt: number;
  stan: number | null;
  rrn: string | null;
  reference: string | null;
  amount_minor: number;
  answered_at: number | null;
  answer: string | null;
}

export interface IdempotencyKeysTable {
  merchant_id: string;
  scope: string;
  key: string;
  request_hash: string;
  subject_id: string;
  created_at: number;
  lease_until: number;
  fence: number;
}

interface IdempotencyAnswersTable {
  merchant_id: string;
  scope: string;
  key: string;
  /** Of the key: it tells the partition. */
  created_at: number;
  status_code: number;
  body: string;
}

export interface SessionsTable {
  merchant_id: string;
  session_id: string;
  terminal_id: string;
  device_id: string;
  idempotency_key: string;
  claim_token: string;
  fence: number;
  operation: string;
  original_transaction_id: string | null;
  amount_minor: number;
  currency: string;
  status: string;
  payment_id: string | null;
  failure_code: string | null;
  final_amount_minor: number | null;
  tip_amount_minor: number | null;
  last_event_sequence: number;
  expires_at: number;
  claimed_at: number | null;
  processing_expires_at: number | null;
  authorization_started_at: number | null;
  completed_at: number | null;
  created_at: number;
  updated_at: number;
  /** What a person has found out of one in RECOVERY_REQUIRED. */
  resolution: string | null;
}

interface SessionAttemptsTable {
  merchant_id: string;
  session_id: string;
  payment_id: string;
}

interface SessionEventsTable {
  merchant_id: string;
  session_id: string;
  sequence: number;
  created_at: number;
  event: string;
}

export interface ReversalsTable {
  merchant_id: string;
  payment_id: string;
  terminal_id: string;
  reason: string;
  state: string;
  attempts: number;
  next_at: number;
  created_at: number;
  confirmed_at: number | null;
}

interface TipConfigsTable {
  merchant_id: string;
  config_version: number;
  config: string;
  updated_at: number;
}

export interface SettlementsTable {
  merchant_id: string;
  terminal_id: string;
  batch_number: number;
  settlement_id: string;
  status: string;
  currency: string;
  closed_at: number;
  totals: string;
  differences: string;
  acquirer_batch_ref: string | null;
  funding_date: number | null;
  /** Differences that the acquirer's answer has shown; those of the close are frozen. */
  acquirer_differences: string | null;
  /** YYYY-MM-DD; of the close at the terminal's till where that is another date. Absent in what was closed before there were any. */
  business_date: string | null;
  terminal_business_date: string | null;
  /** TILL or SERVER; absent in what was closed before it was kept. */
  closed_by: string | null;
}

export interface BatchClosesTable {
  merchant_id: string;
  settlement_id: string;
  terminal_id: string;
  acquirer: string;
  reference: string;
  stan: number;
  rrn: string;
  sent_at: number;
  attempts: number;
  next_at: number;
  answered_at: number | null;
}

export interface RecoveryTasksTable {
  merchant_id: string;
  task_id: string;
  payment_id: string;
  terminal_id: string;
  reason: string;
  state: string;
  attempts: number;
  next_at: number;
  created_at: number;
  resolved_at: number | null;
  resolution: string | null;
}

interface LeasesTable {
  name: string;
  owner: string;
  fence: number;
  until_at: number;
}

interface StanCountersTable {
  merchant_id: string;
  acquirer: string;
  terminal_id: string;
  next_stan: number;
}

interface HostSecretsTable {
  name: string;
  fingerprint: string;
  made_at: number;
}

interface LinkLeasesTable {
  merchant_id: string;
  terminal_id: string;
  node: string;
  fence: number;
  until_at: number;
}

interface SessionTicketsTable {
  ticket_hash: string;
  merchant_id: string;
  client_id: string;
  key_hash: string;
  until_at: number;
}

interface HostNodesTable {
  node: string;
  heard_until: number;
}

/** Every table of the host. */
export interface HostTables {
  merchants: MerchantsTable;
  terminals: TerminalsTable;
  pairing_codes: PairingCodesTable;
  api_keys: ApiKeysTable;
  pos_clients: PosClientsTable;
  pos_client_lists: PosClientListsTable;
  cloud_calls: CloudCallsTable;
  payments: PaymentsTable;
  payment_names: PaymentNamesTable;
  entries: EntriesTable;
  acquirer_messages: AcquirerMessagesTable;
  idempotency_keys: IdempotencyKeysTable;
  idempotency_answers: IdempotencyAnswersTable;
  sessions: SessionsTable;
  session_attempts: SessionAttemptsTable;
  session_events: SessionEventsTable;
  reversals: ReversalsTable;
  tip_configs: TipConfigsTable;
  settlements: SettlementsTable;
  batch_closes: BatchClosesTable;
  recovery_tasks: RecoveryTasksTable;
  leases: LeasesTable;
  link_leases: LinkLeasesTable;
  session_tickets: SessionTicketsTable;
  host_nodes: HostNodesTable;
  stan_counters: StanCountersTable;
  host_secrets: HostSecretsTable;
  schema_steps: { version: number; made_at: number };
}

/** Tables that grow with every payment: partitioned by month of created_at on PostgreSQL. */
export const growingTables = [
  'payments',
  'entries',
  'acquirer_messages',
  'idempotency_answers',
  'session_events',
] as const satisfies readonly (keyof HostTables)[];
