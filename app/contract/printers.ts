import { type Static, Type } from 'typebox';
import { oneOfStrings } from './parts.ts';

/** Receipt printers of the till, and the lines of text that every receipt carries. */

/** Printers that a till may have. */
export const MAX_PRINTERS = 8;
/** Lines above and below each receipt, and characters of each. */
export const MAX_RECEIPT_LINES = 6;
export const MAX_RECEIPT_LINE_CHARACTERS = 40;
const MAX_PRINTER_NAME_CHARACTERS = 40;
const MAX_PRINTER_URL_CHARACTERS = 500;

/** One line of text; control codes are refused, since a printer would obey them. */
const ReceiptLine = Type.String({
  maxLength: MAX_RECEIPT_LINE_CHARACTERS,
  pattern: '^\\P{Cc}*$',
  description: `At most ${MAX_RECEIPT_LINE_CHARACTERS} characters; may be empty.`,
});
export const ReceiptLines = Type.Array(ReceiptLine, { maxItems: MAX_RECEIPT_LINES });

export const PrinterId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$',
  description: 'Identifier of a printer.',
});

/** AUTO switches between code pages as the text needs it; the others are for printers that know one only. */
export const Codepage = oneOfStrings(['AUTO', 'CP437', 'CP850', 'CP858', 'WINDOWS1252'], 'Code page of the printer.');
export type Codepage = Static<typeof Codepage>;

export const PrinterSetting = Type.Object(
  {
    printerId: PrinterId,
    name: Type.String({
      minLength: 1,
      maxLength: MAX_PRINTER_NAME_CHARACTERS,
      pattern: '^\\P{Cc}+$',
      description: 'Name on the screen.',
    }),
    /** escpos+tcp://HOST:9100, escpos+serial:///dev/ttyUSB0?baudRate=38400, escpos+usb://04b8:0e15/SERIAL */
    url: Type.String({
      minLength: 1,
      maxLength: MAX_PRINTER_URL_CHARACTERS,
      description: 'Where it is: escpos+tcp://…, escpos+serial://…, escpos+usb://…',
    }),
    columns: Type.Unsafe<32 | 42 | 48>({
      type: 'integer',
      enum: [32, 42, 48],
      description: 'Characters of a line: 32 on narrow paper (58 mm), 42 or 48 on wide paper (80 mm).',
    }),
    codepage: Codepage,
    cut: oneOfStrings(['NONE', 'PARTIAL', 'FULL'], 'How the paper is cut after each print.'),
    autoPrint: oneOfStrings(['NONE', 'CARDHOLDER', 'BOTH'], 'What is printed by itself when a payment is approved.'),
  },
  { additionalProperties: false, description: 'A receipt printer.' },
);
export type PrinterSetting = Static<typeof PrinterSetting>;
