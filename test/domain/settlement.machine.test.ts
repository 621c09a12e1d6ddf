import { describe, expect, it } from 'vitest';
import { type SettlementStatus, SettlementStatus as SettlementStatusSchema } from '../../app/contract/settlements.ts';
import { assertSettlementMove, isSettlementMove } from '../../app/domain/settlement.machine.ts';

const statuses: readonly SettlementStatus[] = JSON.parse(JSON.stringify(SettlementStatusSchema)).enum;
/** By hand from the decisions: PENDING→SETTLED, PARTIAL, FAILED; PARTIAL→SETTLED; FAILED→PENDING. */
const legal = ['PENDING SETTLED', 'PENDING PARTIAL', 'PENDING FAILED', 'PARTIAL SETTLED', 'FAILED PENDING'];

describe('the moves of a settlement', () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

  it('are of four statuses', () => expect(pairs).toHaveLength(16));

  it.each(pairs)('%s → %s is as the table says', (from, to) => {
    const isLegal = legal.includes(`${from} ${to}`);
    expect(isSettlementMove(from, to)).toBe(isLegal);
    if (isLegal) return assertSettlementMove('S1', from, to);
    expect(() => assertSettlementMove('S1', from, to)).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_STATE', httpStatus: 409 }),
    );
  });
});
