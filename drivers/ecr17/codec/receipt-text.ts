// Receipts as messages S of the terminal: pieces of up to 200 characters, printed in lines of 24.
import { headerOf } from './header.ts';
import type { ReceiptPart } from './message-types.ts';

const NEW_LINE = '}';
const BOLD_LINE = '\u007f';
const END_OF_RECEIPT = `${NEW_LINE.repeat(6)}\u001b`;
/** Longest text of one message, the end mark included. */
const PART_CHARACTERS = 200;
const LINE_CHARACTERS = 24;
/** Marks at the beginning of a line that change how many characters it has: double width, condensed. */
const WIDTH_MARKS: ReadonlyMap<string, number> = new Map([
  ['{', 12],
  ['|', 12],
  ['^', 42],
]);

/** One line of a receipt as the terminal wants it printed. */
export interface ReceiptLine {
  readonly text: string;
  /** double height and bold: the line with the amount */
  readonly isBold?: true;
}

export function decodeReceiptPart(terminalId: string, text: string): ReceiptPart {
  const body = text.slice(10);
  const isLast = body.endsWith(END_OF_RECEIPT);
  return {
    type: 'receipt-part',
    terminalId,
    text: isLast ? body.slice(0, -END_OF_RECEIPT.length) : body,
    isLast,
  };
}

/** @throws RangeError above 200 characters */
export function encodeReceiptPart({ terminalId, text, isLast }: ReceiptPart): string {
  const end = isLast ? END_OF_RECEIPT : '';
  if (text.length + end.length > PART_CHARACTERS)
    throw new RangeError(`A receipt of ${text.length} characters needs more messages`);
  return `${headerOf(terminalId, 'S')}${text}${end}`;
}

/** The lines of a receipt, from the texts of its parts joined. Lines that are full end by themselves. */
export function receiptLines(text: string): readonly ReceiptLine[] {
  const lines: ReceiptLine[] = [];
  let offset = 0;
  while (offset < text.length) {
    const { line, next } = lineAt(text, offset);
    lines.push(line);
    offset = next;
  }
  return lines;
}

function lineAt(text: string, offset: number): { readonly line: ReceiptLine; readonly next: number } {
  const mark = text.charAt(offset);
  const isBold = mark === BOLD_LINE;
  const width = WIDTH_MARKS.get(mark) ?? LINE_CHARACTERS;
  const start = isBold || WIDTH_MARKS.has(mark) ? offset + 1 : offset;
  const rest = text.slice(start, start + width);
  const end = rest.indexOf(NEW_LINE);
  const words = end < 0 ? rest : rest.slice(0, end);
  return {
    line: { text: words.trimEnd(), ...(isBold ? { isBold } : {}) },
    next: start + words.length + (end < 0 ? 0 : NEW_LINE.length),
  };
}

/** The texts of the parts that a receipt takes, the last one with room for the end mark. Characters that are marks become blanks. */
export function receiptParts(lines: readonly ReceiptLine[]): readonly string[] {
  const text = lines.map(lineField).join('');
  const room = PART_CHARACTERS - END_OF_RECEIPT.length;
  const parts: string[] = [];
  for (let offset = 0; offset < text.length; offset += room) parts.push(text.slice(offset, offset + room));
  return parts.length === 0 ? [''] : parts;
}

function lineField({ text, isBold }: ReceiptLine): string {
  const words = text.replaceAll(/[^\u0020-\u005d\u005f-\u007a\u007e\u00a0-\u00ff]/g, ' ').slice(0, LINE_CHARACTERS);
  return `${isBold === true ? BOLD_LINE : ''}${words}${words.length === LINE_CHARACTERS ? '' : NEW_LINE}`;
}
