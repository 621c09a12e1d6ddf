import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportLedger } from '../../../host/ledger/export-ledger.ts';
import { ledgerJournal } from '../../../host/ledger/ledger-journal.ts';
import type { EntryRecord, SettlementRecord } from '../../../host/ports/host-records.ts';
import type { HostStore } from '../../../host/ports/host-store.ts';
import { openHostStore } from '../../../host/storage/open-host-store.ts';
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
} from '../store-fixture.ts';
import { balances, hledger, sumsByGroup, sumsOf } from '../support/hledger.ts';
import { sqliteDatabases } from '../test-databases.ts';

const databases = sqliteDatabases();
const RUNS = 30;
const currencies = ['EUR', 'JPY', 'KWD'] as const;

const kinds = ['sale', 'external', 'preAuth', 'capture', 'void', 'refund', 'reversal', 'close'] as const;
type Kind = (typeof kinds)[number];

const acts = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    amount: fc.integer({ min: 2, max: 3_000_000_000 }),
    lane: fc.nat({ max: currencies.length - 1 }),
  }),
  { minLength: 1, maxLength: 25 },
);

describe('the ledger as a journal of hledger', () => {
  let store: HostStore;
  beforeAll(async () => {
    store = await openHostStore({ database: await databases.create(), nowMs: startMs });
  });
  afterAll(() => store.close());

  it('writes amounts with the digits of their currency, and one transaction per payment and revision', () => {
    const entry: EntryRecord = {
      merchantId: 'M1',
      terminalId: 'T,1',
      batchNumber: 7,
      paymentId: 'P1',
      revision: 2,
      currency: 'KWD',
      atMs: startMs,
      kind: 'HOLD_RELEASE',
      debit: 'holds:sale',
      credit: 'holds:issuer',
      amountMinor: 92_000,
    };
    const capture = { kind: 'CAPTURE', debit: 'funded:acquirer', credit: 'funded:sales' } as const;
    const journal = ledgerJournal([
      entry,
      { ...entry, ...capture },
      { ...entry, revision: 3, currency: 'JPY', amountMinor: 5 },
    ]);
    expect(journal).toContain(
      [
        '2026-11-28 * P1  ; terminal:T%2C1, batch:7, revision:2',
        '    holds:sale  92.000 KWD  ; HOLD_RELEASE',
        '    holds:issuer  -92.000 KWD  ; HOLD_RELEASE',
        '    funded:acquirer  92.000 KWD  ; CAPTURE',
        '    funded:sales  -92.000 KWD  ; CAPTURE',
      ].join('\n'),
    );
    expect(journal).toContain('    holds:sale  5 JPY  ; HOLD_RELEASE');
    hledger(journal, 'check', '--strict');
    expect(() => hledger(journal.replace('-92.000', '-92.001'), 'check', '--strict')).toThrow();
  });

  it('balances a day of any payments, and gives the totals of every settlement', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (day) => {
        const book = await openBook(store);
        for (const { kind, amount, lane } of day) await book.act(kind, amount, lane);
        for (const lane of currencies.keys()) await book.act('close', 1, lane);
        let journal = '';
        for await (const piece of exportLedger(store.read, book.merchantId)) journal += piece;
        hledger(journal, 'check', '--strict');
        for (const { totals, terminalId, batchNumber } of book.settlements) {
          const of = sumsByGroup(journal, totals.funded.currency, terminalId, batchNumber);
          expect(of('funded')).toEqual(sumsOf(totals.funded));
          expect(of('external')).toEqual(sumsOf(totals.external));
        }
        for (const [lane, currency] of currencies.entries()) {
          const { funded } = await store.read.openTotals(book.lane(lane));
          const held = balances(journal, currency, `tag:terminal=^T${lane}$`).get('holds:pre-auth') ?? 0;
          expect(0 - held).toBe(funded.preAuthAmount);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** A merchant with a terminal per currency, and what happens there; what cannot happen does not. */
async function openBook(store: HostStore) {
  const shop = await openShop(store, 'T0');
  const { merchantId } = shop;
  const settlements: SettlementRecord[] = [];
  const sales: string[][] = currencies.map(() => []);
  const holds: string[][] = currencies.map(() => []);
  const lane = (index: number): Shop => ({ ...shop, terminalId: `T${index}` });
  for (const [index, currency] of currencies.entries()) {
    if (index === 0) continue;
    const terminal = {
      merchantId,
      terminalId: `T${index}`,
      deviceId: 'D1',
      name: 'Lane',
      currency,
      createdAtMs: startMs,
    };
    await store.transact((unit) => unit.addTerminal(terminal));
  }

  async function act(kind: Kind, amount: number, index: number): Promise<void> {
    const at = lane(index);
    const currencyCode = currencies[index] ?? 'EUR';
    switch (kind) {
      case 'sale':
        sales[index]?.push((await sell(at, amount, { currencyCode })).payment.id);
        return;
      case 'preAuth':
        holds[index]?.push((await hold(at, amount, { currencyCode })).payment.id);
        return;
      case 'external': {
        const changes = {
          acceptanceChannel: 'EXTERNAL_RAIL',
          status: 'SUCCEEDED',
          capturedAmountMinor: amount,
        } as const;
        const added = newPayment(at, { ...changes, amountMinor: amount, currencyCode });
        const events = [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: amount }] as const;
        await store.transact((unit) => unit.insertPayment(added, 'RECORDED', events, startMs));
        return;
      }
      case 'capture': {
        const id = holds[index]?.shift();
        if (id === undefined) return;
        const held = await readPayment(at, id);
        const capturedMinor = Math.max(1, Math.floor(held.payment.amountMinor / 2));
        const changes = { status: 'SUCCEEDED', capturedAmountMinor: capturedMinor } as const;
        const events = [{ kind: 'CAPTURED', heldMinor: held.payment.amountMinor, capturedMinor }] as const;
        await mustMove(at, moveOf(held, 'CAPTURED', changes, events));
        return;
      }
      case 'void':
      case 'reversal': {
        const id = sales[index]?.shift();
        if (id === undefined) return;
        const sale = await readPayment(at, id);
        const capturedMinor = sale.payment.amountMinor;
        if (sale.refundCount > 0 || sale.payment.settlementId !== null) return;
        if (kind === 'void') {
          await mustMove(at, moveOf(sale, 'VOIDED', { status: 'REVERSED' }, [{ kind: 'VOIDED', capturedMinor }]));
          return;
        }
        const lost = await mustMove(at, moveOf(sale, 'REVERSAL_BEGUN', { status: 'FAILED' }, []));
        const events = [{ kind: 'REVERSED', capturedMinor }] as const;
        await mustMove(at, moveOf(lost, 'REVERSAL_CONFIRMED', { status: 'REVERSED' }, events));
        return;
      }
      case 'refund': {
        const id = sales[index]?.[0];
        if (id === undefined) return;
        const sale = await readPayment(at, id);
        const refund = refundOf(at, sale, 1);
        const added = { ...refund, payment: { ...refund.payment, currencyCode } };
        const result = await store.beginAuthorization(intentOf(at, added));
        if (result.kind !== 'INSERTED') return;
        const from = await readPayment(at, added.payment.id);
        const changes = { status: 'SUCCEEDED', capturedAmountMinor: 1 } as const;
        await mustMove(at, moveOf(from, 'APPROVED', changes, [{ kind: 'REFUNDED', refundedMinor: 1 }]));
        return;
      }
      case 'close': {
        const judge = () => ({ status: 'PENDING', differences: [] }) as const;
        const { terminalId } = at;
        const close = {
          merchantId,
          terminalId,
          settlementId: randomUUID(),
          businessDate: '2026-11-28',
          closedBy: 'TILL' as const,
          judge,
          atMs: startMs,
        };
        const result = await store.transact((unit) => unit.closeBatch(close));
        if (result.kind === 'CLOSED') settlements.push(result.settlement);
        return;
      }
    }
  }

  return { merchantId, settlements, lane, act };
}
