import { describe, expect, it } from 'vitest';
import {
  compareBatch,
  differenceText,
  netAmountOf,
  openPreAuthsOf,
  schemeTotalsOf,
  sideOf,
  totalsOf,
} from '../../app/domain/totals.ts';
import type { TransactionRecord } from '../../app/domain/transaction.ts';
import { transaction, unknownOutcome } from '../storage/journal-fixture.ts';

const zero = {
  saleCount: 0,
  saleAmount: 0,
  refundCount: 0,
  refundAmount: 0,
  voidCount: 0,
  voidAmount: 0,
  preAuthCount: 0,
  preAuthAmount: 0,
  currency: 'EUR',
};

function book(...records: readonly Partial<TransactionRecord>[]): readonly TransactionRecord[] {
  return records.map((record, index) => transaction({ transactionId: `tx-${index}`, ...record }));
}

const totals = (records: readonly TransactionRecord[], batch = 1) => totalsOf(records, batch, 'EUR');

describe('totals', () => {
  it('of a sale of 1000 that is voided are sale 1000, void 1000, net 0', () => {
    const found = totals(book({ transactionId: 's' }, { type: 'VOID', targetTransactionId: 's' }));
    expect(found).toEqual({ ...zero, saleCount: 1, saleAmount: 1000, voidCount: 1, voidAmount: 1000 });
    expect(netAmountOf(found)).toBe(0);
  });

  it('of a pre-authorization of 1000 that is voided are all zero', () => {
    expect(totals(book({ transactionId: 'p', type: 'PRE_AUTH' }, { type: 'VOID', targetTransactionId: 'p' }))).toEqual(
      zero,
    );
  });

  it('count tip and cash-back', () => {
    expect(totals(book({ tipAmountMinor: 100, cashbackAmountMinor: 500 })).saleAmount).toBe(1600);
  });

  it('count a completed pre-authorization as a sale in the batch of its completion, also when it is voided', () => {
    const hold = { transactionId: 'p', type: 'PRE_AUTH', batchNumber: 1 } as const;
    const done = {
      transactionId: 'c',
      type: 'PRE_AUTH_COMPLETE',
      targetTransactionId: 'p',
      amountMinor: 800,
      batchNumber: 2,
    } as const;
    expect(totals(book(hold, done), 1)).toEqual(zero);
    expect(totals(book(hold, done), 2)).toEqual({ ...zero, saleCount: 1, saleAmount: 800 });
    const undone = { type: 'VOID', targetTransactionId: 'c', amountMinor: 800, batchNumber: 2 } as const;
    expect(totals(book(hold, done, undone), 2)).toEqual({
      ...zero,
      ...{ saleCount: 1, saleAmount: 800, voidCount: 1, voidAmount: 800 },
    });
  });

  it('carry open pre-authorizations over the close', () => {
    const open = book({ type: 'PRE_AUTH', batchNumber: 1, tipAmountMinor: 50 });
    expect(totals(open, 1)).toEqual({ ...zero, preAuthCount: 1, preAuthAmount: 1050 });
    expect(totals(open, 2)).toEqual(totals(open, 1));
    expect(openPreAuthsOf(open)).toEqual(open);
  });

  it('keep a hold open until its completion or release is approved', () => {
    const hold = { transactionId: 'p', type: 'PRE_AUTH' } as const;
    for (const type of ['VOID', 'PRE_AUTH_COMPLETE'] as const) {
      expect(totals(book(hold, { type, targetTransactionId: 'p', state: 'DECLINED' })).preAuthCount).toBe(1);
      expect(totals(book(hold, { type, targetTransactionId: 'p', state: 'APPROVED' })).preAuthCount).toBe(0);
    }
  });

  it('may be negative in the net', () => {
    const found = totals(book({ type: 'REFUND', amountMinor: 300 }));
    expect(found).toEqual({ ...zero, refundCount: 1, refundAmount: 300 });
    expect(netAmountOf(found)).toBe(-300);
  });

  it.each([
    ['declined', { state: 'DECLINED' }],
    ['cancelled', { state: 'CANCELLED' }],
    ['running', { state: 'INTENT' }],
    ['provisional', { state: 'PROVISIONAL' }],
    ['of unknown outcome', { state: 'ERROR', outcome: unknownOutcome().outcome }],
    ['authorized by the POS', { mode: 'GRANULAR' }],
    ['of another batch', { batchNumber: 2 }],
    ['of another currency', { currency: 'CHF' }],
    ['a card read', { type: 'CARD_READ', amountMinor: 0 }],
    ['a balance inquiry', { type: 'BALANCE_INQUIRY', amountMinor: 0 }],
  ] as const)('leave out what is %s', (_name, record) => {
    expect(totals(book(record))).toEqual(zero);
    expect(schemeTotalsOf(book(record), 1, 'EUR')).toEqual([]);
  });

  it('above 2^53 − 1 are refused', () => {
    const largest = { amountMinor: Number.MAX_SAFE_INTEGER } as const;
    expect(totals(book(largest)).saleAmount).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => totals(book(largest, { amountMinor: 1 }))).toThrow(
      expect.objectContaining({ code: 'AMOUNT_TOO_LARGE' }),
    );
  });
});

