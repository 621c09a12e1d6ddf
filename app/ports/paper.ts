import type { DayPreview, DayReport, XReport } from '../contract/console/day.ts';
import type { PrinterSetting } from '../contract/printers.ts';
import type { TransactionResponse } from '../contract/transactions.ts';
import type { ReceiptCopy } from '../domain/print-job.ts';
import type { TerminalReceipt } from '../domain/transaction.ts';

/** What can be put on paper, with everything that stands on it besides the shop's own lines. */
export type PaperContent =
  | {
      readonly kind: 'RECEIPT';
      readonly copy: ReceiptCopy;
      readonly isDuplicate: boolean;
      readonly transaction: TransactionResponse;
      readonly terminalId: string;
      /** The terminal's own text, where it gave one. */
      readonly receipts: readonly TerminalReceipt[];
    }
  | { readonly kind: 'Z_REPORT'; readonly report: DayReport }
  | { readonly kind: 'X_REPORT'; readonly preview: DayPreview; readonly report: XReport }
  | { readonly kind: 'TEST'; readonly printerName: string; readonly at: string };

/** Makes paper of it, in the till's language, with the shop's lines as they are set now. */
export interface Paper {
  /** ESC/POS for one printer. Control codes of any text never reach it. */
  bytes(content: PaperContent, printer: Pick<PrinterSetting, 'columns' | 'codepage' | 'cut'>): Promise<Uint8Array>;
  pdf(content: PaperContent): AsyncIterable<Uint8Array>;
}
