import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { nextCounter } from '../../../drivers/virtual/neo2/card/chip.ts';
import { CHIP_CARDS } from '../../../drivers/virtual/neo2/card/chip-cards.ts';
import { completeByChip, wantsOnlinePin } from '../../../drivers/virtual/neo2/card/chip-payment.ts';
import { isGenuineCryptogram } from '../../../drivers/virtual/neo2/card/test-issuer.ts';
import { ISSUER_KEY } from '../../../drivers/virtual/neo2/crypto/test-keys.ts';
import { answerTo, cardOf, paymentWith, tagHex, withFlippedBit } from './support.ts';

const answered = (answer?: Uint8Array, responseCode = '00') => ({
  kind: 'ANSWERED' as const,
  responseCode,
  ...(answer === undefined ? {} : { answer }),
});
const inserted = CHIP_CARDS.filter(({ entry }) => entry === 'CONTACT');
const asking = CHIP_CARDS.filter(({ chip }) => chip.habit === 'ONLINE');
const askingInserted = asking.filter(({ entry }) => entry === 'CONTACT');

describe('the first cryptogram', () => {
  test.each(asking)('of $id is an ARQC that its issuer knows for genuine', (card) => {
    const { authorization } = paymentWith(card);
    expect(authorization.decision).toBe('ONLINE');
    expect(tagHex(authorization.tags, '9F27')).toBe('80');
    expect(isGenuineCryptogram(card, ISSUER_KEY, authorization.tags)).toBe(true);
  });

  test.each(asking)('of $id is not genuine for another amount, or under another issuer key', (card) => {
    const { authorization } = paymentWith(card);
    const dearer = new Map([...authorization.tags, ['9F02', fromHex('000000012340')] as const]);
    expect(isGenuineCryptogram(card, ISSUER_KEY, dearer)).toBe(false);
    expect(isGenuineCryptogram(card, withFlippedBit(ISSUER_KEY, 15, 1), authorization.tags)).toBe(false);
  });

  test('comes with everything that an issuer asks for, and no response code yet', () => {
    const { authorization } = paymentWith(cardOf('visa-chip'), { payment: { amountMinor: 1600, cashbackMinor: 500 } });
    const told = (tag: string) => tagHex(authorization.tags, tag);
    expect({
      amount: told('9F02'),
      cashback: told('9F03'),
      country: told('9F1A'),
      currency: told('5F2A'),
      date: told('9A'),
      time: told('9F21'),
      type: told('9C'),
      unpredictable: told('9F37'),
      counter: told('9F36'),
      results: told('95'),
      status: told('9B'),
      verification: told('9F34'),
      issuerData: told('9F10'),
      interchange: told('82'),
      application: told('84'),
      sequence: told('5F34'),
      expiry: told('5F24'),
      track2: told('57'),
      account: told('5A'),
      responseCode: told('8A'),
    }).toEqual({
      amount: '000000001600',
      cashback: '000000000500',
      country: '0276',
      currency: '0978',
      date: '261128',
      time: '154500',
      type: '00',
      unpredictable: '52BF4585',
      counter: '001C',
      results: '8000048000',
      status: '6800',
      verification: '420300',
      issuerData: '06011203A00000',
      interchange: '1C00',
      application: 'A0000000031010',
      sequence: '01',
      expiry: '311231',
      track2: '4761739001010010D31122010000000000',
      account: '4761739001010010',
      responseCode: undefined,
    });
  });

  test('differs with the counter and with the unpredictable number', () => {
    const card = cardOf('mastercard-chip');
    const cryptograms = [
      paymentWith(card),
      paymentWith(card, { counter: 29 }),
      paymentWith(card, { payment: { unpredictable: fromHex('00000001') } }),
    ].map(({ authorization }) => tagHex(authorization.tags, '9F26'));
    expect(new Set(cryptograms).size).toBe(3);
  });

  test('is the same for the same payment: nothing but the inputs goes in', () => {
    const [one, other] = [paymentWith(cardOf('amex-chip')), paymentWith(cardOf('amex-chip'))];
    expect(one.authorization.tags).toEqual(other.authorization.tags);
  });
});

