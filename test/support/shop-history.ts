import type { TransactionRecord, TransactionState } from '../../app/domain/transaction.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** What a shop's history is made of; the same options give the same records. */
export interface HistoryOptions {
  readonly seed: number;
  readonly transactions: number;
  readonly terminalId: string;
  /** When its last transaction ended, epoch milliseconds. */
  readonly endsAtMs: number;
  readonly transactionsPerDay: number;
}

/** One business day of a shop: its transactions in the order in which they were made, all of one batch. */
export interface ShopDay {
  readonly batchNumber: number;
  readonly closedAtMs: number;
  readonly records: readonly TransactionRecord[];
}

const dayMs = 86_400_000;
/** A shop is open for half of the day. */
const openMs = dayMs / 2;
/** Sales whose money may still be given back; older ones are forgotten, so that memory stays flat. */
const maxOpenSales = 500;

const prices = [180, 220, 280, 320, 350, 390, 420, 480, 550, 690, 850, 990, 1250, 1490, 1990, 2450] as const;
const schemes = [
  { cardScheme: 'VISA', label: 'Visa Debit', prefix: '411111', aid: 'A0000000031010' },
  { cardScheme: 'MASTERCARD', label: 'Mastercard', prefix: '545454', aid: 'A0000000041010' },
  { cardScheme: 'AMEX', label: 'American Express', prefix: '374245', aid: 'A000000025010801' },
] as const;
const callers = [
  { clientId: 'client-counter', actor: 'pos:Counter' },
  { clientId: 'client-counter', actor: 'pos:Counter' },
  { clientId: 'console', actor: 'console:Anna' },
  { clientId: 'console', actor: 'console:Ben' },
] as const;

/** Days of a shop that sells, gives back, holds and is refused now and then; nothing in it is open. */
export function* shopHistory(options: HistoryOptions): Generator<ShopDay> {
  const random = seededRandom(options.seed);
  const days = Math.ceil(options.transactions / options.transactionsPerDay);
  const sales: TransactionRecord[] = [];
  const holds: TransactionRecord[] = [];
  let made = 0;
  for (let day = 0; day < days; day += 1) {
    const closedAtMs = options.endsAtMs - (days - 1 - day) * dayMs;
    const count = Math.min(options.transactionsPerDay, options.transactions - made);
    const records: TransactionRecord[] = [];
    for (let index = 0; index < count; index += 1) {
      made += 1;
      const atMs = closedAtMs - openMs + Math.floor((openMs * index) / count);
      const place = { options, random, number: made, batchNumber: day + 1, atMs };
      records.push(nextRecord(place, sales, holds));
    }
    yield { batchNumber: day + 1, closedAtMs, records };
  }
}

interface Place {
  readonly options: HistoryOptions;
  readonly random: SeededRandom;
  readonly number: number;
  readonly batchNumber: number;
  readonly atMs: number;
}

function nextRecord(place: Place, sales: TransactionRecord[], holds: TransactionRecord[]): TransactionRecord {
  const chance = place.random.fraction();
  if (chance < 0.03) {
    const original = takenFrom(place.random, sales);
    if (original !== undefined) return refundOf(place, original);
  } else if (chance < 0.04) {
    // The day is still open: only what stands in its batch can be voided.
    const original = sales.at(-1);
    if (original !== undefined && original.batchNumber === place.batchNumber) {
      sales.pop();
      return { ...followUp(place, original), type: 'VOID', tipAmountMinor: original.tipAmountMinor };
    }
  } else if (chance < 0.05) {
    const original = holds.pop();
    if (original !== undefined) return { ...followUp(place, original), type: 'PRE_AUTH_COMPLETE' };
  } else if (chance < 0.062) {
    const hold: TransactionRecord = { ...payment(place), type: 'PRE_AUTH', tipAmountMinor: 0 };
    if (hold.state === 'APPROVED') holds.push(hold);
    return hold;
  } else if (chance < 0.065) {
    return { ...payment(place), type: 'BALANCE_INQUIRY', amountMinor: 0, tipAmountMinor: 0, mode: 'ORCHESTRATED' };
  }
  const sale = payment(place);
  if (sale.state === 'APPROVED') sales.push(sale);
  if (sales.length > maxOpenSales) sales.shift();
  return sale;
}

function takenFrom(random: SeededRandom, sales: TransactionRecord[]): TransactionRecord | undefined {
  return sales.length === 0 ? undefined : sales.splice(random.between(0, sales.length - 1), 1)[0];
}

function refundOf(place: Place, original: TransactionRecord): TransactionRecord {
  const whole = original.amountMinor + original.tipAmountMinor;
  const amountMinor = place.random.fraction() < 0.5 ? whole : Math.max(1, Math.floor(whole / 2));
  return { ...followUp(place, original), type: 'REFUND', amountMinor };
}

