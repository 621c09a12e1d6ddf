import type { AcceptanceChannel, PaymentType } from '../contract/host/payment.ts';
import type { TransactionTotals } from '../contract/settlements.ts';
import { minorOfBigInt } from './money.ts';

/**
 * Money of the host as double entries: debit, credit and amount on one row, appended and never changed. Totals and settlements are queries over
 * these rows; there is no balance that is kept (decisions: Totals are derived).
 *
 * Three groups of accounts that never mix: holds (no money yet), funded money (between the acquirer and the merchant), and what a terminal's own
 * acquirer moved (EXTERNAL_RAIL, for reporting).
 */
export const accounts = {
  issuerHolds: 'holds:issuer',
  preAuthHolds: 'holds:pre-auth',
  saleHolds: 'holds:sale',
  acquirer: 'funded:acquirer',
  sales: 'funded:sales',
  refunds: 'funded:refunds',
  voids: 'funded:voids',
  externalAcquirer: 'external:acquirer',
  externalSales: 'external:sales',
  externalRefunds: 'external:refunds',
  externalVoids: 'external:voids',
} as const;

export type Account = (typeof accounts)[keyof typeof accounts];

/** What an entry stands for. Each kind is one pair of accounts for its group, so that a count of a kind is a count of events. */
export type EntryKind =
  | 'HOLD'
  | 'HOLD_INCREASE'
  | 'HOLD_DECREASE'
  | 'HOLD_RELEASE'
  | 'CAPTURE'
  | 'VOID'
  | 'CAPTURE_REVERSAL'
  | 'REFUND'
  | 'REFUND_REVERSAL';

export interface Entry {
  readonly kind: EntryKind;
  readonly debit: Account;
  readonly credit: Account;
  /** Minor units, 1 or more. */
  readonly amountMinor: number;
}

/** Which payment an event is of, as far as its accounts depend on it. */
export interface PostedPayment {
  readonly type: PaymentType;
  readonly acceptanceChannel: AcceptanceChannel;
}

/** Something that happened to the money of a payment. */
export type MoneyEvent =
  /** Held at the issuer: a pre-authorization, or a purchase that waits for its tip. */
  | { readonly kind: 'AUTHORIZED'; readonly heldMinor: number }
  | { readonly kind: 'TIP_ADJUSTED'; readonly heldBeforeMinor: number; readonly heldAfterMinor: number }
  /** Captured; `heldMinor` is what was held until then, 0 where the approval captures at once. */
  | { readonly kind: 'CAPTURED'; readonly heldMinor: number; readonly capturedMinor: number }
  /** A hold ends without a capture: void, lapse or reversal of an open authorization. */
  | { readonly kind: 'RELEASED'; readonly heldMinor: number }
  /** Captured money taken back by a void before its batch closed: counted as sale and as void. */
  | { readonly kind: 'VOIDED'; readonly capturedMinor: number }
  /** Captured money taken back by recovery: counted as neither. */
  | { readonly kind: 'REVERSED'; readonly capturedMinor: number }
  | { readonly kind: 'REFUNDED'; readonly refundedMinor: number }
  /** A refund taken back by recovery: counted as none. */
  | { readonly kind: 'REFUND_REVERSED'; readonly refundedMinor: number };

/**
 * The entries of an event. Events without money give none.
 * @throws RangeError for an event that the payment cannot have: a hold or a reversal outside of the host's own money, or a negative amount
 */
export function entriesOf(payment: PostedPayment, event: MoneyEvent): readonly Entry[] {
  const isExternal = payment.acceptanceChannel === 'EXTERNAL_RAIL';
  const holds = payment.type === 'PRE_AUTH' ? accounts.preAuthHolds : accounts.saleHolds;
  const money = isExternal ? externalMoney : fundedMoney;
  switch (event.kind) {
    case 'AUTHORIZED':
      requireHost(isExternal, event.kind);
      return entry('HOLD', accounts.issuerHolds, holds, event.heldMinor);
    case 'TIP_ADJUSTED': {
      requireHost(isExternal, event.kind);
      const change = event.heldAfterMinor - event.heldBeforeMinor;
      return change < 0
        ? entry('HOLD_DECREASE', holds, accounts.issuerHolds, -change)
        : entry('HOLD_INCREASE', accounts.issuerHolds, holds, change);
    }
    case 'RELEASED':
      requireHost(isExternal, event.kind);
      return entry('HOLD_RELEASE', holds, accounts.issuerHolds, event.heldMinor);
    case 'CAPTURED':
      if (event.heldMinor > 0) requireHost(isExternal, event.kind);
      return [
        ...entry('HOLD_RELEASE', holds, accounts.issuerHolds, event.heldMinor),
        ...entry('CAPTURE', money.acquirer, money.sales, event.capturedMinor),
      ];
    case 'VOIDED':
      return entry('VOID', money.voids, money.acquirer, event.capturedMinor);
    case 'REVERSED':
      requireHost(isExternal, event.kind);
      return entry('CAPTURE_REVERSAL', money.sales, money.acquirer, event.capturedMinor);
    case 'REFUNDED':
      return entry('REFUND', money.refunds, money.acquirer, event.refundedMinor);
    case 'REFUND_REVERSED':
      return entry('REFUND_REVERSAL', money.acquirer, money.refunds, event.refundedMinor);
  }
}

