// Commands that move no money of a customer: registration, day close, totals, repeat, status, service, printing.
import type { RegistrationCommand, RepeatReceiptCommand, StatusEnquiryCommand } from '../../zvt/codec/command-types.ts';
import type { PrintLine, TextBlock } from '../../zvt/codec/message-types.ts';
import { book, setActivity, showBriefly, update } from '../machine-turn.ts';
import { paymentReceipts, receiptContent, totalsReceipt } from '../receipts.ts';
import { printLinesOfTill, printReceipts } from './printing.ts';
import type { Registration } from './state.ts';
import { approvedStatus, totalsStatus } from './status-fields.ts';
import { acknowledge, becomeIdle, isDrained, refuse, reply, report, send, type Turn } from './turn.ts';

const PLEASE_WAIT = 0x0e;
const AUTOMATIC_DAY_CLOSE = 0x0f;
const WRONG_CURRENCY = 0x6f;
const CAUSE_IN_DATA = 0x1e;
const NOT_POSSIBLE = 0x83;
const PRE_AUTHORIZATION_ERROR = 0xb8;
const NO_PAPER = 0xcc;

/** Terminal status (05 01). */
const READY = 0x00;
const NEEDS_INITIALISATION = 0x51;
const CARD_IN_SLOT = 0xdc;
const DAY_CLOSE_NEEDED = 0xf0;

const TEXT_BLOCK_COMMAND = 0x06d3;
/** Service byte of 05 01. */
const WITHOUT_VERSION = 0x02;
/** Service byte of 06 20. */
const SEND_STATUS = 0x01;
const DO_NOT_PRINT = 0x02;
const NO_RECEIPT = 'FFFF';

/** 06 00 */
export function register(turn: Turn, command: RegistrationCommand): void {
  const { settings } = turn;
  if (command.currency !== undefined && command.currency !== settings.currencyNumber) {
    refuseCurrency(turn);
    return;
  }
  const registration: Registration = {
    doesTillPrintPayments: command.config.doesTillPrintPayments,
    doesTillPrintAdministration: command.config.doesTillPrintAdministration,
    wantsReceiptLines: command.config.wantsReceiptLines,
    wantsIntermediateStatus: command.config.wantsIntermediateStatus,
    usesTlv: command.usesTlv,
    takesTextBlocks: command.permittedCommands?.includes(TEXT_BLOCK_COMMAND) === true,
    ...(command.charset === undefined ? {} : { charset: command.charset }),
    ...(command.maxApduBytes === undefined ? {} : { maxApduBytes: command.maxApduBytes }),
  };
  update(turn, { registration });
  acknowledge(turn);
  startReport(turn);
  send(turn, 'END', {
    type: 'completion',
    registration: {
      isInitialisationNeeded: turn.state.conditions.isInitialisationNeeded,
      isDiagnosisNeeded: false,
      isOpt: false,
      isVendingMachine: false,
    },
    terminalId: settings.terminalId,
    currency: settings.currencyNumber,
    ...(registration.usesTlv && registration.charset !== undefined ? { charset: registration.charset } : {}),
    ...(registration.usesTlv && registration.takesTextBlocks ? { permittedCommands: [TEXT_BLOCK_COMMAND] } : {}),
  });
}

/** Names the currency that the terminal has. */
export function refuseCurrency(turn: Turn): void {
  reply(turn, {
    type: 'negative',
    errorId: CAUSE_IN_DATA,
    resultCode: WRONG_CURRENCY,
    currency: turn.settings.currencyNumber,
  });
}

/** 06 02 */
export function logOff(turn: Turn): void {
  update(turn, { registration: null });
  acknowledge(turn);
}

/** 05 01: with a password the software version is told too, unless the service byte says no. */
export function tellStatus(turn: Turn, { password, serviceByte = 0 }: StatusEnquiryCommand): void {
  const isVersionWanted = password !== undefined && (serviceByte & WITHOUT_VERSION) === 0;
  acknowledge(turn);
  startReport(turn);
  send(turn, 'END', {
    type: 'completion',
    ...(isVersionWanted ? { softwareVersion: turn.settings.softwareVersion } : {}),
    terminalStatus: terminalStatus(turn),
  });
}

function terminalStatus({ state: { conditions, card } }: Turn): number {
  if (conditions.isInitialisationNeeded) return NEEDS_INITIALISATION;
  if (conditions.isDayCloseNeeded) return DAY_CLOSE_NEEDED;
  if (conditions.isOutOfPaper) return NO_PAPER;
  return card?.entry === 'CONTACT' ? CARD_IN_SLOT : READY;
}

/** 06 B0 while nothing runs. */
export function abortNothing(turn: Turn): void {
  acknowledge(turn);
  if (!turn.state.conditions.isIdleAbortCompleted) return;
  startReport(turn);
  send(turn, 'END', { type: 'completion' });
}

