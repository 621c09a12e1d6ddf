// What a reader told of a card, in the words of the port: facts, chip data for an authorization, the account under its key.
import type { ChipData, CvmResult, EntryMode } from '../../app/contract/transactions.ts';
import { accountTags } from '../../app/domain/emv-tags.ts';
import { keepMaskedPan } from '../../app/domain/mask.ts';
import { Secret } from '../../app/domain/secret.ts';
import type { CardFacts } from '../../app/domain/transaction.ts';
import type { AccountData, CardReading } from '../../app/ports/terminal.ts';
import { schemeOfAid, schemeOfPan } from '../card-schemes.ts';
import { bcdNumber } from '../framing/bcd.ts';
import { toHex } from '../framing/bytes.ts';
import type { PinReply, TransactionReply } from './codec/message-types.ts';
import { clearValue, type NeoTag } from './codec/tlv.ts';

/** An encrypted PIN block as the reader gave it. */
export type PinBlock = NonNullable<PinReply['pin']>;

/** The replies of the steps of one card, the oldest first. */
export type CardReplies = readonly TransactionReply[];

const ACCOUNT_KSN = 'DFEE12';
/** Track 2 first where there is no number: the account can be read from either. */
const ACCOUNT_TAGS = ['5A', '57'] as const;

/**
 * Tags that never leave in the clear: account numbers and tracks with their discretionary data, names, a PIN (99), the packed swipe, and the
 * other spellings of what chipData says elsewhere (key serial numbers).
 */
const withheldTags: ReadonlySet<string> = new Set([
  ...accountTags,
  ...['58', '5F20', '5F21', '5F22', '5F23', '9F0B', '9F1F', '9F20', '99'],
  ...['DFEE12', 'FFEE12', 'DF4A', 'DFEE23', 'DFEE51'],
]);
const CONTAINER_BIT = 0x20;

/** Whether the cardholder is to enter his PIN for the issuer (9F34, EMV book 3 annex C3: enciphered PIN verified online). */
export function wantsOnlinePin(replies: CardReplies): boolean {
  const rule = lastValue(replies, '9F34')?.[0];
  return rule !== undefined && (rule & CVM_MASK) === ONLINE_PIN;
}

/** What the card was asked for (9F02); undefined where no step told it. */
export function amountMinorOf(replies: CardReplies): number | undefined {
  const value = lastValue(replies, '9F02');
  return value === undefined ? undefined : bcdNumber(value);
}

/** The card's own count of its transactions (9F36), hex. */
export function counterOf(replies: CardReplies): string | undefined {
  return firstHex(replies, ['9F36']);
}

export function chipDataOf(replies: CardReplies, pin: PinBlock | undefined): ChipData {
  const emvTags: Record<string, string> = {};
  for (const { tag, form, value } of allTags(replies)) {
    if (form === 'CLEAR' && !isWithheld(tag)) emvTags[tag] = toHex(value);
  }
  const encrypted = encryptedAccount(replies);
  if (encrypted !== undefined) {
    for (const { tag, value } of encrypted.tags) emvTags[tag] = toHex(value);
    emvTags[ACCOUNT_KSN] = encrypted.ksn;
  }
  return {
    emvTags,
    encryptedPinBlock: pin?.pinBlock.reveal() ?? null,
    pinKsn: pin?.ksn?.reveal() ?? null,
    pinBlockFormat: pin === undefined ? null : `ISO_${pin.format}`,
  };
}

/** The account for an authorization by our host; undefined where the reader told none, or gave it no key serial number. */
export function readingOf(replies: CardReplies, pin: PinBlock | undefined): CardReading | undefined {
  const account = accountOf(replies);
  if (account === undefined) return undefined;
  const scheme = pin?.keyScheme;
  const hasPinKey = scheme !== undefined && scheme !== 'SESSION_KEY';
  return { account: new Secret(account), ...(hasPinKey ? { pinKeyScheme: scheme } : {}) };
}

