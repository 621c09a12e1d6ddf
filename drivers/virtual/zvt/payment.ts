// A payment from its command to its end: card, PIN, host, result, receipts. Final once the till has acknowledged the result
// and every receipt line; until then the terminal takes it back when the till falls silent (ZVT PA00P015, chapter 2.1).
import type { StatusInformation } from '../../zvt/codec/message-types.ts';
import type { BookCard } from '../book/entries.ts';
import { asksForPin, MAX_PIN_TRIES, type TestCard } from '../cards.ts';
import { declineCode, takeRule } from '../rules.ts';
import { formatAmount } from '../texts.ts';
import {
  bookCard,
  cancelPayment,
  dropCardIfAlone,
  endPayment,
  endSilently,
  refusePayment,
  takeBack,
  titleLines,
} from './payment-ends.ts';
import { printReceipts } from './printing.ts';
import { paymentReceipts } from './receipts.ts';
import type { PaymentActivity, PaymentOrder } from './state.ts';
import { approvedStatus, balanceStatus, type ReportedAuthorization } from './status-fields.ts';
import {
  acknowledge,
  becomeIdle,
  book,
  isAttended,
  isDrained,
  refuse,
  report,
  send,
  setPayment,
  show,
  startTimer,
  stopTimers,
  type Turn,
  update,
} from './turn.ts';

/** Intermediate status codes (04 FF). */
const LOOK_AT_PIN_PAD = 0x01;
const WAITING_FOR_HOST = 0x04;
const INSERT_CARD = 0x0a;
const CARD_UNREADABLE = 0x0c;
const WRONG_PIN = 0x15;

/** Result codes. */
const ISSUER_INSUFFICIENT_FUNDS = 51;
const ISSUER_PIN_TRIES_EXCEEDED = 75;
const UNREADABLE = 0x64;
const NOT_FOR_CREDIT = 0x68;
const BUSY = 0x9c;
const OUT_OF_ORDER = 0xdf;
const CLOSE_NEEDED = 0xf0;

/** What wrong-amount adds to what was asked. */
const WRONG_AMOUNT_EXTRA_MINOR = 100;

/** Starts a payment that the terminal can take. */
export function startPayment(turn: Turn, order: PaymentOrder): void {
  const { rule, left } = takeRule(turn.state.armed);
  update(turn, { armed: left });
  if (rule === 'no-answer') return;
  if (rule === 'busy') {
    refuse(turn, BUSY);
    return;
  }
  if (rule === 'day-close-needed') setCondition(turn, 'isDayCloseNeeded');
  if (rule === 'needs-initialisation') setCondition(turn, 'isInitialisationNeeded');
  const payment: PaymentActivity = {
    kind: 'PAYMENT',
    order,
    rule,
    stage: 'CARD',
    pin: '',
    wrongPins: 0,
    isOrphaned: false,
  };
  acknowledge(turn);
  setPayment(turn, payment, {});
  const { conditions } = turn.state;
  if (conditions.isInitialisationNeeded) refusePayment(turn, payment, OUT_OF_ORDER, turn.settings.texts.declined);
  else if (conditions.isDayCloseNeeded) refusePayment(turn, payment, CLOSE_NEEDED, turn.settings.texts.declined);
  else if (order.card === undefined) waitForCard(turn, payment);
  else if (rule === 'cardholder-cancel') cancelPayment(turn, payment, 'CARDHOLDER');
  else askHost(turn, payment);
}

function setCondition(turn: Turn, name: keyof Turn['state']['conditions']): void {
  update(turn, { conditions: { ...turn.state.conditions, [name]: true } });
}

function waitForCard(turn: Turn, payment: PaymentActivity): void {
  show(turn, ...titleLines(turn, payment), turn.settings.texts.presentCard);
  report(turn, INSERT_CARD);
  startTimer(turn, 'card', turn.settings.cardTimeoutMs);
  const { card } = turn.state;
  if (card !== null && payment.rule !== 'cardholder-cancel') takeCard(turn, payment, card);
  else if (!isAttended(turn) || payment.rule === 'cardholder-cancel') startTimer(turn, 'think', turn.settings.thinkMs);
}

/** The simulated customer does the next thing. */
export function customerActs(turn: Turn, payment: PaymentActivity): void {
  if (payment.stage === 'CARD') {
    const [card] = turn.settings.cards;
    if (payment.rule === 'cardholder-cancel') cancelPayment(turn, payment, 'CARDHOLDER');
    else if (card !== undefined) takeCard(turn, payment, turn.state.card ?? card);
  } else if (payment.stage === 'PIN') askHost(turn, payment);
}

