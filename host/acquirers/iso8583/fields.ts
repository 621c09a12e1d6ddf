/** Data elements of ISO 8583:1987 that this dialect knows, as data. docs/reference/iso8583.md says which message carries which. */

/**
 * n: digits. an: letters and digits. ans: printable ASCII, filled up with spaces at the end where the length is fixed. z: track 2. xn: C or D, then
 * digits. b: bytes, written as upper-case hex in a message.
 */
type FieldKind = 'n' | 'an' | 'ans' | 'z' | 'xn' | 'b';

export interface IsoField {
  readonly kind: FieldKind;
  /** Characters, or bytes of kind b: fixed, or the largest. */
  readonly length: number;
  /** Digits in front that tell the length; 0 where it is fixed. */
  readonly lengthDigits: 0 | 2 | 3;
  /** Held as a Secret, and never shown. Everything that a log may show is marked as open: an allow-list. */
  readonly isOpen: boolean;
}

const open = (kind: FieldKind, length: number, lengthDigits: 0 | 2 | 3 = 0): IsoField => ({
  kind,
  length,
  lengthDigits,
  isOpen: true,
});
const secret = (kind: FieldKind, length: number, lengthDigits: 0 | 2 | 3 = 0): IsoField => ({
  kind,
  length,
  lengthDigits,
  isOpen: false,
});

/** Names of the elements that the code speaks of. */
export const DE = {
  pan: 2,
  processingCode: 3,
  amount: 4,
  transmissionTime: 7,
  stan: 11,
  localTime: 12,
  localDate: 13,
  expiry: 14,
  settlementDate: 15,
  entryMode: 22,
  cardSequence: 23,
  conditionCode: 25,
  acquirerId: 32,
  track2: 35,
  rrn: 37,
  authorizationCode: 38,
  responseCode: 39,
  terminal: 41,
  merchant: 42,
  currency: 49,
  settlementCurrency: 50,
  pinBlock: 52,
  additionalAmounts: 54,
  chip: 55,
  pinKey: 60,
  accountKey: 62,
  encryptedPan: 63,
  settlementCode: 66,
  networkCode: 70,
  refundCount: 74,
  refundReversalCount: 75,
  saleCount: 76,
  saleReversalCount: 77,
  refundAmount: 86,
  refundReversalAmount: 87,
  saleAmount: 88,
  saleReversalAmount: 89,
  original: 90,
  netAmount: 97,
} as const;

export const fields: ReadonlyMap<number, IsoField> = new Map([
  [DE.pan, secret('n', 19, 2)],
  [DE.processingCode, open('n', 6)],
  [DE.amount, open('n', 12)],
  [DE.transmissionTime, open('n', 10)],
  [DE.stan, open('n', 6)],
  [DE.localTime, open('n', 6)],
  [DE.localDate, open('n', 4)],
  [DE.expiry, secret('n', 4)],
  [DE.settlementDate, open('n', 4)],
  [DE.entryMode, open('n', 3)],
  [DE.cardSequence, open('n', 3)],
  [DE.conditionCode, open('n', 2)],
  [DE.acquirerId, open('n', 11, 2)],
  [DE.track2, secret('z', 37, 2)],
  [DE.rrn, open('ans', 12)],
  [DE.authorizationCode, open('ans', 6)],
  [DE.responseCode, open('an', 2)],
  [DE.terminal, open('ans', 8)],
  [DE.merchant, open('ans', 15)],
  // Additional response data, private data: whatever an acquirer puts there.
  [44, secret('ans', 25, 2)],
  [48, secret('ans', 999, 3)],
  [DE.currency, open('n', 3)],
  [DE.settlementCurrency, open('n', 3)],
  [DE.pinBlock, secret('b', 8)],
  [DE.additionalAmounts, open('ans', 120, 3)],
  [DE.chip, secret('b', 255, 3)],
  [DE.pinKey, secret('ans', 120, 3)],
  [61, secret('ans', 999, 3)],
  [DE.accountKey, secret('ans', 120, 3)],
  [DE.encryptedPan, secret('b', 256, 3)],
  [64, secret('b', 8)],
  [DE.settlementCode, open('n', 1)],
  [DE.networkCode, open('n', 3)],
  [DE.refundCount, open('n', 10)],
  [DE.refundReversalCount, open('n', 10)],
  [DE.saleCount, open('n', 10)],
  [DE.saleReversalCount, open('n', 10)],
  [DE.refundAmount, open('n', 16)],
  [DE.refundReversalAmount, open('n', 16)],
  [DE.saleAmount, open('n', 16)],
  [DE.saleReversalAmount, open('n', 16)],
  [DE.original, open('n', 42)],
  [95, open('an', 42)],
  [DE.netAmount, open('xn', 17)],
  [128, secret('b', 8)],
]);
