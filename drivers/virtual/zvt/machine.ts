// The terminal as a pure function: (state, input) → (state, outputs). Timers, wires, the book's file and the control
// interface live around it.
import type { ZvtCommand } from '../../zvt/codec/command-types.ts';
import { decodeCommand } from '../../zvt/codec/commands.ts';
import type { Malformed } from '../../zvt/codec/message-types.ts';
import type { TestCard } from '../cards.ts';
import { createMachine } from '../create-machine.ts';
import type { Step } from '../machine.ts';
import { book, dropCardIfAlone, startTimer, stopTimers, update } from '../machine-turn.ts';
import type { ImmediateFault } from '../rules.ts';
import type { Key } from '../terminal-view.ts';
import * as dialogs from './dialogs.ts';
import * as payments from './payment.ts';
import * as ends from './payment-ends.ts';
import { orderOf, type PaymentCommand } from './payment-orders.ts';
import * as reports from './reports.ts';
import { initialState, type TimerName, type ZvtMachine } from './state.ts';
import { acknowledge, becomeIdle, dropMessages, isDrained, refuse, sendNext, type Turn } from './turn.ts';

const NOT_REGISTERED = 0x6b;
const UNKNOWN_COMMAND = 0x83;
const PROTOCOL_ERROR = 0x9a;
const BUSY = 0x9c;

/** What the terminal does about one input. */
export const step: Step<ZvtMachine> = createMachine<ZvtMachine>({
  takeOwn(turn, input) {
    if (input.type === 'apdu') takeApdu(turn, input.apdu);
    else if (turn.state.activity.kind === 'IDLE') reports.closeDay(turn, 'TERMINAL');
  },
  timerExpired,
  cardPresented,
  cardRemoved,
  keyPressed,
  takenInHand(turn) {
    const { activity } = turn.state;
    if (activity.kind === 'PAYMENT') payments.steps.takenInHand(turn, activity);
  },
  customerGoesOn,
  faultHappens,
  linkDown,
  boot,
  isIdle: ({ activity }) => activity.kind === 'IDLE',
});

function takeApdu(turn: Turn, apdu: Uint8Array): void {
  const { charset } = turn.state.registration ?? {};
  const command = decodeCommand(apdu, charset === undefined ? {} : { charset });
  if (command.type === 'positive') answered(turn, true);
  else if (command.type === 'negative') answered(turn, false);
  else takeCommand(turn, command);
}

/** The till's answer to the message on its way; one that nothing asked for is ignored. */
function answered(turn: Turn, isPositive: boolean): void {
  const { awaiting } = turn.state;
  if (awaiting === null) return;
  stopTimers(turn, 'ack');
  update(turn, { awaiting: null });
  if (!isPositive && (awaiting.purpose === 'RESULT' || awaiting.purpose === 'RECEIPT')) {
    tillFails(turn, awaiting.purpose === 'RESULT' ? 'the till refused the result' : 'the till could not print');
    return;
  }
  sendNext(turn);
  if (isDrained(turn.state)) drained(turn);
}

/** The till has acknowledged all there was to say. */
function drained(turn: Turn): void {
  const { activity } = turn.state;
  if (activity.kind === 'PAYMENT') payments.paymentDrained(turn, activity);
  else if (activity.kind === 'REPORT') reports.reportDrained(turn);
}

function tillFails(turn: Turn, reason: string): void {
  const { activity } = turn.state;
  if (activity.kind === 'PAYMENT') ends.tillFailsPayment(turn, activity, reason);
  else {
    dropMessages(turn);
    if (activity.kind !== 'IDLE') becomeIdle(turn);
  }
}

/** A till that sends its next command has heard the end of the last one, even if it did not say so. */
function endIsHeard({ state }: Turn): boolean {
  const { activity, awaiting } = state;
  if (state.outbox.length > 0 || awaiting?.purpose !== 'END') return false;
  return activity.kind === 'REPORT' || (activity.kind === 'PAYMENT' && activity.stage === 'END');
}

function takeCommand(turn: Turn, command: ZvtCommand | Malformed): void {
  if (command.type === 'abort-command') {
    abort(turn);
    return;
  }
  if (endIsHeard(turn)) answered(turn, true);
  if (turn.state.activity.kind !== 'IDLE') refuse(turn, BUSY);
  else if (command.type === 'malformed') refuse(turn, PROTOCOL_ERROR);
  else runCommand(turn, command);
}

function runCommand(turn: Turn, command: ZvtCommand): void {
  switch (command.type) {
    case 'registration':
      reports.register(turn, command);
      return;
    case 'status-enquiry':
      reports.tellStatus(turn, command);
      return;
    case 'log-off':
      reports.logOff(turn);
      return;
    case 'diagnosis':
      reports.diagnose(turn);
      return;
    case 'initialisation':
      reports.initialise(turn);
      return;
    default:
      if (turn.state.registration === null && isKnown(command)) refuse(turn, NOT_REGISTERED);
      else runRegistered(turn, command);
      return;
  }
}

function isKnown({ type }: ZvtCommand): boolean {
  return type !== 'unknown' && type !== 'reprint-range';
}

function runRegistered(turn: Turn, command: ZvtCommand): void {
  switch (command.type) {
    case 'authorization':
    case 'pre-authorization':
    case 'book-total':
    case 'partial-reversal':
    case 'pre-authorization-reversal':
    case 'reversal':
    case 'refund':
    case 'balance':
      runPayment(turn, command);
      return;
    case 'open-pre-authorizations':
      reports.listPreAuthorizations(turn);
      return;
    case 'end-of-day':
      reports.closeDay(turn, 'TILL');
      return;
    case 'turnover-totals':
      reports.tellTotals(turn);
      return;
    case 'repeat-receipt':
      reports.repeatReceipt(turn, command);
      return;
    case 'read-card':
      dialogs.startReadCard(turn, command);
      return;
    case 'display':
      dialogs.showText(turn, command);
      return;
    case 'display-key':
      dialogs.waitForKey(turn, command);
      return;
    case 'numeric-input':
      dialogs.waitForNumber(turn, command);
      return;
    case 'print-line':
    case 'text-block':
      reports.printForTill(turn, command);
      return;
    default:
      refuse(turn, UNKNOWN_COMMAND);
      return;
  }
}

