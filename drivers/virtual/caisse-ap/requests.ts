// What a till asks for, held against what this terminal does.
import type { CaisseApRequest, Malformed } from '../../caisse-ap/codec/message-types.ts';
import { CHEQUE_MODE, decodeRequest } from '../../caisse-ap/codec/requests.ts';
import type { BookCard } from '../book/entries.ts';
import { FORBIDDEN, failedReply, type Reason, TAG_MISSING, unreadableReply } from './replies.ts';
import type { CaisseApOrder } from './state.ts';

/** Newer software of terminals refuses requests with this field. */
const REJECTED_TAG = 'BF';

/** A cheque stands in the book in the place of a card. */
export const CHEQUE: BookCard = {
  id: 'cheque',
  scheme: 'CHEQUE',
  label: 'Cheque',
  maskedPan: '',
  expiry: '',
  sequence: '',
  entry: 'CONTACT',
  verification: 'NONE',
};

/** What a request asks for, or the reply that refuses it before anybody is asked for a card. */
export type OrderResult =
  | { readonly ok: true; readonly order: CaisseApOrder }
  | { readonly ok: false; readonly reply: Uint8Array };

export function orderOf(bytes: Uint8Array, currencyNumber: string): OrderResult {
  const request = decodeRequest(bytes);
  if (request.type === 'malformed') return { ok: false, reply: unreadableReply(reasonOf(request)) };
  const { operation, amountMinor } = request;
  if (operation === 'CANCEL' || !isDone(request, currencyNumber))
    return { ok: false, reply: failedReply(request, FORBIDDEN) };
  const means = request.mode === CHEQUE_MODE ? { card: CHEQUE } : {};
  return { ok: true, order: { operation, amountMinor, request, ...means } };
}

/** The reason for a request that cannot be read: with all fields there, one of them says something impossible. */
function reasonOf({ reason }: Malformed): Reason {
  return reason === 'BAD_VALUE' || reason === 'CONTRADICTION' ? FORBIDDEN : TAG_MISSING;
}

function isDone({ amountMinor, currency, mode, operation, others }: CaisseApRequest, currencyNumber: string): boolean {
  const isModeKnown = mode === undefined || (mode === CHEQUE_MODE && operation === 'SALE');
  const hasRejectedTag = others?.reveal().some(({ tag }) => tag === REJECTED_TAG) === true;
  return amountMinor > 0 && currency === currencyNumber && isModeKnown && !hasRejectedTag;
}
