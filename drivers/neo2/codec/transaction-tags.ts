// The tags a host sends with a transaction, as values and as TLV (guide 80139403-002, chapters 8.4.18 and 8.5.3).

import { bcdDigits, bcdNumber, packDigits, packNumber } from '../../framing/bcd.ts';
import { concatBytes, fromHex, toHex } from '../../framing/bytes.ts';
import { checked, packHighFirst, packText } from './text.ts';
import { clearTag, clearValue, type NeoTag } from './tlv.ts';

const TRANSACTION_TYPE = '9C';
const ACCOUNT_TYPE = '5F57';
const AMOUNT = '9F02';
const OTHER_AMOUNT = '9F03';
const CURRENCY = '5F2A';
const OUTPUT_TAGS = 'DFEE1A';
const INTERFACES = 'DFEF37';
const FALLBACK = 'DFEF3C';
const RESPONSE_CODE = '8A';
const ISSUER_AUTHENTICATION_DATA = '91';

const AMOUNT_BYTES = 6;
const MIN_ISSUER_AUTHENTICATION_BYTES = 8;
const MAX_ISSUER_AUTHENTICATION_BYTES = 16;

/** Where a card may be presented. */
type Presentation = 'STRIPE' | 'CONTACTLESS' | 'CONTACT';

const INTERFACE_BITS: readonly (readonly [presentation: Presentation, bit: number])[] = [
  ['STRIPE', 1],
  ['CONTACTLESS', 2],
  ['CONTACT', 4],
];

/** A payment as the card sees it. */
export interface TransactionFacts {
  /** 00 goods or services, 09 with cash-back, 20 refund */
  readonly transactionType?: string;
  readonly accountType?: string;
  /** 9F02: all the card is charged, tip and cash-back included */
  readonly amountMinor?: number;
  /** 9F03: the cash-back in it */
  readonly otherAmountMinor?: number;
  /** three digits */
  readonly currency?: string;
  /** tags wanted in the answer */
  readonly outputTags?: readonly string[];
  /** 02-40 only */
  readonly presentations?: readonly Presentation[];
  /** 02-40 only: whether the stripe may stand in for a chip that does not work, and how long the reader waits for the next command */
  readonly fallback?: { readonly isAllowed: boolean; readonly nextCommandTimeoutSeconds?: number };
}

type Fallback = NonNullable<TransactionFacts['fallback']>;

/**
 * The facts as tags, in the order of published logs.
 * @throws RangeError when a value does not fit its tag
 */
export function transactionTags(facts: TransactionFacts): readonly NeoTag[] {
  return [
    ...optional(TRANSACTION_TYPE, facts.transactionType, (digits) => packDigits(digits, 1)),
    ...optional(ACCOUNT_TYPE, facts.accountType, (digits) => packDigits(digits, 1)),
    ...optional(AMOUNT, facts.amountMinor, (amount) => packNumber(amount, AMOUNT_BYTES)),
    ...optional(OTHER_AMOUNT, facts.otherAmountMinor, (amount) => packNumber(amount, AMOUNT_BYTES)),
    ...optional(CURRENCY, facts.currency, (digits) => packDigits(`0${digits}`, 2)),
    ...optional(OUTPUT_TAGS, facts.outputTags, (tags) => concatBytes(...tags.map(fromHex))),
    ...optional(INTERFACES, facts.presentations, (wanted) => Uint8Array.of(interfaceBits(wanted))),
    ...optional(FALLBACK, facts.fallback, packFallback),
  ];
}

/** What tags of a host say; a tag that cannot be read as what it should be is left out. `outputTags` is not read back. */
export function readTransactionFacts(tags: readonly NeoTag[]): TransactionFacts {
  return {
    ...read(tags, AMOUNT, AMOUNT_BYTES, (bytes) => ({ amountMinor: bcdNumber(bytes) })),
    ...read(tags, OTHER_AMOUNT, AMOUNT_BYTES, (bytes) => ({ otherAmountMinor: bcdNumber(bytes) })),
    ...read(tags, TRANSACTION_TYPE, 1, (bytes) => ({ transactionType: bcdDigits(bytes) })),
    ...read(tags, ACCOUNT_TYPE, 1, (bytes) => ({ accountType: bcdDigits(bytes) })),
    ...read(tags, CURRENCY, 2, (bytes) => ({ currency: readCurrency(bytes) })),
    ...read(tags, INTERFACES, 1, (bytes) => ({ presentations: readPresentations(bytes) })),
    ...read(tags, FALLBACK, 1, readFallback),
    ...read(tags, FALLBACK, 3, readFallback),
  };
}

