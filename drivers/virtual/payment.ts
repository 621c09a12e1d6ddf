// A payment on a terminal with an acquirer of its own, as data: what is ordered, how far it is, what the acquirer says.
import type { AuthorizedEntry, BookCard, BookEntry, BookOperation, Enquiry } from './book/entries.ts';
import type { LedgerView } from './book/ledger.ts';
import { asksForPin, lastFourOnly, type TestCard } from './cards.ts';
import type { MachineSettings, MachineTypes } from './machine.ts';
import { declineCode, type Rule } from './rules.ts';
import { formatAmount, operationName } from './texts.ts';

/** What a terminal with an acquirer of its own is set up with besides. */
export interface PaymentSettings extends MachineSettings {
  /** eight digits */
  readonly terminalId: string;
  /** number of the merchant's contract */
  readonly vuNumber: string;
  readonly merchantLines: readonly string[];
  /** how long the host takes */
  readonly hostMs: number;
  /** how long a card or a PIN is waited for */
  readonly cardTimeoutMs: number;
  /** six digits for a trace number */
  readonly authorizationCode: (trace: number) => string;
}

/** A machine that takes payments into the common book. */
export interface PaymentMachine extends MachineTypes {
  readonly settings: PaymentSettings;
  readonly ledger: LedgerView;
}

export interface PaymentOrder {
  readonly operation: BookOperation | Enquiry;
  readonly amountMinor: number;
  /** no card is asked for: the one of the original counts */
  readonly card?: BookCard;
  /** sequence of the AUTHORIZED entry that this one ends */
  readonly originalId?: number;
  /** sequence of the pre-authorization that this one adds to */
  readonly extendsId?: number;
}

/** The steps in front of the terminal; what comes after the host's answer is each protocol's own. */
export type PaymentStep = 'CARD' | 'PIN' | 'HOST';

/** A payment that is going on. Each protocol adds its own stages and facts. */
export interface Payment {
  readonly kind: 'PAYMENT';
  readonly order: PaymentOrder;
  readonly rule: Rule | null;
  readonly stage: string;
  readonly card?: TestCard;
  readonly pin: string;
  readonly wrongPins: number;
}

/** A payment of which nothing has happened yet. */
export function newPayment<Order extends PaymentOrder>(order: Order, rule: Rule | null) {
  return { kind: 'PAYMENT', order, rule, stage: 'CARD', pin: '', wrongPins: 0 } as const;
}

/** Answers of an issuer (ISO 8583, field 39). */
const INSUFFICIENT_FUNDS = 51;
export const PIN_TRIES_EXCEEDED = 75;

/** What needs money on the card. */
const SPENDING: ReadonlySet<PaymentOrder['operation']> = new Set(['SALE', 'PRE_AUTH', 'COMPLETION']);

/** What wrong-amount adds to what was asked. */
const WRONG_AMOUNT_EXTRA_MINOR = 100;

/** What the host says, as the rule of the payment and the money on the card have it. */
export type HostAnswer =
  | { readonly isApproved: false; readonly issuerCode: number }
  | { readonly isApproved: true; readonly card: BookCard; readonly amountMinor: number };

/** The host's answer; undefined without a card. */
export function answerOfHost(ledger: LedgerView, payment: Payment): HostAnswer | undefined {
  const { order, rule } = payment;
  const card = cardOfBook(payment);
  const declined = declineCode(rule);
  if (card === undefined) return undefined;
  if (declined !== undefined) return { isApproved: false, issuerCode: declined };
  if (lacksFunds(ledger, payment)) return { isApproved: false, issuerCode: INSUFFICIENT_FUNDS };
  const extraMinor = rule === 'wrong-amount' ? WRONG_AMOUNT_EXTRA_MINOR : 0;
  return { isApproved: true, card, amountMinor: order.amountMinor + extraMinor };
}

function lacksFunds(ledger: LedgerView, { card, order }: Payment): boolean {
  if (card?.balanceMinor === undefined || !SPENDING.has(order.operation)) return false;
  return order.amountMinor > card.balanceMinor - ledger.spentMinor(card.id);
}

/** The card of a payment as the book knows it: that of the original, or the one that was presented. */
export function cardOfBook({ card, order }: Payment): BookCard | undefined {
  return order.card ?? (card === undefined ? undefined : bookCard(card, order.amountMinor));
}

function bookCard(card: TestCard, amountMinor: number): BookCard {
  const { verification } = card;
  const withoutPin = verification === 'PIN_ABOVE_LIMIT' || verification === 'PIN' ? 'NONE' : verification;
  return {
    id: card.id,
    scheme: card.scheme,
    label: card.label,
    maskedPan: lastFourOnly(card.pan),
    expiry: card.expiry,
    sequence: card.sequence,
    ...(card.aid === undefined ? {} : { aid: card.aid }),
    entry: card.entry,
    verification: asksForPin(card, amountMinor) ? 'PIN' : withoutPin,
  };
}

/** The entry of an approval, with the next receipt and trace number of the book. */
export function authorizedEntry(
  { settings, ledger }: { readonly settings: PaymentSettings; readonly ledger: LedgerView },
  { originalId, extendsId }: PaymentOrder,
  approved: { readonly operation: BookOperation; readonly amountMinor: number; readonly card: BookCard },
): AuthorizedEntry {
  const trace = ledger.nextTrace();
  return {
    kind: 'AUTHORIZED',
    operation: approved.operation,
    receipt: ledger.nextReceipt(),
    trace,
    amountMinor: approved.amountMinor,
    currency: settings.currency,
    card: approved.card,
    authorizationCode: settings.authorizationCode(trace),
    ...(originalId === undefined ? {} : { originalId }),
    ...(extendsId === undefined ? {} : { extendsId }),
  };
}

/** The entry of a payment that the host, or the terminal in its place, has refused. */
export function declinedEntry(payment: Payment, resultCode: number): BookEntry {
  const { operation, amountMinor } = payment.order;
  const card = cardOfBook(payment);
  return { kind: 'DECLINED', operation, amountMinor, resultCode, ...(card === undefined ? {} : { card }) };
}

/** The entry of a payment that was stopped before the host was asked. */
export function cancelledEntry({ order: { operation, amountMinor } }: Payment, reason: string): BookEntry {
  return { kind: 'CANCELLED', operation, amountMinor, reason };
}

/** What is paid, for the display. */
export function titleLines(settings: MachineSettings, { operation, amountMinor }: PaymentOrder): readonly string[] {
  const title = operationName(settings.texts, operation);
  return isEnquiry(operation) ? [title] : [title, amountText(settings, amountMinor)];
}

/** True for what has no amount. */
export function isEnquiry(operation: PaymentOrder['operation']): operation is Enquiry {
  return operation === 'BALANCE' || operation === 'VERIFICATION';
}

/** An amount with its currency, e.g. 12.34 EUR. */
export function amountText({ texts, currency, currencyExponent }: MachineSettings, amountMinor: number): string {
  return `${formatAmount(amountMinor, currencyExponent, texts)} ${currency}`;
}
