import type { TerminalReceipt, TerminalReceiptLine } from '../../app/domain/transaction.ts';
import type { ReceiptPart } from './codec/message-types.ts';
import { receiptLines } from './codec/receipt-text.ts';
import { ecr17Limits } from './ecr17-settings.ts';

/** Gathers what the terminal has the till print (S), exactly as it came, cut into receipts at the end mark. */
export interface ReceiptCollector {
  add(part: ReceiptPart): void;
  receipts(): readonly TerminalReceipt[];
}

/** A receipt whose end mark does not come is not gathered for ever. */
const MAX_RECEIPT_CHARACTERS = 48_000;

/** @param isAdministration whether the receipts are about the day, not about a payment */
export function createReceiptCollector(isAdministration: boolean): ReceiptCollector {
  const done: TerminalReceipt[] = [];
  let text = '';
  let lineCount = 0;

  function open(): readonly TerminalReceipt[] {
    const lines = receiptLines(text).map(({ text: words, isBold }): TerminalReceiptLine => {
      return isBold === true ? { text: words, doubleHeight: true } : { text: words };
    });
    const kept = lines.slice(0, Math.max(0, ecr17Limits.maxReceiptLines - lineCount));
    return kept.length === 0 ? [] : [{ kind: kindOf(kept, isAdministration, done.length), lines: kept }];
  }

  return {
    add(part) {
      if (lineCount >= ecr17Limits.maxReceiptLines || text.length > MAX_RECEIPT_CHARACTERS) return;
      text += part.text;
      if (!part.isLast) return;
      for (const receipt of open()) {
        done.push(receipt);
        lineCount += receipt.lines.length;
      }
      text = '';
    },
    receipts: () => [...done, ...open()],
  };
}

/** Whose copy it is: as its heading says, else the merchant's first and the customer's after it. */
function kindOf(
  lines: readonly TerminalReceiptLine[],
  isAdministration: boolean,
  receiptsBefore: number,
): TerminalReceipt['kind'] {
  if (isAdministration) return 'ADMIN';
  // Headings are often spaced out.
  const letters = lines.map((line) => line.text.replace(/[^\p{L}]/gu, '')).join('\n');
  if (/copia(per)?(il)?cliente|customercopy/i.test(letters)) return 'CUSTOMER';
  if (/copia(per)?(l)?esercente|copiaesercizio|merchantcopy/i.test(letters)) return 'MERCHANT';
  return receiptsBefore === 0 ? 'MERCHANT' : 'CUSTOMER';
}
