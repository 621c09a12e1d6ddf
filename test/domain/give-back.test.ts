import { expect, it } from 'vitest';
import type { DependentFacts } from '../../app/domain/ceilings.ts';
import { giveBackOf } from '../../app/domain/give-back.ts';
import { transaction } from '../storage/journal-fixture.ts';

const dependents: DependentFacts = { refundedMinor: 0, refundCount: 0 };
const sale = { record: transaction({ amountMinor: 1000 }), dependents, isSettled: false };
const hold = { record: transaction({ type: 'PRE_AUTH' }), dependents, isSettled: false };
const onlyLast = { canVoid: false, canRefund: false, isNotLast: true };

it('a terminal that takes back its last payment only says so of every other one', () => {
  expect(giveBackOf(sale, onlyLast)).toEqual({ kind: 'NONE', reason: 'ONLY_LAST_PAYMENT' });
  expect(giveBackOf(hold, onlyLast)).toEqual({ kind: 'NONE', reason: 'CANNOT_RELEASE' });
  expect(giveBackOf(sale, { ...onlyLast, isNotLast: false })).toEqual({ kind: 'NONE', reason: 'TERMINAL_CANNOT' });
  expect(giveBackOf(sale, { ...onlyLast, canRefund: true })).toEqual({
    kind: 'REFUND',
    reason: 'TERMINAL_CANNOT_VOID',
  });
  expect(giveBackOf(sale, { canVoid: true, canRefund: false })).toEqual({ kind: 'VOID', reason: 'NOT_SETTLED' });
});

it('a terminal that makes no refunds gives nothing back once the day is closed', () => {
  const settled = { ...sale, isSettled: true };
  expect(giveBackOf(settled, { canVoid: true, canRefund: false })).toEqual({ kind: 'NONE', reason: 'CANNOT_REFUND' });
  expect(giveBackOf(settled, onlyLast)).toEqual({ kind: 'NONE', reason: 'CANNOT_REFUND' });
  expect(giveBackOf(settled, { canVoid: true, canRefund: true })).toEqual({
    kind: 'REFUND',
    reason: 'ALREADY_SETTLED',
  });
});