/** What the issuer answered. */
export interface IssuerResponse {
  /** two characters, as the issuer sent them */
  readonly responseCode: string;
  /** 8–16 bytes: cryptogram and code that the card checks */
  readonly issuerAuthenticationData?: Uint8Array;
  /** scripts for the card, each the content of a 71 or 72 */
  readonly scripts?: readonly { readonly tag: '71' | '72'; readonly content: Uint8Array }[];
}

/**
 * The issuer's answer as tags of 60-12.
 * @throws RangeError when a value does not fit its tag
 */
export function issuerResponseTags(response: IssuerResponse): readonly NeoTag[] {
  const { responseCode, issuerAuthenticationData, scripts = [] } = response;
  if (issuerAuthenticationData !== undefined) {
    checked(issuerAuthenticationData.length, MIN_ISSUER_AUTHENTICATION_BYTES, MAX_ISSUER_AUTHENTICATION_BYTES);
  }
  return [
    clearTag(RESPONSE_CODE, packText(responseCode, { min: 2, max: 2 })),
    ...optional(ISSUER_AUTHENTICATION_DATA, issuerAuthenticationData, (bytes) => bytes),
    ...scripts.map(({ tag, content }) => clearTag(tag, content)),
  ];
}

/** The issuer's answer as the reader sees it; undefined without a response code of two bytes. */
export function readIssuerResponse(tags: readonly NeoTag[]): IssuerResponse | undefined {
  const code = clearValue(tags, RESPONSE_CODE);
  if (code?.length !== 2) return undefined;
  const issuerAuthenticationData = clearValue(tags, ISSUER_AUTHENTICATION_DATA);
  const scripts = tags.flatMap(({ tag, value }) =>
    tag === '71' || tag === '72' ? [{ tag, content: value } as const] : [],
  );
  return {
    responseCode: String.fromCharCode(...code),
    ...(issuerAuthenticationData === undefined ? {} : { issuerAuthenticationData }),
    ...(scripts.length === 0 ? {} : { scripts }),
  };
}

function optional<Value>(tag: string, value: Value | undefined, pack: (value: Value) => Uint8Array): readonly NeoTag[] {
  return value === undefined ? [] : [clearTag(tag, pack(value))];
}

function read<Fields extends object>(
  tags: readonly NeoTag[],
  tag: string,
  byteCount: number,
  unpack: (bytes: Uint8Array) => { readonly [Key in keyof Fields]: Fields[Key] | undefined },
): Partial<Fields> {
  const bytes = clearValue(tags, tag);
  if (bytes?.length !== byteCount) return {};
  const entries = Object.entries(unpack(bytes)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Fields>;
}

function readCurrency(bytes: Uint8Array): string | undefined {
  return /^0([0-9]{3})$/.exec(toHex(bytes))?.[1];
}

function packFallback({ isAllowed, nextCommandTimeoutSeconds }: Fallback): Uint8Array {
  const first = Uint8Array.of(isAllowed ? 1 : 0);
  return nextCommandTimeoutSeconds === undefined ? first : concatBytes(first, packHighFirst(nextCommandTimeoutSeconds));
}

function readFallback([first, high, low]: Uint8Array): { readonly fallback: Fallback } {
  const timeout = high === undefined || low === undefined ? {} : { nextCommandTimeoutSeconds: high * 256 + low };
  return { fallback: { isAllowed: first === 1, ...timeout } };
}

function interfaceBits(wanted: readonly Presentation[]): number {
  return INTERFACE_BITS.reduce((bits, [presentation, bit]) => (wanted.includes(presentation) ? bits | bit : bits), 0);
}

function readPresentations([bits = 0]: Uint8Array): readonly Presentation[] {
  return INTERFACE_BITS.filter(([, bit]) => (bits & bit) !== 0).map(([presentation]) => presentation);
}
