import type { Decline, DeclineCategory, RetryClass } from './transactions.ts';

/** What issuers answer and what it means for the shop (decisions section 4). One table; everything else here reads it. */

interface IssuerAnswer {
  readonly category: DeclineCategory;
  readonly retryClass: RetryClass;
  readonly customerMessage: string;
  readonly merchantMessage: string;
}

/** How a payment is taken, as far as the meaning of an answer depends on it. */
export interface AnswerContext {
  /** Entry mode of the card, when one was read. */
  readonly entryMode?: string;
  /** True for a card number typed in or a payment on the web, where a typing error is likely. */
  readonly isKeyedOrOnline?: boolean;
}

const notAccepted = 'Your card was not accepted. Please use another card.';
const issuerRefuses = 'The card issuer declined this payment. Please use another card.';

/** Rows of decisions section 4, in its order. Splits by entry mode or channel stand in `variantOf`. */
const rows: readonly (readonly [codes: readonly string[], answer: IssuerAnswer])[] = [
  row(
    ['51'],
    'INSUFFICIENT_FUNDS',
    'LATER',
    'There is not enough money on the account.',
    'Not enough funds; ask for another card.',
  ),
  row(
    ['61', '65'],
    'LIMIT_EXCEEDED',
    'LATER',
    'The limit of the card is reached.',
    'Limit of the card reached; ask for another card.',
  ),
  row(
    ['70', '1A'],
    'AUTHENTICATION_REQUIRED',
    'FIX_AND_RETRY',
    'Please insert your card and enter your PIN.',
    'The issuer wants the card inserted and the PIN entered; start the payment again.',
  ),
  row(
    ['55'],
    'PIN_INCORRECT',
    'FIX_AND_RETRY',
    'The PIN was not correct. Please try again.',
    'Wrong PIN; start the payment again.',
  ),
  row(
    ['38', '75'],
    'PIN_TRIES_EXCEEDED',
    'OTHER_CARD',
    'The PIN was entered wrongly too often. Please use another card.',
    'PIN tries used up; ask for another card.',
  ),
  row(
    ['33', '54'],
    'EXPIRED_CARD',
    'OTHER_CARD',
    'Your card has expired. Please use another card.',
    'Expired card; ask for another card.',
  ),
  row(['14', '82', 'N7'], 'INVALID_CARD', 'OTHER_CARD', notAccepted, 'Invalid card; ask for another card.'),
  row(['15', '46'], 'INVALID_CARD', 'NEVER', notAccepted, 'No such issuer or account; do not try this card again.'),
  row(['41', '43'], 'LOST_OR_STOLEN', 'NEVER', notAccepted, 'Card reported lost or stolen; do not try it again.'),
  row(
    ['04', '07'],
    'PICK_UP_CARD',
    'NEVER',
    notAccepted,
    'The issuer asks to keep the card, if that is safe; do not try it again.',
  ),
  row(['59', '63'], 'SUSPECTED_FRAUD', 'OTHER_CARD', notAccepted, 'The issuer suspects fraud; ask for another card.'),
  row(
    ['57', '93', 'R0', 'R1', 'R3'],
    'NOT_PERMITTED',
    'NEVER',
    notAccepted,
    'This payment is not permitted; do not try this card again.',
  ),
  row(
    ['52', '53', '58', '62', '78', 'N3', 'N4', 'Z5', '5C', '9G'],
    'NOT_PERMITTED',
    'OTHER_CARD',
    notAccepted,
    'The card may not be used for this payment; ask for another card.',
  ),
  row(
    ['01', '02', '05'],
    'DO_NOT_HONOR',
    'OTHER_CARD',
    issuerRefuses,
    'Declined by the issuer without a reason; ask for another card.',
  ),
  row(
    ['03', '12', '13', '30'],
    'INVALID_REQUEST',
    'NEVER',
    'The payment could not be made.',
    'The request was refused as invalid; check the terminal set-up before trying again.',
  ),
  row(
    ['90', '91', '92'],
    'ISSUER_UNAVAILABLE',
    'LATER',
    'The card issuer cannot be reached at the moment.',
    'Issuer not reachable; try again later or ask for another card.',
  ),
  row(
    ['06', '19', '96'],
    'SYSTEM_ERROR',
    'LATER',
    'The payment could not be made at the moment.',
    'System error at the issuer or acquirer; try again later.',
  ),
  row(
    ['09', '68'],
    'SYSTEM_ERROR',
    'UNKNOWN_OUTCOME',
    outcomeUnknown(),
    'The outcome is unknown; ask before charging again.',
  ),
  row(
    ['94'],
    'DUPLICATE',
    'UNKNOWN_OUTCOME',
    outcomeUnknown(),
    'Seen as a duplicate; the outcome of the first is to be asked for.',
  ),
  // The chip's own refusals: Z1 means another card, Z3 (unable to go online) may work later.
  row(['Z1'], 'OFFLINE_DECLINED', 'OTHER_CARD', notAccepted, 'Declined by the chip; ask for another card.'),
  row(
    ['Z3'],
    'OFFLINE_DECLINED',
    'LATER',
    'The payment could not be made at the moment.',
    'Declined by the chip because the issuer could not be reached; try again later.',
  ),
];

