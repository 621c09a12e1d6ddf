import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { type ChipCard, findChipCard } from '../../../drivers/virtual/neo2/card/chip-cards.ts';
import {
  authorizeByChip,
  type ChipAuthorization,
  type ChipPaymentInput,
} from '../../../drivers/virtual/neo2/card/chip-payment.ts';
import type { EmvTags } from '../../../drivers/virtual/neo2/card/emv-tags.ts';
import { type ChipPayment, type ReaderProfile, TEST_READER } from '../../../drivers/virtual/neo2/card/payment.ts';
import { answerOfIssuer } from '../../../drivers/virtual/neo2/card/test-issuer.ts';
import { ISSUER_KEY } from '../../../drivers/virtual/neo2/crypto/test-keys.ts';

const PURCHASE: ChipPayment = {
  amountMinor: 1234,
  cashbackMinor: 0,
  currency: '0978',
  transactionType: '00',
  date: '261128',
  time: '154500',
  unpredictable: fromHex('52BF4585'),
};

export interface PaymentWishes {
  readonly payment?: Partial<ChipPayment>;
  readonly reader?: Partial<ReaderProfile>;
  readonly counter?: number;
  readonly pin?: ChipPaymentInput['pin'];
}

export function cardOf(id: string): ChipCard {
  const card = findChipCard(id);
  if (card === undefined) throw new Error(`There is no chip card "${id}"`);
  return card;
}

/** A purchase of 12.34 EUR at an online reader with a PIN pad, unless the test wishes something else. */
export function paymentWith(card: ChipCard, { payment, reader, counter = 28, pin = 'ENTERED' }: PaymentWishes = {}) {
  const input: ChipPaymentInput = {
    card,
    issuerKey: ISSUER_KEY,
    reader: { ...TEST_READER, ...reader },
    payment: { ...PURCHASE, ...payment },
    counter,
    pin,
  };
  return { input, authorization: authorizeByChip(input) };
}

export function answerTo(card: ChipCard, authorization: ChipAuthorization, responseCode = '00'): Uint8Array {
  return answerOfIssuer(card, ISSUER_KEY, authorization.tags, responseCode);
}

/** One tag as hex; `undefined` when it is not there. */
export function tagHex(tags: EmvTags, tag: string): string | undefined {
  const value = tags.get(tag);
  return value && toHex(value);
}

/** The bytes with one bit of one of them changed. */
export function withFlippedBit(bytes: Uint8Array, at: number, bit = 0): Uint8Array {
  return bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte));
}
