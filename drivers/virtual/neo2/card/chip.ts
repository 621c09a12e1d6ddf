// The chip itself: it counts, signs and decides (EMV book 3, GENERATE AC). Its only memory is its counter, which the caller keeps.
import { toHex } from '../../../framing/bytes.ts';
import type { ChipCard } from './chip-cards.ts';
import { cvmList } from './cvm.ts';
import { type EmvTags, joinTags, tagsOf } from './emv-tags.ts';
import { expiryDate } from './payment.ts';
import { type CryptogramKind, cryptogramOf, isGenuineAnswer, issuerApplicationData } from './schemes.ts';
import { accountNumber, track2Equivalent } from './tracks.ts';

const MAX_COUNTER = 0xffff;

/** Cryptogram information data (9F27). */
const kindCodes: Readonly<Record<CryptogramKind, number>> = { AAC: 0x00, TC: 0x40, ARQC: 0x80 };
/** A chip grants what it is asked for or less, never more. */
const rank: Readonly<Record<CryptogramKind, number>> = { AAC: 0, ARQC: 1, TC: 2 };

/** A cryptogram as the chip gives it: 9F10, 9F26, 9F27, 9F36 with what they were made of. */
export interface Cryptogram {
  readonly kind: CryptogramKind;
  /** the chip's own tags */
  readonly tags: EmvTags;
  /** everything that was signed, and the chip's own tags */
  readonly signed: EmvTags;
}

/** How the chip found its issuer's answer. ABSENT: it got none to look at. */
export type AnswerCheck = 'PASSED' | 'FAILED' | 'ABSENT';

/** The application transaction counter of the next payment; undefined when it has come to its end and the chip takes none any more. */
export function nextCounter(counter: number): number | undefined {
  return counter >= MAX_COUNTER ? undefined : counter + 1;
}

/** What the chip lets anybody read. */
export function readApplication(card: ChipCard): EmvTags {
  const { chip } = card;
  return joinTags(
    tagsOf({ '84': card.aid, '50': toHex(new TextEncoder().encode(card.label)) }),
    new Map([
      ['5A', accountNumber(card)],
      ['57', track2Equivalent(card)],
      ['5F20', new TextEncoder().encode(chip.holder)],
      ['5F24', expiryDate(card.expiry)],
      ['8E', cvmList(card)],
    ]),
    tagsOf({
      '5F28': chip.country,
      '5F34': chip.sequence,
      '82': chip.interchange,
      '9F0D': chip.actions.default,
      '9F0E': chip.actions.denial,
      '9F0F': chip.actions.online,
    }),
  );
}

/** The first GENERATE AC. @param terminal the terminal's tags, 95 among them @param asks what the terminal asks for */
export function generateFirst(
  card: ChipCard,
  issuerKey: Uint8Array,
  request: { readonly counter: number; readonly terminal: EmvTags; readonly asks: CryptogramKind },
): Cryptogram {
  const kind = lower(request.asks, grantsAtFirst(card));
  const issuerData = issuerApplicationData(card.chip.scheme, { first: kind });
  return sign(card, issuerKey, request, { kind, issuerData });
}

/**
 * The second GENERATE AC, after the issuer was asked or could not be reached. The chip refuses (AAC) a wrong answer of its issuer, a missing
 * one when it needs it, and when it is its habit.
 * @param answer tag 91, when the issuer sent one
 */
export function generateSecond(
  card: ChipCard,
  issuerKey: Uint8Array,
  request: {
    readonly counter: number;
    readonly first: Cryptogram;
    readonly terminal: EmvTags;
    readonly asks: 'TC' | 'AAC';
    readonly check: AnswerCheck;
    readonly isIssuerReached: boolean;
  },
): Cryptogram {
  const kind = request.asks === 'TC' && grantsAtEnd(card, request) ? 'TC' : 'AAC';
  const issuerData = issuerApplicationData(card.chip.scheme, {
    first: request.first.kind,
    second: kind,
    hasAnswerFailed: request.check === 'FAILED',
  });
  return sign(card, issuerKey, request, { kind, issuerData });
}

/** Whether tag 91 is the issuer's answer to the cryptogram that this chip gave in this payment. */
export function checkAnswer(
  card: ChipCard,
  issuerKey: Uint8Array,
  first: Cryptogram,
  answer: Uint8Array | undefined,
): AnswerCheck {
  if (answer === undefined) return 'ABSENT';
  return isGenuineAnswer(keyIdsOf(card), issuerKey, first.signed, answer) ? 'PASSED' : 'FAILED';
}

/** What the issuer knows the card by. */
export function keyIdsOf(card: ChipCard) {
  return { pan: card.pan, sequence: card.chip.sequence, scheme: card.chip.scheme };
}

function grantsAtFirst(card: ChipCard): CryptogramKind {
  switch (card.chip.habit) {
    case 'APPROVES_OFFLINE':
      return 'TC';
    case 'DECLINES_OFFLINE':
      return 'AAC';
    case 'ONLINE':
    case 'REFUSES_AT_THE_END':
      return 'ARQC';
  }
}

function grantsAtEnd(
  card: ChipCard,
  { check, isIssuerReached }: { readonly check: AnswerCheck; readonly isIssuerReached: boolean },
): boolean {
  if (check === 'FAILED' || card.chip.habit === 'REFUSES_AT_THE_END') return false;
  return check === 'PASSED' || !isIssuerReached || !card.chip.needsIssuerAnswer;
}

function sign(
  card: ChipCard,
  issuerKey: Uint8Array,
  { counter, terminal }: { readonly counter: number; readonly terminal: EmvTags },
  { kind, issuerData }: { readonly kind: CryptogramKind; readonly issuerData: Uint8Array },
): Cryptogram {
  const own: EmvTags = new Map([
    ...tagsOf({ '82': card.chip.interchange }),
    ['9F36', Uint8Array.of(counter >> 8, counter & 0xff)],
    ['9F10', issuerData],
    ['9F27', Uint8Array.of(kindCodes[kind])],
  ]);
  const signed = joinTags(terminal, own);
  const cryptogram: EmvTags = new Map([['9F26', cryptogramOf(keyIdsOf(card), issuerKey, signed)]]);
  return { kind, tags: joinTags(own, cryptogram), signed: joinTags(signed, cryptogram) };
}

function lower(asked: CryptogramKind, granted: CryptogramKind): CryptogramKind {
  return rank[asked] < rank[granted] ? asked : granted;
}