const cancelledByCardholder: IssuerAnswer = {
  category: 'CARDHOLDER_CANCELLED',
  retryClass: 'LATER',
  customerMessage: 'You have cancelled the payment.',
  merchantMessage: 'Cancelled by the cardholder.',
};

const anyOther: IssuerAnswer = {
  category: 'UNKNOWN',
  retryClass: 'OTHER_CARD',
  customerMessage: issuerRefuses,
  merchantMessage: 'Declined with a code that has no entry here; ask for another card.',
};

function outcomeUnknown(): string {
  return 'It is not known yet whether the payment went through. Please wait.';
}

function row(
  codes: readonly string[],
  category: DeclineCategory,
  retryClass: RetryClass,
  customerMessage: string,
  merchantMessage: string,
): readonly [readonly string[], IssuerAnswer] {
  return [codes, { category, retryClass, customerMessage, merchantMessage }];
}

const byCode: ReadonlyMap<string, IssuerAnswer> = new Map(
  rows.flatMap(([codes, answer]) => codes.map((code): [string, IssuerAnswer] => [code, answer])),
);

/** Every code that has a row of its own. */
export const issuerCodes: readonly string[] = [...byCode.keys()];

const approvals: ReadonlySet<string> = new Set(['00', '08', '11', 'Y1', 'Y3']);

/**
 * What an issuer's code does to a payment.
 * PARTIAL: approved for less than was asked (10); it is reversed and declined. UNKNOWN: neither an approval nor a decline (09, 68, 94).
 */
export type IssuerVerdict = 'APPROVED' | 'PARTIAL' | 'DECLINED' | 'UNKNOWN';

/** @param code host code; @param amountMinor the amount asked for: 85 approves zero-amount checks only */
export function verdictOf(code: string, amountMinor: number): IssuerVerdict {
  if (approvals.has(code) || (code === '85' && amountMinor === 0)) return 'APPROVED';
  if (code === '10') return 'PARTIAL';
  return byCode.get(code)?.retryClass === 'UNKNOWN_OUTCOME' ? 'UNKNOWN' : 'DECLINED';
}

/** The code that a response reports: every approval by the host reads 00 (decisions section 4). */
export function reportedCode(code: string, amountMinor: number): string {
  return verdictOf(code, amountMinor) === 'APPROVED' ? '00' : code;
}

/** Answers whose meaning depends on how the payment is taken. */
function variantOf(code: string, context: AnswerContext): IssuerAnswer | undefined {
  // Contactless, 65 asks for the PIN (a counter of taps is full); with contact it is a limit.
  if (code === '65' && context.entryMode === 'CONTACTLESS') return byCode.get('1A');
  if (['14', '82', 'N7'].includes(code) && (context.isKeyedOrOnline === true || context.entryMode === 'MANUAL')) {
    return {
      category: 'INVALID_CARD',
      retryClass: 'FIX_AND_RETRY',
      customerMessage: 'The card details were not accepted. Please check them and try again.',
      merchantMessage: 'Card number, expiry or security code is wrong; check and try again.',
    };
  }
  return undefined;
}

function asDecline(answer: IssuerAnswer, code: string | undefined): Decline {
  return {
    category: answer.category,
    retryClass: answer.retryClass,
    retryable: answer.retryClass === 'LATER' || answer.retryClass === 'FIX_AND_RETRY',
    ...(code === undefined ? {} : { networkResponseCode: code }),
    customerMessage: answer.customerMessage,
    merchantMessage: answer.merchantMessage,
  };
}

/** The decline object for an issuer's code; undefined where the terminal refused without one. Any code without a row is UNKNOWN. */
export function declineFor(code: string | undefined, context: AnswerContext = {}): Decline {
  if (code === undefined) return asDecline(anyOther, undefined);
  return asDecline(variantOf(code, context) ?? byCode.get(code) ?? anyOther, code);
}

/** The decline object where the cardholder pressed stop. */
export function declineOfCardholder(): Decline {
  return asDecline(cancelledByCardholder, undefined);
}
