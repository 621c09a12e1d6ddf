import type { SettlementStatus } from '../../../app/contract/settlements.ts';
import type { Tone } from '../../components/status-badge.tsx';

const states = {
  PENDING: { tone: 'BUSY', word: 'day:state.pending' },
  SETTLED: { tone: 'GOOD', word: 'day:state.settled' },
  PARTIAL: { tone: 'WARN', word: 'day:state.partial' },
  FAILED: { tone: 'BAD', word: 'day:state.failed' },
} as const satisfies Record<SettlementStatus, { tone: Tone; word: string }>;

/** The word and tone of a closed batch. */
export function settlementState(status: SettlementStatus) {
  return states[status];
}
