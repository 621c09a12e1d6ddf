// Receipts: on the terminal's own paper, or as messages S to a till that asked for them (E).

import { encodeMessage } from '../../ecr17/codec/messages.ts';
import { type ReceiptLine as MessageLine, receiptParts } from '../../ecr17/codec/receipt-text.ts';
import { onPaper, type Receipt } from '../receipts.ts';
import type { OutgoingMessage } from './state.ts';
import { printOnPaper, type Turn } from './turn.ts';

const LINE_CHARACTERS = 24;

/** Prints receipts here, and gives back the messages by which the till prints them instead. */
export function printReceipts(
  turn: Turn,
  receipts: readonly Receipt[],
  goToTill: boolean,
  textOfTill = '',
): readonly OutgoingMessage[] {
  const below = textOfTill.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')) ?? [];
  if (goToTill) return receipts.flatMap((receipt) => messagesOf(turn, receipt, below));
  for (const { lines } of receipts) printOnPaper(turn, [...lines.map(onPaper), ...below, '']);
  return [];
}

function messagesOf({ settings }: Turn, { lines }: Receipt, below: readonly string[]): readonly OutgoingMessage[] {
  const printed = lines.map((line): MessageLine => {
    const text = onPaper(line);
    return text.startsWith(settings.texts.amount) ? { text, isBold: true } : { text };
  });
  const parts = receiptParts([...printed, ...below.map((text) => ({ text }))]);
  return parts.map((text, index) => ({
    text: encodeMessage({
      type: 'receipt-part',
      terminalId: settings.terminalId,
      text,
      isLast: index === parts.length - 1,
    }),
  }));
}
