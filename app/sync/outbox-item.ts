import type { OutboxItem } from '../ports/outbox.ts';

export type NewOutboxItem = Pick<OutboxItem, 'terminalId' | 'transactionId' | 'kind' | 'body'>;

/** An item as it is first on disk, with the key that each of its tries bears. */
export function newOutboxItem(item: NewOutboxItem, nowIso: string): OutboxItem {
  const idempotencyKey = `${item.kind.toLowerCase()}-${item.transactionId}`;
  const at = { nextAt: nowIso, createdAt: nowIso, updatedAt: nowIso };
  return { ...item, idempotencyKey, state: 'WAITING', attempts: 0, ...at };
}
