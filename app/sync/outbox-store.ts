import type { Journal } from '../ports/journal.ts';
import type { OutboxStore } from '../ports/outbox-store.ts';

/** The outbox in the till's journal: each item is on disk when it was saved. */
export function createOutboxStore(journal: Journal): OutboxStore {
  return {
    save: (item, alongside) =>
      journal.commit((unit) => {
        unit.saveOutboxItem(item);
        alongside?.(unit);
      }),
    settle: (transactionId, nowIso) => journal.commit((unit) => unit.settleOutbox(transactionId, nowIso)),
    account: (transactionId) => journal.findKeptAccount(transactionId),
    eraseTraces: () => journal.eraseTraces(),
    find: (transactionId, kind) => journal.findOutboxItem(transactionId, kind),
    open: () => journal.openOutboxItems(),
  };
}
