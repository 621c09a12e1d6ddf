// A procedure with a card from its command to its result: card, PIN, host. What the host approved stands, whether the till hears of it or not: the
// protocol has no reversal by silence. The till may ask for the last result (G).
import type { AuthorizedEntry, BookOperation } from '../book/entries.ts';
import type { Damage } from '../machine.ts';
import { book, dropCardIfAlone, setActivity, show, stopTimers, takeArmedRule, update } from '../machine-turn.ts';
import {
  answerOfHost,
  authorizedEntry,
  cancelledEntry,
  cardOfBook,
  declinedEntry,
  type HostAnswer,
  isEnquiry,
  newPayment,
  PIN_TRIES_EXCEEDED,
  titleLines,
} from '../payment.ts';
import { createPaymentSteps, type PaymentMoment } from '../payment-steps.ts';
import { paymentReceipts, type ReceiptContent } from '../receipts.ts';
import type { Rule } from '../rules.ts';
import { orderOf, type ProcedureCommand, type Refusal } from './orders.ts';
import { printReceipts } from './printing.ts';
import * as replies from './replies.ts';
import { type Ecr17Machine, type Ecr17Order, MAX_SENDS, type OutgoingMessage, type PaymentActivity } from './state.ts';
import { acknowledge, becomeIdle, refuse, report, startTelling, type Turn } from './turn.ts';

/** Progress texts, as terminals in Italy show them. */
const MOMENTS: Readonly<Record<PaymentMoment, string>> = {
  INSERT_CARD: 'INSERIRE CARTA',
  LOOK_AT_PIN_PAD: 'DIGITARE PIN',
  CARD_UNREADABLE: 'CARTA NON LEGGIBILE',
  WRONG_PIN: 'PIN ERRATO',
  WAITING_FOR_HOST: 'COLLEGAMENTO HOST',
};
/** How many progress texts come with the rule progress-flood. */
const FLOOD_TEXTS = 300;

/** An issuer's answer for another card than that of the payment. */
const NOT_THIS_CARD = 57;

const DAMAGES: ReadonlyMap<Rule | null, Damage> = new Map<Rule, Damage>([
  ['half-frame', 'HALF'],
  ['noise', 'NOISE'],
  ['wrong-lrc', 'CHECKSUM'],
]);

/** From the card to the host. */
export const steps = createPaymentSteps<Ecr17Machine, PaymentActivity>({
  tell: (turn, moment) => report(turn, MOMENTS[moment]),
  cancelled: (turn, payment, cause) =>
    cancel(turn, payment, cause === 'TIMEOUT' ? replies.TIMED_OUT : replies.CANCELLED),
  refused(turn, payment, cause) {
    if (cause === 'CARD_UNREADABLE') cancel(turn, payment, replies.UNREADABLE);
    else decline(turn, payment, PIN_TRIES_EXCEEDED, replies.declineOf(PIN_TRIES_EXCEEDED));
  },
  lostBeforeHost: (turn, payment) => cancel(turn, { ...payment, isOrphaned: true }, replies.CANCELLED),
});

/** Starts what a command asks for, if the terminal takes it. @param text the command as it came, to know its repeats */
export function startProcedure(turn: Turn, text: string, command: ProcedureCommand): void {
  const result = orderOf(command, turn.ledger);
  if (!result.ok) {
    acknowledge(turn);
    tellAndRemember(turn, replies.refusalText(turn, result.procedure, { ...result.refusal, amountMinor: 0 }));
    return;
  }
  const rule = ruleFor(turn, result.order);
  if (rule === 'no-answer' || rule === 'busy' || rule === 'no-extended') {
    turnDown(turn, text, rule);
    return;
  }
  update(turn, { running: { text, isAcknowledged: rule !== 'lost-ack' } });
  if (rule !== 'lost-ack') acknowledge(turn);
  const payment: PaymentActivity = { ...newPayment(result.order, rule), isOrphaned: false };
  setActivity(turn, payment);
  if (result.order.isCardPresent === true && turn.state.card === null) cancel(turn, payment, replies.CARD_MISSING);
  else steps.begin(turn, payment);
}

/** A terminal without X refuses X only: whatever else comes first is not what the rule waits for. */
function ruleFor(turn: Turn, { procedure }: Ecr17Order): Rule | null {
  return turn.state.armed?.rule === 'no-extended' && procedure !== 'X' ? null : takeArmedRule(turn);
}

/** Does nothing about a command, however often the till repeats it. */
function turnDown(turn: Turn, text: string, rule: Rule): void {
  const answer = rule === 'no-answer' ? 'SILENCE' : 'NAK';
  update(turn, { running: null, turned: { text, answer, transmissionsLeft: MAX_SENDS - 1 } });
  if (answer === 'NAK') refuse(turn);
}

/** The host's answer is there. */
export function hostAnswers(turn: Turn, payment: PaymentActivity): void {
  const answer = answerOfHost(turn.ledger, payment);
  const { operation, cardId } = payment.order;
  if (answer === undefined) return;
  if (!answer.isApproved)
    decline(turn, payment, answer.issuerCode, replies.declineOf(answer.issuerCode), askedHost(turn));
  else if (cardId !== undefined && answer.card.id !== cardId) {
    decline(turn, payment, NOT_THIS_CARD, replies.OTHER_CARD, askedHost(turn));
  } else if (isEnquiry(operation)) verified(turn, payment, answer);
  else approve(turn, payment, operation, answer);
}

