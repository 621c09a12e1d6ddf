// Commands for which no card is asked: status, last result, totals, close, receipts.
import type { ReceiptsCommand, ReprintCommand } from '../../ecr17/codec/command-types.ts';
import { encodeMessage } from '../../ecr17/codec/messages.ts';
import { OPERATIVE_STATE } from '../../ecr17/codec/session-replies.ts';
import { book, showBriefly, update } from '../machine-turn.ts';
import { paymentReceipts, receiptContent, totalsReceipt } from '../receipts.ts';
import { tellAndRemember } from './payment.ts';
import { printReceipts } from './printing.ts';
import { refusalText } from './replies.ts';
import { acknowledge, answer, becomeIdle, startTelling, type Turn } from './turn.ts';

const APPROVED = '00';
/** Software parts have eight characters each. */
const PART_CHARACTERS = 8;

/** s */
export function tellStatus(turn: Turn): void {
  const { settings, now } = turn;
  const { softwareVersion: software } = settings;
  answer(turn, {
    type: 'status-reply',
    terminalId: settings.terminalId,
    localTime: localTime(now),
    state: OPERATIVE_STATE,
    software: software.padEnd(Math.ceil(software.length / PART_CHARACTERS) * PART_CHARACTERS),
  });
}

function localTime({ date, time }: Turn['now']): string {
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return `${day} ${time.slice(0, 2)}:${time.slice(2, 4)}`;
}

/** G: the very text of the last result. A new terminal has refused something, and nothing more is known of it. */
export function tellLastResult(turn: Turn): void {
  const nothing = { text: 'NESSUNA OPERAZIONE', actionCode: '000', amountMinor: 0 };
  acknowledge(turn);
  startTelling(turn, [{ text: turn.ledger.lastTold() ?? refusalText(turn, 'P', nothing) }]);
}

/** T: what the batch holds so far. */
export function tellTotals(turn: Turn): void {
  const totals = turn.ledger.totals();
  acknowledge(turn);
  const receipts = [totalsReceipt(turn.settings, totals, turn.now.atMs, false)];
  const printed = printReceipts(turn, receipts, turn.state.sendsReceipts);
  update(turn, { sendsReceipts: false });
  const text = encodeMessage({
    type: 'totals-reply',
    terminalId: turn.settings.terminalId,
    result: APPROVED,
    terminalTotalMinor: Math.max(0, totals.sumMinor),
  });
  startTelling(turn, [{ text }, ...printed]);
}

/** C, or an end of day that the terminal starts itself: nobody can be told of that one, but G tells it. */
export function closeSession(turn: Turn, startedBy: 'TILL' | 'TERMINAL'): void {
  const { settings, ledger } = turn;
  const totals = ledger.totals();
  const totalMinor = Math.max(0, totals.sumMinor);
  const text = encodeMessage({
    type: 'close-reply',
    terminalId: settings.terminalId,
    result: APPROVED,
    terminalTotalMinor: totalMinor,
    hostTotalMinor: totalMinor,
  });
  book(turn, { kind: 'CLOSED', batch: ledger.batch(), startedBy, totals, trace: ledger.nextTrace() });
  showBriefly(turn, settings.texts.dayClose);
  const receipts = [totalsReceipt(settings, totals, turn.now.atMs, true)];
  if (startedBy === 'TILL') {
    acknowledge(turn);
    tellAndRemember(turn, text, printReceipts(turn, receipts, turn.state.sendsReceipts));
    return;
  }
  printReceipts(turn, receipts, false);
  book(turn, { kind: 'TOLD', text });
  becomeIdle(turn);
}

/** E: acknowledged, and nothing more is said. */
export function setReceipts(turn: Turn, { goToTill }: ReceiptsCommand): void {
  update(turn, { sendsReceipts: goToTill, running: null });
  acknowledge(turn);
}

/** R: the receipts of the last payment again. */
export function reprint(turn: Turn, { goesToTill, ticket }: ReprintCommand): void {
  const last = turn.ledger.lastFinal();
  acknowledge(turn);
  const receipts =
    last === undefined || ticket === 'SERVICE' ? [] : paymentReceipts(turn.settings, receiptContent(turn.ledger, last));
  startTelling(turn, printReceipts(turn, receipts, goesToTill));
}
