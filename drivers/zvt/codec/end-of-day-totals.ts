// BMP 60: receipt range, then per scheme group a binary count and a BCD sum.

import { bcdDigits, bcdNumber, packDigits, packNumber } from '../../framing/bcd.ts';
import { concatBytes } from '../../framing/bytes.ts';
import type { EndOfDayTotals, SchemeTotal } from './message-types.ts';

const AMOUNT_BYTES = 6;
const GROUP_BYTES = 1 + AMOUNT_BYTES;
const RANGE_BYTES = 4;
const GROUP_COUNT = 7;

/** Reads BMP 60; undefined when its length or a sum is wrong. */
export function readTotals(bytes: Uint8Array): EndOfDayTotals | undefined {
  if (bytes.length !== RANGE_BYTES + GROUP_COUNT * GROUP_BYTES) return undefined;
  const groups = Array.from({ length: GROUP_COUNT }, (_, index) =>
    readGroup(bytes.subarray(RANGE_BYTES + index * GROUP_BYTES, RANGE_BYTES + (index + 1) * GROUP_BYTES)),
  );
  const [girocard, jcb, mastercard, amex, visa, diners, other] = groups;
  if (!girocard || !jcb || !mastercard || !amex || !visa || !diners || !other) return undefined;
  return {
    receiptFrom: bcdDigits(bytes.subarray(0, 2)),
    receiptTo: bcdDigits(bytes.subarray(2, RANGE_BYTES)),
    girocard,
    jcb,
    mastercard,
    amex,
    visa,
    diners,
    other,
  };
}

function readGroup(bytes: Uint8Array): SchemeTotal | undefined {
  const count = bytes[0];
  const amountMinor = bcdNumber(bytes.subarray(1));
  return count === undefined || amountMinor === undefined ? undefined : { count, amountMinor };
}

/** Encodes BMP 60. @throws RangeError when a count exceeds 255 or a sum twelve digits */
export function packTotals(totals: EndOfDayTotals): Uint8Array {
  const groups = [
    totals.girocard,
    totals.jcb,
    totals.mastercard,
    totals.amex,
    totals.visa,
    totals.diners,
    totals.other,
  ];
  return concatBytes(packDigits(totals.receiptFrom, 2), packDigits(totals.receiptTo, 2), ...groups.map(packGroup));
}

function packGroup({ count, amountMinor }: SchemeTotal): Uint8Array {
  if (!Number.isInteger(count) || count < 0 || count > 0xff) throw new RangeError(`A count of ${count} is no byte`);
  return concatBytes(Uint8Array.of(count), packNumber(amountMinor, AMOUNT_BYTES));
}