/** Each dialogue with the host has a STAN of its own. */
function askedHost({ ledger }: Turn): { readonly trace: number } {
  return { trace: ledger.nextTrace() };
}

type Approval = Extract<HostAnswer, { isApproved: true }>;

function verified(turn: Turn, payment: PaymentActivity, { card }: Approval): void {
  const { trace } = askedHost(turn);
  const text = replies.approvalText(turn, payment.order.procedure, {
    trace,
    amountMinor: 0,
    card,
    authorizationCode: turn.settings.authorizationCode(trace),
  });
  book(turn, { kind: 'TOLD', text, trace });
  tellApproval(turn, payment, text, []);
}

/** Final at once: the book has it, with the result that G repeats, before the till hears anything. */
function approve(
  turn: Turn,
  payment: PaymentActivity,
  operation: BookOperation,
  { card, amountMinor }: Approval,
): void {
  const entry = authorizedEntry(turn, payment.order, { operation, card, amountMinor });
  const id = book(turn, entry);
  const text = replies.approvalText(turn, payment.order.procedure, entry);
  book(turn, { kind: 'TOLD', text });
  book(turn, { kind: 'FINAL', id });
  const receipts = paymentReceipts(turn.settings, contentOf(turn, entry));
  const goToTill = turn.state.sendsReceipts && !payment.isOrphaned;
  tellApproval(turn, payment, text, printReceipts(turn, receipts, goToTill, payment.order.receiptText));
}

function contentOf({ ledger, now }: Turn, entry: AuthorizedEntry): ReceiptContent {
  const original = entry.originalId === undefined ? undefined : ledger.get(entry.originalId);
  return {
    ...entry,
    batch: ledger.batch(),
    atMs: now.atMs,
    ...(original === undefined ? {} : { originalTrace: original.trace }),
  };
}

function tellApproval(turn: Turn, payment: PaymentActivity, text: string, receipts: readonly OutgoingMessage[]): void {
  show(turn, ...titleLines(turn.settings, payment.order), turn.settings.texts.approved);
  endInFront(turn);
  switch (payment.rule) {
    case 'drop-after-host':
      becomeIdle(turn);
      turn.outputs.push({ type: 'drop-link' });
      return;
    case 'unplug':
    case 'reboot': {
      const cause = payment.rule === 'unplug' ? 'UNPLUG' : 'REBOOT';
      becomeIdle(turn);
      turn.outputs.push({ type: 'outage', cause, durationMs: turn.settings.outageMs });
      return;
    }
    default:
      tellResult(turn, payment, text, receipts);
  }
}

/** What happens in front of the terminal is over: the card is back, and nobody is waited for. */
function endInFront(turn: Turn): void {
  stopTimers(turn, 'card', 'think', 'host');
  dropCardIfAlone(turn);
  update(turn, { sendsReceipts: false });
}

function tellResult(turn: Turn, payment: PaymentActivity, text: string, receipts: readonly OutgoingMessage[]): void {
  const { rule } = payment;
  if (payment.isOrphaned) {
    becomeIdle(turn);
    return;
  }
  if (rule === 'progress-flood') for (let count = 0; count < FLOOD_TEXTS; count++) report(turn, 'ATTENDERE PREGO');
  const damage = DAMAGES.get(rule);
  const result: OutgoingMessage = { text, ...(damage === undefined ? {} : { damage }) };
  startTelling(turn, [result, ...receipts], { isProcedure: true, dropsLink: rule === 'drop-after-final' });
  if (rule === 'duplicate-reply') turn.outputs.push({ type: 'send', text });
}

/** Stopped before the host was asked. */
function cancel(turn: Turn, payment: PaymentActivity, refusal: Refusal): void {
  book(turn, cancelledEntry(payment, refusal.text));
  tellRefusal(turn, payment, refusal, {});
}

function decline(
  turn: Turn,
  payment: PaymentActivity,
  issuerCode: number,
  refusal: Refusal,
  asked: { readonly trace?: number } = {},
): void {
  book(turn, declinedEntry(payment, issuerCode));
  tellRefusal(turn, payment, refusal, asked);
}

function tellRefusal(turn: Turn, payment: PaymentActivity, refusal: Refusal, asked: { readonly trace?: number }): void {
  const { procedure, amountMinor } = payment.order;
  const card = cardOfBook(payment);
  const text = replies.refusalText(turn, procedure, {
    ...refusal,
    ...asked,
    amountMinor,
    ...(card === undefined ? {} : { card }),
  });
  book(turn, { kind: 'TOLD', text, ...asked });
  show(turn, ...titleLines(turn.settings, payment.order), displayOf(turn, refusal));
  endInFront(turn);
  tellResult(turn, payment, text, []);
}

function displayOf({ settings: { texts } }: Turn, refusal: Refusal): string {
  if (refusal === replies.UNREADABLE) return texts.unreadable;
  return refusal === replies.CANCELLED || refusal === replies.TIMED_OUT ? texts.cancelled : texts.declined;
}

/** Tells the result of a procedure for which no card was asked, and keeps it for G. */
export function tellAndRemember(turn: Turn, text: string, after: readonly OutgoingMessage[] = []): void {
  book(turn, { kind: 'TOLD', text });
  update(turn, { sendsReceipts: false });
  startTelling(turn, [{ text }, ...after], { isProcedure: true });
}
