// The issuer of the test cards: tells a genuine cryptogram from another, and gives the answer (tag 91) that the card will check.
import { equalBytes, fromHex } from '../../../framing/bytes.ts';
import { keyIdsOf } from './chip.ts';
import type { ChipCard } from './chip-cards.ts';
import { type EmvTags, requireTag } from './emv-tags.ts';
import { cryptogramOf, issuerAnswer, SCHEMES } from './schemes.ts';

/** Card status update of a method 2 answer: the issuer approves the payment, or does not (EMV book 2, annex C10). */
const STATUS_UPDATE = { approved: '00800000', declined: '00000000' } as const;

/** True when the cryptogram in the tags (9F26) is that of this card over these tags: no amount, no counter and no result was changed. */
export function isGenuineCryptogram(card: ChipCard, issuerKey: Uint8Array, tags: EmvTags): boolean {
  return equalBytes(cryptogramOf(keyIdsOf(card), issuerKey, tags), requireTag(tags, '9F26'));
}

/** Tag 91 for the ARQC in the tags. @param responseCode two characters (8A) */
export function answerOfIssuer(card: ChipCard, issuerKey: Uint8Array, tags: EmvTags, responseCode: string): Uint8Array {
  const isMethod1 = SCHEMES[card.chip.scheme].arpc === 'METHOD_1';
  const update = responseCode === '00' ? STATUS_UPDATE.approved : STATUS_UPDATE.declined;
  const detail = isMethod1 ? new TextEncoder().encode(responseCode) : fromHex(update);
  return issuerAnswer(keyIdsOf(card), issuerKey, tags, detail);
}
