import type { PaymentStatus } from '../../../app/contract/host/payment.ts';
import type { SessionStatus } from '../../../app/contract/host/payment-session.ts';
import { columnsOf, type DatabaseKind, type Migration, maybe, table } from '../migration.ts';

const paymentStatuses: readonly PaymentStatus[] = [
  'REQUIRES_PAYMENT_METHOD',
  'REQUIRES_CONFIRMATION',
  'REQUIRES_ACTION',
  'PROCESSING',
  'REQUIRES_CAPTURE',
  'SUCCEEDED',
  'DECLINED',
  'REVERSED',
  'CANCELED',
  'FAILED',
];
const sessionStatuses: readonly SessionStatus[] = [
  'CREATED',
  'CLAIMED',
  'IN_PROGRESS',
  'SUCCEEDED',
  'DECLINED',
  'CANCELED',
  'FAILED',
  'EXPIRED',
  'RECOVERY_REQUIRED',
];
const entryKinds = [
  ...(['HOLD', 'HOLD_INCREASE', 'HOLD_DECREASE', 'HOLD_RELEASE', 'CAPTURE'] as const),
  ...(['VOID', 'CAPTURE_REVERSAL', 'REFUND', 'REFUND_REVERSAL'] as const),
];
const messageKinds = ['AUTHORIZE', 'CAPTURE', 'ADJUST_TIP', 'VOID', 'REFUND', 'REVERSE', 'CLOSE_BATCH'];

/** Merchants, payments and their money, sessions, settlements. merchant_id leads every key, but for what is looked up by a secret's hash. */
export const host001: Migration = {
  version: 1,
  statements: (kind) => [
    ...provisioning(kind),
    ...payments(kind),
    ...money(kind),
    ...idempotency(kind),
    ...sessions(kind),
    ...recovery(kind),
    ...jobs(kind),
  ],
};

function provisioning(kind: DatabaseKind): readonly string[] {
  const { int, text, oneOf } = columnsOf(kind);
  return [
    ...table(kind, 'merchants', [text('merchant_id'), text('name'), int('created_at'), 'PRIMARY KEY (merchant_id)']),
    ...table(kind, 'terminals', [
      text('merchant_id'),
      text('terminal_id'),
      text('device_id'),
      text('name'),
      `${text('currency')} CHECK (length(currency) = 3)`,
      oneOf('state', ['UNPAIRED', 'PAIRING', 'PAIRED', 'REVOKED']),
      maybe(text('token_hash')),
      `${int('batch_number')} CHECK (batch_number >= 1)`,
      int('created_at'),
      int('updated_at'),
      'PRIMARY KEY (merchant_id, terminal_id)',
      'FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)',
    ]),
    'CREATE UNIQUE INDEX terminals_by_token ON terminals (token_hash) WHERE token_hash IS NOT NULL',
    ...table(kind, 'pairing_codes', [
      text('selector'),
      text('merchant_id'),
      text('terminal_id'),
      text('code_hash'),
      `${int('tries')} CHECK (tries >= 0)`,
      int('expires_at'),
      'PRIMARY KEY (selector)',
      'UNIQUE (merchant_id, terminal_id)',
      'FOREIGN KEY (merchant_id, terminal_id) REFERENCES terminals (merchant_id, terminal_id)',
    ]),
    ...table(kind, 'api_keys', [
      text('merchant_id'),
      text('key_id'),
      oneOf('kind', ['SECRET', 'PUBLISHABLE']),
      text('name'),
      text('key_hash'),
      int('created_at'),
      maybe(int('expires_at')),
      maybe(int('revoked_at')),
      'PRIMARY KEY (merchant_id, key_id)',
      'UNIQUE (key_hash)',
      'FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)',
    ]),
    ...table(kind, 'tip_configs', [
      text('merchant_id'),
      `${int('config_version')} CHECK (config_version >= 1)`,
      text('config'),
      int('updated_at'),
      'PRIMARY KEY (merchant_id)',
      'FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)',
    ]),
  ];
}