describe('the end, after the issuer approved', () => {
  test.each(askingInserted)('is a transaction certificate of $id', (card) => {
    const { input, authorization } = paymentWith(card);
    const end = completeByChip(input, authorization, answered(answerTo(card, authorization)));
    expect([end.decision, end.check, tagHex(end.tags, '9F27')]).toEqual(['APPROVED', 'PASSED', '40']);
    expect([tagHex(end.tags, '8A'), tagHex(end.tags, '9B'), tagHex(end.tags, '95')?.slice(8)]).toEqual([
      '3030',
      '7800',
      '00',
    ]);
    expect(isGenuineCryptogram(card, ISSUER_KEY, end.tags)).toBe(true);
    expect(tagHex(end.tags, '9F26')).not.toBe(tagHex(authorization.tags, '9F26'));
    expect(tagHex(end.tags, '9F36')).toBe(tagHex(authorization.tags, '9F36'));
  });

  test.each(askingInserted)('is a refusal of $id when any byte of tag 91 is wrong', (card) => {
    const { input, authorization } = paymentWith(card);
    const answer = answerTo(card, authorization);
    for (let at = 0; at < answer.length; at++) {
      const end = completeByChip(input, authorization, answered(withFlippedBit(answer, at)));
      expect([end.decision, end.check, tagHex(end.tags, '9F27')], `byte ${at}`).toEqual(['DECLINED', 'FAILED', '00']);
      // The issuer approved, and the chip tells that it did not believe it.
      expect([tagHex(end.tags, '8A'), tagHex(end.tags, '95')?.slice(8)]).toEqual(['3030', '40']);
    }
  });

  test.each(askingInserted)('is a refusal of $id when tag 91 answers its payment before', (card) => {
    const before = paymentWith(card, { counter: 27 });
    const { input, authorization } = paymentWith(card);
    const end = completeByChip(input, authorization, answered(answerTo(card, before.authorization)));
    expect([end.decision, end.check]).toEqual(['DECLINED', 'FAILED']);
  });

  test.each(askingInserted)('is a refusal of $id when tag 91 has bytes that stand in for one', (card) => {
    const { input, authorization } = paymentWith(card);
    for (const standIn of ['11223344556677883030', '', '00', '00'.repeat(16)]) {
      const end = completeByChip(input, authorization, answered(fromHex(standIn)));
      expect([end.decision, end.check], standIn).toEqual(['DECLINED', 'FAILED']);
    }
  });

  test('lets a missing tag 91 pass, but for a card that needs it', () => {
    const lenient = paymentWith(cardOf('mastercard-chip'));
    const strict = paymentWith(cardOf('mastercard-strict'));
    const end = completeByChip(lenient.input, lenient.authorization, answered());
    expect([end.decision, end.check, tagHex(end.tags, '9B')]).toEqual(['APPROVED', 'ABSENT', '6800']);
    expect(completeByChip(strict.input, strict.authorization, answered())).toMatchObject({
      decision: 'DECLINED',
      check: 'ABSENT',
    });
  });

  test('is a refusal of the card whose habit it is, though the answer is right', () => {
    const card = cardOf('visa-refuses');
    const { input, authorization } = paymentWith(card);
    const end = completeByChip(input, authorization, answered(answerTo(card, authorization)));
    expect([end.decision, end.check, tagHex(end.tags, '8A')]).toEqual(['DECLINED', 'PASSED', '3030']);
    expect(tagHex(end.tags, '9F10')).toBe('06011203200000');
  });
});