/** 06 70 */
export function diagnose(turn: Turn): void {
  acknowledge(turn);
  startReport(turn);
  report(turn, PLEASE_WAIT);
  send(turn, 'END', { type: 'completion' });
}

/** 06 93 */
export function initialise(turn: Turn): void {
  update(turn, { conditions: { ...turn.state.conditions, isInitialisationNeeded: false } });
  acknowledge(turn);
  startReport(turn);
  report(turn, PLEASE_WAIT);
  send(turn, 'END', { type: 'completion' });
}

/** 06 10 */
export function tellTotals(turn: Turn): void {
  const totals = turn.ledger.totals();
  acknowledge(turn);
  startReport(turn);
  send(turn, 'RESULT', totalsStatus(turn, totals, turn.ledger.nextTrace()));
  printReceipts(turn, [totalsReceipt(turn.settings, totals, turn.now.atMs, false)]);
  send(turn, 'END', { type: 'completion' });
}

/** 06 50, or an end of day that the terminal starts itself. The batch is closed before anybody is told. */
export function closeDay(turn: Turn, startedBy: 'TILL' | 'TERMINAL'): void {
  const totals = turn.ledger.totals();
  const trace = turn.ledger.nextTrace();
  if (startedBy === 'TILL') acknowledge(turn);
  startReport(turn);
  showBriefly(turn, turn.settings.texts.dayClose);
  report(turn, startedBy === 'TILL' ? PLEASE_WAIT : AUTOMATIC_DAY_CLOSE);
  book(turn, { kind: 'CLOSED', batch: turn.ledger.batch(), startedBy, totals, trace });
  update(turn, { conditions: { ...turn.state.conditions, isDayCloseNeeded: false } });
  if (turn.state.link === 'DOWN' || turn.state.registration === null) {
    printReceipts({ ...turn, state: { ...turn.state, registration: null } }, [
      totalsReceipt(turn.settings, totals, turn.now.atMs, true),
    ]);
    becomeIdle(turn);
    return;
  }
  send(turn, 'RESULT', totalsStatus(turn, totals, trace));
  printReceipts(turn, [totalsReceipt(turn.settings, totals, turn.now.atMs, true)]);
  send(turn, 'END', { type: 'completion' });
}

/** 06 20: the last payment that became final, told again and printed again as the service byte says. */
export function repeatReceipt(turn: Turn, { serviceByte = 0 }: RepeatReceiptCommand): void {
  const last = turn.ledger.lastFinal();
  acknowledge(turn);
  startReport(turn);
  if (last === undefined) {
    send(turn, 'END', { type: 'abort', resultCode: NOT_POSSIBLE });
    return;
  }
  const content = receiptContent(turn.ledger, last);
  if ((serviceByte & SEND_STATUS) !== 0) send(turn, 'RESULT', approvedStatus(turn, content));
  if ((serviceByte & DO_NOT_PRINT) === 0) printReceipts(turn, paymentReceipts(turn.settings, content));
  send(turn, 'END', { type: 'completion' });
}

/** 06 23 87 FFFF: which pre-authorizations are open? Told as an abort with B8. */
export function listPreAuthorizations(turn: Turn): void {
  const receipts = turn.ledger.openPreAuthorizations().map(({ receipt }) => String(receipt).padStart(4, '0'));
  acknowledge(turn);
  startReport(turn);
  if (receipts.length > 1 && turn.state.registration?.usesTlv === true) {
    send(turn, 'END', { type: 'abort', resultCode: PRE_AUTHORIZATION_ERROR, openReceipts: receipts });
  } else send(turn, 'END', { type: 'abort', resultCode: PRE_AUTHORIZATION_ERROR, receipt: receipts[0] ?? NO_RECEIPT });
}

/** 06 D1 and 06 D3 from the till: its own text on the terminal's paper. */
export function printForTill(turn: Turn, command: PrintLine | TextBlock): void {
  if (turn.state.conditions.isOutOfPaper) {
    refuse(turn, NO_PAPER);
    return;
  }
  const lines =
    command.type === 'text-block' ? command.lines : [{ attribute: command.attribute ?? 0, text: command.text }];
  printLinesOfTill(turn, lines);
  acknowledge(turn);
  startReport(turn);
  send(turn, 'END', { type: 'completion' });
}

/** From here on the terminal has the word until its last message is acknowledged. */
function startReport(turn: Turn): void {
  setActivity(turn, { kind: 'REPORT' });
}

/** A command that ends with a code before anything happened. */
export function abortCommand(turn: Turn, resultCode: number): void {
  acknowledge(turn);
  startReport(turn);
  send(turn, 'END', { type: 'abort', resultCode });
}

/** All messages of a report are acknowledged. */
export function reportDrained(turn: Turn): void {
  if (isDrained(turn.state)) becomeIdle(turn);
}
