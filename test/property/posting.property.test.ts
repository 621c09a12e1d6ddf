import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TransactionTotals } from '../../app/contract/settlements.ts';
import {
  type Account,
  accounts,
  balancesOf,
  type Entry,
  type EntryKind,
  entriesOf,
  type MoneyEvent,
  type PostedPayment,
  recordedEvents,
  totalsOfEntries,
} from '../../app/domain/posting.ts';
import { netAmountOf } from '../../app/domain/totals.ts';

/** A payment as the model holds it: what happened to it, told without entries. */
interface Model extends PostedPayment {
  held: number;
  captured: number;
  cashback: number;
  refunded: number;
  fate: 'HELD' | 'CAPTURED' | 'RELEASED' | 'VOIDED' | 'REVERSED';
  readonly refunds: { amount: number; isReversed: boolean; batch: number }[];
  /** Batch of the capture, and of the void. */
  batch: number;
  voidBatch: number;
}

/** One step of a history; `pick` chooses the payment, `share` an amount of it in thousandths. */
const step = fc.record({
  act: fc.constantFrom(
    ...(['sale', 'sale', 'preAuth', 'manualSale', 'tip', 'capture', 'capture', 'release'] as const),
    ...(['void', 'reverse', 'refund', 'refund', 'reverseRefund', 'external', 'externalRefund', 'close'] as const),
  ),
  amount: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 2 ** 44 })),
  cashback: fc.nat(1000),
  pick: fc.nat(1000),
  share: fc.integer({ min: 0, max: 1000 }),
  outcome: fc.constantFrom('SUCCEEDED' as const, 'DECLINED' as const, 'REVERSED' as const),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Book {
  readonly payments: Model[];
  readonly external: { type: 'SALE' | 'REFUND'; amount: number; outcome: string; batch: number }[];
  readonly entries: { readonly entry: Entry; readonly batch: number; readonly owner: PostedPayment }[];
  batch: number;
}

function post(book: Book, owner: PostedPayment, event: MoneyEvent): void {
  for (const entry of entriesOf(owner, event)) book.entries.push({ entry, batch: book.batch, owner });
}

function chosen(book: Book, { pick }: Step, isFit: (payment: Model) => boolean): Model | undefined {
  const fit = book.payments.filter(isFit);
  return fit[pick % Math.max(1, fit.length)];
}

function begin(book: Book, drawn: Step, type: 'SALE' | 'PRE_AUTH', isHeld: boolean): void {
  const cashback = type === 'SALE' ? Math.min(drawn.cashback, drawn.amount) : 0;
  const payment: Model = {
    ...{ type, acceptanceChannel: 'CARD_PRESENT', cashback, refunded: 0, refunds: [], batch: book.batch, voidBatch: 0 },
    held: isHeld ? drawn.amount : 0,
    captured: isHeld ? 0 : drawn.amount,
    fate: isHeld ? 'HELD' : 'CAPTURED',
  };
  book.payments.push(payment);
  post(
    book,
    payment,
    isHeld
      ? { kind: 'AUTHORIZED', heldMinor: drawn.amount }
      : { kind: 'CAPTURED', heldMinor: 0, capturedMinor: drawn.amount },
  );
}

const part = (whole: number, share: number) => Number((BigInt(whole) * BigInt(share)) / 1000n);
const isUntouched = (book: Book) => (payment: Model) =>
  payment.fate === 'CAPTURED' && payment.batch === book.batch && payment.refunds.length === 0;

