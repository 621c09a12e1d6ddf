import { describe, expect, test } from 'vitest';
import { toHex } from '../../../drivers/framing/bytes.ts';
import { asksForPin, findCard, TEST_CARDS } from '../../../drivers/virtual/cards.ts';
import { CHIP_CARDS, findChipCard } from '../../../drivers/virtual/neo2/card/chip-cards.ts';
import { wantsOnlinePin } from '../../../drivers/virtual/neo2/card/chip-payment.ts';
import { SCHEMES } from '../../../drivers/virtual/neo2/card/schemes.ts';
import { accountNumber, track1Of, track2Equivalent, track2Of } from '../../../drivers/virtual/neo2/card/tracks.ts';
import { cardOf, paymentWith } from './support.ts';

function passesLuhn(pan: string): boolean {
  const sum = [...pan].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

describe('the chip cards', () => {
  test('are every test card with a chip that can be read, and the ones that show what only a chip does', () => {
    const readable = TEST_CARDS.filter((card) => card.aid !== undefined && card.isUnreadable !== true);
    expect(CHIP_CARDS.map(({ id }) => id)).toEqual([
      ...readable.map(({ id }) => id),
      'visa-offline',
      'visa-offline-contactless',
      'visa-offline-declined',
      'visa-refuses',
      'visa-alone',
      'mastercard-strict',
    ]);
    expect(findChipCard('visa-magstripe')).toBeUndefined();
    expect(findChipCard('unreadable')).toBeUndefined();
  });

  test('have ids and numbers of their own, with a right check digit', () => {
    expect(new Set(CHIP_CARDS.map(({ id }) => id)).size).toBe(CHIP_CARDS.length);
    expect(new Set(CHIP_CARDS.map(({ pan }) => pan)).size).toBe(CHIP_CARDS.length);
    for (const { pan, id } of CHIP_CARDS) expect(passesLuhn(pan), id).toBe(true);
  });

  test('use every scheme of cryptogram', () => {
    expect(new Set(CHIP_CARDS.map(({ chip }) => chip.scheme))).toEqual(new Set(Object.keys(SCHEMES)));
  });

  test.each(CHIP_CARDS)('$id asks for its PIN when the same card of other virtual terminals does', (card) => {
    for (const amountMinor of [1, 5000, 5001, 100_000]) {
      const { input } = paymentWith(card, { payment: { amountMinor } });
      expect(wantsOnlinePin(input), `${amountMinor}`).toBe(asksForPin(card, amountMinor));
    }
  });
});

describe('the tracks of a card', () => {
  test('of a magnetic stripe have its sentinels, and say that there is no chip', () => {
    const card = findCard(TEST_CARDS, 'visa-magstripe');
    if (card === undefined) throw new Error('There is no such card');
    expect(track2Of(card)).toBe(';4111111111111111=31121010000000000?');
    expect(track1Of(card)).toBe('%B4111111111111111^CARD/TEST^31121010000000000?');
  });

  test('of a chip card that is swiped say that there is one', () => {
    expect(track2Of(cardOf('visa-chip'))).toBe(';4761739001010010=31122010000000000?');
  });

  test('of an odd number of digits are filled up', () => {
    expect(toHex(accountNumber(cardOf('amex-chip')))).toBe('378282246310005F');
    expect(toHex(track2Equivalent(cardOf('amex-chip')))).toBe('378282246310005D30062010000000000F');
  });
});