function payments(kind: DatabaseKind): readonly string[] {
  const { int, text, amount, oneOf } = columnsOf(kind);
  const columns = [
    text('merchant_id'),
    text('payment_id'),
    int('created_at'),
    text('terminal_id'),
    text('transaction_id'),
    maybe(text('session_id')),
    oneOf('channel', ['CARD_PRESENT', 'CARD_NOT_PRESENT', 'EXTERNAL_RAIL']),
    oneOf('status', paymentStatuses),
    oneOf('type', ['SALE', 'PRE_AUTH', 'REFUND', 'VOID', 'CARD_READ', 'BALANCE_INQUIRY']),
    maybe(oneOf('capture_method', ['AUTOMATIC', 'MANUAL'])),
    amount('amount_minor'),
    amount('base_minor'),
    amount('tip_minor'),
    amount('cashback_minor'),
    maybe(amount('captured_minor')),
    amount('refunded_minor'),
    `${int('refund_count')} CHECK (refund_count >= 0)`,
    `${text('currency')} CHECK (length(currency) = 3)`,
    maybe(text('reference_id')),
    maybe(text('original_id')),
    maybe(int('auth_expires_at')),
    maybe(int('batch_number')),
    maybe(oneOf('operation', ['CAPTURE', 'VOID', 'ADJUST_TIP'])),
    `${int('revision')} CHECK (revision >= 1)`,
    int('updated_at'),
    text('details'),
    'PRIMARY KEY (merchant_id, payment_id, created_at)',
    'CHECK (base_minor + tip_minor = amount_minor)',
    'CHECK (cashback_minor <= base_minor)',
    'CONSTRAINT captured_within_authorized CHECK (coalesce(captured_minor, 0) <= amount_minor)',
    'CONSTRAINT refunded_within_captured CHECK (refunded_minor <= coalesce(captured_minor, 0))',
  ];
  return [
    ...table(kind, 'payments', columns, { isGrowing: true }),
    'CREATE INDEX payments_by_time ON payments (merchant_id, created_at, payment_id)',
    `CREATE INDEX payments_open ON payments (merchant_id, terminal_id, created_at) WHERE status IN ('PROCESSING', 'FAILED', 'REQUIRES_CAPTURE') OR operation IS NOT NULL`,
    `CREATE INDEX payments_under_way ON payments (updated_at) WHERE status = 'PROCESSING' OR operation IS NOT NULL`,
    `CREATE INDEX payments_lapsing ON payments (auth_expires_at) WHERE status = 'REQUIRES_CAPTURE'`,
    'CREATE INDEX payments_in_batch ON payments (merchant_id, terminal_id, batch_number, created_at, payment_id) WHERE batch_number IS NOT NULL',
    'CREATE INDEX payments_by_reference ON payments (merchant_id, reference_id, created_at) WHERE reference_id IS NOT NULL',
    'CREATE INDEX payments_by_original ON payments (merchant_id, original_id, created_at) WHERE original_id IS NOT NULL',
    // What is unique over all months stands in a table of its own: a partitioned table can only be unique within a month.
    ...table(kind, 'payment_names', [
      text('merchant_id'),
      text('scope'),
      text('name'),
      text('payment_id'),
      int('created_at'),
      'PRIMARY KEY (merchant_id, scope, name)',
    ]),
    ...table(
      kind,
      'acquirer_messages',
      [
        text('merchant_id'),
        text('payment_id'),
        text('message_id'),
        int('created_at'),
        text('terminal_id'),
        text('acquirer'),
        oneOf('kind', messageKinds),
        `${int('attempt')} CHECK (attempt >= 1)`,
        maybe(`${int('stan')} CHECK (stan BETWEEN 1 AND 999999)`),
        maybe(text('rrn')),
        maybe(text('reference')),
        amount('amount_minor'),
        maybe(int('answered_at')),
        maybe(text('answer')),
        'PRIMARY KEY (merchant_id, payment_id, message_id, created_at)',
      ],
      { isGrowing: true },
    ),
  ];
}