export function cardFactsOf(replies: CardReplies, isFallback = false): CardFacts {
  const aid = firstHex(replies, ['4F', '84', '9F06']);
  const maskedPan = maskedPanOf(replies);
  const facts: { -readonly [Name in keyof CardFacts]: CardFacts[Name] | undefined } = {
    cardScheme: (aid === undefined ? undefined : schemeOfAid(aid)) ?? schemeOfPan(maskedPan ?? ''),
    maskedPan,
    entryMode: entryModeOf(replies, isFallback),
    aid,
    applicationLabel: labelOf(replies),
    cryptogramType: replies.findLast(({ cryptogram }) => cryptogram !== undefined)?.cryptogram,
    tvr: firstHex(replies, ['95']),
    cvmResult: cvmResultOf(replies),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

function* allTags(replies: CardReplies): Iterable<NeoTag> {
  for (const reply of replies) yield* reply.tags.reveal();
}

/** The value that the newest step told. */
function lastValue(replies: CardReplies, tag: string): Uint8Array | undefined {
  return replies.map((reply) => clearValue(reply.tags.reveal(), tag)).findLast((value) => value !== undefined);
}

function firstHex(replies: CardReplies, tags: readonly string[]): string | undefined {
  const value = tags.map((tag) => lastValue(replies, tag)).find((found) => found !== undefined && found.length > 0);
  return value === undefined ? undefined : toHex(value);
}

function isWithheld(tag: string): boolean {
  return withheldTags.has(tag) || isContainer(tag);
}

/** A container may hold anything. */
function isContainer(tag: string): boolean {
  return (Number.parseInt(tag.slice(0, 2), 16) & CONTAINER_BIT) !== 0;
}

interface EncryptedAccount {
  readonly tags: readonly { readonly tag: string; readonly value: Uint8Array }[];
  readonly ksn: string;
}

/** Ciphertext and key serial number of one and the same step: a reader may count its key on between two. */
function encryptedAccount(replies: CardReplies): EncryptedAccount | undefined {
  for (const { encrypted, ksn } of [...replies].reverse()) {
    const tags = encrypted?.reveal() ?? [];
    if (ksn !== undefined && tags.length > 0) return { tags, ksn: ksn.reveal() };
  }
  return undefined;
}

/** Key serial numbers of TDES DUKPT have ten bytes, of AES DUKPT twelve (X9.24). */
const AES_KSN_CHARACTERS = 24;

function accountOf(replies: CardReplies): AccountData | undefined {
  const encrypted = encryptedAccount(replies);
  if (encrypted !== undefined) {
    const found = ACCOUNT_TAGS.map((wanted) => encrypted.tags.find(({ tag }) => tag === wanted)).find(Boolean);
    if (found === undefined) return undefined;
    const keyScheme = encrypted.ksn.length === AES_KSN_CHARACTERS ? 'AES_DUKPT' : 'TDES_DUKPT';
    return { kind: 'ENCRYPTED', panEncrypted: toHex(found.value), ksn: encrypted.ksn, keyScheme };
  }
  const pan = clearPan(replies);
  if (pan !== undefined) return { kind: 'CLEAR', pan };
  const track2 = clearTrack2(replies);
  return track2 === undefined ? undefined : { kind: 'CLEAR', track2 };
}

function clearPan(replies: CardReplies): string | undefined {
  const value = lastValue(replies, '5A');
  return value && toHex(value).replace(/F+$/, '');
}

function clearTrack2(replies: CardReplies): string | undefined {
  const value = lastValue(replies, '57');
  return value && toHex(value).replace(/F+$/, '');
}

function maskedPanOf(replies: CardReplies): string | undefined {
  const told = replies.findLast(({ maskedPan }) => maskedPan !== undefined)?.maskedPan ?? maskedTrack(replies);
  if (told !== undefined) return told;
  const clear = clearPan(replies) ?? clearTrack2(replies)?.split(/[D=]/)[0];
  return clear === undefined ? undefined : keepMaskedPan(masked(clear));
}

function maskedTrack(replies: CardReplies): string | undefined {
  const track = [...allTags(replies)].findLast(({ tag, form }) => tag === '57' && form === 'MASKED');
  const [number = ''] = track === undefined ? [] : toHex(track.value).split('D');
  return keepMaskedPan(number.replaceAll('C', '*'));
}

function masked(pan: string): string {
  return pan.length < 14 ? '' : pan.slice(0, 6) + '*'.repeat(pan.length - 10) + pan.slice(-4);
}

function entryModeOf(replies: CardReplies, isFallback: boolean): EntryMode | undefined {
  switch (replies.at(-1)?.attribution.interface) {
    case 'CONTACT':
      return 'CONTACT';
    case 'CONTACTLESS':
    case 'CONTACTLESS_STRIPE':
      return 'CONTACTLESS';
    case 'STRIPE':
      return isFallback ? 'FALLBACK' : 'MAGSTRIPE';
    default:
      return undefined;
  }
}

function labelOf(replies: CardReplies): string | undefined {
  const value = lastValue(replies, '50');
  const label = value === undefined ? '' : String.fromCharCode(...value).trim();
  return /^[\x20-\x7e]+$/.test(label) ? label : undefined;
}

/** The first byte of 9F34 without its bit "go on when this one fails". */
const CVM_MASK = 0x3f;
const ONLINE_PIN = 0x02;
const CVM_FAILED = 0x01;
const cvmResults: ReadonlyMap<number, CvmResult> = new Map<number, CvmResult>([
  [0x00, 'FAILED'],
  [0x01, 'OFFLINE_PIN'],
  [ONLINE_PIN, 'ONLINE_PIN'],
  [0x03, 'OFFLINE_PIN_AND_SIGNATURE'],
  [0x04, 'OFFLINE_PIN'],
  [0x05, 'OFFLINE_PIN_AND_SIGNATURE'],
  [0x1e, 'SIGNATURE'],
  [0x1f, 'NO_CVM'],
  [0x3f, 'NO_CVM'],
]);

/** EMV book 4, annex A4: method, condition, result. A tap has no offline PIN: there method 01 is the cardholder's own device. */
function cvmResultOf(replies: CardReplies): CvmResult | undefined {
  const [method, , result] = lastValue(replies, '9F34') ?? [];
  if (method === undefined) return undefined;
  const cvm = cvmResults.get(method & CVM_MASK);
  if (cvm === undefined) return undefined;
  if (result === CVM_FAILED) return 'FAILED';
  return cvm === 'OFFLINE_PIN' && replies.at(-1)?.attribution.interface === 'CONTACTLESS' ? 'CDCVM' : cvm;
}
