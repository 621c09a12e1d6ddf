import { describe, expect, it } from 'vitest';
import {
  assertLegalMove,
  isCorrection,
  isHeld,
  isLegalMove,
  isOpen,
  posStatusOf,
  type Standing,
  statesOfPosStatus,
} from '../../app/domain/transaction.machine.ts';
import type { TransactionState } from '../../app/domain/transaction.ts';

const states: readonly TransactionState[] = [
  'INTENT',
  'PROVISIONAL',
  'PENDING_ONLINE',
  'APPROVED',
  'DECLINED',
  'CANCELLED',
  'ERROR',
];
const finals = ['APPROVED', 'DECLINED', 'CANCELLED', 'ERROR'];
const standings: readonly Standing[] = states.flatMap((state) =>
  (['YES', 'NO', 'UNKNOWN'] as const).map((charged) => ({ state, charged })),
);
const name = ({ state, charged }: Standing) => `${state}/${charged}`;

/** The table written out a second time, by hand, as the decisions tell it. */
function isAllowed(from: Standing, to: Standing): boolean {
  if (from.state === 'INTENT') return to.state !== 'INTENT';
  if (from.state === 'PROVISIONAL' || from.state === 'PENDING_ONLINE') return finals.includes(to.state);
  if (from.state === 'ERROR' && from.charged === 'UNKNOWN') {
    return ['APPROVED', 'DECLINED', 'CANCELLED'].includes(to.state) || name(to) === 'ERROR/NO';
  }
  return false;
}

describe('the moves of a transaction', () => {
  const pairs = standings.flatMap((from) => standings.map((to) => [name(from), name(to), from, to] as const));

  it.each(pairs)('%s → %s is as the table says', (_from, _to, from, to) => {
    const allowed = isAllowed(from, to);
    expect(isLegalMove(from, to)).toBe(allowed);
    if (allowed) return assertLegalMove(from, to, 'tx-1');
    expect(() => assertLegalMove(from, to, 'tx-1')).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_STATE', details: { transactionId: 'tx-1' } }),
    );
  });

  it('allows as many pairs as the table has, and no more', () => {
    expect(pairs.filter(([, , from, to]) => isLegalMove(from, to)).length).toBe(3 * 18 + 6 * 12 + 10);
  });
});

describe('what a person may correct of an end', () => {
  it('is an approval that brought nothing, and an end without money that took some', () => {
    const corrections = standings.flatMap((from) =>
      standings.filter((to) => isCorrection(from, to)).map((to) => `${name(from)} → ${name(to)}`),
    );
    expect(corrections).toEqual([
      'APPROVED/YES → ERROR/NO',
      ...['DECLINED/NO → APPROVED/YES', 'CANCELLED/NO → APPROVED/YES', 'ERROR/NO → APPROVED/YES'],
    ]);
  });
});

describe('what a POS reads', () => {
  it('is IN_PROGRESS for what runs, and the state for everything else', () => {
    expect(states.map(posStatusOf)).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'PENDING_ONLINE', ...finals]);
  });

  it('leads back to the states behind it', () => {
    for (const state of states) expect(statesOfPosStatus(posStatusOf(state))).toContain(state);
    expect(statesOfPosStatus('IN_PROGRESS')).toEqual(['INTENT', 'PROVISIONAL']);
  });
});

describe('what counts against a ceiling', () => {
  it('is everything but what is known to have moved nothing', () => {
    const free = standings.filter((standing) => !isHeld(standing)).map(name);
    expect(free).toEqual([
      ...['DECLINED/YES', 'DECLINED/NO', 'DECLINED/UNKNOWN'],
      ...['CANCELLED/YES', 'CANCELLED/NO', 'CANCELLED/UNKNOWN', 'ERROR/NO'],
    ]);
  });

  it('is open until it has ended', () => {
    expect(states.filter(isOpen)).toEqual(['INTENT', 'PROVISIONAL', 'PENDING_ONLINE']);
  });
});
