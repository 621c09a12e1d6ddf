import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountsToFind,
  type BatchEvidence,
  type ExplainedDifference,
  explainDifferences,
} from '../../app/domain/batch-differences.ts';
import { netAmountOf, type ReportedBatch, schemeTotalsOf, totalsOf } from '../../app/domain/totals.ts';
import type { TransactionRecord } from '../../app/domain/transaction.ts';
import { transaction } from '../storage/journal-fixture.ts';

const visa = { cardScheme: 'VISA' } as const;

function evidenceOf(records: readonly TransactionRecord[]): readonly BatchEvidence[] {
  return records.map((record) => {
    const target = records.find(({ transactionId }) => transactionId === record.targetTransactionId);
    return { record, ...(target === undefined ? {} : { target }) };
  });
}

function compared(records: readonly TransactionRecord[], reported: ReportedBatch, batchNumber = 1) {
  return {
    batchNumber,
    totals: totalsOf(records, batchNumber, 'EUR'),
    schemes: schemeTotalsOf(records, batchNumber, 'EUR'),
    reported,
  };
}

/** What a terminal tells that has exactly these payments. */
function toldBy(records: readonly TransactionRecord[], batchNumber = 1): ReportedBatch {
  return {
    totalMinor: netAmountOf(totalsOf(records, batchNumber, 'EUR')),
    schemes: schemeTotalsOf(records, batchNumber, 'EUR'),
  };
}

/** Journal against terminal; explained by everything that the journal holds. */
function explain(journal: readonly TransactionRecord[], reported: ReportedBatch): readonly ExplainedDifference[] {
  return explainDifferences(compared(journal, reported), evidenceOf(journal));
}

const plain = (found: readonly ExplainedDifference[]) =>
  found.map(({ kind, candidates }) => [
    kind,
    ...candidates.map(({ record, reason }) => `${record.transactionId} ${reason}`),
  ]);

const first = transaction({ transactionId: 'first', card: visa, amountMinor: 1_000 });
const second = transaction({ transactionId: 'second', card: visa, amountMinor: 700, tipAmountMinor: 70 });

describe('the differences of a batch', () => {
  it('are none where both sides have the same', () => {
    expect(explain([first, second], toldBy([first, second]))).toEqual([]);
  });

  it('name the total of the acquirer, beside what the terminal counts itself', () => {
    const told = { ...toldBy([first, second]), hostTotalMinor: 1_000 };
    expect(explain([first, second], told)).toMatchObject([
      { kind: 'ACQUIRER_TOTAL', journal: { amountMinor: 1_770 }, terminal: { amountMinor: 1_000 }, candidates: [] },
    ]);
    expect(explain([first, second], { ...told, hostTotalMinor: 1_770 })).toEqual([]);
  });

  it('name the payment that the terminal lacks', () => {
    expect(plain(explain([first, second], toldBy([second])))).toEqual([['JOURNAL_ONLY', 'first NOT_AT_TERMINAL']]);
  });

  it('name an attempt that the journal has as not paid, where the terminal has a payment of its amount', () => {
    const attempt = { ...first, state: 'CANCELLED', card: {}, outcome: { charged: 'NO' } } as TransactionRecord;
    expect(plain(explain([attempt, second], toldBy([first, second])))).toEqual([['TERMINAL_ONLY', 'first NOT_PAID']]);
  });

  it('say that the result of a payment had been unknown', () => {
    const asked = { ...first, evidence: [{ at: first.createdAt, question: 'q', answer: 'a' }] };
    expect(plain(explain([asked, second], toldBy([second])))).toEqual([['OUTCOME_WAS_UNKNOWN', 'first WAS_UNKNOWN']]);
  });

  it('find a void that stands in another batch than its sale', () => {
    const sold = { ...first, batchNumber: 1 };
    const undone = transaction({
      transactionId: 'undone',
      type: 'VOID',
      targetTransactionId: 'first',
      batchNumber: 2,
      amountMinor: 1_000,
    });
    const found = explain([sold, second, undone], toldBy([second]));
    expect(found[0]?.kind).toBe('VOID_ACROSS_CLOSES');
    expect(found[0]?.candidates[0]).toMatchObject({
      reason: 'VOID_ACROSS_CLOSES',
      record: { transactionId: 'undone' },
    });
  });

  it('find the tip that the terminal did not add', () => {
    expect(plain(explain([first, second], toldBy([first, { ...second, tipAmountMinor: 0 }])))).toEqual([
      ['AMOUNT_DIFFERS', 'second TIP'],
    ]);
  });

  it('take the same payments under another name for one line', () => {
    const renamed = toldBy([first]).schemes.map((row) => ({ ...row, scheme: 'V PAY' }));
    expect(explain([first], { totalMinor: 1_000, schemes: renamed })).toMatchObject([
      { kind: 'SCHEME_NAMED_DIFFERENTLY', scheme: 'VISA', terminalScheme: 'V PAY' },
    ]);
  });

  it('are looked for in the total where the terminal tells no cards', () => {
    expect(plain(explain([first, second], { totalMinor: 770, schemes: [] }))).toEqual([
      ['JOURNAL_ONLY', 'first NOT_AT_TERMINAL'],
    ]);
  });

  it('are looked for by kind of payment where our host tells the kinds, and add up to nothing more', () => {
    const back = transaction({ transactionId: 'back', type: 'REFUND', amountMinor: 300, card: visa });
    const book = [first, second, back];
    const kindsOf = (records: readonly TransactionRecord[]) => ({
      totalMinor: netAmountOf(totalsOf(records, 1, 'EUR')),
      schemes: [],
      totals: totalsOf(records, 1, 'EUR'),
    });
    expect(explain(book, kindsOf(book))).toEqual([]);
    const found = explain(book, kindsOf([second]));
    expect(plain(found)).toEqual([
      ['JOURNAL_ONLY', 'first NOT_AT_TERMINAL'],
      ['JOURNAL_ONLY', 'back NOT_AT_TERMINAL'],
    ]);
    expect(found).toMatchObject([
      { operation: 'SALE', journal: { count: 2, amountMinor: 1_770 }, terminal: { count: 1, amountMinor: 770 } },
      { operation: 'REFUND', journal: { count: 1, amountMinor: 300 }, terminal: { count: 0, amountMinor: 0 } },
    ]);
    const other = { ...first, transactionId: 'other', batchNumber: 2 };
    expect(
      plain(explainDifferences(compared([second], kindsOf([first, second])), evidenceOf([second, other]))),
    ).toEqual([['TERMINAL_ONLY', 'other OTHER_BATCH']]);
  });

  it('tell a total of the terminal that is not the sum of its own rows', () => {
    expect(plain(explain([first], { totalMinor: 900, schemes: toldBy([first]).schemes }))).toEqual([
      ['TERMINAL_TOTAL'],
    ]);
  });

  it('are none where a sum below zero is told without its sign', () => {
    const back = transaction({ transactionId: 'back', type: 'REFUND', amountMinor: 300, card: visa });
    const told = { totalMinor: 0, schemes: [{ scheme: 'VISA', count: 1, amountMinor: 0 }] };
    expect(explain([back], told)).toEqual([]);
  });
});

