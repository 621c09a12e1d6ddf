import { totalMinor } from '../domain/money.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { OutboxItem } from '../ports/outbox.ts';

export interface NewOutboxItem extends Pick<OutboxItem, 'terminalId' | 'transactionId' | 'kind' | 'body'> {
  /** What the key names where one transaction may have several of the kind in turn; the transaction otherwise. */
  readonly keyName?: string;
}

/** An item as it is first on disk, with the key that each of its tries bears. */
export function newOutboxItem({ keyName, ...item }: NewOutboxItem, nowIso: string): OutboxItem {
  const idempotencyKey = `${item.kind.toLowerCase()}-${keyName ?? item.transactionId}`;
  const at = { nextAt: nowIso, createdAt: nowIso, updatedAt: nowIso };
  return { ...item, idempotencyKey, state: 'WAITING', attempts: 0, ...at };
}

/** The capture of a sale as it is held. */
export function captureItemOf(record: TransactionRecord): NewOutboxItem {
  const { terminalId, transactionId } = record;
  return { terminalId, transactionId, kind: 'CAPTURE', body: { amountMinor: totalMinor(record) } };
}