/** A card is in the slot or on the reader while one is waited for. */
export function takeCard(turn: Turn, payment: PaymentActivity, card: TestCard): void {
  stopTimers(turn, 'card', 'think');
  // Chip cards stay in the slot until the end, others are back in the customer's hand.
  update(turn, { card: card.entry === 'CONTACT' ? card : null });
  if (card.isUnreadable === true) {
    report(turn, CARD_UNREADABLE);
    refusePayment(turn, payment, UNREADABLE, turn.settings.texts.unreadable);
    return;
  }
  const next = setPayment(turn, payment, { card });
  if (asksForPin(card, payment.order.amountMinor) && payment.order.operation !== 'BALANCE') waitForPin(turn, next);
  else askHost(turn, next);
}

function waitForPin(turn: Turn, payment: PaymentActivity): void {
  setPayment(turn, payment, { stage: 'PIN', pin: '' });
  show(turn, ...titleLines(turn, payment), turn.settings.texts.enterPin, '');
  report(turn, LOOK_AT_PIN_PAD);
  if (isAttended(turn)) startTimer(turn, 'card', turn.settings.cardTimeoutMs);
  else startTimer(turn, 'think', turn.settings.thinkMs / 2);
}

/** A digit or a correction on the PIN pad. */
export function changePin(turn: Turn, payment: PaymentActivity, pin: string): void {
  setPayment(turn, payment, { pin });
  show(turn, ...titleLines(turn, payment), turn.settings.texts.enterPin, '*'.repeat(pin.length));
}

/** OK on the PIN pad. */
export function enterPin(turn: Turn, payment: PaymentActivity): void {
  if (payment.pin === payment.card?.pin) {
    askHost(turn, payment);
    return;
  }
  const wrongPins = payment.wrongPins + 1;
  report(turn, WRONG_PIN);
  const next = setPayment(turn, payment, { wrongPins, pin: '' });
  if (wrongPins >= MAX_PIN_TRIES) refusePayment(turn, next, ISSUER_PIN_TRIES_EXCEEDED, turn.settings.texts.declined);
  else show(turn, ...titleLines(turn, payment), turn.settings.texts.wrongPin, turn.settings.texts.enterPin);
}

function askHost(turn: Turn, payment: PaymentActivity): void {
  stopTimers(turn, 'card', 'think');
  if (payment.rule === 'drop-before-host') {
    turn.outputs.push({ type: 'drop-link' });
    endSilently(turn, payment, 'the line was lost before the host was asked');
    return;
  }
  setPayment(turn, payment, { stage: 'HOST' });
  show(turn, ...titleLines(turn, payment), turn.settings.texts.pleaseWait, turn.settings.texts.connecting);
  report(turn, WAITING_FOR_HOST);
  const isSlow = payment.rule === 'slow' || payment.rule === 'late-approval-after-abort';
  startTimer(turn, 'host', isSlow ? turn.settings.slowMs : turn.settings.hostMs);
}

/** The host's answer is there. */
export function hostAnswers(turn: Turn, payment: PaymentActivity): void {
  const code = declineCode(payment.rule);
  const card =
    payment.order.card ?? (payment.card === undefined ? undefined : bookCard(payment.card, payment.order.amountMinor));
  if (card === undefined) return;
  if (code !== undefined) refusePayment(turn, payment, code, turn.settings.texts.declined);
  else if (payment.order.operation === 'BALANCE') tellBalance(turn, payment, card);
  else if (lacksFunds(turn, payment))
    refusePayment(turn, payment, ISSUER_INSUFFICIENT_FUNDS, turn.settings.texts.declined);
  else approve(turn, payment, payment.order.operation, card);
}

function lacksFunds(turn: Turn, { card, order }: PaymentActivity): boolean {
  if (card?.balanceMinor === undefined || order.operation === 'REFUND') return false;
  return order.amountMinor > card.balanceMinor - turn.ledger.spentMinor(card.id);
}

function tellBalance(turn: Turn, payment: PaymentActivity, card: BookCard): void {
  if (payment.card?.balanceMinor === undefined) {
    refusePayment(turn, payment, NOT_FOR_CREDIT, turn.settings.texts.declined);
    return;
  }
  const balanceMinor = payment.card.balanceMinor - turn.ledger.spentMinor(card.id);
  const { settings } = turn;
  show(
    turn,
    settings.texts.balance,
    `${formatAmount(balanceMinor, settings.currencyExponent, settings.texts)} ${settings.currency}`,
  );
  setPayment(turn, payment, { stage: 'RESULT' });
  send(turn, 'RESULT', balanceStatus(turn, card, balanceMinor));
}

