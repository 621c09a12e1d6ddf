// Which scheme a card belongs to, by what every protocol tells of it.
import type { CardScheme } from '../app/contract/transactions.ts';

/** Registered application providers (first five bytes of an AID). girocard has no place in the open list: OTHER. */
const schemeByProvider: { readonly [rid: string]: CardScheme } = {
  A000000003: 'VISA',
  A000000004: 'MASTERCARD',
  A000000025: 'AMEX',
  A000000065: 'JCB',
  A000000152: 'DISCOVER',
  A000000324: 'DISCOVER',
  A000000333: 'UNIONPAY',
  A000000384: 'EFTPOS',
  A000000359: 'OTHER',
};

/** First digits of a card number, where nothing else tells. */
const schemeByPrefix: readonly (readonly [RegExp, CardScheme])[] = [
  [/^4/, 'VISA'],
  [/^(5[1-5]|2[2-7])/, 'MASTERCARD'],
  [/^3[47]/, 'AMEX'],
  [/^35/, 'JCB'],
  [/^(6011|65|36|38|39|30)/, 'DISCOVER'],
  [/^62/, 'UNIONPAY'],
];

/** By application identifier, hex; undefined for a provider that is not known. */
export function schemeOfAid(aid: string): CardScheme | undefined {
  return schemeByProvider[aid.slice(0, 10).toUpperCase()];
}

/** By the first digits of a card number, masked or not. */
export function schemeOfPan(pan: string): CardScheme | undefined {
  return schemeByPrefix.find(([pattern]) => pattern.test(pan))?.[1];
}
