import { BridgeError } from '../contract/errors.ts';
import type { SettlementStatus } from '../contract/settlements.ts';

/** What the acquirer's side tells about a closed batch (decisions: Settlements). A close creates a settlement as PENDING or PARTIAL. */
const moves: Readonly<Record<SettlementStatus, readonly SettlementStatus[]>> = {
  PENDING: ['SETTLED', 'PARTIAL', 'FAILED'],
  PARTIAL: ['SETTLED'],
  FAILED: ['PENDING'],
  SETTLED: [],
};

export function isSettlementMove(from: SettlementStatus, to: SettlementStatus): boolean {
  return moves[from].includes(to);
}

/** @throws BridgeError ILLEGAL_STATE for a move that the table does not have. */
export function assertSettlementMove(settlementId: string, from: SettlementStatus, to: SettlementStatus): void {
  if (isSettlementMove(from, to)) return;
  throw new BridgeError('ILLEGAL_STATE', `settlement ${settlementId} is ${from} and cannot become ${to}`);
}
