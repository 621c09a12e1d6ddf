import type { TextBlock } from '../../zvt/codec/message-types.ts';
import { onPaper, type Receipt, type ReceiptLine } from '../receipts.ts';
import { printOnPaper, send, sizeOf, type Turn } from './turn.ts';

/** Attribute bytes of a print line. */
const PLAIN = 0x00;
const CENTRED = 0x40;
const LAST_LINE = 0x81;

/** Prints receipts: on the terminal's own paper, or as commands to the till, whichever the registration says. */
export function printReceipts(turn: Turn, receipts: readonly Receipt[]): void {
  for (const receipt of receipts) {
    if (!doesTillPrint(turn, receipt)) printOnPaper(turn, [...receipt.lines.map(onPaper), '']);
    // Without bit 80 the till makes its receipt from the result itself.
    else if (turn.state.registration?.wantsReceiptLines === true) sendReceipt(turn, receipt);
  }
}

function doesTillPrint({ state: { registration } }: Turn, { type }: Receipt): boolean {
  if (registration === null) return false;
  return type === 'administration' ? registration.doesTillPrintAdministration : registration.doesTillPrintPayments;
}

/** As one text block (06 D3) where the till takes those and the block fits; else line by line (06 D1). */
function sendReceipt(turn: Turn, receipt: Receipt): void {
  const { registration } = turn.state;
  const lines = receipt.lines.map(printLine);
  const block: TextBlock = { type: 'text-block', receiptType: receipt.type, lines, isLastLine: true };
  const limit = registration?.maxApduBytes ?? Number.POSITIVE_INFINITY;
  if (registration?.takesTextBlocks === true && sizeOf(turn, block) <= limit) {
    send(turn, 'RECEIPT', block);
    return;
  }
  const copy = registration?.usesTlv === true ? { receiptType: receipt.type } : {};
  for (const { attribute, text } of lines)
    send(turn, 'RECEIPT', { type: 'print-line', attribute, text, isLastLine: false, ...copy });
  send(turn, 'RECEIPT', { type: 'print-line', attribute: LAST_LINE, text: '', isLastLine: true, ...copy });
}

function printLine({ text, isCentred }: ReceiptLine): TextBlock['lines'][number] {
  return { attribute: isCentred ? CENTRED : PLAIN, text };
}

/** Lines that the till sends, as they look on the terminal's paper. */
export function printLinesOfTill(turn: Turn, lines: TextBlock['lines']): void {
  printOnPaper(
    turn,
    lines.map(({ attribute, text }) => onPaper({ text, isCentred: attribute === CENTRED })),
  );
}