describe('the comparison with a terminal’s batch', () => {
  const records = book(
    { transactionId: 'a', card: { cardScheme: 'VISA' } },
    { transactionId: 'b', card: { cardScheme: 'VISA' }, amountMinor: 200 },
    { type: 'VOID', targetTransactionId: 'b', amountMinor: 200 },
    { type: 'REFUND', targetTransactionId: 'a', amountMinor: 300, card: { cardScheme: 'VISA' } },
    { card: {}, amountMinor: 50 },
  );
  const schemes = schemeTotalsOf(records, 1, 'EUR');

  it('nets voids and refunds per scheme', () => {
    expect(schemes).toEqual([
      { scheme: 'OTHER', count: 1, amountMinor: 50 },
      { scheme: 'VISA', count: 2, amountMinor: 700 },
    ]);
  });

  const agreeing = { totalMinor: 750, schemes };

  it('finds nothing where the sides agree', () => {
    expect(compareBatch(totals(records), schemes, agreeing)).toEqual([]);
  });

  it('compares only what the terminal reports', () => {
    expect(compareBatch(totals(records), schemes, { schemes: [] })).toEqual([]);
    expect(compareBatch(totals(records), schemes, { totalMinor: 749, schemes: [] })).toEqual([
      { field: 'totalAmount', ours: 750, theirs: 749 },
    ]);
  });

  it.each([
    ['nothing', 0, 0],
    ['how far below', 300, 300],
  ])('finds no difference where a sum below zero is told without its sign, as %s', (_, totalMinor, amountMinor) => {
    const refunded = book({
      type: 'REFUND',
      targetTransactionId: 'before',
      amountMinor: 300,
      card: { cardScheme: 'VISA' },
    });
    const told = { totalMinor, schemes: [{ scheme: 'VISA', count: 1, amountMinor }] };
    expect(compareBatch(totals(refunded), schemeTotalsOf(refunded, 1, 'EUR'), told)).toEqual([]);
    expect(compareBatch(totals(refunded), [], { totalMinor: 299, schemes: [] })).toEqual([
      { field: 'totalAmount', ours: -300, theirs: 299 },
    ]);
  });

  it('takes a total of zero for a difference where the journal is above zero', () => {
    expect(compareBatch(totals(records), schemes, { totalMinor: 0, schemes: [] })).toEqual([
      { field: 'totalAmount', ours: 750, theirs: 0 },
    ]);
  });

  it('names each figure that differs', () => {
    const reported = {
      totalMinor: 760,
      schemes: [
        { scheme: 'VISA', count: 3, amountMinor: 700 },
        { scheme: 'JCB', count: 0, amountMinor: 10 },
        { scheme: 'AMEX', count: 0, amountMinor: 0 },
      ],
    };
    const differences = compareBatch(totals(records), schemes, reported);
    expect(differences).toEqual([
      { field: 'totalAmount', ours: 750, theirs: 760 },
      { field: 'JCB.amount', ours: 0, theirs: 10 },
      { field: 'OTHER.count', ours: 1, theirs: 0 },
      { field: 'OTHER.amount', ours: 50, theirs: 0 },
      { field: 'VISA.count', ours: 2, theirs: 3 },
    ]);
    expect(differences.map((each) => differenceText(each, sideOf(reported)))[0]).toBe(
      'totalAmount: journal 750, terminal 760',
    );
  });

  it('names what the acquirer counts otherwise, where the terminal tells that beside its own total', () => {
    const reported = { totalMinor: 750, hostTotalMinor: 740, schemes: [] };
    const differences = compareBatch(totals(records), schemes, reported);
    expect(differences.map((each) => differenceText(each, sideOf(reported)))).toEqual([
      'acquirerTotalAmount: journal 750, acquirer 740',
    ]);
    expect(compareBatch(totals(records), schemes, { ...reported, hostTotalMinor: 750 })).toEqual([]);
  });

  it('names each kind of payment that our host counts otherwise, also where the net sum is the same', () => {
    const ours = totals(records);
    const theirs = { ...ours, saleCount: ours.saleCount + 1, voidAmount: ours.voidAmount + 1, preAuthCount: 7 };
    const reported = { totalMinor: 750, schemes: [], totals: theirs };
    const differences = compareBatch(ours, schemes, reported);
    expect(differences).toEqual([
      { field: 'saleCount', ours: ours.saleCount, theirs: ours.saleCount + 1 },
      { field: 'voidAmount', ours: 200, theirs: 201 },
      { field: 'preAuthCount', ours: 0, theirs: 7 },
    ]);
    expect(differences.map((each) => differenceText(each, sideOf(reported)))).toContain(
      'voidAmount: journal 200, host 201',
    );
    expect(compareBatch(ours, schemes, { schemes: [], totals: { ...ours } })).toEqual([]);
  });
});
