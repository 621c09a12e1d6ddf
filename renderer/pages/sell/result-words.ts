import type {
  CancelledReason,
  DeclineCategory,
  TransactionResponse,
  TransactionType,
} from '../../../app/contract/transactions.ts';
import type { Tone } from '../../components/status-badge.tsx';

/** What a result means for the cashier: NEXT: a new sale. RETRY: the same payment may be tried again. WAIT: do not charge again. */
export type NextStep = 'NEXT' | 'RETRY' | 'WAIT';

type ResultSentence =
  | 'sell:result.paid'
  | 'sell:result.acceptedOffline'
  | 'sell:result.held'
  | 'sell:result.released'
  | 'sell:result.cardRead'
  | 'sell:result.balance'
  | 'sell:result.unknown'
  | 'sell:result.otherCard'
  | 'sell:result.insertWithPin'
  | 'sell:result.pinWrong'
  | 'sell:result.bankSilent'
  | 'sell:result.customerStopped'
  | 'sell:result.cancelled'
  | 'sell:result.noCard'
  | 'sell:result.cardRemoved'
  | 'sell:result.cardUnreadable'
  | 'sell:result.terminalStopped'
  | 'sell:result.chargedAfterAll';

export interface ResultWords {
  readonly tone: Tone;
  readonly sentence: ResultSentence;
  readonly next: NextStep;
}

/** Declines that have a sentence of their own; every other one asks for another card. */
const declines: Partial<Record<DeclineCategory, ResultSentence>> = {
  AUTHENTICATION_REQUIRED: 'sell:result.insertWithPin',
  PIN_INCORRECT: 'sell:result.pinWrong',
  ISSUER_UNAVAILABLE: 'sell:result.bankSilent',
  SYSTEM_ERROR: 'sell:result.bankSilent',
  CARDHOLDER_CANCELLED: 'sell:result.customerStopped',
};

/** What an approval means, by operation; of refunds and voids at the Sell page only the release of a hold is one. */
const approvals: Readonly<Record<TransactionType, ResultSentence>> = {
  SALE: 'sell:result.paid',
  PRE_AUTH: 'sell:result.held',
  PRE_AUTH_COMPLETE: 'sell:result.paid',
  VOID: 'sell:result.released',
  REFUND: 'sell:result.released',
  CARD_READ: 'sell:result.cardRead',
  BALANCE_INQUIRY: 'sell:result.balance',
};

const cancellations: Readonly<Record<CancelledReason, ResultSentence>> = {
  CARDHOLDER: 'sell:result.customerStopped',
  OPERATOR: 'sell:result.cancelled',
  POS_REQUEST: 'sell:result.cancelled',
  TIMEOUT: 'sell:result.noCard',
  CARD_REMOVED: 'sell:result.cardRemoved',
};

/** The sentence of a result. What is known about the money decides first: no status may speak over it. */
export function resultWords(response: TransactionResponse): ResultWords {
  const { status, outcome } = response;
  if (outcome?.charged === 'UNKNOWN' || (response.errorCode === 'OUTCOME_UNKNOWN' && outcome?.charged === undefined)) {
    return { tone: 'UNKNOWN', sentence: 'sell:result.unknown', next: 'WAIT' };
  }
  if (status === 'APPROVED' && response.deferredAuthorization === 'WAITING') {
    return { tone: 'WARN', sentence: 'sell:result.acceptedOffline', next: 'NEXT' };
  }
  if (status === 'APPROVED') return { tone: 'GOOD', sentence: approvals[response.type], next: 'NEXT' };
  if (outcome?.charged === 'YES') return { tone: 'WARN', sentence: 'sell:result.chargedAfterAll', next: 'NEXT' };
  if (status === 'DECLINED') {
    const category = response.decline?.category ?? 'UNKNOWN';
    return { tone: 'BAD', sentence: declines[category] ?? 'sell:result.otherCard', next: 'RETRY' };
  }
  if (status === 'CANCELLED') {
    return { tone: 'INFO', sentence: cancellations[response.cancelledReason ?? 'OPERATOR'], next: 'RETRY' };
  }
  const isUnread = response.errorCode === 'CARD_READ_FAILED';
  return {
    tone: 'WARN',
    sentence: isUnread ? 'sell:result.cardUnreadable' : 'sell:result.terminalStopped',
    next: 'RETRY',
  };
}

/** Whether somebody has to compare a signature before the goods are handed over. */
export function wantsSignature({ status, cvmResult }: TransactionResponse): boolean {
  return status === 'APPROVED' && (cvmResult === 'SIGNATURE' || cvmResult === 'OFFLINE_PIN_AND_SIGNATURE');
}

/** What stands small below for support: status, codes and id. */
export function codesOf(response: TransactionResponse): string {
  return [
    response.status,
    response.responseCode ?? response.decline?.networkResponseCode,
    response.errorCode,
    response.cancelledReason,
    response.transactionId,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** `Visa ••• 0119`, as far as it is known. */
export function cardWords({ cardScheme, applicationLabel, maskedPan }: TransactionResponse): string {
  const name = (cardScheme === undefined ? undefined : schemeNames[cardScheme]) ?? applicationLabel ?? cardScheme;
  const lastFour = maskedPan?.slice(-4);
  return [name, lastFour === undefined ? undefined : `•••${noBreak}${lastFour}`]
    .filter((part) => part !== undefined)
    .join(noBreak);
}

/** Name and digits stay on one line. */
const noBreak = '\u00a0';

const schemeNames: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'American Express',
  DISCOVER: 'Discover',
  JCB: 'JCB',
  UNIONPAY: 'UnionPay',
  EFTPOS: 'eftpos',
};
