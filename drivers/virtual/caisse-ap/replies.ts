// What the terminal says. Every request has one reply, and none of them can be asked for again.
import { Secret } from '../../../app/domain/secret.ts';
import { MAX_AMOUNT_MINOR, PROTOCOL_VERSION } from '../../caisse-ap/codec/fields.ts';
import type { CaisseApReply, CaisseApRequest } from '../../caisse-ap/codec/message-types.ts';
import { ACCEPTED, DONE, encodeReply, FAILED } from '../../caisse-ap/codec/replies.ts';
import type { AuthorizedEntry } from '../book/entries.ts';
import { type CardEntry, firstSixAndLastFour, type TestCard } from '../cards.ts';

/** AF, beside AE 01. */
export const REFUSED = '04';
export const FORBIDDEN = '05';
export const TIMED_OUT = '08';
export const TAG_MISSING = '09';
export const ABANDONED = '11';
export type Reason = typeof REFUSED | typeof FORBIDDEN | typeof TIMED_OUT | typeof TAG_MISSING | typeof ABANDONED;

/** CI; a stripe has none. */
const ENTRY_CODES: Readonly<Partial<Record<CardEntry, string>>> = { CONTACT: '1', CONTACTLESS: '2' };

/** AE 10: the payment was done. A cheque has no card. */
export function doneReply(
  request: CaisseApRequest,
  { amountMinor, authorizationCode }: AuthorizedEntry,
  { card, contract }: { readonly card?: TestCard; readonly contract: string },
): Uint8Array {
  return encodeReply({
    ...echo(request),
    // The field holds no more, whatever the rule wrong-amount adds.
    amountMinor: Math.min(amountMinor, MAX_AMOUNT_MINOR),
    status: DONE,
    authorizationNumber: authorizationCode,
    ...(card === undefined ? {} : cardFields(card)),
    contract,
  });
}

/** AE 11: the request was accepted (BA 1). How it ends is not told. */
export function acceptedReply(request: CaisseApRequest): Uint8Array {
  return encodeReply({ ...echo(request), amountMinor: request.amountMinor, status: ACCEPTED });
}

/** AE 01. The reply to an abandoned payment has no amount (OCA/l10n-france, pull request 669). */
export function failedReply(request: CaisseApRequest, reason: Reason): Uint8Array {
  const amount = reason === ABANDONED ? {} : { amountMinor: request.amountMinor };
  return encodeReply({ ...echo(request), ...amount, status: FAILED, reason });
}

/** AE 01 to what is no request: there is nothing to echo. */
export function unreadableReply(reason: Reason): Uint8Array {
  return encodeReply({ type: 'reply', version: PROTOCOL_VERSION, status: FAILED, reason });
}

function echo({ protocolId, tillNumber, currency, operation, mode }: CaisseApRequest): CaisseApReply {
  return {
    type: 'reply',
    version: PROTOCOL_VERSION,
    protocolId,
    tillNumber,
    currency,
    operation,
    ...(mode === undefined ? {} : { mode }),
  };
}

function cardFields({ pan, aid, expiry, entry }: TestCard): Partial<CaisseApReply> {
  const entryCode = ENTRY_CODES[entry];
  return {
    maskedPan: firstSixAndLastFour(pan),
    ...(aid === undefined ? {} : { aid }),
    expiry: new Secret(expiry),
    ...(entryCode === undefined ? {} : { entryCode }),
  };
}