const fundedMoney = {
  acquirer: accounts.acquirer,
  sales: accounts.sales,
  refunds: accounts.refunds,
  voids: accounts.voids,
} as const;

const externalMoney = {
  acquirer: accounts.externalAcquirer,
  sales: accounts.externalSales,
  refunds: accounts.externalRefunds,
  voids: accounts.externalVoids,
} as const;

function requireHost(isExternal: boolean, event: MoneyEvent['kind']): void {
  if (isExternal) throw new RangeError(`a payment that is only recorded is never ${event}`);
}

function entry(kind: EntryKind, debit: Account, credit: Account, amountMinor: number): readonly Entry[] {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) throw new RangeError('not an amount in minor units');
  return amountMinor === 0 ? [] : [{ kind, debit, credit, amountMinor }];
}

/**
 * What a record of a terminal's own acquirer says, as events: one recorded as REVERSED was charged and taken back, and so counts as sale and void
 * (decisions: EXTERNAL_RAIL, Totals). `from` is what it was recorded as before.
 */
export function recordedEvents(
  payment: { readonly type: PaymentType; readonly amountMinor: number },
  from: 'NEW' | 'SUCCEEDED',
  to: 'SUCCEEDED' | 'DECLINED' | 'REVERSED',
): readonly MoneyEvent[] {
  const { type, amountMinor } = payment;
  const isRefund = type === 'REFUND';
  const charged: MoneyEvent = isRefund
    ? { kind: 'REFUNDED', refundedMinor: amountMinor }
    : { kind: 'CAPTURED', heldMinor: 0, capturedMinor: amountMinor };
  const takenBack: MoneyEvent = isRefund
    ? { kind: 'REFUND_REVERSED', refundedMinor: amountMinor }
    : { kind: 'VOIDED', capturedMinor: amountMinor };
  return [...(from === 'NEW' && to !== 'DECLINED' ? [charged] : []), ...(to === 'REVERSED' ? [takenBack] : [])];
}

/** Debits minus credits of every account, exactly. The sum over all accounts is 0. */
export function balancesOf(entries: Iterable<Entry>): ReadonlyMap<Account, bigint> {
  const balances = new Map<Account, bigint>();
  const add = (account: Account, amount: bigint) => balances.set(account, (balances.get(account) ?? 0n) + amount);
  for (const { debit, credit, amountMinor } of entries) {
    add(debit, BigInt(amountMinor));
    add(credit, -BigInt(amountMinor));
  }
  return balances;
}

/** Kinds that count for a figure, and those that take one back. */
const figures = {
  sale: { counted: 'CAPTURE', takenBack: 'CAPTURE_REVERSAL' },
  refund: { counted: 'REFUND', takenBack: 'REFUND_REVERSAL' },
  void: { counted: 'VOID', takenBack: undefined },
} as const;

/**
 * Totals from entries by the rules of decisions: Totals. This is the reference; the stores compute the same by SQL and are judged against it.
 * @param batch entries of the batch of one terminal in one currency
 * @param holds entries of the terminal's holds up to now, whatever their batch: open pre-authorizations carry over a close
 * @param rail FUNDED: between the acquirer and the merchant. EXTERNAL: what is listed as externalTotals; it has no holds
 * @throws BridgeError AMOUNT_TOO_LARGE when a sum passes 2^53 − 1
 */
export function totalsOfEntries(
  batch: readonly Entry[],
  holds: readonly Entry[],
  currency: string,
  rail: 'FUNDED' | 'EXTERNAL' = 'FUNDED',
): TransactionTotals {
  const money: readonly Account[] = Object.values(rail === 'EXTERNAL' ? externalMoney : fundedMoney);
  const moved = batch.filter(({ debit }) => money.includes(debit));
  const sale = figureOf(moved, figures.sale);
  const refund = figureOf(moved, figures.refund);
  const voided = figureOf(moved, figures.void);
  const held = rail === 'EXTERNAL' ? { count: 0, amount: 0 } : openPreAuths(holds);
  return {
    saleCount: sale.count,
    saleAmount: sale.amount,
    refundCount: refund.count,
    refundAmount: refund.amount,
    voidCount: voided.count,
    voidAmount: voided.amount,
    preAuthCount: held.count,
    preAuthAmount: held.amount,
    currency,
  };
}

interface Figure {
  readonly count: number;
  readonly amount: number;
}

function figureOf(
  entries: readonly Entry[],
  kinds: { readonly counted: EntryKind; readonly takenBack: EntryKind | undefined },
): Figure {
  let count = 0;
  let sum = 0n;
  for (const { kind, amountMinor } of entries) {
    const sign = kind === kinds.counted ? 1 : kind === kinds.takenBack ? -1 : 0;
    count += sign;
    sum += BigInt(sign) * BigInt(amountMinor);
  }
  return { count, amount: minorOfBigInt(sum) };
}

/** Each hold is taken once and released once, with whatever it has become in between. */
function openPreAuths(entries: readonly Entry[]): Figure {
  const ours = entries.filter(
    ({ debit, credit }) => debit === accounts.preAuthHolds || credit === accounts.preAuthHolds,
  );
  const count = ours.reduce((sum, { kind }) => sum + (kind === 'HOLD' ? 1 : kind === 'HOLD_RELEASE' ? -1 : 0), 0);
  return { count, amount: minorOfBigInt(-(balancesOf(ours).get(accounts.preAuthHolds) ?? 0n)) };
}
