// A payment with a chip as the reader runs it: TVR, TSI, what it asks of the chip, and how it ends (EMV book 3, chapter 10).

import { bytesOfHex } from '../crypto/hex.ts';
import {
  type AnswerCheck,
  type Cryptogram,
  checkAnswer,
  generateFirst,
  generateSecond,
  readApplication,
} from './chip.ts';
import type { ChipCard } from './chip-cards.ts';
import { type CvmMethod, type CvmOutcome, type PinEntry, verifyByChip, verifyByTap } from './cvm.ts';
import { type EmvTags, joinTags } from './emv-tags.ts';
import { type ChipPayment, isExpired, paymentTags, type ReaderProfile } from './payment.ts';
import type { CryptogramKind } from './schemes.ts';

/** Everything that a payment is made of; nothing of it changes between the first cryptogram and the second. */
export interface ChipPaymentInput {
  readonly card: ChipCard;
  readonly issuerKey: Uint8Array;
  readonly reader: ReaderProfile;
  readonly payment: ChipPayment;
  /** the chip's counter of this payment, from nextCounter */
  readonly counter: number;
  /** what the cardholder did when asked for the PIN; without meaning when `wantsOnlinePin` says no */
  readonly pin: PinEntry;
}

/** After the first cryptogram. ONLINE: the issuer must be asked. APPROVED and DECLINED: the chip has decided by itself. */
export interface ChipAuthorization {
  readonly decision: 'ONLINE' | 'APPROVED' | 'DECLINED';
  readonly cvm: CvmMethod;
  readonly cryptogram: Cryptogram;
  /** what the reader hands out: card, payment, results and cryptogram */
  readonly tags: EmvTags;
}

/** What became of the question to the issuer. */
export type IssuerReply =
  | { readonly kind: 'ANSWERED'; readonly responseCode: string; readonly answer?: Uint8Array }
  | { readonly kind: 'UNREACHABLE' };

/** After the second cryptogram. */
export interface ChipCompletion {
  readonly decision: 'APPROVED' | 'DECLINED';
  readonly check: AnswerCheck;
  readonly cryptogram: Cryptogram;
  readonly tags: EmvTags;
}

/** Positions in the TVR (95): byte and bit. Its third byte is the cardholder's verification, see cvm.ts. */
const tvr = {
  offlineAuthenticationNotPerformed: [0, 0x80],
  expired: [1, 0x40],
  aboveFloorLimit: [3, 0x80],
  issuerAuthenticationFailed: [4, 0x40],
} as const;
const VERIFICATION_BYTE = 2;
/** TSI (9B): cardholder verified, card's and terminal's risk management done; issuer's answer looked at. */
const TSI_FIRST = 0x68;
const TSI_ANSWER_CHECKED = 0x10;

/** Transaction type (9C). */
const REFUND = '20';
/** Response codes by which the issuer approves (decisions, section 4). */
const APPROVING_CODES: ReadonlySet<string> = new Set(['00', '08', '10', '11', '85']);
/** What the reader writes into 8A when no issuer answered. */
const OWN_CODES = {
  offlineApproved: 'Y1',
  offlineDeclined: 'Z1',
  unreachableApproved: 'Y3',
  unreachableDeclined: 'Z3',
} as const;

/** True when the reader must ask for a PIN before `authorizeByChip` or `authorizeByTap`. */
export function wantsOnlinePin(input: Pick<ChipPaymentInput, 'card' | 'reader' | 'payment'>): boolean {
  return verificationOf({ ...input, pin: 'ENTERED' }).method === 'ONLINE_PIN';
}

/** The payment up to the first cryptogram, with an inserted card or a tapped one. */
export function authorizeByChip(input: ChipPaymentInput): ChipAuthorization {
  const { card, payment, reader } = input;
  const cvm = verificationOf(input);
  const results = verificationResults(input, cvm);
  const terminal = joinTags(paymentTags(payment, reader), resultTags(results, TSI_FIRST, cvm));
  const asks = askedFirst(input, results);
  const cryptogram = generateFirst(card, input.issuerKey, { counter: input.counter, terminal, asks });
  const decision = decisions[cryptogram.kind];
  const own = decision === 'ONLINE' ? new Map() : responseCodeTag(ownCode(decision));
  return {
    decision,
    cvm: cvm.method,
    cryptogram,
    tags: joinTags(readApplication(card), terminal, cryptogram.tags, own),
  };
}

/**
 * The payment from the issuer's reply to its end, with an inserted card: the chip sees the answer, signs once more and has the last word.
 * A tapped card has gone by then: there the issuer's reply is the end.
 * @throws RangeError when the chip has already decided
 */