function money(kind: DatabaseKind): readonly string[] {
  const { int, text, oneOf } = columnsOf(kind);
  const entries = [
    text('merchant_id'),
    text('payment_id'),
    int('revision'),
    int('line'),
    int('created_at'),
    text('terminal_id'),
    `${int('batch_number')} CHECK (batch_number >= 1)`,
    `${text('currency')} CHECK (length(currency) = 3)`,
    oneOf('kind', entryKinds),
    text('debit'),
    text('credit'),
    `${int('amount_minor')} CHECK (amount_minor BETWEEN 1 AND 9007199254740991)`,
    'PRIMARY KEY (merchant_id, payment_id, revision, line, created_at)',
    'CHECK (debit <> credit)',
  ];
  const settlements = [
    text('merchant_id'),
    text('terminal_id'),
    `${int('batch_number')} CHECK (batch_number >= 1)`,
    text('settlement_id'),
    oneOf('status', ['PENDING', 'SETTLED', 'PARTIAL', 'FAILED']),
    `${text('currency')} CHECK (length(currency) = 3)`,
    int('closed_at'),
    text('totals'),
    text('differences'),
    maybe(text('acquirer_batch_ref')),
    maybe(int('funding_date')),
    maybe(text('acquirer_differences')),
    'PRIMARY KEY (merchant_id, terminal_id, batch_number)',
    'UNIQUE (merchant_id, settlement_id)',
    'FOREIGN KEY (merchant_id, terminal_id) REFERENCES terminals (merchant_id, terminal_id)',
  ];
  const frozen = ['terminal_id', 'batch_number', 'settlement_id', 'currency', 'closed_at', 'totals', 'differences'];
  return [
    ...table(kind, 'entries', entries, { isGrowing: true }),
    'CREATE INDEX entries_in_batch ON entries (merchant_id, terminal_id, batch_number)',
    ...table(kind, 'settlements', settlements),
    'CREATE INDEX settlements_by_time ON settlements (merchant_id, closed_at, settlement_id)',
    ...table(kind, 'batch_closes', [
      text('merchant_id'),
      text('settlement_id'),
      text('terminal_id'),
      text('acquirer'),
      text('reference'),
      `${int('stan')} CHECK (stan BETWEEN 1 AND 999999)`,
      text('rrn'),
      int('sent_at'),
      `${int('attempts')} CHECK (attempts >= 1)`,
      int('next_at'),
      maybe(int('answered_at')),
      'PRIMARY KEY (merchant_id, settlement_id)',
      'FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements (merchant_id, settlement_id)',
    ]),
    'CREATE INDEX batch_closes_due ON batch_closes (next_at) WHERE answered_at IS NULL',
    ...(kind === 'sqlite' ? sqliteGuards(frozen) : postgresGuards(frozen)),
  ];
}

function sqliteGuards(frozen: readonly string[]): readonly string[] {
  const refuse = (text: string) => `BEGIN SELECT RAISE(ABORT, '${text}'); END`;
  return [
    `CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries ${refuse('entries are append-only')}`,
    `CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries ${refuse('entries are append-only')}`,
    `CREATE TRIGGER settlements_frozen BEFORE UPDATE OF ${frozen.join(', ')} ON settlements ${refuse('a closed batch never changes')}`,
    `CREATE TRIGGER settlements_no_delete BEFORE DELETE ON settlements ${refuse('a closed batch never changes')}`,
  ];
}

/** host.is_moving is set, for one transaction, by what moves rows out of the default partition. */
function postgresGuards(frozen: readonly string[]): readonly string[] {
  return [
    `CREATE FUNCTION host_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF current_setting('host.is_moving', true) = 'on' AND TG_OP = 'DELETE' THEN RETURN OLD; END IF;
       RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
     END $$`,
    'CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE ON entries FOR EACH ROW EXECUTE FUNCTION host_append_only()',
    `CREATE TRIGGER settlements_frozen BEFORE UPDATE OF ${frozen.join(', ')} ON settlements FOR EACH ROW EXECUTE FUNCTION host_append_only()`,
    'CREATE TRIGGER settlements_no_delete BEFORE DELETE ON settlements FOR EACH ROW EXECUTE FUNCTION host_append_only()',
  ];
}

function idempotency(kind: DatabaseKind): readonly string[] {
  const { int, text } = columnsOf(kind);
  const key = [text('merchant_id'), text('scope'), text('key')];
  return [
    ...table(kind, 'idempotency_keys', [
      ...key,
      text('request_hash'),
      text('subject_id'),
      int('created_at'),
      int('lease_until'),
      `${int('fence')} CHECK (fence >= 1)`,
      'PRIMARY KEY (merchant_id, scope, key)',
    ]),
    'CREATE INDEX idempotency_by_subject ON idempotency_keys (merchant_id, subject_id)',
    'CREATE INDEX idempotency_by_time ON idempotency_keys (created_at)',
    ...table(
      kind,
      'idempotency_answers',
      [
        ...key,
        int('created_at'),
        int('status_code'),
        text('body'),
        'PRIMARY KEY (merchant_id, scope, key, created_at)',
      ],
      { isGrowing: true },
    ),
  ];
}