/** Approved, of the same card, and naming what it acts on. */
function followUp(place: Place, original: TransactionRecord): TransactionRecord {
  const { transactionId, amountMinor, card, receipts } = original;
  return {
    ...payment(place, 'APPROVED'),
    ...{ amountMinor, tipAmountMinor: 0, card, receipts },
    originalTransactionId: transactionId,
    targetTransactionId: transactionId,
  };
}

function payment(place: Place, end: TransactionState = endOf(place.random)): TransactionRecord {
  const { random, options, atMs, batchNumber } = place;
  const at = new Date(atMs).toISOString();
  const charged = end === 'APPROVED' ? 'YES' : 'NO';
  const amountMinor = random.fraction() < 0.4 ? random.pick(prices) : random.between(100, 15_000);
  const tipAmountMinor = random.fraction() < 0.05 ? Math.round(amountMinor / 10) : 0;
  const caller = random.pick(callers);
  const reference = referenceOf(place);
  const card = cardOf(random, end);
  return {
    ...caller,
    ...(reference === undefined ? {} : { referenceId: reference }),
    ...endFacts(end),
    transactionId: random.uuid(),
    terminalId: options.terminalId,
    merchantId: 'MERCHANT-1',
    type: 'SALE',
    mode: 'ORCHESTRATED',
    state: end,
    revision: 1,
    amountMinor,
    tipAmountMinor,
    cashbackAmountMinor: 0,
    currency: 'EUR',
    businessDate: at.slice(0, 10),
    batchNumber,
    createdAt: at,
    updatedAt: new Date(atMs + 4_200).toISOString(),
    recoveryMark: { receiptNumber: place.number % 10_000 },
    terminalReference: { receiptNumber: (place.number + 1) % 10_000, trace: place.number % 1_000_000 },
    card,
    receipts: end === 'APPROVED' ? [receiptOf(place, amountMinor + tipAmountMinor, card.maskedPan ?? '')] : [],
    outcome: { charged, safeToRetry: charged === 'NO', evidence: 'the terminal told the result' },
    evidence: [],
    simulated: true,
  };
}

function endOf(random: SeededRandom): TransactionState {
  const chance = random.fraction();
  if (chance < 0.94) return 'APPROVED';
  if (chance < 0.98) return 'DECLINED';
  return chance < 0.996 ? 'CANCELLED' : 'ERROR';
}

function endFacts(end: TransactionState): Partial<TransactionRecord> {
  switch (end) {
    case 'DECLINED':
      return {
        decline: {
          category: 'DO_NOT_HONOR',
          retryClass: 'OTHER_CARD',
          retryable: false,
          networkResponseCode: '05',
          merchantMessage: 'Not accepted. Ask for another card.',
          customerMessage: 'Not accepted.',
        },
      };
    case 'CANCELLED':
      return { cancelReason: 'CARDHOLDER' };
    case 'ERROR':
      return { errorCode: 'TERMINAL_ERROR', errorMessage: 'the terminal did not start' };
    default:
      return {};
  }
}

/** An order with the year and a number that rises, a table, or nothing: what shops write into references. */
function referenceOf({ random, number, atMs }: Place): string | undefined {
  const chance = random.fraction();
  if (chance < 0.5) return `order-${new Date(atMs).getUTCFullYear()}-${String(number).padStart(7, '0')}`;
  return chance < 0.75 ? `table-${random.between(1, 40)}` : undefined;
}

function cardOf(random: SeededRandom, end: TransactionState): TransactionRecord['card'] {
  if (end === 'ERROR' || end === 'CANCELLED') return {};
  const { cardScheme, label, prefix, aid } = random.pick(schemes);
  return {
    cardScheme,
    applicationLabel: label,
    aid,
    maskedPan: `${prefix}******${String(random.between(0, 9_999)).padStart(4, '0')}`,
    entryMode: random.pick(['CONTACTLESS', 'CONTACTLESS', 'CONTACT']),
    ...(end === 'APPROVED'
      ? { authorizationCode: String(random.between(100_000, 999_999)), responseCode: '00' }
      : { responseCode: '05' }),
  };
}

function receiptOf(place: Place, total: number, maskedPan: string): TransactionRecord['receipts'][number] {
  const text = (line: string) => ({ text: line });
  return {
    kind: 'CUSTOMER',
    lines: [
      { text: 'CORNER CAFE', centred: true },
      { text: 'CUSTOMER RECEIPT', centred: true },
      text(`Terminal      ${place.options.terminalId}`),
      text(`Receipt       ${String(place.number % 10_000).padStart(4, '0')}`),
      text(`Card          ${maskedPan}`),
      text(`Total EUR     ${(total / 100).toFixed(2)}`),
      { text: 'APPROVED', centred: true },
    ],
  };
}
