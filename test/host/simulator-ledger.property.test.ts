// The judge, judged: whatever is asked of the simulator, in whatever order, its book never owes more than was charged.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decide } from '../../host/simulator/decide.ts';
import type { StoredEntry } from '../../host/simulator/entries.ts';
import { createLedger, type Ledger, type Transaction } from '../../host/simulator/ledger.ts';
import type { BookedRequest, Totals } from '../../host/simulator/protocol.ts';

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_007);
const numRuns = 300;

const types = [
  'AUTHORIZE',
  'AUTHORIZE',
  'CAPTURE',
  'CAPTURE',
  'ADJUST_TIP',
  'VOID',
  'REFUND',
  'REFUND',
  'REVERSE',
  'CLOSE_BATCH',
] as const;
const step = fc.record({
  type: fc.constantFrom(...types),
  operation: fc.constantFrom('purchase', 'purchase', 'pre_auth', 'refund'),
  captureMethod: fc.constantFrom('AUTOMATIC', 'MANUAL'),
  /** Of an authorization, and of what follows one. */
  authorizedMinor: fc.constantFrom(1000, 1000, 1500, 1051),
  amountMinor: fc.constantFrom(200, 500, 900, 1100),
  cashbackMinor: fc.constantFrom(0, 0, 300),
  /** How far back the message is that this one is about. */
  about: fc.nat(3),
  isAboutNothing: fc.nat(9).map((number) => number === 0),
  terminalId: fc.constantFrom('T-1', 'T-1', 'T-2'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const none: Totals = {
  saleCount: 0,
  saleAmountMinor: 0,
  refundCount: 0,
  refundAmountMinor: 0,
  voidCount: 0,
  voidAmountMinor: 0,
};

/** @param payments messages that may be acted on; @param all messages that may be reversed */
function requestOf(each: Step, index: number, payments: readonly string[], all: readonly string[]): BookedRequest {
  const message = {
    reference: `m${index}`,
    stan: index + 1,
    rrn: String(index).padStart(12, '0'),
    sentAtMs: index,
    merchantId: 'M-1',
    terminalId: each.terminalId,
  };
  const { type, operation, captureMethod, cashbackMinor, amountMinor, authorizedMinor } = each;
  const currencyCode = 'EUR';
  const earlier = type === 'REVERSE' ? all : payments;
  const originalReference = each.isAboutNothing ? 'nothing' : (earlier.at(-1 - each.about) ?? 'nothing');
  switch (type) {
    case 'AUTHORIZE': {
      const kinds = { account: 'NONE', hasPin: false, hasChipData: false, tipMinor: 0 } as const;
      const facts = { type, ...message, currencyCode, operation, captureMethod, ...kinds };
      if (operation === 'refund') return { ...facts, amountMinor, cashbackMinor: 0, originalReference };
      return { ...facts, amountMinor: authorizedMinor + cashbackMinor, cashbackMinor };
    }
    case 'REVERSE':
      return { type, ...message, originalReference, reason: 'NO_ANSWER' };
    case 'CLOSE_BATCH':
      return { type, ...message, currencyCode, totals: none };
    default:
      return { type, ...message, amountMinor, currencyCode, originalReference };
  }
}

function sum(transactions: readonly Transaction[], pick: (each: Transaction) => number): number {
  return transactions.reduce((total, each) => total + pick(each), 0);
}

function checkLedger(ledger: Ledger): void {
  const all = ledger.transactions();
  for (const each of all) {
    const refunds = all.filter(
      ({ originalReference, state }) => originalReference === each.reference && state === 'CAPTURED',
    );
    expect(each.refundedMinor, each.reference).toBe(sum(refunds, ({ capturedMinor }) => capturedMinor));
    if (each.operation === 'refund') continue;
    if (each.refundedMinor > 0) {
      expect(each.state, each.reference).toBe('CAPTURED');
      expect(each.refundedMinor).toBeLessThanOrEqual(each.capturedMinor - each.cashbackMinor);
    }
    if (each.heldMinor > 0) expect(each.capturedMinor).toBeLessThanOrEqual(each.heldMinor);
  }
  // Every capture and refund that was not reversed is in exactly one batch, closed or open.
  const closed = ledger.batches().map(({ totals }) => totals);
  const open = ['T-1', 'T-2'].map(
    (terminalId) => ledger.openBatch({ merchantId: 'M-1', terminalId, currencyCode: 'EUR' }).totals,
  );
  const counted = all.filter(({ state }) => state === 'CAPTURED' || state === 'VOIDED');
  const batches = [...closed, ...open];
  const over = (name: keyof Totals) => batches.reduce((total, totals) => total + totals[name], 0);
  const ofKind = (isRefund: boolean) => counted.filter(({ operation }) => (operation === 'refund') === isRefund);
  expect(over('saleAmountMinor')).toBe(sum(ofKind(false), ({ capturedMinor }) => capturedMinor));
  expect(over('saleCount')).toBe(ofKind(false).length);
  expect(over('refundAmountMinor')).toBe(sum(ofKind(true), ({ capturedMinor }) => capturedMinor));
  expect(over('voidCount')).toBe(counted.filter(({ state }) => state === 'VOIDED').length);
}

it('never owes more than was charged, has each capture in one batch, and is rebuilt from its entries', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), (steps) => {
      const ledger = createLedger();
      const entries: StoredEntry[] = [];
      const reversed = new Set<string>();
      for (const [index, each] of steps.entries()) {
        const all = entries.flatMap((entry) => (entry.kind === 'MESSAGE' ? [entry.request] : []));
        const payments = all.filter((one) => one.type === 'AUTHORIZE' && one.operation !== 'refund');
        const request = requestOf(
          each,
          index,
          payments.map(({ reference }) => reference),
          all.map(({ reference }) => reference),
        );
        const decision = decide(request, { ledger, rule: undefined, fundingDate: '2026-11-29' });
        const entry: StoredEntry = { kind: 'MESSAGE', request, ...decision, sequence: index + 1, at: '' };
        entries.push(entry);
        ledger.apply(entry);
        checkLedger(ledger);
        // What was reversed never stands again.
        for (const { reference, state } of ledger.transactions()) {
          if (reversed.has(reference)) expect(state, reference).toBe('REVERSED');
          if (state === 'REVERSED') reversed.add(reference);
        }
        const { reply } = decision;
        const result =
          reply.type === 'REVERSED' ? reply.result : reply.type === 'ANSWER' ? reply.answer.responseCode : reply.type;
        const outcome = `${each.type} ${result}`;
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
      const again = createLedger();
      for (const entry of entries) again.apply(entry);
      expect(again.transactions()).toEqual(ledger.transactions());
      expect(again.batches()).toEqual(ledger.batches());
    }),
    { seed, verbose: 1, numRuns },
  );
  // The walk reaches what it is to prove.
  for (const outcome of [
    'CAPTURE 00',
    'CAPTURE 13',
    'ADJUST_TIP 00',
    'VOID 00',
    'REFUND 00',
    'REFUND 13',
    'REVERSE CONFIRMED',
    'REVERSE REFUSED',
  ])
    expect(seen.get(outcome) ?? 0, `${outcome}, seed ${seed}`).toBeGreaterThan(0);
});
