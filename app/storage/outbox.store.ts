import type { JsonObject } from '../domain/json-value.ts';
import { Secret } from '../domain/secret.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { KeptAccount } from '../ports/kept-account.ts';
import type { OutboxItem, OutboxKind } from '../ports/outbox.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

interface Stored {
  terminal_id: string;
  transaction_id: string;
  kind: OutboxKind;
  idempotency_key: string;
  body: string;
  state: OutboxItem['state'];
  attempts: number;
  next_at: string;
  trouble: string | null;
  created_at: string;
  updated_at: string;
}

const columns =
  'terminal_id, transaction_id, kind, idempotency_key, body, state, attempts, next_at, trouble, created_at, updated_at';

/** Of every kept account, so that none leaves a part of itself behind (migration 16). */
const KEPT_ACCOUNT_CHARACTERS = 3_000;

type OutboxReads = 'findOutboxItem' | 'openOutboxItems' | 'findKeptAccount';

export function createOutboxReader(handle: ReadHandle): Pick<JournalReader, OutboxReads> {
  const one = handle.read<Stored>(`SELECT ${columns} FROM outbox WHERE transaction_id = ? AND kind = ?`);
  const open = handle.read<Stored>(
    `SELECT ${columns} FROM outbox WHERE state IN ('WAITING', 'SET_ASIDE') ORDER BY seq`,
  );
  const account = handle.read<{ account: string }>('SELECT account FROM kept_accounts WHERE transaction_id = ?');
  return {
    findKeptAccount(transactionId) {
      const row = account.get(transactionId);
      return row === undefined ? undefined : new Secret(JSON.parse(row.account) as ReturnType<KeptAccount['reveal']>);
    },
    findOutboxItem(transactionId, kind) {
      const row = one.get(transactionId, kind);
      return row === undefined ? undefined : itemOf(row);
    },
    openOutboxItems: () => open.all().map(itemOf),
  };
}

function itemOf(row: Stored): OutboxItem {
  return {
    terminalId: row.terminal_id,
    transactionId: row.transaction_id,
    kind: row.kind,
    idempotencyKey: row.idempotency_key,
    body: JSON.parse(row.body) as JsonObject,
    state: row.state,
    attempts: row.attempts,
    nextAt: row.next_at,
    ...(row.trouble === null ? {} : { trouble: row.trouble }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What an item is made with. */
const made = ['idempotency_key', 'body', 'created_at']
  .map((column) => `${column} = CASE outbox.state WHEN 'SETTLED' THEN excluded.${column} ELSE outbox.${column} END`)
  .join(', ');

type OutboxWrites = 'saveOutboxItem' | 'settleOutbox' | 'keepAccount';

export function createOutboxWriter(handle: WriteHandle): Pick<JournalUnit, OutboxWrites> {
  // Key and request stay what they were when the item was created; one that is cleared up makes room for the next of its kind.
  const save = handle.write(
    `INSERT INTO outbox (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (transaction_id, kind) DO UPDATE SET ${made}, state = excluded.state, attempts = excluded.attempts,
       next_at = excluded.next_at, trouble = excluded.trouble, updated_at = excluded.updated_at`,
  );
  const settle = handle.write(
    `UPDATE outbox SET state = 'SETTLED', updated_at = ? WHERE transaction_id = ? AND state = 'SET_ASIDE'`,
  );
  const keep = handle.write('INSERT INTO kept_accounts (transaction_id, account) VALUES (?, ?)');
  const erase = handle.write('DELETE FROM kept_accounts WHERE transaction_id = ?');
  return {
    keepAccount: (transactionId, account) =>
      void keep.run(transactionId, JSON.stringify(account.reveal()).padEnd(KEPT_ACCOUNT_CHARACTERS)),
    settleOutbox: (transactionId, nowIso) => void settle.run(nowIso, transactionId),
    saveOutboxItem(item) {
      save.run(
        item.terminalId,
        item.transactionId,
        item.kind,
        item.idempotencyKey,
        JSON.stringify(item.body),
        item.state,
        item.attempts,
        item.nextAt,
        item.trouble ?? null,
        item.createdAt,
        item.updatedAt,
      );
      if (item.kind === 'DEFERRED_AUTHORIZATION' && item.state !== 'WAITING') erase.run(item.transactionId);
    },
  };
}
