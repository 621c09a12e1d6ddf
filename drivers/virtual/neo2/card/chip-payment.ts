// A payment with a chip as the reader runs it: TVR, TSI, what it asks of the chip, and how it ends (EMV book 3, chapter 10).

import { concatBytes, fromHex } from '../../../framing/bytes.ts';
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
import { type IssuerScript, runScript, type ScriptResult } from './scripts.ts';

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
  | {
      readonly kind: 'ANSWERED';
      readonly responseCode: string;
      /** tag 91 */
      readonly answer?: Uint8Array;
      readonly scripts?: readonly IssuerScript[];
    }
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
  scriptFailedBefore: [4, 0x20],
  scriptFailedAfter: [4, 0x10],
} as const;
const VERIFICATION_BYTE = 2;
/** TSI (9B): cardholder verified, card's and terminal's risk management done; issuer's answer looked at, its scripts run. */
const TSI_FIRST = 0x68;
const TSI_ANSWER_CHECKED = 0x10;
const TSI_SCRIPT_RUN = 0x04;

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
 * @throws RangeError when the chip has already decided, and for a tapped card: that has gone by then, and the issuer's reply is the end
 */
export function completeByChip(
  input: ChipPaymentInput,
  authorization: ChipAuthorization,
  reply: IssuerReply,
): ChipCompletion {
  const { card, issuerKey, counter } = input;
  const { cryptogram: first, decision } = authorization;
  if (decision !== 'ONLINE') throw new RangeError('The chip has already decided this payment');
  if (card.entry === 'CONTACTLESS') throw new RangeError('A tapped card has gone before the issuer replies');
  const isIssuerReached = reply.kind === 'ANSWERED';
  const check = isIssuerReached ? checkAnswer(card, issuerKey, first, reply.answer) : 'ABSENT';
  const scripts = runScripts(reply);
  const cvm = verificationOf(input);
  const results = withBits(verificationResults(input, cvm), [
    [tvr.issuerAuthenticationFailed, check === 'FAILED'],
    [tvr.scriptFailedBefore, scripts.BEFORE.hasFailed],
  ]);
  const status = TSI_FIRST | (check === 'ABSENT' ? 0 : TSI_ANSWER_CHECKED);
  const atSecond = status | (scripts.BEFORE.hasRun ? TSI_SCRIPT_RUN : 0);
  const asks = askedAtEnd(card, results, reply);
  const terminal = joinTags(first.signed, resultTags(results, atSecond, cvm));
  const cryptogram = generateSecond(card, issuerKey, { counter, first, terminal, asks, check, isIssuerReached });
  const code = isIssuerReached ? reply.responseCode : unreachableCode(cryptogram.kind);
  // What is run after the cryptogram is told beside it, and cannot be signed by it.
  const afterwards = resultTags(
    withBits(results, [[tvr.scriptFailedAfter, scripts.AFTER.hasFailed]]),
    status | (scripts.results.length > 0 ? TSI_SCRIPT_RUN : 0),
    cvm,
  );
  return {
    decision: cryptogram.kind === 'TC' ? 'APPROVED' : 'DECLINED',
    check,
    cryptogram,
    tags: joinTags(authorization.tags, cryptogram.tags, afterwards, responseCodeTag(code), scriptTags(scripts.results)),
  };
}

interface ScriptsRun {
  readonly BEFORE: { readonly hasRun: boolean; readonly hasFailed: boolean };
  readonly AFTER: { readonly hasRun: boolean; readonly hasFailed: boolean };
  readonly results: readonly Uint8Array[];
}

/** Those before the second cryptogram first, each group in the order in which it came. */
function runScripts(reply: IssuerReply): ScriptsRun {
  const scripts = reply.kind === 'ANSWERED' ? (reply.scripts ?? []) : [];
  const groupOf = (when: IssuerScript['when']) => scripts.filter((script) => script.when === when).map(runScript);
  const [before, after] = [groupOf('BEFORE'), groupOf('AFTER')];
  const summaryOf = (results: readonly ScriptResult[]) => ({
    hasRun: results.length > 0,
    hasFailed: results.some(({ isDone }) => !isDone),
  });
  return {
    BEFORE: summaryOf(before),
    AFTER: summaryOf(after),
    results: [...before, ...after].map(({ result }) => result),
  };
}

/** Tag 9F5B: five bytes for each script; absent without one. */
function scriptTags(results: readonly Uint8Array[]): EmvTags {
  return results.length === 0 ? new Map() : new Map([['9F5B', concatBytes(...results)]]);
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
  return withBits(new Uint8Array(5), [
    [tvr.offlineAuthenticationNotPerformed, true],
    [tvr.expired, isExpired(card.expiry, payment.date)],
    [[VERIFICATION_BYTE, cvm.verificationBits], true],
    [tvr.aboveFloorLimit, payment.amountMinor > reader.floorLimitMinor],
  ]);
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

/** The bytes with those bits set that are to be set; each is a byte and a mask. */
function withBits(
  bytes: Uint8Array,
  bits: readonly (readonly [at: readonly [byte: number, mask: number], isSet: boolean])[],
): Uint8Array {
  return bits.reduce(
    (changed, [[at, mask], isSet]) => changed.map((byte, index) => (isSet && index === at ? byte | mask : byte)),
    bytes,
  );
}

function hasCommonBit(results: Uint8Array, actionCode: string): boolean {
  const actions = fromHex(actionCode);
  return results.some((byte, index) => (byte & (actions[index] ?? 0)) !== 0);
}
