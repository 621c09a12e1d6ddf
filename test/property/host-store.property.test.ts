import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../app/contract/host/payment.ts';
import { type Entry, entriesOf, type MoneyEvent, totalsOfEntries } from '../../app/domain/posting.ts';
import { netAmountOf } from '../../app/domain/totals.ts';
import type { BatchTotals, PaymentRecord } from '../../host/ports/host-records.ts';
import type { PaymentMoveWrite } from '../../host/ports/host-store.ts';
import { withStores } from '../host/store-battery.ts';
import {
  hold,
  intentOf,
  moveOf,
  mustMove,
  newPayment,
  openShop,
  readPayment,
  refundOf,
  type Shop,
  sell,
  startMs,
} from '../host/store-fixture.ts';
import { postgresDatabases, sqliteDatabases, type TestDatabase } from '../host/test-databases.ts';

const RUNS = 20;
const MAX_STEPS = 40;
/** Rounds of 16 refunds that race for what three of them fit into. */
const REFUND_ROUNDS = 1_000;
/** Shops in which such rounds go on at the same time. */
const LANES = 4;

const step = fc.record({
  act: fc.constantFrom(
    ...(['sale', 'sale', 'preAuth', 'manualSale', 'tip', 'capture', 'capture', 'release', 'void'] as const),
    ...(['reverse', 'refund', 'refund', 'reverseRefund', 'external', 'close', 'close'] as const),
  ),
  amount: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 2 ** 46 })),
  pick: fc.nat(1000),
  share: fc.integer({ min: 1, max: 1000 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What posting.ts makes of a history, beside what the store makes of it. */
interface Book {
  readonly shop: Shop;
  readonly ids: string[];
  readonly entries: { readonly entry: Entry; readonly batch: number }[];
  batch: number;
}

function post(book: Book, payment: Payment, events: readonly MoneyEvent[]): void {
  for (const entry of events.flatMap((event) => entriesOf(payment, event))) {
    book.entries.push({ entry, batch: book.batch });
  }
}

async function chosen(
  book: Book,
  { pick }: Step,
  isFit: (record: PaymentRecord) => boolean,
): Promise<PaymentRecord | undefined> {
  const all = await Promise.all(book.ids.map((id) => readPayment(book.shop, id)));
  const fit = all.filter(isFit);
  return fit[pick % Math.max(1, fit.length)];
}

async function move(
  book: Book,
  from: PaymentRecord,
  trigger: PaymentMoveWrite['trigger'],
  changes: Partial<Payment>,
  events: readonly MoneyEvent[] = [],
): Promise<PaymentRecord> {
  const after = await mustMove(book.shop, moveOf(from, trigger, changes, events));
  post(book, after.payment, events);
  return after;
}

const isOurs = ({ payment }: PaymentRecord) => payment.acceptanceChannel !== 'EXTERNAL_RAIL';
const isPurchase = ({ payment }: PaymentRecord) => payment.type !== 'REFUND';
const isHeld = ({ payment }: PaymentRecord) => payment.status === 'REQUIRES_CAPTURE';
const isCaptured = (record: PaymentRecord) => isOurs(record) && record.payment.status === 'SUCCEEDED';
const isUnsettled = (record: PaymentRecord) => isCaptured(record) && typeof record.payment.settlementId !== 'string';

async function take(book: Book, { act, amount, pick }: Step): Promise<void> {
  const { shop } = book;
  if (act === 'sale') {
    const { payment } = await sell(shop, amount);
    book.ids.push(payment.id);
    post(book, payment, [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: amount }]);
  }
  if (act === 'preAuth' || act === 'manualSale') {
    const { payment } = await hold(shop, amount, { type: act === 'preAuth' ? 'PRE_AUTH' : 'SALE' });
    book.ids.push(payment.id);
    post(book, payment, [{ kind: 'AUTHORIZED', heldMinor: amount }]);
  }
  if (act === 'external') {
    const isBack = pick % 3 === 0;
    const added = newPayment(shop, {
      acceptanceChannel: 'EXTERNAL_RAIL',
      status: 'SUCCEEDED',
      type: isBack ? 'REFUND' : 'SALE',
      amountMinor: amount,
      capturedAmountMinor: amount,
    });
    const events: readonly MoneyEvent[] = [
      isBack ? { kind: 'REFUNDED', refundedMinor: amount } : { kind: 'CAPTURED', heldMinor: 0, capturedMinor: amount },
    ];
    await shop.store.transact((unit) => unit.insertPayment(added, 'RECORDED', events, startMs));
    book.ids.push(added.payment.id);
    post(book, added.payment, events);
  }
}

async function changeHold(book: Book, one: Step): Promise<void> {
  const held = await chosen(book, one, isHeld);
  if (held === undefined) return;
  const { amountMinor, baseAmountMinor } = held.payment;
  if (one.act === 'tip') {
    const tipAmountMinor = one.pick;
    const after = baseAmountMinor + tipAmountMinor;
    const event = { kind: 'TIP_ADJUSTED', heldBeforeMinor: amountMinor, heldAfterMinor: after } as const;
    await move(book, held, 'TIP_ADJUSTED', { amountMinor: after, tipAmountMinor }, [event]);
  }
  if (one.act === 'capture') {
    const capturedMinor = Math.max(1, Math.floor((amountMinor / 1000) * one.share));
    const changes = { status: 'SUCCEEDED', capturedAmountMinor: capturedMinor } as const;
    await move(book, held, 'CAPTURED', changes, [{ kind: 'CAPTURED', heldMinor: amountMinor, capturedMinor }]);
  }
  if (one.act === 'release') {
    await move(book, held, 'VOIDED', { status: 'REVERSED' }, [{ kind: 'RELEASED', heldMinor: amountMinor }]);
  }
}

async function takeBack(book: Book, one: Step): Promise<void> {
  const isWhole = (record: PaymentRecord) => isUnsettled(record) && isPurchase(record) && record.refundCount === 0;
  const sale = await chosen(book, one, isWhole);
  if (sale === undefined) return;
  const capturedMinor = sale.payment.capturedAmountMinor ?? 0;
  if (one.act === 'void') {
    await move(book, sale, 'VOIDED', { status: 'REVERSED' }, [{ kind: 'VOIDED', capturedMinor }]);
    return;
  }
  const unknown = await move(book, sale, 'REVERSAL_BEGUN', { status: 'FAILED' });
  await move(book, unknown, 'REVERSAL_CONFIRMED', { status: 'REVERSED' }, [{ kind: 'REVERSED', capturedMinor }]);
}

async function refund(book: Book, one: Step): Promise<void> {
  const sale = await chosen(book, one, (record) => isCaptured(record) && isPurchase(record));
  if (sale === undefined) return;
  const captured = sale.payment.capturedAmountMinor ?? 0;
  const amountMinor = Math.max(1, Math.floor((captured / 1000) * one.share));
  const added = refundOf(book.shop, sale, amountMinor);
  const { kind } = await book.shop.store.beginAuthorization(intentOf(book.shop, added));
  expect(kind).toBe(sale.refundedMinor + amountMinor <= captured ? 'INSERTED' : 'CEILING');
  if (kind !== 'INSERTED') return;
  book.ids.push(added.payment.id);
  const changes = { status: 'SUCCEEDED', capturedAmountMinor: amountMinor } as const;
  const events = [{ kind: 'REFUNDED', refundedMinor: amountMinor }] as const;
  await move(book, await readPayment(book.shop, added.payment.id), 'APPROVED', changes, events);
}

async function reverseRefund(book: Book, one: Step): Promise<void> {
  const given = await chosen(book, one, (record) => isUnsettled(record) && !isPurchase(record));
  if (given === undefined) return;
  const unknown = await move(book, given, 'REVERSAL_BEGUN', { status: 'FAILED' });
  const events = [{ kind: 'REFUND_REVERSED', refundedMinor: given.payment.amountMinor }] as const;
  await move(book, unknown, 'REVERSAL_CONFIRMED', { status: 'REVERSED' }, events);
}

function referenceOf(book: Book): BatchTotals {
  const all = book.entries.map(({ entry }) => entry);
  const ofBatch = book.entries.filter(({ batch }) => batch === book.batch).map(({ entry }) => entry);
  return {
    funded: totalsOfEntries(ofBatch, all, 'EUR'),
    external: totalsOfEntries(ofBatch, all, 'EUR', 'EXTERNAL'),
  };
}

/** A close gives what posting.ts gives, and its payments' shares add up to its net amount. */
async function close(book: Book): Promise<void> {
  const { store, merchantId, terminalId } = book.shop;
  const waiting = await chosen(
    book,
    { act: 'close', amount: 1, pick: 0, share: 1 },
    (record) => isHeld(record) && record.payment.type === 'SALE',
  );
  const result = await store.transact((unit) =>
    unit.closeBatch({
      merchantId,
      terminalId,
      settlementId: randomUUID(),
      businessDate: '2026-11-28',
      closedBy: 'TILL',
      judge: () => ({ status: 'PENDING', differences: [] }),
      atMs: startMs,
    }),
  );
  expect(result.kind).toBe(waiting === undefined ? 'CLOSED' : 'BLOCKED');
  if (result.kind !== 'CLOSED') return;
  expect(result.settlement.totals).toEqual(referenceOf(book));
  const rows = await store.read.settlementRows(result.settlement);
  const net = rows.reduce((sum, { netAmountMinor }) => sum + netAmountMinor, 0);
  expect(net).toBe(netAmountOf(result.settlement.totals.funded));
  book.batch += 1;
}

const acts: Readonly<Record<Step['act'], (book: Book, one: Step) => Promise<void>>> = {
  sale: take,
  preAuth: take,
  manualSale: take,
  external: take,
  tip: changeHold,
  capture: changeHold,
  release: changeHold,
  void: takeBack,
  reverse: takeBack,
  refund,
  reverseRefund,
  close,
};

function properties(database: TestDatabase): void {
  const stores = withStores(database);

  it('gives by SQL the totals that posting.ts gives, over any legal history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: MAX_STEPS, size: 'max' }), async (steps) => {
        const book: Book = { shop: await openShop(stores.one), ids: [], entries: [], batch: 1 };
        for (const one of steps) {
          await acts[one.act](book, one);
          expect(await stores.other.read.openTotals(book.shop)).toEqual(referenceOf(book));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it(`lets no more through than was captured, of 16 racing refunds in ${REFUND_ROUNDS} rounds`, async () => {
    const lane = async () => {
      const shop = await openShop(stores.one);
      for (let round = 0; round < REFUND_ROUNDS / LANES; round += 1) await race(shop);
    };
    const race = async (shop: Shop) => {
      const sale = await sell(shop, 1000);
      const kinds = await Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          const store = index % 2 === 0 ? stores.one : stores.other;
          return (await store.beginAuthorization(intentOf(shop, refundOf(shop, sale, 300)))).kind;
        }),
      );
      expect(kinds.filter((kind) => kind === 'INSERTED')).toHaveLength(3);
      expect(kinds.filter((kind) => kind === 'CEILING')).toHaveLength(13);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }, 600_000);
}

describe('the host store on SQLite', () => {
  properties(sqliteDatabases());
});

describe('the host store on PostgreSQL', () => {
  properties(postgresDatabases);
});
