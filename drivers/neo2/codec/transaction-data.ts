// Data of a card and of what it decided: attribution byte, then tags. Where the reader encrypts, card data in the clear are refused.
import { accountTags } from '../../../app/domain/emv-tags.ts';
import { keepMaskedPan } from '../../../app/domain/mask.ts';
import { Secret } from '../../../app/domain/secret.ts';
import { concatBytes, equalBytes, toHex } from '../../framing/bytes.ts';
import type { Vivotech2Message } from '../../framing/vivotech2-frame.ts';
import { type Attribution, readAttribution } from './attribution.ts';
import { malformed } from './malformed.ts';
import type { ClearCardData, ContactlessFault, Malformed, ReplyContext, TransactionReply } from './message-types.ts';
import { readText } from './text.ts';
import { clearValue, decodeNeoTlv, encodeNeoTlv, type NeoTag } from './tlv.ts';
import { cryptogramType } from './transaction-results.ts';

const RESULT = 'DFEE25';
const CRYPTOGRAM_INFORMATION = '9F27';
const PAN = '5A';
const ACCOUNT_KSN = ['DFEE12', 'FFEE12', 'DF4A'];
const PIN_KSN = 'DFEE51';
const STRIPE = 'DFEE23';
const ENCRYPTION_INFORMATION = 'DFEE26';
const CONTACTLESS_FAULT = 'FFEE1F';
const CONTACTLESS_FAULT_BYTES = 4;

/** Tags that hold an account number or a track in the clear: those of EMV, and tracks 1 to 3 (guide, chapter 13). */
const CARD_DATA_TAGS: ReadonlySet<string> = new Set([...accountTags, '58', '5F21', '5F22', '5F23']);

/** The makers' own tags that are containers by their bits and hold plain values. */
const VALUE_TAGS: ReadonlySet<string> = new Set(['FFEE12', CONTACTLESS_FAULT]);
const MAX_CONTAINER_DEPTH = 4;

/** Block of the ciphers; encrypted values fill whole blocks. */
const TDES_BLOCK_BYTES = 8;
const AES_BLOCK_BYTES = 16;

/** Masked digits: nibble C in a number, C or * in a track (guide, encrypted data output). */
const MASKED_DIGITS = /[C*]{4}/;

/** Digits of a track as text, as many as a card number has at least. */
const CLEAR_TRACK_DIGITS = /[0-9]{12}/;

/** Reads transaction data. Never throws. */
export function decodeTransaction(
  frame: Vivotech2Message,
  context: ReplyContext,
): TransactionReply | ClearCardData | Malformed {
  const [first] = frame.data;
  if (first === undefined) return malformed(frame, 'missing-field', 'attribution');
  const list = decodeNeoTlv(frame.data.subarray(1));
  if (!list.ok) return malformed(frame, 'bad-tlv', list.tag);
  const { tags } = list;
  const attribution = readAttribution(first);
  const head = { command: frame.command, status: frame.code };
  const clear = isEncryptionExpected(attribution, tags, context) ? findClearCardData(tags) : undefined;
  if (clear !== undefined) return { type: 'refused', reason: 'CLEAR_CARD_DATA', ...head, tag: clear };
  const fault = findFault(attribution, tags);
  if (fault !== undefined) return malformed(frame, fault.reason, fault.tag);
  return { type: 'transaction', ...head, attribution, tags: new Secret(tags), ...readFacts(tags) };
}

/** @throws RangeError when a tag does not fit */
export function packTransaction({ attribution, tags }: Pick<TransactionReply, 'attribution' | 'tags'>): Uint8Array {
  return concatBytes(Uint8Array.of(attribution.byte), encodeNeoTlv(tags.reveal()));
}

function isEncryptionExpected(attribution: Attribution, tags: readonly NeoTag[], context: ReplyContext): boolean {
  if (context.encryptionExpected === 'ALWAYS' || attribution.encryption !== 'OFF') return true;
  const information = clearValue(tags, ENCRYPTION_INFORMATION)?.[0];
  return information !== undefined && readAttribution(information).encryption !== 'OFF';
}