function approve(
  turn: Turn,
  payment: PaymentActivity,
  operation: Exclude<PaymentOrder['operation'], 'BALANCE'>,
  card: BookCard,
): void {
  const { order, rule } = payment;
  const amountMinor = rule === 'wrong-amount' ? order.amountMinor + WRONG_AMOUNT_EXTRA_MINOR : order.amountMinor;
  const trace = turn.ledger.nextTrace();
  const receipt = turn.ledger.nextReceipt();
  const authorizationCode = turn.settings.authorizationCode(trace);
  const authorizedId = book(turn, {
    kind: 'AUTHORIZED',
    operation,
    receipt,
    trace,
    amountMinor,
    currency: turn.settings.currency,
    card,
    authorizationCode,
    ...(order.originalId === undefined ? {} : { originalId: order.originalId }),
    ...(order.extendsId === undefined ? {} : { extendsId: order.extendsId }),
  });
  const approved = setPayment(turn, payment, { stage: 'RESULT', authorizedId });
  const { originalTrace } = order;
  tellApproval(turn, approved, {
    receipt,
    trace,
    amountMinor,
    card,
    authorizationCode,
    atMs: turn.now.atMs,
    ...(originalTrace === undefined ? {} : { originalTrace }),
  });
}

function tellApproval(turn: Turn, payment: PaymentActivity, authorization: ReportedAuthorization): void {
  if (payment.isOrphaned) {
    takeBack(turn, payment, 'the till that asked is gone');
    return;
  }
  switch (payment.rule) {
    case 'drop-after-host':
      takeBack(turn, payment, 'the line was lost before the result was told');
      turn.outputs.push({ type: 'drop-link' });
      return;
    case 'unplug':
      takeBack(turn, payment, 'unplugged before the result was told');
      turn.outputs.push({ type: 'outage', cause: 'UNPLUG', durationMs: turn.settings.outageMs });
      return;
    case 'reboot':
      // The authorization stays open in the book: the next start takes it back.
      turn.outputs.push({ type: 'outage', cause: 'REBOOT', durationMs: turn.settings.outageMs });
      return;
    default:
      tellResult(turn, payment, authorization);
  }
}

function tellResult(turn: Turn, { rule }: PaymentActivity, authorization: ReportedAuthorization): void {
  const status = approvedStatus(turn, authorization);
  const { resultCode: _, ...withoutResult } = status;
  const told: StatusInformation = rule === 'no-result-code' ? withoutResult : status;
  if (rule === 'half-frame') send(turn, 'RESULT', told, 'HALF');
  else if (rule === 'noise') send(turn, 'RESULT', told, 'NOISE');
  else send(turn, 'RESULT', told);
  if (rule === 'duplicate-reply') send(turn, 'RESULT', told);
}

/** The till has acknowledged everything sent so far. */
export function paymentDrained(turn: Turn, payment: PaymentActivity): void {
  if (payment.stage === 'RESULT') printOrFinish(turn, payment);
  else if (payment.stage === 'RECEIPTS') makeFinal(turn, payment);
  else if (payment.stage === 'END') becomeIdle(turn);
}

function printOrFinish(turn: Turn, payment: PaymentActivity): void {
  const transaction = payment.authorizedId === undefined ? undefined : turn.ledger.get(payment.authorizedId);
  if (transaction === undefined) {
    endPayment(turn, payment);
    return;
  }
  const next = setPayment(turn, payment, { stage: 'RECEIPTS' });
  const original = transaction.originalId === undefined ? undefined : turn.ledger.get(transaction.originalId);
  printReceipts(
    turn,
    paymentReceipts(turn.settings, {
      ...transaction,
      atMs: Date.parse(transaction.at),
      ...(original === undefined ? {} : { originalTrace: original.trace }),
    }),
  );
  if (isDrained(turn.state)) makeFinal(turn, next);
}

function makeFinal(turn: Turn, payment: PaymentActivity): void {
  const { authorizedId } = payment;
  if (authorizedId === undefined) return;
  book(turn, { kind: 'FINAL', id: authorizedId });
  show(turn, ...titleLines(turn, payment), turn.settings.texts.approved);
  if (payment.rule === 'drop-after-final') {
    becomeIdle(turn);
    dropCardIfAlone(turn);
    turn.outputs.push({ type: 'drop-link' });
    return;
  }
  endPayment(turn, payment);
}