describe('the end, after the issuer declined or was not reached', () => {
  test.each(['05', '51', '91', '68', 'XX', ''])('is a refusal for the response code "%s"', (code) => {
    const card = cardOf('visa-chip');
    const { input, authorization } = paymentWith(card);
    const end = completeByChip(input, authorization, answered(answerTo(card, authorization, code), code));
    expect([end.decision, tagHex(end.tags, '9F27')]).toEqual(['DECLINED', '00']);
  });

  test.each(inserted.filter(({ id, chip }) => chip.habit === 'ONLINE' && id !== 'visa-alone'))(
    'is a refusal of $id, with Z3, when no host was reached',
    (card) => {
      const { input, authorization } = paymentWith(card);
      const end = completeByChip(input, authorization, { kind: 'UNREACHABLE' });
      expect([end.decision, tagHex(end.tags, '8A')]).toEqual(['DECLINED', '5A33']);
    },
  );

  test('is an approval by the chip alone, with Y3, of the card that allows it', () => {
    const { input, authorization } = paymentWith(cardOf('visa-alone'));
    expect(authorization.decision).toBe('ONLINE');
    const end = completeByChip(input, authorization, { kind: 'UNREACHABLE' });
    expect([end.decision, tagHex(end.tags, '8A'), tagHex(end.tags, '9F27')]).toEqual(['APPROVED', '5933', '40']);
  });

  test('is never an approval when the card refuses at the end', () => {
    const { input, authorization } = paymentWith(cardOf('visa-refuses'));
    const end = completeByChip(input, authorization, { kind: 'UNREACHABLE' });
    expect([end.decision, tagHex(end.tags, '8A')]).toEqual(['DECLINED', '5A33']);
  });
});

describe('a card that decides by itself', () => {
  test.each(['visa-offline', 'visa-offline-contactless'])('%s approves with a certificate and Y1', (id) => {
    const card = cardOf(id);
    const { authorization } = paymentWith(card);
    expect([authorization.decision, tagHex(authorization.tags, '9F27'), tagHex(authorization.tags, '8A')]).toEqual([
      'APPROVED',
      '40',
      '5931',
    ]);
    expect(tagHex(authorization.tags, '9F10')).toBe('06011203900000');
    expect(isGenuineCryptogram(card, ISSUER_KEY, authorization.tags)).toBe(true);
  });

  test('declines with Z1', () => {
    const { authorization } = paymentWith(cardOf('visa-offline-declined'));
    expect([authorization.decision, tagHex(authorization.tags, '9F27'), tagHex(authorization.tags, '8A')]).toEqual([
      'DECLINED',
      '00',
      '5A31',
    ]);
  });

  test('goes online once it has expired, and then needs its host', () => {
    const late = { payment: { date: '320101' } };
    const { input, authorization } = paymentWith(cardOf('visa-offline'), late);
    expect([authorization.decision, tagHex(authorization.tags, '95')?.slice(2, 4)]).toEqual(['ONLINE', '40']);
    expect(completeByChip(input, authorization, { kind: 'UNREACHABLE' }).decision).toBe('DECLINED');
    expect(paymentWith(cardOf('visa-offline'), { payment: { date: '311231' } }).authorization.decision).toBe(
      'APPROVED',
    );
  });

  test('gives no money back by itself: a refund goes online', () => {
    const { authorization } = paymentWith(cardOf('visa-offline'), { payment: { transactionType: '20' } });
    expect([authorization.decision, tagHex(authorization.tags, '9C')]).toEqual(['ONLINE', '20']);
  });

  test.each(['visa-offline', 'visa-offline-declined'])('%s takes no issuer answer afterwards', (id) => {
    const { input, authorization } = paymentWith(cardOf(id));
    expect(() => completeByChip(input, authorization, answered())).toThrow('The chip has already decided this payment');
  });
});