const drawnSale = fc.record({
  amountMinor: fc.integer({ min: 1, max: 5_000 }),
  tipAmountMinor: fc.integer({ min: 0, max: 500 }),
  scheme: fc.constantFrom('VISA', 'MASTERCARD', 'girocard', undefined),
});
const drawnBook = fc.array(drawnSale, { minLength: 1, maxLength: 20 }).map((sales) =>
  sales.map(({ scheme, ...amounts }, index) =>
    transaction({
      transactionId: `tx-${index}`,
      ...amounts,
      card: scheme === undefined ? {} : { cardScheme: scheme as 'VISA' },
    }),
  ),
);
const drawnReport = fc.record({
  totalMinor: fc.integer({ min: 0, max: 50_000 }),
  schemes: fc.uniqueArray(
    fc.record({
      scheme: fc.constantFrom('VISA', 'MASTERCARD', 'girocard', 'JCB', 'OTHER'),
      count: fc.integer({ min: 0, max: 20 }),
      amountMinor: fc.integer({ min: 0, max: 50_000 }),
    }),
    { selector: ({ scheme }) => scheme },
  ),
});

describe('for any book', () => {
  it('the payment that the terminal lacks is among the candidates of the one line that differs', () => {
    fc.assert(
      fc.property(drawnBook, fc.nat(), (book, pick) => {
        const lacking = book[pick % book.length];
        const found = explain(book, toldBy(book.filter((record) => record !== lacking)));
        expect(found).toHaveLength(1);
        const ids = found[0]?.candidates.map(({ record }) => record.transactionId) ?? [];
        const twins = book.filter(
          (one) =>
            one.amountMinor + one.tipAmountMinor === (lacking?.amountMinor ?? 0) + (lacking?.tipAmountMinor ?? 0),
        );
        expect(twins.some(({ transactionId }) => ids.includes(transactionId))).toBe(true);
      }),
    );
  });

  it('and whatever the terminal tells, the lines add up to the difference of the totals', () => {
    fc.assert(
      fc.property(drawnBook, drawnReport, (book, reported) => {
        const batch = compared(book, reported);
        const sum = explainDifferences(batch, []).reduce(
          (all, { journal, terminal }) => all + terminal.amountMinor - journal.amountMinor,
          0,
        );
        expect(sum).toBe(reported.totalMinor - netAmountOf(batch.totals));
        expect(amountsToFind(batch).every((amount) => amount > 0)).toBe(true);
      }),
    );
  });
});
