import { BridgeError } from '../contract/errors.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { TransactionStatus } from '../contract/transactions.ts';
import type { TransactionRecord, TransactionState } from './transaction.ts';

/** What of a record decides which moves are open: its state, and what is known about the money. */
export interface Standing {
  readonly state: TransactionState;
  readonly charged: Outcome['charged'];
}

const finalStates: readonly TransactionState[] = ['APPROVED', 'DECLINED', 'CANCELLED', 'ERROR'];

/** Every move of a transaction between two states. ERROR has one way out, the late truth: see `isLegalMove`. */
const moves: Readonly<Record<TransactionState, readonly TransactionState[]>> = {
  INTENT: ['PROVISIONAL', 'PENDING_ONLINE', ...finalStates],
  PROVISIONAL: finalStates,
  PENDING_ONLINE: finalStates,
  APPROVED: [],
  DECLINED: [],
  CANCELLED: [],
  ERROR: [],
};

/** INTENT, PROVISIONAL or PENDING_ONLINE: the terminal is taken by it, or a crash has left it so. */
export function isOpen(state: TransactionState): boolean {
  return !finalStates.includes(state);
}

export function standingOf(record: TransactionRecord): Standing {
  return { state: record.state, charged: record.outcome.charged };
}

/** ERROR while money may have moved: a recovery task, or nobody, can tell (decisions: Final status). */
export function isUnknown(standing: Standing): boolean {
  return standing.state === 'ERROR' && standing.charged === 'UNKNOWN';
}

/**
 * Whether it moved money or still may have: approved, open, or ended unknown. Such an operation counts against ceilings and keeps others out
 * (decisions: Refund ceiling: "all approved and all unresolved").
 */
export function isHeld(standing: Standing): boolean {
  return (
    standing.state === 'APPROVED' || isOpen(standing.state) || (standing.state === 'ERROR' && standing.charged !== 'NO')
  );
}

/**
 * Whether a transaction may go from one standing to another. Late truth: an ERROR of unknown outcome becomes APPROVED, DECLINED, CANCELLED, or
 * an ERROR that is known to have charged nothing; that is the only way out of ERROR (decisions: Final status).
 */
export function isLegalMove(from: Standing, to: Standing): boolean {
  if (!isUnknown(from)) return moves[from.state].includes(to.state);
  return finalStates.includes(to.state) && (to.state !== 'ERROR' || to.charged === 'NO');
}

/**
 * What a person may correct while a recovery task about it is open: an approval that brought no money, and an end without money that took some all the
 * same (decisions: Resolve; the host refused to collect, or to take back).
 */
export function isCorrection(from: Standing, to: Standing): boolean {
  if (from.state === 'APPROVED') return from.charged === 'YES' && to.state === 'ERROR' && to.charged === 'NO';
  return !isOpen(from.state) && from.charged === 'NO' && to.state === 'APPROVED' && to.charged === 'YES';
}

/** An approval at the shop's own risk that the issuer has declined afterwards (decisions section 7). */
export function isLateDecline(from: TransactionRecord, to: TransactionRecord): boolean {
  const isOffline = from.state === 'APPROVED' && from.deferred !== undefined && from.deferred !== 'AUTHORIZED';
  return isOffline && to.state === 'DECLINED' && to.deferred === 'DECLINED' && to.outcome.charged === 'NO';
}

/** @throws BridgeError ILLEGAL_STATE for a move that the table does not have. */
export function assertLegalMove(from: Standing, to: Standing, transactionId: string): void {
  if (isLegalMove(from, to)) return;
  throw new BridgeError('ILLEGAL_STATE', `a transaction in state ${from.state} cannot become ${to.state}`, {
    details: { transactionId },
  });
}

/** The status that a POS reads: what still runs is IN_PROGRESS (decisions: Look-up). */
export function posStatusOf(state: TransactionState): TransactionStatus {
  return state === 'INTENT' || state === 'PROVISIONAL' ? 'IN_PROGRESS' : state;
}

/** The states behind a status that a POS filters by. */
export function statesOfPosStatus(status: TransactionStatus): readonly TransactionState[] {
  return status === 'IN_PROGRESS' ? ['INTENT', 'PROVISIONAL'] : [status];
}
