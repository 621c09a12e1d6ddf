// Result codes of BMP 27, 06 1E and 84 xx above the issuer's range (PA00P015, chapter "Error messages").

/** How a code of the terminal itself ends a payment. */
type OwnResultKind = 'declined' | 'cancelled' | 'failed' | 'unknown';

export interface ResultCodeMeaning {
  readonly kind: OwnResultKind;
  readonly reason: string;
  readonly meaning: string;
}

type Row = readonly [code: number, kind: OwnResultKind, reason: string, meaning: string];

const ROWS: readonly Row[] = [
  [0x64, 'failed', 'CARD_UNREADABLE', 'The card could not be read.'],
  [0x65, 'failed', 'NO_CARD_DATA', 'There is no card data.'],
  [0x66, 'failed', 'PROCESSING_ERROR', 'The terminal could not process the payment.'],
  [0x67, 'declined', 'NOT_ALLOWED_FOR_DEBIT', 'The function is not allowed for debit cards.'],
  [0x68, 'declined', 'NOT_ALLOWED_FOR_CREDIT', 'The function is not allowed for credit cards.'],
  [0x6a, 'failed', 'TURNOVER_STORE_FULL', 'The turnover store of the terminal is full.'],
  [0x6b, 'failed', 'NOT_REGISTERED', 'The terminal wants a registration first.'],
  [0x6c, 'cancelled', 'ABORTED', 'Ended by a key or because nothing happened for too long.'],
  [0x6e, 'declined', 'CARD_BLOCKED', 'The card is on the blocked list.'],
  [0x6f, 'failed', 'WRONG_CURRENCY', 'The terminal does not take this currency.'],
  [0x71, 'declined', 'CREDIT_TOO_LOW', 'The credit on the card is too low.'],
  [0x72, 'failed', 'CHIP_ERROR', 'The chip reported an error.'],
  [0x73, 'failed', 'CARD_DATA_WRONG', 'The card data are wrong.'],
  [0x74, 'failed', 'DUKPT_EXHAUSTED', 'The keys of the terminal are used up.'],
  [0x75, 'failed', 'TEXT_NOT_AUTHENTIC', 'The display text carries no valid MAC.'],
  [0x77, 'failed', 'END_OF_DAY_IMPOSSIBLE', 'The end of day is not possible.'],
  [0x78, 'declined', 'CARD_EXPIRED', 'The card has expired.'],
  [0x79, 'declined', 'CARD_NOT_YET_VALID', 'The card is not valid yet.'],
  [0x7a, 'declined', 'CARD_UNKNOWN', 'The terminal does not know this card.'],
  [0x7b, 'failed', 'FALLBACK_MAGSTRIPE', 'Fallback to the magnetic stripe was refused.'],
  [0x7c, 'failed', 'FALLBACK_NOT_POSSIBLE', 'Fallback is not possible.'],
  [0x7d, 'failed', 'COMMUNICATION_ERROR', 'The terminal could not talk to its host.'],
  [0x7e, 'failed', 'FALLBACK_NOT_ALLOWED', 'Fallback is not allowed.'],
  [0x83, 'failed', 'NOT_POSSIBLE', 'The function is not possible.'],
  [0x85, 'failed', 'KEY_MISSING', 'A key is missing in the terminal.'],
  [0x89, 'failed', 'PIN_PAD_DEFECT', 'The PIN pad is defective.'],
  [0x9a, 'failed', 'PROTOCOL_ERROR', 'The terminal and its host misunderstood each other.'],
  [0x9b, 'failed', 'DIAL_ERROR', 'The terminal could not dial its host.'],
  [0x9c, 'failed', 'PLEASE_WAIT', 'The terminal is busy.'],
  [0xa0, 'failed', 'RECEIVER_NOT_READY', 'The receiver is not ready.'],
  [0xa1, 'failed', 'NO_ANSWER_FROM_HOST', 'The remote station does not answer.'],
  [0xa3, 'failed', 'NO_CONNECTION', 'There is no connection.'],
  [0xa5, 'failed', 'PCI_FAULT', 'A PCI requirement is not met.'],
  [0xb1, 'failed', 'MEMORY_FULL', 'The memory of the terminal is full: an end of day is due.'],
  [0xb2, 'failed', 'MERCHANT_JOURNAL_FULL', 'The merchant journal of the terminal is full.'],
  [0xb4, 'failed', 'ALREADY_REVERSED', 'This payment was reversed before.'],
  [0xb5, 'failed', 'REVERSAL_NOT_POSSIBLE', 'This payment cannot be reversed.'],
  [0xb7, 'failed', 'AMOUNT_ABOVE_PRE_AUTHORIZATION', 'The amount is higher than the pre-authorization.'],
  [0xb8, 'failed', 'PRE_AUTHORIZATION_ERROR', 'The pre-authorization could not be used.'],
  [0xbf, 'failed', 'VOLTAGE_TOO_LOW', 'The supply voltage of the terminal is too low.'],
  [0xc2, 'failed', 'DIAGNOSIS_NEEDED', 'The terminal wants a diagnosis first.'],
  [0xc3, 'declined', 'AMOUNT_TOO_HIGH', 'The amount is higher than allowed.'],
  [0xc5, 'failed', 'PAYMENT_METHOD_NOT_POSSIBLE', 'This way of paying is not set up.'],
  [0xc6, 'failed', 'CURRENCY_NOT_POSSIBLE', 'This currency is not set up.'],
  [0xc8, 'declined', 'AMOUNT_TOO_SMALL', 'The amount is lower than allowed.'],
  [0xc9, 'declined', 'MAXIMUM_BELOW_MINIMUM', 'The transaction limit is too small.'],
  [0xcc, 'failed', 'PRINTER_NOT_READY', 'The printer is not ready.'],
  [0xcd, 'declined', 'CASHBACK_NOT_POSSIBLE', 'Cash-back is not possible with this card.'],
  [0xdc, 'failed', 'CARD_INSERTED', 'A card is still in the reader.'],
  [0xdf, 'failed', 'OUT_OF_ORDER', 'The terminal is out of order.'],
  // Captured after an end of day; in a payment it says nothing about the money.
  [0xe0, 'unknown', 'REMOTE_MAINTENANCE', 'The terminal goes on with remote maintenance.'],
  [0xe4, 'failed', 'ACTIVATION_NEEDED', 'The terminal is not activated.'],
  [0xf0, 'failed', 'RECONCILIATION_NEEDED', 'An end of day is due.'],
  [0xfc, 'failed', 'DEVICE_NOT_AVAILABLE', 'A needed device is missing.'],
  [0xff, 'failed', 'SYSTEM_ERROR', 'System error; the extended error code and text may say more.'],
];

/** Code → meaning, for the codes of the terminal itself. */
export const RESULT_CODES: ReadonlyMap<number, ResultCodeMeaning> = new Map(
  ROWS.map(([code, kind, reason, meaning]) => [code, { kind, reason, meaning }]),
);