/** Each act by its own rule; one that finds nothing to act on does nothing. */
const acts: Readonly<Record<Step['act'], (book: Book, drawn: Step) => void>> = {
  sale: (book, drawn) => begin(book, drawn, 'SALE', false),
  preAuth: (book, drawn) => begin(book, drawn, 'PRE_AUTH', true),
  manualSale: (book, drawn) => begin(book, drawn, 'SALE', true),
  tip(book, drawn) {
    const payment = chosen(book, drawn, ({ fate }) => fate === 'HELD');
    if (payment === undefined) return;
    const after = Math.max(payment.cashback, 1, part(payment.held, drawn.share) + (drawn.amount % 500));
    post(book, payment, { kind: 'TIP_ADJUSTED', heldBeforeMinor: payment.held, heldAfterMinor: after });
    payment.held = after;
  },
  capture(book, drawn) {
    const payment = chosen(book, drawn, ({ fate }) => fate === 'HELD');
    if (payment === undefined) return;
    const capturedMinor = Math.max(payment.cashback, 1, part(payment.held, drawn.share));
    post(book, payment, { kind: 'CAPTURED', heldMinor: payment.held, capturedMinor });
    Object.assign(payment, { captured: capturedMinor, fate: 'CAPTURED', batch: book.batch });
  },
  release(book, drawn) {
    const payment = chosen(book, drawn, ({ fate }) => fate === 'HELD');
    if (payment === undefined) return;
    post(book, payment, { kind: 'RELEASED', heldMinor: payment.held });
    payment.fate = 'RELEASED';
  },
  void(book, drawn) {
    const payment = chosen(book, drawn, isUntouched(book));
    if (payment === undefined) return;
    post(book, payment, { kind: 'VOIDED', capturedMinor: payment.captured });
    Object.assign(payment, { fate: 'VOIDED', voidBatch: book.batch });
  },
  reverse(book, drawn) {
    const payment = chosen(book, drawn, isUntouched(book));
    if (payment === undefined) return;
    post(book, payment, { kind: 'REVERSED', capturedMinor: payment.captured });
    payment.fate = 'REVERSED';
  },
  refund(book, drawn) {
    const payment = chosen(book, drawn, ({ fate }) => fate === 'CAPTURED');
    if (payment === undefined) return;
    const left = payment.captured - payment.cashback - payment.refunded;
    const amount = part(left, drawn.share);
    if (amount === 0) return;
    const refund = { type: 'REFUND', acceptanceChannel: 'CARD_PRESENT' } as const;
    post(book, refund, { kind: 'REFUNDED', refundedMinor: amount });
    payment.refunded += amount;
    payment.refunds.push({ amount, isReversed: false, batch: book.batch });
  },
  reverseRefund(book, drawn) {
    const payment = chosen(book, drawn, ({ refunds }) =>
      refunds.some((refund) => !refund.isReversed && refund.batch === book.batch),
    );
    const refund = payment?.refunds.find((one) => !one.isReversed && one.batch === book.batch);
    if (payment === undefined || refund === undefined) return;
    const owner = { type: 'REFUND', acceptanceChannel: 'CARD_PRESENT' } as const;
    post(book, owner, { kind: 'REFUND_REVERSED', refundedMinor: refund.amount });
    refund.isReversed = true;
    payment.refunded -= refund.amount;
  },
  external: (book, drawn) => recordExternal(book, drawn, 'SALE'),
  externalRefund: (book, drawn) => recordExternal(book, drawn, 'REFUND'),
  close(book) {
    book.batch += 1;
  },
};

function recordExternal(book: Book, { amount, outcome }: Step, type: 'SALE' | 'REFUND'): void {
  const owner = { type, acceptanceChannel: 'EXTERNAL_RAIL' } as const;
  for (const event of recordedEvents({ type, amountMinor: amount }, 'NEW', outcome)) post(book, owner, event);
  book.external.push({ type, amount, outcome, batch: book.batch });
}

const sum = (amounts: readonly number[]) => Number(amounts.reduce((total, amount) => total + BigInt(amount), 0n));

/** Totals by the words of the decisions, from the payments themselves. */
function totalsOfModel(book: Book, batch: number): TransactionTotals {
  const sold = book.payments.filter(
    (payment) => payment.batch === batch && (payment.fate === 'CAPTURED' || payment.fate === 'VOIDED'),
  );
  const voided = book.payments.filter((payment) => payment.fate === 'VOIDED' && payment.voidBatch === batch);
  const refunds = book.payments
    .flatMap((payment) => payment.refunds)
    .filter((refund) => !refund.isReversed && refund.batch === batch);
  const open = book.payments.filter(({ fate, type }) => fate === 'HELD' && type === 'PRE_AUTH');
  return {
    saleCount: sold.length,
    saleAmount: sum(sold.map(({ captured }) => captured)),
    refundCount: refunds.length,
    refundAmount: sum(refunds.map(({ amount }) => amount)),
    voidCount: voided.length,
    voidAmount: sum(voided.map(({ captured }) => captured)),
    preAuthCount: open.length,
    preAuthAmount: sum(open.map(({ held }) => held)),
    currency: 'EUR',
  };
}