export function completeByChip(
  input: ChipPaymentInput,
  authorization: ChipAuthorization,
  reply: IssuerReply,
): ChipCompletion {
  const { card, issuerKey, counter } = input;
  const { cryptogram: first, decision } = authorization;
  if (decision !== 'ONLINE') throw new RangeError('The chip has already decided this payment');
  const check = reply.kind === 'ANSWERED' ? checkAnswer(card, issuerKey, first, reply.answer) : 'ABSENT';
  const cvm = verificationOf(input);
  const results = withBit(verificationResults(input, cvm), tvr.issuerAuthenticationFailed, check === 'FAILED');
  const status = check === 'ABSENT' ? TSI_FIRST : TSI_FIRST | TSI_ANSWER_CHECKED;
  const asks = askedAtEnd(card, results, reply);
  const terminal = joinTags(first.signed, resultTags(results, status, cvm));
  const isIssuerReached = reply.kind === 'ANSWERED';
  const cryptogram = generateSecond(card, issuerKey, { counter, first, terminal, asks, check, isIssuerReached });
  const code = reply.kind === 'ANSWERED' ? reply.responseCode : unreachableCode(cryptogram.kind);
  return {
    decision: cryptogram.kind === 'TC' ? 'APPROVED' : 'DECLINED',
    check,
    cryptogram,
    tags: joinTags(authorization.tags, terminal, cryptogram.tags, responseCodeTag(code)),
  };
}

const decisions: Readonly<Record<CryptogramKind, ChipAuthorization['decision']>> = {
  ARQC: 'ONLINE',
  TC: 'APPROVED',
  AAC: 'DECLINED',
};

function verificationOf(input: Pick<ChipPaymentInput, 'card' | 'reader' | 'payment' | 'pin'>): CvmOutcome {
  const { card, reader, payment, pin } = input;
  return card.entry === 'CONTACTLESS' ? verifyByTap(card, reader, payment, pin) : verifyByChip(card, reader, pin);
}

function verificationResults({ card, reader, payment }: ChipPaymentInput, cvm: CvmOutcome): Uint8Array {
  const bits: readonly (readonly [at: readonly [number, number], isSet: boolean])[] = [
    [tvr.offlineAuthenticationNotPerformed, true],
    [tvr.expired, isExpired(card.expiry, payment.date)],
    [[VERIFICATION_BYTE, cvm.verificationBits], true],
    [tvr.aboveFloorLimit, payment.amountMinor > reader.floorLimitMinor],
  ];
  return bits.reduce<Uint8Array>((results, [at, isSet]) => withBit(results, at, isSet), new Uint8Array(5));
}

/** Terminal action analysis: the card's action codes against the results. No chip gives money back by itself. */
function askedFirst({ card, payment }: ChipPaymentInput, results: Uint8Array): CryptogramKind {
  const { denial, online } = card.chip.actions;
  if (hasCommonBit(results, denial)) return 'AAC';
  return payment.transactionType === REFUND || hasCommonBit(results, online) ? 'ARQC' : 'TC';
}

function askedAtEnd(card: ChipCard, results: Uint8Array, reply: IssuerReply): 'TC' | 'AAC' {
  const isApproved =
    reply.kind === 'ANSWERED'
      ? APPROVING_CODES.has(reply.responseCode)
      : !hasCommonBit(results, card.chip.actions.default);
  return isApproved ? 'TC' : 'AAC';
}

function ownCode(decision: 'APPROVED' | 'DECLINED'): string {
  return decision === 'APPROVED' ? OWN_CODES.offlineApproved : OWN_CODES.offlineDeclined;
}

function unreachableCode(kind: CryptogramKind): string {
  return kind === 'TC' ? OWN_CODES.unreachableApproved : OWN_CODES.unreachableDeclined;
}

function responseCodeTag(code: string): EmvTags {
  return new Map([['8A', new TextEncoder().encode(code)]]);
}

function resultTags(results: Uint8Array, status: number, cvm: CvmOutcome): EmvTags {
  return new Map([
    ['95', results],
    ['9B', Uint8Array.of(status, 0)],
    ['9F34', cvm.results],
  ]);
}

function withBit(bytes: Uint8Array, [at, bit]: readonly [number, number], isSet: boolean): Uint8Array {
  return isSet ? bytes.map((byte, index) => (index === at ? byte | bit : byte)) : bytes;
}

function hasCommonBit(results: Uint8Array, actionCode: string): boolean {
  const actions = bytesOfHex(actionCode);
  return results.some((byte, index) => (byte & (actions[index] ?? 0)) !== 0);
}
