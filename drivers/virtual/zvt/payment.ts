// A payment from its command to its end: card, PIN, host, result, receipts. Final once the till has acknowledged the result
// and every receipt line; until then the terminal takes it back when the till falls silent (ZVT PA00P015, chapter 2.1).
import type { StatusInformation } from '../../zvt/codec/message-types.ts';
import type { BookCard } from '../book/entries.ts';
import { book, dropCardIfAlone, setActivity, show, takeArmedRule, update } from '../machine-turn.ts';
import {
  amountText,
  answerOfHost,
  authorizedEntry,
  type HostAnswer,
  newPayment,
  PIN_TRIES_EXCEEDED,
  titleLines,
} from '../payment.ts';
import { createPaymentSteps, type PaymentMoment, setPayment } from '../payment-steps.ts';
import { paymentReceipts, type ReportedAuthorization, receiptContent } from '../receipts.ts';
import { cancelPayment, endPayment, endSilently, refusePayment, takeBack } from './payment-ends.ts';
import { printReceipts } from './printing.ts';
import type { PaymentActivity, ZvtMachine, ZvtOrder } from './state.ts';
import { approvedStatus, balanceStatus } from './status-fields.ts';
import { acknowledge, becomeIdle, isDrained, refuse, report, send, type Turn } from './turn.ts';

/** Intermediate status codes (04 FF). */
const MOMENTS: Readonly<Record<PaymentMoment, number>> = {
  LOOK_AT_PIN_PAD: 0x01,
  WAITING_FOR_HOST: 0x04,
  INSERT_CARD: 0x0a,
  CARD_UNREADABLE: 0x0c,
  WRONG_PIN: 0x15,
};

/** Result codes. */
const UNREADABLE = 0x64;
const NOT_FOR_CREDIT = 0x68;
const BUSY = 0x9c;
const OUT_OF_ORDER = 0xdf;
const CLOSE_NEEDED = 0xf0;

/** From the card to the host. */
export const steps = createPaymentSteps<ZvtMachine, PaymentActivity>({
  tell: (turn, moment) => report(turn, MOMENTS[moment]),
  cancelled: cancelPayment,
  refused(turn, payment, cause) {
    const { texts } = turn.settings;
    if (cause === 'CARD_UNREADABLE') refusePayment(turn, payment, UNREADABLE, texts.unreadable);
    else refusePayment(turn, payment, PIN_TRIES_EXCEEDED, texts.declined);
  },
  lostBeforeHost: (turn, payment) => endSilently(turn, payment, 'the line was lost before the host was asked'),
});

/** Starts a payment that the terminal can take. */
export function startPayment(turn: Turn, order: ZvtOrder): void {
  const rule = takeArmedRule(turn);
  if (rule === 'no-answer') return;
  if (rule === 'busy') {
    refuse(turn, BUSY);
    return;
  }
  if (rule === 'day-close-needed') setCondition(turn, 'isDayCloseNeeded');
  if (rule === 'needs-initialisation') setCondition(turn, 'isInitialisationNeeded');
  const payment: PaymentActivity = { ...newPayment(order, rule), isOrphaned: false };
  acknowledge(turn);
  setActivity(turn, payment);
  const { conditions } = turn.state;
  if (conditions.isInitialisationNeeded) refusePayment(turn, payment, OUT_OF_ORDER, turn.settings.texts.declined);
  else if (conditions.isDayCloseNeeded) refusePayment(turn, payment, CLOSE_NEEDED, turn.settings.texts.declined);
  else steps.begin(turn, payment);
}

function setCondition(turn: Turn, name: keyof Turn['state']['conditions']): void {
  update(turn, { conditions: { ...turn.state.conditions, [name]: true } });
}

/** The host's answer is there. */
export function hostAnswers(turn: Turn, payment: PaymentActivity): void {
  const answer = answerOfHost(turn.ledger, payment);
  const { operation } = payment.order;
  if (answer === undefined) return;
  if (!answer.isApproved) refusePayment(turn, payment, answer.issuerCode, turn.settings.texts.declined);
  else if (operation === 'BALANCE') tellBalance(turn, payment, answer.card);
  else approve(turn, payment, operation, answer);
}

function tellBalance(turn: Turn, payment: PaymentActivity, card: BookCard): void {
  const { settings } = turn;
  if (payment.card?.balanceMinor === undefined) {
    refusePayment(turn, payment, NOT_FOR_CREDIT, settings.texts.declined);
    return;
  }
  const balanceMinor = payment.card.balanceMinor - turn.ledger.spentMinor(card.id);
  show(turn, settings.texts.balance, amountText(settings, balanceMinor));
  setPayment(turn, payment, { stage: 'RESULT' });
  send(turn, 'RESULT', balanceStatus(turn, card, balanceMinor));
}

function approve(
  turn: Turn,
  payment: PaymentActivity,
  operation: Exclude<ZvtOrder['operation'], 'BALANCE'>,
  { card, amountMinor }: Extract<HostAnswer, { isApproved: true }>,
): void {
  const { originalTrace } = payment.order;
  const entry = authorizedEntry(turn, payment.order, { operation, card, amountMinor });
  const authorizedId = book(turn, entry);
  const approved = setPayment(turn, payment, { stage: 'RESULT', authorizedId });
  tellApproval(turn, approved, {
    ...entry,
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
  printReceipts(turn, paymentReceipts(turn.settings, receiptContent(turn.ledger, transaction)));
  if (isDrained(turn.state)) makeFinal(turn, next);
}

function makeFinal(turn: Turn, payment: PaymentActivity): void {
  const { authorizedId } = payment;
  if (authorizedId === undefined) return;
  book(turn, { kind: 'FINAL', id: authorizedId });
  show(turn, ...titleLines(turn.settings, payment.order), turn.settings.texts.approved);
  if (payment.rule === 'drop-after-final') {
    becomeIdle(turn);
    dropCardIfAlone(turn);
    turn.outputs.push({ type: 'drop-link' });
    return;
  }
  endPayment(turn, payment);
}