function externalTotalsOfModel(book: Book, batch: number): TransactionTotals {
  const here = book.external.filter((record) => record.batch === batch);
  const sales = here.filter(({ type, outcome }) => type === 'SALE' && outcome !== 'DECLINED');
  const voids = sales.filter(({ outcome }) => outcome === 'REVERSED');
  const refunds = here.filter(({ type, outcome }) => type === 'REFUND' && outcome === 'SUCCEEDED');
  const amounts = (records: typeof here) => sum(records.map(({ amount }) => amount));
  return {
    ...{ saleCount: sales.length, saleAmount: amounts(sales) },
    ...{ refundCount: refunds.length, refundAmount: amounts(refunds) },
    ...{ voidCount: voids.length, voidAmount: amounts(voids) },
    ...{ preAuthCount: 0, preAuthAmount: 0, currency: 'EUR' },
  };
}

function bookOf(steps: readonly Step[]): Book {
  const book: Book = { payments: [], external: [], entries: [], batch: 1 };
  for (const drawn of steps) acts[drawn.act](book, drawn);
  return book;
}

const history = fc.array(step, { maxLength: 80 }).map(bookOf);
const entriesIn = (book: Book, batch?: number) =>
  book.entries.filter((row) => batch === undefined || row.batch === batch).map(({ entry }) => entry);

describe('the entries of any legal history', () => {
  it('balance: over all accounts, and within each group', () => {
    fc.assert(
      fc.property(history, (book) => {
        const balances = balancesOf(entriesIn(book));
        const of = (group: string) =>
          [...balances]
            .filter(([account]) => account.startsWith(group))
            .reduce((total, [, amount]) => total + amount, 0n);
        for (const group of ['', 'holds:', 'funded:', 'external:']) expect(of(group), group).toBe(0n);
      }),
    );
  });

  it('say what is held, captured and given back, and never more than was authorized', () => {
    fc.assert(
      fc.property(history, (book) => {
        const balance = (account: Account) => balancesOf(entriesIn(book)).get(account) ?? 0n;
        const open = book.payments.filter(({ fate }) => fate === 'HELD');
        const heldOf = (type: string) => BigInt(sum(open.filter((one) => one.type === type).map(({ held }) => held)));
        expect(-balance(accounts.preAuthHolds)).toBe(heldOf('PRE_AUTH'));
        expect(-balance(accounts.saleHolds)).toBe(heldOf('SALE'));
        for (const payment of book.payments) {
          if (payment.held > 0) expect(payment.captured).toBeLessThanOrEqual(payment.held);
          const own = entriesOwnedBy(book, payment);
          const captured = sumOf(own, 'CAPTURE');
          const held = sumOf(own, 'HOLD') + sumOf(own, 'HOLD_INCREASE') - sumOf(own, 'HOLD_DECREASE');
          if (held > 0n) expect(captured).toBeLessThanOrEqual(held);
          expect(sumOf(own, 'VOID') + sumOf(own, 'CAPTURE_REVERSAL')).toBeLessThanOrEqual(captured);
          expect(BigInt(payment.refunded)).toBeLessThanOrEqual(captured);
        }
      }),
    );
  });

  it('give the totals of every batch, and the external ones apart from them', () => {
    fc.assert(
      fc.property(history, (book) => {
        for (let batch = 1; batch <= book.batch; batch += 1) {
          const ours = totalsOfEntries(entriesIn(book, batch), entriesIn(book), 'EUR');
          expect(ours).toEqual(totalsOfModel(book, batch));
          const balance = balancesOf(entriesIn(book, batch)).get(accounts.acquirer) ?? 0n;
          expect(balance).toBe(BigInt(netAmountOf(ours)));
          const theirs = totalsOfEntries(entriesIn(book, batch), entriesIn(book), 'EUR', 'EXTERNAL');
          expect(theirs).toEqual(externalTotalsOfModel(book, batch));
        }
      }),
    );
  });

  it('are rows with two accounts and an amount above nothing', () => {
    fc.assert(
      fc.property(history, (book) => {
        for (const { debit, credit, amountMinor } of entriesIn(book)) {
          expect(debit).not.toBe(credit);
          expect(debit.split(':')[0]).toBe(credit.split(':')[0]);
          expect(amountMinor).toBeGreaterThan(0);
        }
      }),
    );
  });
});

function entriesOwnedBy(book: Book, payment: Model): readonly Entry[] {
  return book.entries.filter(({ owner }) => owner === payment).map(({ entry }) => entry);
}

