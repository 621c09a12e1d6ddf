import type { OutboxItem, OutboxKind } from '../ports/outbox.ts';

/** Kinds that tell the host of a terminal's own payments: it cuts its batches where a close stands among them. */
const reports: ReadonlySet<OutboxKind> = new Set(['EXTERNAL_RECORD', 'EXTERNAL_VOID', 'DAY_CLOSE']);

export function isReport({ kind }: Pick<OutboxItem, 'kind'>): boolean {
  return reports.has(kind);
}

/** Who may leave, asked of what waits from the oldest to the newest, deferred authorizations last; what stays is held. */
export interface OutboxOrder {
  mayLeave(item: OutboxItem): boolean;
  hold(item: OutboxItem): void;
}

/**
 * An item waits for the earlier ones of its transaction, a close for every earlier report of its terminal, and a report for every earlier close. Nothing
 * keeps money from being taken back. A sale that was taken offline waits for the earlier ones of its terminal, and for its reversals (decisions:
 * recovery/reverse, section 7).
 */
export function createOutboxOrder(): OutboxOrder {
  const transactions = new Set<string>();
  const reporting = new Set<string>();
  const closing = new Set<string>();
  const forwarding = new Set<string>();
  const reversing = new Set<string>();
  return {
    mayLeave(item) {
      const { kind, transactionId, terminalId } = item;
      if (kind === 'REVERSAL') return true;
      if (transactions.has(transactionId)) return false;
      if (kind === 'DEFERRED_AUTHORIZATION') return !forwarding.has(terminalId) && !reversing.has(terminalId);
      if (!isReport(item)) return true;
      return kind === 'DAY_CLOSE' ? !reporting.has(terminalId) : !closing.has(terminalId);
    },
    hold(item) {
      const { kind, transactionId, terminalId } = item;
      transactions.add(transactionId);
      if (kind === 'DEFERRED_AUTHORIZATION') forwarding.add(terminalId);
      if (kind === 'REVERSAL') reversing.add(terminalId);
      if (!isReport(item)) return;
      reporting.add(terminalId);
      if (kind === 'DAY_CLOSE') closing.add(terminalId);
    },
  };
}
