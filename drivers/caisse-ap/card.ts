// What a reply tells about card and authorization, in the words of the port.
import type { CardScheme, EntryMode } from '../../app/contract/transactions.ts';
import type { CardFacts } from '../../app/domain/transaction.ts';
import { schemeOfAid, schemeOfPan } from '../card-schemes.ts';
import type { CaisseApReply } from './codec/message-types.ts';

/** CI */
const entryModes: ReadonlyMap<string, EntryMode> = new Map<string, EntryMode>([
  ['1', 'CONTACT'],
  ['2', 'CONTACTLESS'],
]);

/** CC of a card whose scheme nothing else tells. */
const schemeByMode: ReadonlyMap<string, CardScheme> = new Map<string, CardScheme>([
  ['002', 'AMEX'],
  ['00D', 'AMEX'],
]);

/** Fewer hidden digits than this are no mask (decisions: maskedPan). */
const MIN_HIDDEN_DIGITS = 4;

/** AE is the terminal's own word, so that there is no issuer's response code. */
export function cardFactsOf(reply: CaisseApReply): CardFacts {
  const aid = matching(reply.aid, /^[0-9A-F]{10,32}$/i)?.toUpperCase();
  const maskedPan = maskedPanOf(reply);
  const facts: { -readonly [Name in keyof CardFacts]: CardFacts[Name] | undefined } = {
    authorizationCode: authorizationCodeOf(reply),
    cardScheme: schemeOfAid(aid ?? '') ?? schemeByMode.get(reply.mode ?? '') ?? schemeOfPan(maskedPan ?? ''),
    maskedPan,
    entryMode: entryModes.get(reply.entryCode ?? ''),
    aid,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** AC without the blanks that fill it up. */
export function authorizationCodeOf(reply: CaisseApReply): string | undefined {
  return matching(reply.authorizationNumber?.trim(), /^[\x21-\x7e]{1,8}$/);
}

function maskedPanOf({ maskedPan }: CaisseApReply): string | undefined {
  const masked = matching(maskedPan?.trim(), /^[0-9*]{8,19}$/);
  return masked !== undefined && /[0-9]/.test(masked) && masked.split('*').length - 1 >= MIN_HIDDEN_DIGITS
    ? masked
    : undefined;
}

function matching(text: string | undefined, pattern: RegExp): string | undefined {
  return text !== undefined && pattern.test(text) ? text : undefined;
}
