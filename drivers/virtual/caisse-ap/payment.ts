// A payment from its request to its reply: card, PIN, host. There is no acknowledgement and no question about the past in this protocol: what the host
// approved stands, whether its till is still there to read the reply or not.
import { book, setActivity, show, takeArmedRule, update } from '../machine-turn.ts';
import {
  answerOfHost,
  authorizedEntry,
  cancelledEntry,
  declinedEntry,
  type HostAnswer,
  newPayment,
  PIN_TRIES_EXCEEDED,
  titleLines,
} from '../payment.ts';
import { type CancelCause, createPaymentSteps } from '../payment-steps.ts';
import { onPaper, paymentReceipts, withNewLines } from '../receipts.ts';
import {
  ABANDONED,
  acceptedReply,
  doneReply,
  FORBIDDEN,
  failedReply,
  REFUSED,
  type Reason,
  TIMED_OUT,
} from './replies.ts';
import { CHEQUE, orderOf } from './requests.ts';
import type { CaisseApMachine, PaymentActivity } from './state.ts';
import { becomeIdle, makeFinal, send, sendInPieces, type Turn } from './turn.ts';

/** Codes of refusals that are not an issuer's, for the book. */
const UNREADABLE = 100;

/** From the card to the host. */
export const steps = createPaymentSteps<CaisseApMachine, PaymentActivity>({
  cancelled: cancel,
  refused(turn, payment, cause) {
    const { texts } = turn.settings;
    if (cause === 'CARD_UNREADABLE') decline(turn, payment, UNREADABLE, texts.unreadable);
    else decline(turn, payment, PIN_TRIES_EXCEEDED, texts.declined);
  },
  lostBeforeHost(turn, payment) {
    book(turn, cancelledEntry(payment, 'the line was lost before the host was asked'));
    show(turn, turn.settings.texts.cancelled);
    becomeIdle(turn);
  },
});

/** Takes a request, or refuses it. */
export function takeRequest(turn: Turn, bytes: Uint8Array): void {
  const result = orderOf(bytes, turn.settings.currencyNumber);
  if (!result.ok) {
    send(turn, result.reply);
    return;
  }
  const { order } = result;
  // One customer at a time. What is going on meanwhile is not spoilt by the question.
  if (turn.state.activity.kind !== 'IDLE') {
    send(turn, failedReply(order.request, FORBIDDEN));
    return;
  }
  const rule = takeArmedRule(turn);
  if (rule === 'no-answer') return;
  if (rule === 'busy') {
    send(turn, failedReply(order.request, FORBIDDEN));
    return;
  }
  const isAwaited = order.request.answerMode !== 'AT_ONCE';
  if (!isAwaited) send(turn, acceptedReply(order.request));
  const payment: PaymentActivity = { ...newPayment(order, rule), isAwaited };
  setActivity(turn, payment);
  steps.begin(turn, payment);
}

/** The host's answer is there. */
export function hostAnswers(turn: Turn, payment: PaymentActivity): void {
  const answer = answerOfHost(turn.ledger, payment);
  if (answer === undefined) return;
  if (answer.isApproved) approve(turn, payment, answer);
  else decline(turn, payment, answer.issuerCode, turn.settings.texts.declined);
}

function approve(
  turn: Turn,
  payment: PaymentActivity,
  { card, amountMinor }: Extract<HostAnswer, { isApproved: true }>,
): void {
  const { operation, request } = payment.order;
  const entry = authorizedEntry(turn, payment.order, { operation, card, amountMinor });
  const authorizedId = book(turn, entry);
  show(turn, ...titleLines(turn.settings, payment.order), turn.settings.texts.approved);
  // A cheque is printed on itself.
  if (card !== CHEQUE) {
    const receipts = paymentReceipts(turn.settings, { ...entry, batch: turn.ledger.batch(), atMs: turn.now.atMs });
    const lines = receipts.flatMap((receipt) => [...receipt.lines.map(onPaper), '']);
    update(turn, { paper: withNewLines(turn.state.paper, lines) });
  }
  const presented = payment.card === undefined ? {} : { card: payment.card };
  endWith(turn, payment, doneReply(request, entry, { ...presented, contract: turn.settings.vuNumber }), authorizedId);
}

/** The host says no, or the terminal in its place. */
function decline(turn: Turn, payment: PaymentActivity, resultCode: number, text: string): void {
  book(turn, declinedEntry(payment, resultCode));
  fail(turn, payment, REFUSED, text);
}

/** Stopped before the host was asked. */
function cancel(turn: Turn, payment: PaymentActivity, cause: CancelCause): void {
  const { texts } = turn.settings;
  const text = cause === 'CARDHOLDER' ? texts.cancelledByHolder : texts.cancelled;
  book(turn, cancelledEntry(payment, text));
  fail(turn, payment, cause === 'TIMEOUT' ? TIMED_OUT : ABANDONED, text);
}

function fail(turn: Turn, payment: PaymentActivity, reason: Reason, text: string): void {
  show(turn, ...titleLines(turn.settings, payment.order), text);
  endWith(turn, payment, failedReply(payment.order.request, reason));
}

/** Ends a payment with its reply, as its rule lets it through. @param authorizedId of an approval: final once the reply is written as a whole */
function endWith(turn: Turn, { rule, isAwaited }: PaymentActivity, reply: Uint8Array, authorizedId?: number): void {
  if (isAwaited && rule === 'reply-in-pieces') {
    sendInPieces(turn, reply, authorizedId);
    return;
  }
  becomeIdle(turn);
  switch (rule) {
    case 'drop-after-host':
      turn.outputs.push({ type: 'drop-link' });
      return;
    case 'unplug':
    case 'reboot':
      turn.outputs.push({
        type: 'outage',
        cause: rule === 'unplug' ? 'UNPLUG' : 'REBOOT',
        durationMs: turn.settings.outageMs,
      });
      return;
    case 'half-frame':
      if (isAwaited) send(turn, reply, 'HALF');
      return;
    default:
      break;
  }
  if (!isAwaited) return;
  if (rule === 'noise') send(turn, reply, 'NOISE');
  else send(turn, reply);
  if (rule === 'duplicate-reply') send(turn, reply);
  if (authorizedId !== undefined) makeFinal(turn, authorizedId);
  if (rule === 'drop-after-final') turn.outputs.push({ type: 'drop-link' });
}
