// The issuer of the published test cards. He is told no account number: he knows a card of his by its cryptogram, which no other card has signed.
import type { ChipTags } from '../protocol.ts';
import { answerCodeOfMethod1, answerCodeOfMethod2, cardKey, macOf, type Padding, sessionKey } from './chip-keys.ts';

/** The master key that public EMV test suites use. No money and no account stands behind it. */
const ISSUER_KEY = Buffer.from('0123456789ABCDEFFEDCBA9876543210', 'hex');

/** Published test numbers, each with its sequence number (5F34). */
const issuedCards: readonly (readonly [pan: string, sequence: string])[] = [
  ['4761739001010119', '01'],
  ['4761739001010010', '01'],
  ['4012888888881881', '01'],
  ['4012000033330026', '01'],
  ['4012000077777777', '01'],
  ['4005519200000004', '01'],
  ['4009348888881881', '01'],
  ['4500600000000061', '01'],
  ['5413330089010640', '01'],
  ['5413330089020029', '01'],
  ['5577000055770004', '01'],
  ['5555555555554444', '01'],
  ['378282246310005', '00'],
  ['371449635398431', '00'],
  ['6771798021000008', '01'],
  ['6771830999991239', '01'],
];

/** What every card signs, in this order; then comes its part of 9F10. */
const signedTags = ['9F02', '9F03', '9F1A', '95', '5F2A', '9A', '9C', '9F37', '82', '9F36'] as const;

type Told = (tag: keyof ChipTags) => Buffer;

/** How cards of one kind sign and what answer they take. */
interface Scheme {
  readonly padding: Padding;
  /** the part of 9F10 that is signed */
  readonly signs: (issuerData: Buffer) => Buffer;
  /** what the key of one payment is made with; undefined where the card's own key signs */
  readonly diversification?: (told: Told) => Buffer;
  readonly answer: 'METHOD_1' | 'METHOD_2';
}

const plain: Scheme = { padding: 'ZEROS', signs: (data) => data.subarray(3), answer: 'METHOD_1' };
const counted: Scheme = {
  padding: 'MARKED',
  signs: (data) => data,
  diversification: (told) => told('9F36'),
  answer: 'METHOD_2',
};
const mchip: Scheme = {
  padding: 'MARKED',
  signs: (data) => data.subarray(2, 8),
  diversification: (told) => Buffer.concat([told('9F36'), Buffer.alloc(2), told('9F37')]),
  answer: 'METHOD_1',
};

/** The kind of a card: first digit of its number, and the first bytes of its 9F10 with the number of its cryptogram's version. */
const schemes: readonly (readonly [numbers: RegExp, issuerData: RegExp, scheme: Scheme])[] = [
  [/^4/, /^06..0A/, plain],
  [/^4/, /^06..12/, counted],
  [/^5/, /^..10/, mchip],
  [/^3/, /^06..01/, plain],
  [/^6/, /^0FA5/, counted],
];

/** Card status update of method 2: the issuer approves the payment, or does not (EMV book 2, annex C10). */
const statusUpdates = { approved: '00800000', declined: '00000000' } as const;

/**
 * Tag 91 for a chip: the issuer's answer to its cryptogram (9F26), upper-case hex.
 * @param responseCode two characters, as the card is told them
 * @returns undefined for what no card of this issuer has signed: a wrong answer makes a chip refuse what was approved
 */
export function answerOfIssuer(tags: ChipTags, responseCode: string): string | undefined {
  const told: Told = (tag) => Buffer.from(tags[tag], 'hex');
  for (const [pan, sequence] of issuedCards) {
    const scheme = schemes.find(([numbers, data]) => numbers.test(pan) && data.test(tags['9F10']))?.[2];
    if (scheme === undefined) continue;
    const ownKey = cardKey(ISSUER_KEY, pan, sequence);
    const key = scheme.diversification === undefined ? ownKey : sessionKey(ownKey, scheme.diversification(told));
    const signed = Buffer.concat([...signedTags.map(told), scheme.signs(told('9F10'))]);
    if (!macOf(key, signed, scheme.padding).equals(told('9F26'))) continue;
    return answerTo(told('9F26'), scheme.answer, { ownKey, key }, responseCode);
  }
  return undefined;
}

/** Method 1 is computed under the card's own key, method 2 under that of the payment. */
function answerTo(
  cryptogram: Buffer,
  method: Scheme['answer'],
  { ownKey, key }: { readonly ownKey: Buffer; readonly key: Buffer },
  responseCode: string,
): string {
  const isMethod1 = method === 'METHOD_1';
  const update = responseCode === '00' ? statusUpdates.approved : statusUpdates.declined;
  const detail = isMethod1 ? Buffer.from(responseCode) : Buffer.from(update, 'hex');
  const code = isMethod1
    ? answerCodeOfMethod1(ownKey, cryptogram, detail)
    : answerCodeOfMethod2(key, cryptogram, detail);
  return Buffer.concat([code, detail]).toString('hex').toUpperCase();
}
