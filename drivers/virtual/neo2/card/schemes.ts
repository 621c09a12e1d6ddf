// How the cards of each scheme sign and what issuer's answer they take, as data.
import { concatBytes, equalBytes, fromHex } from '../../../framing/bytes.ts';
import { applicationCryptogram, arpcMethod1, arpcMethod2 } from '../crypto/emv-cryptograms.ts';
import { cardKeyOptionB, counterSessionKey, mchipSessionKey } from '../crypto/emv-keys.ts';
import type { MacPadding } from '../crypto/mac.ts';
import { type EmvTags, requireTag } from './emv-tags.ts';

export type CryptogramKind = 'TC' | 'ARQC' | 'AAC';

/** What goes into tag 9F10: bytes before and after the card verification results (CVR), whose status byte stands first after `cvrPrefix`. */
interface IssuerApplicationData {
  readonly before: string;
  readonly cvrPrefix: string;
  readonly cvrRest: string;
  readonly after: string;
  /** set in the status byte when the issuer's answer was wrong, where the scheme has it there */
  readonly answerFailedBit: number;
}

export interface CryptogramScheme {
  readonly sessionKey: 'NONE' | 'COUNTER' | 'MCHIP';
  readonly padding: MacPadding;
  /** what of 9F10 is signed after the common tags */
  readonly signs: 'CVR' | 'ALL';
  readonly arpc: 'METHOD_1' | 'METHOD_2';
  readonly arpcKey: 'CARD' | 'SESSION';
  readonly issuerData: IssuerApplicationData;
}

export type SchemeName = 'VISA_CVN10' | 'VISA_CVN18' | 'MASTERCARD_CVN16' | 'AMEX_CVN01' | 'COMMON_CORE';

const visaData = { cvrPrefix: '03', cvrRest: '0000', after: '', answerFailedBit: 0x08 } as const;

/** Visa 10 and 18 and Mastercard 16 are held against published values; Amex 01 and the common core definitions share their parts. */
export const SCHEMES: Readonly<Record<SchemeName, CryptogramScheme>> = {
  VISA_CVN10: {
    sessionKey: 'NONE',
    padding: 'ZEROS',
    signs: 'CVR',
    arpc: 'METHOD_1',
    arpcKey: 'CARD',
    issuerData: { ...visaData, before: '06010A' },
  },
  VISA_CVN18: {
    sessionKey: 'COUNTER',
    padding: 'MARKED',
    signs: 'ALL',
    arpc: 'METHOD_2',
    arpcKey: 'SESSION',
    issuerData: { ...visaData, before: '060112' },
  },
  MASTERCARD_CVN16: {
    sessionKey: 'MCHIP',
    padding: 'MARKED',
    signs: 'CVR',
    arpc: 'METHOD_1',
    arpcKey: 'CARD',
    issuerData: {
      before: '0110',
      cvrPrefix: '',
      cvrRest: '0000000000',
      after: '000000000000000000FF',
      answerFailedBit: 0,
    },
  },
  AMEX_CVN01: {
    sessionKey: 'NONE',
    padding: 'ZEROS',
    signs: 'CVR',
    arpc: 'METHOD_1',
    arpcKey: 'CARD',
    issuerData: { ...visaData, before: '060101' },
  },
  COMMON_CORE: {
    sessionKey: 'COUNTER',
    padding: 'MARKED',
    signs: 'ALL',
    arpc: 'METHOD_2',
    arpcKey: 'SESSION',
    issuerData: {
      before: '0FA501',
      cvrPrefix: '',
      cvrRest: '00000000',
      after: `00000000000000000F${'00'.repeat(15)}`,
      answerFailedBit: 0,
    },
  },
};

/** What every scheme signs, in this order; then comes its part of 9F10. */
const SIGNED_TAGS = ['9F02', '9F03', '9F1A', '95', '5F2A', '9A', '9C', '9F37', '82', '9F36'];
const kindBits: Readonly<Record<CryptogramKind, number>> = { AAC: 0, TC: 1, ARQC: 2 };
/** In place of the second cryptogram: none was asked for. */
const NOT_ASKED = 2;

/** What the card is in the eyes of its issuer. */
export interface CardKeyIds {
  readonly pan: string;
  /** two digits (5F34) */
  readonly sequence: string;
  readonly scheme: SchemeName;
}