describe('the verification of the cardholder', () => {
  test.each([
    ['visa-chip', 1, true],
    ['girocard-chip', 1, true],
    ['visa-signature', 100_000, false],
    ['visa-contactless', 5000, false],
    ['visa-contactless', 5001, true],
    ['girocard-contactless', 5001, true],
    ['mastercard-phone', 100_000, false],
    ['amex-contactless', 100_000, false],
  ])('of %s for %i minor units by online PIN: %s', (id, amountMinor, isAsked) => {
    const { input } = paymentWith(cardOf(id), { payment: { amountMinor } });
    expect(wantsOnlinePin(input)).toBe(isAsked);
  });

  test('goes to a signature when the PIN was not entered, and says so', () => {
    const { authorization } = paymentWith(cardOf('visa-chip'), { pin: 'BYPASSED' });
    expect([authorization.cvm, tagHex(authorization.tags, '9F34')]).toEqual(['SIGNATURE', '1E0300']);
    expect(tagHex(authorization.tags, '95')).toBe('8000088000');
  });

  test('goes to a signature at a reader without a PIN pad, which does not ask', () => {
    const { input, authorization } = paymentWith(cardOf('visa-chip'), { reader: { hasPinPad: false } });
    expect([wantsOnlinePin(input), authorization.cvm, tagHex(authorization.tags, '95')]).toEqual([
      false,
      'SIGNATURE',
      '8000008000',
    ]);
  });

  test('fails where neither PIN nor signature can be had, and that goes to the issuer', () => {
    const { authorization } = paymentWith(cardOf('visa-chip'), { reader: { hasPinPad: false, takesSignature: false } });
    expect([authorization.cvm, tagHex(authorization.tags, '9F34')]).toEqual(['FAILED', '3F0001']);
    expect([tagHex(authorization.tags, '95'), authorization.decision]).toEqual(['8000808000', 'ONLINE']);
  });

  test.each([
    ['mastercard-phone', 'CDCVM', '010002'],
    ['visa-contactless', 'NO_CVM', '1F0302'],
    ['visa-signature', 'SIGNATURE', '5E0300'],
  ])('of %s is %s', (id, method, results) => {
    const { authorization } = paymentWith(cardOf(id));
    expect([authorization.cvm, tagHex(authorization.tags, '9F34')]).toEqual([method, results]);
  });

  test('is in the list of the card, after two amounts', () => {
    expect(tagHex(paymentWith(cardOf('visa-chip')).authorization.tags, '8E')).toBe('000000000000000042031E03');
  });
});

describe('the counter of a chip', () => {
  test('rises by one with each payment', () => {
    expect([nextCounter(0), nextCounter(27)]).toEqual([1, 28]);
  });

  test('ends: the card takes no payment any more', () => {
    expect(nextCounter(0xfffe)).toBe(0xffff);
    expect(nextCounter(0xffff)).toBeUndefined();
  });

  test('is told in two bytes', () => {
    const { authorization } = paymentWith(cardOf('visa-chip'), { counter: 0xfffe });
    expect(tagHex(authorization.tags, '9F36')).toBe('FFFE');
  });
});

describe('hostile inputs', () => {
  test('an amount of more than twelve digits, or below zero, is refused', () => {
    for (const amountMinor of [1_000_000_000_000, -1, 1.5]) {
      expect(() => paymentWith(cardOf('visa-chip'), { payment: { amountMinor } })).toThrow(RangeError);
    }
    const most = paymentWith(cardOf('visa-chip'), { payment: { amountMinor: 999_999_999_999 } });
    expect(tagHex(most.authorization.tags, '9F02')).toBe('999999999999');
  });

  test('an unpredictable number of another length is refused', () => {
    expect(() => paymentWith(cardOf('visa-chip'), { payment: { unpredictable: new Uint8Array(3) } })).toThrow(
      'An unpredictable number has 4 bytes, not 3',
    );
  });
});

test('no answer of one card is taken by another of the same scheme', () => {
  const [mine, yours] = [cardOf('visa-chip'), cardOf('visa-alone')];
  const { input, authorization } = paymentWith(mine);
  const other = paymentWith(yours);
  expect(toHex(answerTo(mine, authorization))).not.toBe(toHex(answerTo(yours, other.authorization)));
  const end = completeByChip(input, authorization, answered(answerTo(yours, other.authorization)));
  expect(end.decision).toBe('DECLINED');
});

test('a tapped card has gone when the issuer replies', () => {
  const { input, authorization } = paymentWith(cardOf('visa-contactless'));
  expect(authorization.decision).toBe('ONLINE');
  expect(() => completeByChip(input, authorization, answered())).toThrow('A tapped card has gone');
});
