import type { SessionDeviceEvent } from '../contract/host/payment-session.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ClaimedSession, SessionOrder } from '../ports/payment-sessions.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

interface Stored {
  state: ClaimedSession['state'];
  transaction_id: string | null;
  claim: string;
  events: string;
  delivered: number;
  updated_at: string;
}

const columns = 'state, transaction_id, claim, events, delivered, updated_at';

export function createPaymentSessionReader(
  handle: ReadHandle,
): Pick<JournalReader, 'openPaymentSessions' | 'latestPaymentSessions'> {
  const open = handle.read<Stored>(`SELECT ${columns} FROM payment_sessions WHERE state <> 'OVER' ORDER BY seq`);
  const latest = handle.read<Stored>(`SELECT ${columns} FROM payment_sessions ORDER BY seq DESC LIMIT ?`);
  return {
    openPaymentSessions: () => open.all().map(sessionOf),
    latestPaymentSessions: (limit) => latest.all(limit).map(sessionOf),
  };
}

function sessionOf(row: Stored): ClaimedSession {
  return {
    order: JSON.parse(row.claim) as SessionOrder,
    state: row.state,
    ...(row.transaction_id === null ? {} : { transactionId: row.transaction_id }),
    events: JSON.parse(row.events) as readonly SessionDeviceEvent[],
    delivered: row.delivered,
    updatedAt: row.updated_at,
  };
}

export function createPaymentSessionWriter(handle: WriteHandle): Pick<JournalUnit, 'savePaymentSession'> {
  // The claim stays what it was.
  const save = handle.write(
    `INSERT INTO payment_sessions (session_id, terminal_id, state, transaction_id, claim, events, delivered, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (session_id) DO UPDATE SET state = excluded.state, transaction_id = excluded.transaction_id,
       events = excluded.events, delivered = excluded.delivered, updated_at = excluded.updated_at`,
  );
  return {
    savePaymentSession({ order, state, transactionId, events, delivered, updatedAt }) {
      const { sessionId, terminalId } = order;
      const texts = [JSON.stringify(order), JSON.stringify(events)] as const;
      save.run(sessionId, terminalId, state, transactionId ?? null, ...texts, delivered, updatedAt);
    },
  };
}
