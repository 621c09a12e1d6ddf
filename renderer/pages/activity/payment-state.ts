import type { TransactionResponse, TransactionStatus, TransactionType } from '../../../app/contract/transactions.ts';
import type { Tone } from '../../components/status-badge.tsx';

/** What of a payment decides the word that a person reads. */
export interface Standing {
  readonly status: TransactionStatus;
  readonly type: TransactionType;
  readonly charged: 'YES' | 'NO' | 'UNKNOWN';
  /** Of a sale that was taken without its issuer. */
  readonly deferredAuthorization?: TransactionResponse['deferredAuthorization'];
}

const approvedWords = {
  SALE: 'activity:state.paid',
  PRE_AUTH: 'activity:state.held',
  PRE_AUTH_COMPLETE: 'activity:state.paid',
  REFUND: 'activity:state.refunded',
  VOID: 'activity:state.voided',
  CARD_READ: 'activity:state.read',
  BALANCE_INQUIRY: 'activity:state.read',
} as const satisfies Record<TransactionType, string>;

/** The word and the tone of a payment's state. Red is only what was refused; unknown is amber and asks for attention. */
export function paymentState({ status, type, charged, deferredAuthorization }: Standing) {
  if (status === 'APPROVED' && deferredAuthorization === 'WAITING') {
    return { tone: 'WARN' as Tone, word: 'activity:state.acceptedOffline' as const };
  }
  if (status === 'DECLINED' && deferredAuthorization === 'DECLINED') {
    return { tone: 'BAD' as Tone, word: 'activity:state.declinedAfterwards' as const };
  }
  switch (status) {
    case 'APPROVED':
      return { tone: 'GOOD' as Tone, word: approvedWords[type] };
    case 'DECLINED':
      return { tone: 'BAD' as Tone, word: 'activity:state.declined' as const };
    case 'CANCELLED':
      return { tone: 'INFO' as Tone, word: 'activity:state.cancelled' as const };
    case 'ERROR':
      if (charged === 'UNKNOWN') return { tone: 'UNKNOWN' as Tone, word: 'activity:state.unknown' as const };
      return { tone: 'INFO' as Tone, word: 'activity:state.notDone' as const };
    case 'PENDING_ONLINE':
    case 'IN_PROGRESS':
      return { tone: 'BUSY' as Tone, word: 'activity:state.running' as const };
  }
}

/** Text key of an operation's name. */
export const operationWords = {
  SALE: 'activity:operation.sale',
  PRE_AUTH: 'activity:operation.preAuth',
  PRE_AUTH_COMPLETE: 'activity:operation.preAuthComplete',
  REFUND: 'activity:operation.refund',
  VOID: 'activity:operation.void',
  CARD_READ: 'activity:operation.cardRead',
  BALANCE_INQUIRY: 'activity:operation.balanceInquiry',
} as const satisfies Record<TransactionType, string>;

const schemeNames: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'American Express',
  DISCOVER: 'Discover',
  JCB: 'JCB',
  UNIONPAY: 'UnionPay',
  EFTPOS: 'eftpos',
};

/** A card as people name it: Visa ••• 0119. Undefined when nothing is known of it. */
export function cardName(scheme: string | undefined, lastFour: string | undefined): string | undefined {
  const name = scheme === undefined ? undefined : (schemeNames[scheme] ?? scheme);
  const digits = lastFour === undefined ? undefined : `••• ${lastFour}`;
  const parts = [name, digits].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Who began it, without the kind of caller before the name: `console:Anna` → Anna. */
export function callerName(startedBy: string): string {
  return startedBy.slice(startedBy.indexOf(':') + 1);
}

/** The digits that a masked account number ends with. */
export function lastFourOf(maskedPan: string | undefined): string | undefined {
  return maskedPan === undefined ? undefined : /\d{1,4}$/.exec(maskedPan)?.[0];
}
