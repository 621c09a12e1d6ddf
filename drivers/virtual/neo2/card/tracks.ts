// What is on the magnetic stripe of a test card, and the chip's image of it.

import { fromHex } from '../../../framing/bytes.ts';
import type { TestCard } from '../../cards.ts';

/** International; a chip must be used where there is one. */
const CHIP_SERVICE_CODE = '201';
/** International, no restriction. */
const STRIPE_SERVICE_CODE = '101';
/** No issuer's secret is in it: zeros. */
const DISCRETIONARY = '0000000000';

/** The name as a stripe holds it. */
const HOLDER = 'CARD/TEST';

function serviceCodeOf(card: TestCard): string {
  return card.aid === undefined ? STRIPE_SERVICE_CODE : CHIP_SERVICE_CODE;
}

/** Track 2 with its start and end sentinels. */
export function track2Of(card: TestCard): string {
  return `;${card.pan}=${card.expiry}${serviceCodeOf(card)}${DISCRETIONARY}?`;
}

/** Track 1 with its start and end sentinels. */
export function track1Of(card: TestCard): string {
  return `%B${card.pan}^${HOLDER}^${card.expiry}${serviceCodeOf(card)}${DISCRETIONARY}?`;
}

/** Tag 57. */
export function track2Equivalent(card: TestCard): Uint8Array {
  return evenDigits(`${card.pan}D${card.expiry}${serviceCodeOf(card)}${DISCRETIONARY}`);
}

/** Tag 5A. */
export function accountNumber(card: TestCard): Uint8Array {
  return evenDigits(card.pan);
}

function evenDigits(digits: string): Uint8Array {
  return fromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
}