function sessions(kind: DatabaseKind): readonly string[] {
  const { int, text, amount, oneOf } = columnsOf(kind);
  return [
    ...table(kind, 'sessions', [
      text('merchant_id'),
      text('session_id'),
      text('terminal_id'),
      text('device_id'),
      text('idempotency_key'),
      text('claim_token'),
      `${int('fence')} CHECK (fence >= 0)`,
      oneOf('operation', ['PURCHASE', 'REFUND']),
      maybe(text('original_transaction_id')),
      amount('amount_minor'),
      `${text('currency')} CHECK (length(currency) = 3)`,
      oneOf('status', sessionStatuses),
      maybe(text('payment_id')),
      maybe(text('failure_code')),
      maybe(amount('final_amount_minor')),
      maybe(amount('tip_amount_minor')),
      `${int('last_event_sequence')} CHECK (last_event_sequence >= 0)`,
      int('expires_at'),
      maybe(int('claimed_at')),
      maybe(int('processing_expires_at')),
      maybe(int('authorization_started_at')),
      maybe(int('completed_at')),
      int('created_at'),
      int('updated_at'),
      'PRIMARY KEY (merchant_id, session_id)',
      'FOREIGN KEY (merchant_id, terminal_id) REFERENCES terminals (merchant_id, terminal_id)',
    ]),
    `CREATE UNIQUE INDEX sessions_one_open ON sessions (merchant_id, terminal_id) WHERE status IN ('CREATED', 'CLAIMED', 'IN_PROGRESS')`,
    `CREATE INDEX sessions_by_deadline ON sessions (updated_at) WHERE status IN ('CREATED', 'CLAIMED', 'IN_PROGRESS')`,
    ...table(kind, 'session_attempts', [
      text('merchant_id'),
      text('session_id'),
      text('payment_id'),
      'PRIMARY KEY (merchant_id, session_id)',
    ]),
    ...table(
      kind,
      'session_events',
      [
        text('merchant_id'),
        text('session_id'),
        `${int('sequence')} CHECK (sequence >= 1)`,
        int('created_at'),
        text('event'),
        'PRIMARY KEY (merchant_id, session_id, sequence, created_at)',
      ],
      { isGrowing: true },
    ),
  ];
}

function recovery(kind: DatabaseKind): readonly string[] {
  const { int, text, oneOf } = columnsOf(kind);
  return [
    ...table(kind, 'reversals', [
      text('merchant_id'),
      text('payment_id'),
      text('terminal_id'),
      text('reason'),
      oneOf('state', ['PENDING', 'FOR_PERSON', 'CONFIRMED']),
      `${int('attempts')} CHECK (attempts >= 0)`,
      int('next_at'),
      int('created_at'),
      maybe(int('confirmed_at')),
      'PRIMARY KEY (merchant_id, payment_id)',
    ]),
    `CREATE INDEX reversals_due ON reversals (next_at) WHERE state <> 'CONFIRMED'`,
    `CREATE INDEX reversals_open ON reversals (merchant_id, terminal_id) WHERE state <> 'CONFIRMED'`,
    ...table(kind, 'recovery_tasks', [
      text('merchant_id'),
      text('task_id'),
      text('payment_id'),
      text('terminal_id'),
      text('reason'),
      oneOf('state', ['OPEN', 'RESOLVED']),
      `${int('attempts')} CHECK (attempts >= 0)`,
      int('next_at'),
      int('created_at'),
      maybe(int('resolved_at')),
      maybe(text('resolution')),
      'PRIMARY KEY (merchant_id, task_id)',
    ]),
    `CREATE UNIQUE INDEX recovery_tasks_one_open ON recovery_tasks (merchant_id, payment_id) WHERE state = 'OPEN'`,
    `CREATE INDEX recovery_tasks_due ON recovery_tasks (next_at) WHERE state = 'OPEN'`,
    'CREATE INDEX recovery_tasks_of ON recovery_tasks (merchant_id, payment_id, created_at)',
  ];
}

function jobs(kind: DatabaseKind): readonly string[] {
  const { int, text } = columnsOf(kind);
  return [
    ...table(kind, 'leases', [
      text('name'),
      text('owner'),
      `${int('fence')} CHECK (fence >= 1)`,
      int('until_at'),
      'PRIMARY KEY (name)',
    ]),
    ...table(kind, 'stan_counters', [
      text('merchant_id'),
      text('acquirer'),
      text('terminal_id'),
      `${int('next_stan')} CHECK (next_stan BETWEEN 1 AND 999999)`,
      'PRIMARY KEY (merchant_id, acquirer, terminal_id)',
    ]),
  ];
}
