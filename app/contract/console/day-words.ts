/** The closed lists of words in which day reports speak. */

/** Kinds of payment that a batch counts. */
export const countedTypes = ['SALE', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID'] as const;
export type CountedType = (typeof countedTypes)[number];

/** Kinds of payment that our host counts for a close: sales with completions, and the amounts that are still held. */
export const comparedTypes = ['SALE', 'REFUND', 'VOID', 'PRE_AUTH'] as const;
export type ComparedType = (typeof comparedTypes)[number];

/**
 * What a difference between journal and terminal is.
 * TERMINAL_ONLY, JOURNAL_ONLY: only that side has a payment. VOID_ACROSS_CLOSES: a void and its sale stand in different batches.
 * OUTCOME_WAS_UNKNOWN: a payment whose result had to be found out has this amount. AMOUNT_DIFFERS, COUNT_DIFFERS: only the one figure does.
 * SCHEME_NAMED_DIFFERENTLY: the same payments under another name. TERMINAL_TOTAL: the terminal's total is not the sum of its own rows.
 * ACQUIRER_TOTAL: the terminal's acquirer counts another total than the journal.
 */
export const differenceKinds = [
  ...(['TERMINAL_ONLY', 'JOURNAL_ONLY', 'VOID_ACROSS_CLOSES', 'OUTCOME_WAS_UNKNOWN', 'AMOUNT_DIFFERS'] as const),
  ...(['COUNT_DIFFERS', 'SCHEME_NAMED_DIFFERENTLY', 'TERMINAL_TOTAL', 'ACQUIRER_TOTAL'] as const),
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/**
 * Why a payment may explain a difference.
 * NOT_AT_TERMINAL: the journal has it, without it the sides agree. COUNTED_TWICE: with it once more they agree. OTHER_BATCH: the journal has it in
 * another close. NOT_PAID: an attempt that the journal has as not paid. TIP, CASHBACK: that part of it is the difference. VOIDED: it was voided,
 * which sides count differently. The most telling stands first.
 */
export const candidateReasons = [
  ...(['VOID_ACROSS_CLOSES', 'WAS_UNKNOWN', 'NOT_AT_TERMINAL', 'NOT_PAID', 'COUNTED_TWICE'] as const),
  ...(['OTHER_BATCH', 'TIP', 'CASHBACK', 'VOIDED'] as const),
] as const;
export type CandidateReason = (typeof candidateReasons)[number];
