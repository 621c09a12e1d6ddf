// How a payment ends: refused, cancelled, completed, taken back.
import { book, dropCardIfAlone, isAttended, show, startTimer, stopTimers } from '../machine-turn.ts';
import { cancelledEntry, declinedEntry, titleLines } from '../payment.ts';
import { type CancelCause, canBeCancelled, setPayment } from '../payment-steps.ts';
import type { PaymentActivity, PaymentStage } from './state.ts';
import { refusedStatus } from './status-fields.ts';
import { acknowledge, becomeIdle, dropMessages, refuse, report, send, type Turn } from './turn.ts';

/** Intermediate status codes (04 FF). */
const AUTO_REVERSAL = 0x05;
const REMOVE_CARD = 0x0b;

/** Result codes. */
const STOPPED = 0x6c;
const NOT_POSSIBLE = 0x83;
const NO_PAPER = 0xcc;

const ENDED_STAGES: readonly PaymentStage[] = ['REMOVE_CARD', 'END'];

/** A chip card has to be taken out before the command ends. */
export function endPayment(turn: Turn, payment: PaymentActivity): void {
  dropCardIfAlone(turn);
  if (turn.state.card === null || !isAttended(turn)) {
    completePayment(turn, payment);
    return;
  }
  setPayment(turn, payment, { stage: 'REMOVE_CARD' });
  show(turn, ...turn.state.display.slice(0, 3), turn.settings.texts.removeCard);
  report(turn, REMOVE_CARD);
  startTimer(turn, 'remove', turn.settings.cardTimeoutMs);
}

/** The last message of a payment that was told as approved. */
export function completePayment(turn: Turn, payment: PaymentActivity): void {
  stopTimers(turn, 'remove');
  setPayment(turn, payment, { stage: 'END' });
  if (payment.authorizedId !== undefined && lacksPaper(turn, payment))
    send(turn, 'END', { type: 'abort', resultCode: NO_PAPER });
  else send(turn, 'END', { type: 'completion' });
}

function lacksPaper({ state }: Turn, { rule }: PaymentActivity): boolean {
  return (
    rule === 'out-of-paper' || (state.conditions.isOutOfPaper && state.registration?.doesTillPrintPayments !== true)
  );
}

/** No money moved: result and abort, both with the code. */
export function refusePayment(turn: Turn, payment: PaymentActivity, resultCode: number, text: string): void {
  const card = payment.card ?? payment.order.card;
  book(turn, resultCode === STOPPED ? cancelledEntry(payment, text) : declinedEntry(payment, resultCode));
  show(turn, ...titleLines(turn.settings, payment.order), text);
  dropCardIfAlone(turn);
  stopTimers(turn, 'card', 'think', 'host');
  if (payment.isOrphaned) {
    becomeIdle(turn);
    return;
  }
  setPayment(turn, payment, { stage: 'END' });
  send(turn, 'RESULT', refusedStatus(turn, resultCode, text, resultCode === STOPPED ? undefined : card));
  send(turn, 'END', { type: 'abort', resultCode });
}

/** Stopped before the host was asked. */
export function cancelPayment(turn: Turn, payment: PaymentActivity, cause: CancelCause): void {
  const { texts } = turn.settings;
  refusePayment(turn, payment, STOPPED, cause === 'CARDHOLDER' ? texts.cancelledByHolder : texts.cancelled);
}

/** Ends a payment of which no money moved, when there is nobody to tell. */
export function endSilently(turn: Turn, payment: PaymentActivity, reason: string): void {
  book(turn, cancelledEntry(payment, reason));
  dropMessages(turn);
  dropCardIfAlone(turn);
  show(turn, turn.settings.texts.cancelled);
  becomeIdle(turn);
}

/** The terminal reverses its own authorization. */
export function takeBack(turn: Turn, payment: PaymentActivity, reason: string): void {
  if (payment.authorizedId !== undefined)
    book(turn, { kind: 'REVERSED', id: payment.authorizedId, by: 'TERMINAL', reason });
  dropMessages(turn);
  dropCardIfAlone(turn);
  show(turn, ...titleLines(turn.settings, payment.order), turn.settings.texts.reversed);
  becomeIdle(turn);
}

/** The till did not acknowledge in time, or refused what it was told. */
export function tillFailsPayment(turn: Turn, payment: PaymentActivity, reason: string): void {
  if (ENDED_STAGES.includes(payment.stage)) {
    dropMessages(turn);
    becomeIdle(turn);
    return;
  }
  if (payment.authorizedId === undefined) {
    if (payment.stage === 'HOST') {
      // The host is being asked: what it says is taken back when it comes.
      dropMessages(turn);
      setPayment(turn, payment, { isOrphaned: true });
    } else endSilently(turn, payment, reason);
    return;
  }
  takeBack(turn, payment, reason);
  setPayment(turn, payment, { stage: 'END' });
  report(turn, AUTO_REVERSAL);
  send(turn, 'END', { type: 'abort', resultCode: STOPPED });
}

/** The connection is gone while a payment runs. */
export function linkLostInPayment(turn: Turn, payment: PaymentActivity): void {
  if (ENDED_STAGES.includes(payment.stage)) {
    dropMessages(turn);
    dropCardIfAlone(turn);
    becomeIdle(turn);
  } else if (payment.stage === 'HOST') {
    dropMessages(turn);
    setPayment(turn, payment, { isOrphaned: true });
  } else if (payment.authorizedId === undefined) endSilently(turn, payment, 'the line to the till was lost');
  else takeBack(turn, payment, 'the line to the till was lost before it acknowledged');
}

/** 06 B0 during a payment: possible until the host is asked. */
export function abortPayment(turn: Turn, payment: PaymentActivity): void {
  if (payment.rule === 'late-approval-after-abort' && payment.authorizedId === undefined) {
    // Says yes, and yet the approval comes.
    acknowledge(turn);
    if (payment.stage === 'HOST') startTimer(turn, 'host', turn.settings.hostMs);
    return;
  }
  if (!canBeCancelled(payment)) {
    refuse(turn, NOT_POSSIBLE);
    return;
  }
  acknowledge(turn);
  cancelPayment(turn, payment, 'TILL');
}
