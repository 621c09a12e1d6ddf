import type { TerminalReceipt, TerminalReceiptLine } from '../../app/domain/transaction.ts';
import type { PrintLine, ReceiptType, TextBlock } from './codec/message-types.ts';
import { printStyle } from './codec/print.ts';
import { zvtLimits } from './zvt-settings.ts';

const kinds: { readonly [Type in ReceiptType]: TerminalReceipt['kind'] } = {
  merchant: 'MERCHANT',
  customer: 'CUSTOMER',
  administration: 'ADMIN',
};

/** Gathers the lines that a terminal has the till print, exactly as they came, cut into receipts. */
export interface ReceiptCollector {
  add(message: PrintLine | TextBlock): void;
  receipts(): readonly TerminalReceipt[];
}

/** @param isAdministration what an unmarked receipt of this command is (day close) */
export function createReceiptCollector(isAdministration: boolean): ReceiptCollector {
  const done: TerminalReceipt[] = [];
  let lines: TerminalReceiptLine[] = [];
  let type: ReceiptType | undefined;
  let lineCount = 0;

  function keep(line: TerminalReceiptLine): void {
    if (lineCount >= zvtLimits.maxReceiptLines) return;
    lineCount++;
    lines.push(line);
  }

  function cut(): void {
    if (lines.length === 0) return;
    done.push({ kind: kindOf(type, lines, isAdministration, done.length), lines });
    lines = [];
    type = undefined;
  }

  return {
    add(message) {
      // A receipt for somebody else begins without the end of the one before having been marked.
      if (type !== undefined && message.receiptType !== undefined && message.receiptType !== type) cut();
      type = message.receiptType ?? type;
      if (message.type === 'print-line') {
        if (message.lineFeeds === undefined) keep(styled(message.text, message.attribute ?? 0));
        else for (let feed = 0; feed < message.lineFeeds; feed++) keep({ text: '' });
      } else {
        for (const line of message.lines) keep(styled(line.text, line.attribute));
      }
      if (message.isLastLine) cut();
    },
    receipts() {
      const open: TerminalReceipt[] =
        lines.length === 0 ? [] : [{ kind: kindOf(type, lines, isAdministration, done.length), lines: [...lines] }];
      return [...done, ...open];
    },
  };
}

function styled(text: string, attribute: number): TerminalReceiptLine {
  const style = printStyle(attribute);
  return {
    text: ' '.repeat(style.indent) + text,
    ...(style.isCentred ? { centred: true } : {}),
    ...(style.isDoubleWidth ? { doubleWidth: true } : {}),
    ...(style.isDoubleHeight ? { doubleHeight: true } : {}),
  };
}

/** Whose copy it is: as marked, else as its heading says, else the merchant's first and the customer's after it. */
function kindOf(
  type: ReceiptType | undefined,
  lines: readonly TerminalReceiptLine[],
  isAdministration: boolean,
  receiptsBefore: number,
): TerminalReceipt['kind'] {
  if (type !== undefined) return kinds[type];
  if (isAdministration) return 'ADMIN';
  // Headings are often spaced out: "* * K u n d e n b e l e g * *".
  const letters = lines.map((line) => line.text.replace(/[^\p{L}]/gu, '')).join('\n');
  if (/kundenbeleg|customercopy|customerreceipt/i.test(letters)) return 'CUSTOMER';
  if (/h(ä|ae)ndlerbeleg|merchantcopy|merchantreceipt/i.test(letters)) return 'MERCHANT';
  return receiptsBefore === 0 ? 'MERCHANT' : 'CUSTOMER';
}