function sumOf(entries: readonly Entry[], kind: EntryKind): bigint {
  return entries.filter((entry) => entry.kind === kind).reduce((total, entry) => total + BigInt(entry.amountMinor), 0n);
}

describe('the examples of the decisions', () => {
  const sale = { type: 'SALE', acceptanceChannel: 'CARD_PRESENT' } as const;
  const preAuth = { type: 'PRE_AUTH', acceptanceChannel: 'CARD_PRESENT' } as const;
  const totals = (owner: PostedPayment, events: readonly MoneyEvent[]) => {
    const entries = events.flatMap((event) => entriesOf(owner, event));
    const found = totalsOfEntries(entries, entries, 'EUR');
    return { ...found, net: netAmountOf(found) };
  };

  it('sale 1000 then void: sale 1000, void 1000, net 0', () => {
    const events: readonly MoneyEvent[] = [
      { kind: 'CAPTURED', heldMinor: 0, capturedMinor: 1000 },
      { kind: 'VOIDED', capturedMinor: 1000 },
    ];
    expect(totals(sale, events)).toMatchObject({
      saleCount: 1,
      saleAmount: 1000,
      voidCount: 1,
      voidAmount: 1000,
      net: 0,
    });
  });

  it('pre-authorization 1000 then void: sale 0, void 0, net 0', () => {
    const events: readonly MoneyEvent[] = [
      { kind: 'AUTHORIZED', heldMinor: 1000 },
      { kind: 'RELEASED', heldMinor: 1000 },
    ];
    expect(totals(preAuth, events)).toMatchObject({ saleCount: 0, voidCount: 0, preAuthCount: 0, net: 0 });
  });

  it('a sale reversed by recovery is in neither', () => {
    const events: readonly MoneyEvent[] = [
      { kind: 'CAPTURED', heldMinor: 0, capturedMinor: 1000 },
      { kind: 'REVERSED', capturedMinor: 1000 },
    ];
    expect(totals(sale, events)).toMatchObject({ saleCount: 0, saleAmount: 0, voidCount: 0, net: 0 });
  });

  it('an open pre-authorization is counted as such, and a purchase that waits for its tip is not', () => {
    const events: readonly MoneyEvent[] = [{ kind: 'AUTHORIZED', heldMinor: 1000 }];
    expect(totals(preAuth, events)).toMatchObject({ preAuthCount: 1, preAuthAmount: 1000, saleCount: 0 });
    expect(totals(sale, events)).toMatchObject({ preAuthCount: 0, preAuthAmount: 0, saleCount: 0 });
  });

  it('three sales of 2147483648 add up exactly', () => {
    const events = Array.from(
      { length: 3 },
      () => ({ kind: 'CAPTURED', heldMinor: 0, capturedMinor: 2 ** 31 }) as const,
    );
    expect(totals(sale, events).saleAmount).toBe(6_442_450_944);
  });

  it('a payment of another acquirer holds and reverses nothing here', () => {
    const external = { type: 'SALE', acceptanceChannel: 'EXTERNAL_RAIL' } as const;
    for (const event of [
      { kind: 'AUTHORIZED', heldMinor: 1 },
      { kind: 'RELEASED', heldMinor: 1 },
      { kind: 'REVERSED', capturedMinor: 1 },
      { kind: 'CAPTURED', heldMinor: 1, capturedMinor: 1 },
      { kind: 'TIP_ADJUSTED', heldBeforeMinor: 1, heldAfterMinor: 2 },
    ] as const) {
      expect(() => entriesOf(external, event)).toThrow(RangeError);
    }
    expect(() => entriesOf(sale, { kind: 'VOIDED', capturedMinor: -1 })).toThrow(RangeError);
    expect(() => entriesOf(sale, { kind: 'VOIDED', capturedMinor: 0.5 })).toThrow(RangeError);
  });

  it('a record that turns from succeeded to reversed adds the void alone', () => {
    expect(recordedEvents({ type: 'SALE', amountMinor: 500 }, 'SUCCEEDED', 'REVERSED')).toEqual([
      { kind: 'VOIDED', capturedMinor: 500 },
    ]);
    expect(recordedEvents({ type: 'SALE', amountMinor: 500 }, 'NEW', 'DECLINED')).toEqual([]);
  });
});
