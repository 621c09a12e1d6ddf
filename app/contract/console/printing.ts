import { type Static, Type } from 'typebox';
import { count, dateTime, oneOfStrings, TerminalId, TransactionId } from '../parts.ts';
import { PrinterId, PrinterSetting } from '../printers.ts';
import { SettlementId } from '../settlements.ts';
import { Approval, Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole } from './roles.ts';

const ReceiptCopy = oneOfStrings(['CUSTOMER', 'MERCHANT'], 'Whose receipt.');

export const PrinterTroubleKind = oneOfStrings(
  [
    ...(['UNREACHABLE', 'NOT_FOUND', 'IN_USE', 'NO_PERMISSION', 'DRIVER_MISSING', 'NOT_ANSWERING'] as const),
    ...([
      'LINE_LOST',
      'PAPER_OUT',
      'COVER_OPEN',
      'OFFLINE',
      'DEVICE_ERROR',
      'REMOVED',
      'NOT_MADE',
      'TILL_ENDED',
    ] as const),
  ],
  'Why nothing, or perhaps only a part, came out of the printer.',
);
export type PrinterTroubleKind = Static<typeof PrinterTroubleKind>;

/** A print that has not come out. */
export const PrinterTrouble = strictObject(
  {
    jobId: Type.String({ description: 'The print.' }),
    printerId: PrinterId,
    printerName: Type.String({ description: 'Name of the printer, or its id once it is gone.' }),
    what: oneOfStrings(['RECEIPT', 'Z_REPORT', 'X_REPORT'], 'What was to be printed.'),
    transactionId: Type.Optional(TransactionId),
    copy: Type.Optional(ReceiptCopy),
    settlementId: Type.Optional(SettlementId),
    trouble: PrinterTroubleKind,
    attempts: count('How often it was tried.'),
    isRetrying: Type.Boolean({ description: 'True while it is tried again by itself.' }),
    perhapsPrinted: Type.Boolean({ description: 'True when some of it may be on paper.' }),
    createdAt: dateTime('When it was asked for, ISO 8601.'),
  },
  'A print that has not come out.',
);
export type PrinterTrouble = Static<typeof PrinterTrouble>;

/** WAITING: it is tried again by itself. FAILED: it waits in the inbox. */
export const PrintResult = strictObject(
  {
    state: oneOfStrings(['PRINTED', 'WAITING', 'FAILED'], 'After the first attempt.'),
    isConfirmed: Type.Optional(Type.Boolean({ description: 'Whether the printer itself said that all was printed.' })),
    trouble: Type.Optional(PrinterTroubleKind),
  },
  'What became of a print at its first attempt.',
);
export type PrintResult = Static<typeof PrintResult>;

const DownloadAddress = strictObject(
  { url: Type.String({ description: "At the console's own address; good once, for a minute." }) },
  'Where the file is.',
);

/** settlementId: the Z report of that close. Without it: the X report of the terminal, which may be left out with one. */
const report = { settlementId: Type.Optional(SettlementId), terminalId: Type.Optional(TerminalId) };
const receipt = { transactionId: TransactionId, copy: ReceiptCopy };

export const printingProcedures = {
  'printing.printers': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject(
      {
        printers: Type.Array(
          strictObject(
            { setting: PrinterSetting, waiting: count('Prints that wait for it.') },
            'A printer, and what waits for it.',
          ),
        ),
      },
      'Every printer of the till.',
    ),
  },
  /** A printer of the same id is changed, another one added. */
  'printing.savePrinter': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: strictObject({ printer: PrinterSetting, approval: Type.Optional(Approval) }, 'A printer.'),
    response: Nothing,
  },
  'printing.removePrinter': {
    kind: 'COMMAND',
    roles: everyRole,
    approval: 'ALWAYS',
    request: strictObject({ printerId: PrinterId, approval: Type.Optional(Approval) }, 'Which.'),
    response: Nothing,
  },
  'printing.test': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject({ printerId: PrinterId }, 'Which.'),
    response: PrintResult,
  },
  'printing.receipt': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject({ ...receipt, printerId: PrinterId }, 'A copy of a receipt.'),
    response: PrintResult,
  },
  'printing.receiptFile': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject(receipt, 'A copy of a receipt, as PDF.'),
    response: DownloadAddress,
  },
  'printing.report': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject({ ...report, printerId: PrinterId }, 'A Z or X report.'),
    response: PrintResult,
  },
  'printing.reportFile': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject(report, 'A Z or X report, as PDF.'),
    response: DownloadAddress,
  },
  'printing.again': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject({ jobId: Type.String({ minLength: 1, maxLength: 64 }) }, 'A failed print.'),
    response: PrintResult,
  },
  'printing.dismiss': {
    kind: 'COMMAND',
    roles: everyRole,
    request: strictObject({ jobId: Type.String({ minLength: 1, maxLength: 64 }) }, 'A failed print.'),
    response: Nothing,
  },
} as const satisfies Record<string, Procedure>;