function runPayment(turn: Turn, command: PaymentCommand): void {
  if (command.currency !== undefined && command.currency !== turn.settings.currencyNumber) {
    reports.refuseCurrency(turn);
    return;
  }
  const result = orderOf(command, turn.ledger);
  if (result.ok) payments.startPayment(turn, result.order);
  else reports.abortCommand(turn, result.resultCode);
}

/** 06 B0 */
function abort(turn: Turn): void {
  const { activity } = turn.state;
  switch (activity.kind) {
    case 'PAYMENT':
      ends.abortPayment(turn, activity);
      return;
    case 'READ_CARD':
      acknowledge(turn);
      dialogs.abortReadCard(turn);
      return;
    case 'WAIT_FOR_KEY':
    case 'NUMBER_INPUT':
      dialogs.abortDialog(turn);
      return;
    case 'IDLE':
      reports.abortNothing(turn);
      return;
    default:
      acknowledge(turn);
      return;
  }
}

function timerExpired(turn: Turn, name: TimerName): void {
  const { activity } = turn.state;
  switch (name) {
    case 'ack':
      if (turn.state.awaiting !== null) tillFails(turn, 'the till did not acknowledge in time');
      return;
    case 'host':
      if (activity.kind === 'PAYMENT' && activity.stage === 'HOST') payments.hostAnswers(turn, activity);
      return;
    case 'think':
      if (activity.kind === 'PAYMENT') payments.steps.customerActs(turn, activity);
      else dialogs.customerAnswers(turn);
      return;
    case 'input':
      dialogs.inputTimesOut(turn);
      return;
    case 'card':
      if (activity.kind === 'READ_CARD') dialogs.abortReadCard(turn);
      else if (activity.kind === 'PAYMENT') payments.steps.timesOut(turn, activity);
      return;
    case 'remove':
      if (activity.kind === 'PAYMENT' && activity.stage === 'REMOVE_CARD') ends.completePayment(turn, activity);
      return;
    default:
      return;
  }
}

function cardPresented(turn: Turn, card: TestCard): void {
  const { activity } = turn.state;
  if (activity.kind === 'PAYMENT') payments.steps.cardPresented(turn, activity, card);
  else if (activity.kind === 'READ_CARD') dialogs.readCard(turn, card);
}

function cardRemoved(turn: Turn): void {
  const { activity } = turn.state;
  if (activity.kind !== 'PAYMENT') return;
  if (activity.stage === 'REMOVE_CARD') ends.completePayment(turn, activity);
  else payments.steps.cardRemoved(turn, activity);
}

function keyPressed(turn: Turn, key: Key): void {
  const { activity } = turn.state;
  switch (activity.kind) {
    case 'WAIT_FOR_KEY':
      dialogs.answerKey(turn, key);
      return;
    case 'NUMBER_INPUT':
      dialogs.changeNumber(turn, activity, key);
      return;
    case 'READ_CARD':
      if (key === 'STOP') dialogs.abortReadCard(turn);
      return;
    case 'PAYMENT':
      payments.steps.keyPressed(turn, activity, key);
      return;
    default:
      return;
  }
}

function customerGoesOn(turn: Turn): void {
  const { activity } = turn.state;
  if (activity.kind === 'PAYMENT') {
    const isWaitedFor = payments.steps.customerGoesOn(turn, activity);
    if (!isWaitedFor && activity.stage === 'REMOVE_CARD') ends.completePayment(turn, activity);
  } else if (activity.kind === 'IDLE' || activity.kind === 'REPORT') dropCardIfAlone(turn);
  else startTimer(turn, 'think', turn.settings.thinkMs);
}

function faultHappens(turn: Turn, fault: ImmediateFault): void {
  const { conditions } = turn.state;
  switch (fault) {
    case 'out-of-paper':
    case 'paper':
      update(turn, { conditions: { ...conditions, isOutOfPaper: fault === 'out-of-paper' } });
      return;
    case 'day-close-needed':
      update(turn, { conditions: { ...conditions, isDayCloseNeeded: true } });
      return;
    case 'needs-initialisation':
      update(turn, { conditions: { ...conditions, isInitialisationNeeded: true } });
      return;
    case 'idle-abort-completed':
    case 'idle-abort-acknowledged':
      update(turn, { conditions: { ...conditions, isIdleAbortCompleted: fault === 'idle-abort-completed' } });
      return;
    default:
      return;
  }
}

function linkDown(turn: Turn): void {
  const { activity } = turn.state;
  if (activity.kind === 'PAYMENT') ends.linkLostInPayment(turn, activity);
  else {
    dropMessages(turn);
    if (activity.kind !== 'IDLE') becomeIdle(turn);
  }
}

/** Power on: what was not final when the power went is taken back; the till has to register again. */
function boot(turn: Turn): void {
  const { link, conditions, armed } = turn.state;
  turn.state = { ...initialState(turn.settings), link, conditions, armed };
  stopTimers(turn, 'ack', 'think', 'card', 'host', 'input', 'remove', 'display');
  for (const { id } of turn.ledger.pending())
    book(turn, { kind: 'REVERSED', id, by: 'TERMINAL', reason: 'the terminal restarted before the till acknowledged' });
}