/** The decisions that a card tells its issuer in 9F10. */
export interface CardDecisions {
  readonly first: CryptogramKind;
  readonly second?: CryptogramKind;
  readonly hasAnswerFailed?: boolean;
}

/** Tag 9F10. */
export function issuerApplicationData(scheme: SchemeName, decisions: CardDecisions): Uint8Array {
  const { issuerData } = SCHEMES[scheme];
  return concatBytes(fromHex(issuerData.before), verificationResults(scheme, decisions), fromHex(issuerData.after));
}

function verificationResults(
  scheme: SchemeName,
  { first, second, hasAnswerFailed = false }: CardDecisions,
): Uint8Array {
  const { cvrPrefix, cvrRest, answerFailedBit } = SCHEMES[scheme].issuerData;
  const kinds = ((second === undefined ? NOT_ASKED : kindBits[second]) << 6) | (kindBits[first] << 4);
  const status = kinds | (hasAnswerFailed ? answerFailedBit : 0);
  return concatBytes(fromHex(cvrPrefix), Uint8Array.of(status), fromHex(cvrRest));
}

/** The CVR within tag 9F10 of this scheme. */
function verificationResultsIn(scheme: SchemeName, issuerData: Uint8Array): Uint8Array {
  const { before, after } = SCHEMES[scheme].issuerData;
  return issuerData.subarray(before.length / 2, issuerData.length - after.length / 2);
}

/** The cryptogram over `tags`, among them 9F10, 9F36 and 9F37. @throws RangeError when one of the signed tags is missing */
export function cryptogramOf(card: CardKeyIds, issuerKey: Uint8Array, tags: EmvTags): Uint8Array {
  const scheme = SCHEMES[card.scheme];
  const issuerData = requireTag(tags, '9F10');
  const signed = SIGNED_TAGS.map((tag) => requireTag(tags, tag));
  const own = scheme.signs === 'ALL' ? issuerData : verificationResultsIn(card.scheme, issuerData);
  return applicationCryptogram(sessionKeyOf(card, issuerKey, tags), concatBytes(...signed, own), scheme.padding);
}

/**
 * Tag 91 for the ARQC in `tags` (9F26).
 * @param detail method 1: the response code, 2 bytes; method 2: the card status update, 4 bytes, and proprietary data up to 8 bytes
 */
export function issuerAnswer(card: CardKeyIds, issuerKey: Uint8Array, tags: EmvTags, detail: Uint8Array): Uint8Array {
  const scheme = SCHEMES[card.scheme];
  const arqc = requireTag(tags, '9F26');
  const key = scheme.arpcKey === 'CARD' ? cardKeyOf(card, issuerKey) : sessionKeyOf(card, issuerKey, tags);
  const arpc =
    scheme.arpc === 'METHOD_1'
      ? arpcMethod1(key, arqc, detail)
      : arpcMethod2(key, arqc, detail.subarray(0, 4), detail.subarray(4));
  return concatBytes(arpc, detail);
}

/** True when `answer` (tag 91) is that of the card's own issuer to the ARQC in `tags`. Of the wrong length it is not. */
export function isGenuineAnswer(card: CardKeyIds, issuerKey: Uint8Array, tags: EmvTags, answer: Uint8Array): boolean {
  const [arpcBytes, least, most] = SCHEMES[card.scheme].arpc === 'METHOD_1' ? [8, 10, 10] : [4, 8, 16];
  if (answer.length < least || answer.length > most) return false;
  return equalBytes(issuerAnswer(card, issuerKey, tags, answer.slice(arpcBytes)), answer);
}

function sessionKeyOf(card: CardKeyIds, issuerKey: Uint8Array, tags: EmvTags): Uint8Array {
  const key = cardKeyOf(card, issuerKey);
  const counter = requireTag(tags, '9F36');
  switch (SCHEMES[card.scheme].sessionKey) {
    case 'NONE':
      return key;
    case 'COUNTER':
      return counterSessionKey(key, counter);
    case 'MCHIP':
      return mchipSessionKey(key, counter, requireTag(tags, '9F37'));
  }
}

function cardKeyOf({ pan, sequence }: CardKeyIds, issuerKey: Uint8Array): Uint8Array {
  return cardKeyOptionB(issuerKey, pan, sequence);
}