/** The first tag that holds card data in the clear, also within a container, under a wrong mark or in a packed swipe. */
function findClearCardData(tags: readonly NeoTag[], depth = 0): string | undefined {
  for (const one of tags) {
    if (isClearCardData(one)) return one.tag;
    const inner = isContainer(one) && depth < MAX_CONTAINER_DEPTH ? decodeNeoTlv(one.value) : undefined;
    const found = inner?.ok === true ? findClearCardData(inner.tags, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isClearCardData({ tag, form, value }: NeoTag): boolean {
  if (form === 'ENCRYPTED' || value.length === 0) return false;
  if (form === 'MASKED') return CARD_DATA_TAGS.has(tag) && !isMasked(value);
  return CARD_DATA_TAGS.has(tag) || (tag === STRIPE && CLEAR_TRACK_DIGITS.test(readText(value)));
}

/** The number itself must be masked, not only what follows it in a track. */
function isMasked(value: Uint8Array): boolean {
  const [packed = ''] = toHex(value).split(/[DF]/);
  const [text = ''] = readText(value).split(/[=^]/);
  return MASKED_DIGITS.test(packed) || MASKED_DIGITS.test(text);
}

function isContainer({ tag, form, value }: NeoTag): boolean {
  const isByItsBits = (Number.parseInt(tag.slice(0, 2), 16) & 0x20) !== 0;
  return form === 'CLEAR' && isByItsBits && value.length > 1 && !VALUE_TAGS.has(tag);
}

function findFault(
  { encryptionMode }: Attribution,
  tags: readonly NeoTag[],
): { readonly tag: string; readonly reason: Malformed['reason'] } | undefined {
  const block = encryptionMode === 'AES' ? AES_BLOCK_BYTES : TDES_BLOCK_BYTES;
  const broken = tags.find(({ form, value }) => form === 'ENCRYPTED' && value.length % block !== 0);
  if (broken !== undefined) return { tag: broken.tag, reason: 'bad-field' };
  const result = clearValue(tags, RESULT);
  if (result !== undefined && result.length !== 2) return { tag: RESULT, reason: 'bad-field' };
  for (const group of [[RESULT], [CRYPTOGRAM_INFORMATION], ACCOUNT_KSN, [PIN_KSN]]) {
    const [first, ...others] = tags.filter(({ tag, form }) => form === 'CLEAR' && group.includes(tag));
    const other = others.find(({ value }) => !equalBytes(value, first?.value ?? value));
    if (other !== undefined) return { tag: other.tag, reason: 'contradicting-repeat' };
  }
  return undefined;
}

function readFacts(tags: readonly NeoTag[]): Partial<TransactionReply> {
  const result = clearValue(tags, RESULT);
  const information = clearValue(tags, CRYPTOGRAM_INFORMATION)?.[0];
  const cryptogram = information === undefined ? undefined : cryptogramType(information);
  const maskedPan = readMaskedPan(tags);
  const accountKsn = ACCOUNT_KSN.map((tag) => clearValue(tags, tag)).find((value) => value !== undefined);
  const pinKsn = clearValue(tags, PIN_KSN);
  const encrypted = tags.filter(({ form }) => form === 'ENCRYPTED').map(({ tag, value }) => ({ tag, value }));
  const stripe = clearValue(tags, STRIPE);
  const contactlessFault = readContactlessFault(clearValue(tags, CONTACTLESS_FAULT));
  return {
    ...(result === undefined ? {} : { resultCode: toHex(result) }),
    ...(cryptogram === undefined ? {} : { cryptogram }),
    ...(maskedPan === undefined ? {} : { maskedPan }),
    ...(accountKsn === undefined ? {} : { ksn: new Secret(toHex(accountKsn)) }),
    ...(pinKsn === undefined ? {} : { pinKsn: new Secret(toHex(pinKsn)) }),
    ...(encrypted.length === 0 ? {} : { encrypted: new Secret(encrypted) }),
    ...(stripe === undefined ? {} : { stripe: new Secret(stripe) }),
    ...(contactlessFault === undefined ? {} : { contactlessFault }),
  };
}

function readMaskedPan(tags: readonly NeoTag[]): string | undefined {
  const masked = tags.find(({ tag, form }) => tag === PAN && form === 'MASKED');
  return masked && keepMaskedPan(toHex(masked.value).replace(/F+$/, '').replaceAll('C', '*'));
}

function readContactlessFault(bytes: Uint8Array | undefined): ContactlessFault | undefined {
  if (bytes?.length !== CONTACTLESS_FAULT_BYTES) return undefined;
  const [errorCode = 0, high = 0, low = 0, rfState = 0] = bytes;
  return { errorCode, statusWord: high * 256 + low, rfState };
}
