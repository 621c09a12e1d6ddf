import type { PrinterSetting } from '../contract/printers.ts';
import type { PrinterTroubleKind } from '../domain/print-job.ts';

/** What became of one attempt to print. */
export type PrintEnd =
  /** `isConfirmed`: the printer said so after the last line; otherwise it took the bytes, and tells nothing. */
  | { readonly end: 'PRINTED'; readonly isConfirmed: boolean }
  /** Nothing was sent: it may be tried again. `text` is a sentence for support. */
  | { readonly end: 'NOT_PRINTED'; readonly trouble: PrinterTroubleKind; readonly text: string }
  /** Some of it may be on paper. */
  | { readonly end: 'PERHAPS_PRINTED'; readonly trouble: PrinterTroubleKind; readonly text: string };

/** One printer. It is spoken to by one attempt at a time; each opens and closes its line. */
export interface Printer {
  /** Never rejects. `signal` ends the attempt early, as a lost line. */
  print(bytes: Uint8Array, signal: AbortSignal): Promise<PrintEnd>;
}

/** Makes printers from their settings. Nothing is opened before the first print. */
export interface Printers {
  create(setting: Pick<PrinterSetting, 'url'>): Printer;
  /** @throws BridgeError INVALID_REQUEST with field `url`, naming the wrong part */
  checkUrl(url: string): void;
}
