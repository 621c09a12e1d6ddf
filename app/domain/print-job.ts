/** Whose receipt: the cardholder's or the shop's. */
export type ReceiptCopy = 'CUSTOMER' | 'MERCHANT';

/** What is printed, by what it can be made from again. */
export type PrintSubject =
  | { readonly kind: 'RECEIPT'; readonly transactionId: string; readonly copy: ReceiptCopy }
  | { readonly kind: 'Z_REPORT'; readonly settlementId: string }
  | { readonly kind: 'X_REPORT'; readonly terminalId: string };

/** Why nothing, or perhaps only a part, came out of a printer. */
export type PrinterTroubleKind =
  | 'UNREACHABLE'
  | 'NOT_FOUND'
  | 'IN_USE'
  | 'NO_PERMISSION'
  /** The program part that reaches it is not installed. */
  | 'DRIVER_MISSING'
  /** It answered before and does not now. */
  | 'NOT_ANSWERING'
  | 'LINE_LOST'
  | 'PAPER_OUT'
  | 'COVER_OPEN'
  | 'OFFLINE'
  | 'DEVICE_ERROR'
  /** The printer is no longer among the settings. */
  | 'REMOVED'
  /** The receipt or report could not be made. */
  | 'NOT_MADE'
  /** The till ended while the print waited. */
  | 'TILL_ENDED';

/**
 * One print. WAITING: in the queue, or being tried again. FAILED: a person decides. DISMISSED: a person decided not to print it.
 */
export interface PrintJob {
  readonly jobId: string;
  readonly printerId: string;
  readonly subject: PrintSubject;
  readonly state: 'WAITING' | 'PRINTED' | 'FAILED' | 'DISMISSED';
  /** Whether something of it may be on paper: a further print is then a duplicate. */
  readonly sent: boolean;
  readonly attempts: number;
  readonly trouble?: PrinterTroubleKind;
  readonly createdAt: string;
  readonly updatedAt: string;
}
