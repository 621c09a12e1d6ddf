// The ECR17 terminal as a pure function: (state, input) → (state, outputs). Timers, the wire, the book's file and the control interface live around it.
import type { Ecr17Command } from '../../ecr17/codec/command-types.ts';
import { decodeCommand } from '../../ecr17/codec/commands.ts';
import { createMachine } from '../create-machine.ts';
import type { Step } from '../machine.ts';
import { book, setActivity, stopTimers, update } from '../machine-turn.ts';
import { paymentHandlers } from '../payment-steps.ts';
import * as payments from './payment.ts';
import { approvalText } from './replies.ts';
import * as reports from './reports.ts';
import {
  type Ecr17Machine,
  initialState,
  type Procedure,
  type TerminalInput,
  type TerminalState,
  type TimerName,
} from './state.ts';
import { acknowledge, becomeIdle, refuse, sendAgain, sendNext, type Turn } from './turn.ts';

/** Whichever terminal hears it. */
const ANY_TERMINAL = '00000000';

/** The command that a result of the book answers, where only the book is left to say so. */
const PROCEDURES: Readonly<Record<string, Procedure>> = { PRE_AUTH: 'p', COMPLETION: 'c', VOID: 'S' };

/** What the terminal does about one input. */
export const step: Step<Ecr17Machine> = createMachine<Ecr17Machine>({
  takeOwn,
  timerExpired,
  ...paymentHandlers(payments.steps, ({ activity }: TerminalState) =>
    activity.kind === 'PAYMENT' ? activity : undefined,
  ),
  linkDown,
  boot,
  isIdle: ({ activity }) => activity.kind === 'IDLE',
});

function takeOwn(turn: Turn, input: Exclude<TerminalInput, { type: 'timer' }>): void {
  switch (input.type) {
    case 'message':
      takeMessage(turn, input.text);
      return;
    case 'acknowledged':
      acknowledged(turn);
      return;
    case 'refused':
      sendAgain(turn);
      return;
    case 'damaged':
      refuse(turn);
      return;
    case 'auto-close':
      if (turn.state.activity.kind === 'IDLE') reports.closeSession(turn, 'TERMINAL');
      return;
    default:
      return;
  }
}

function acknowledged(turn: Turn): void {
  if (turn.state.awaiting === null) return;
  stopTimers(turn, 'ack');
  update(turn, { awaiting: null });
  sendNext(turn);
}

function takeMessage(turn: Turn, text: string): void {
  const { running, turned, activity } = turn.state;
  if (text === running?.text) {
    // The till has not heard our acknowledgement. What it asked for is under way already.
    if (running.isAcknowledged) acknowledge(turn);
  } else if (text === turned?.text && turned.transmissionsLeft > 0) {
    update(turn, { turned: { ...turned, transmissionsLeft: turned.transmissionsLeft - 1 } });
    if (turned.answer === 'NAK') refuse(turn);
  }
  // A terminal that is busy with a customer does not read its line: whoever asks hears nothing.
  else if (activity.kind !== 'PAYMENT') takeCommand(turn, text);
}

function takeCommand(turn: Turn, text: string): void {
  const command = decodeCommand(text);
  const { terminalId } = turn.settings;
  if (command.type === 'malformed' || (command.terminalId !== terminalId && command.terminalId !== ANY_TERMINAL)) {
    refuse(turn);
    return;
  }
  // A till that asks something else has heard the end of the last one, even if its acknowledgement was lost.
  if (turn.state.activity.kind === 'TELLING') becomeIdle(turn);
  update(turn, { turned: null, running: { text, isAcknowledged: true } });
  run(turn, text, command);
}

function run(turn: Turn, text: string, command: Ecr17Command): void {
  switch (command.type) {
    case 'status':
      reports.tellStatus(turn);
      return;
    case 'last-result':
      reports.tellLastResult(turn);
      return;
    case 'totals':
      reports.tellTotals(turn);
      return;
    case 'close-session':
      reports.closeSession(turn, 'TILL');
      return;
    case 'receipts':
      reports.setReceipts(turn, command);
      return;
    case 'reprint':
      reports.reprint(turn, command);
      return;
    case 'additional-data':
      // Nothing here has a use for it.
      update(turn, { running: null });
      acknowledge(turn);
      return;
    case 'service':
    case 'unknown':
      update(turn, { running: null });
      refuse(turn);
      return;
    default:
      payments.startProcedure(turn, text, command);
  }
}

function timerExpired(turn: Turn, name: TimerName): void {
  const { activity } = turn.state;
  if (name === 'ack') sendAgain(turn);
  else if (activity.kind !== 'PAYMENT') return;
  else if (name === 'host' && activity.stage === 'HOST') payments.hostAnswers(turn, activity);
  else if (name === 'think') payments.steps.customerActs(turn, activity);
  else if (name === 'card') payments.steps.timesOut(turn, activity);
}

/** A customer who stands in front of it goes on; only there is nobody to tell. */
function linkDown(turn: Turn): void {
  const { activity } = turn.state;
  update(turn, { turned: null });
  if (activity.kind === 'PAYMENT') {
    update(turn, { running: null });
    setActivity(turn, { ...activity, isOrphaned: true });
  } else if (activity.kind === 'TELLING') becomeIdle(turn);
}

/** Power on. What the host has approved stands, also when the power went before the till could be told. */
function boot(turn: Turn): void {
  turn.state = { ...initialState(turn.settings), armed: turn.state.armed };
  stopTimers(turn, 'ack', 'think', 'card', 'host', 'display');
  for (const transaction of turn.ledger.pending()) {
    const procedure = transaction.extendsId === undefined ? (PROCEDURES[transaction.operation] ?? 'X') : 'i';
    book(turn, { kind: 'TOLD', text: approvalText(turn, procedure, transaction) });
    book(turn, { kind: 'FINAL', id: transaction.id });
  }
}
