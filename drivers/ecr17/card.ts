// What a result tells about card and authorization, in the words of the port.
import type { EntryMode } from '../../app/contract/transactions.ts';
import type { CardFacts } from '../../app/domain/transaction.ts';
import { schemeOfPan } from '../card-schemes.ts';
import { responseCodeOf } from './action-codes.ts';
import type { EntryCode, PaymentReply, PreAuthorizationReply } from './codec/message-types.ts';

/** The results of procedures with a card. */
export type CardReply = PaymentReply | PreAuthorizationReply;

const entryModes: { readonly [Code in EntryCode]: EntryMode } = {
  ICC: 'CONTACT',
  MAG: 'MAGSTRIPE',
  MAN: 'MANUAL',
  CLM: 'CONTACTLESS',
  CLI: 'CONTACTLESS',
};

const MIN_HIDDEN_DIGITS = 4;

export function cardFactsOf(reply: CardReply, isApproved: boolean): CardFacts {
  const { maskedPan, entry, authorizationCode } = reply;
  const responseCode = isApproved ? '00' : responseCodeOf(reply.actionCode);
  const cardScheme = maskedPan === undefined ? undefined : schemeOfPan(maskedPan);
  // At most first six and last four, at least four hidden; else absent (decisions: maskedPan).
  const isHidden = maskedPan !== undefined && maskedPan.split('*').length > MIN_HIDDEN_DIGITS;
  return {
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
    ...(responseCode === undefined ? {} : { responseCode }),
    ...(cardScheme === undefined ? {} : { cardScheme }),
    ...(isHidden ? { maskedPan } : {}),
    ...(entry === undefined ? {} : { entryMode: entryModes[entry] }),
  };
}
