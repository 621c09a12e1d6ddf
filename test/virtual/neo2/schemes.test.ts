import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { tagsOf } from '../../../drivers/virtual/neo2/card/emv-tags.ts';
import {
  type CardKeyIds,
  cryptogramOf,
  isGenuineAnswer,
  issuerAnswer,
  issuerApplicationData,
} from '../../../drivers/virtual/neo2/card/schemes.ts';
import { DUKPT_FIXTURE } from './dukpt-fixture.ts';
import { withFlippedBit } from './support.ts';

const issuerKey = fromHex('0123456789ABCDEFFEDCBA9876543210');
const visaTags = {
  '82': '1800',
  '95': '8000048000',
  '9F02': '000000004000',
  '9F03': '000000000000',
  '9F1A': '0124',
  '5F2A': '0124',
  '9A': '191105',
  '9C': '01',
  '9F37': '52BF4585',
  '9F36': '001C',
};

// The first two are in the fixture, too; the third is of the same origin (knovichikhin/pyemv, tests/test_cvn_hsm.py, MIT): values of an HSM.
const published = [
  {
    card: { pan: '1234567890123456', sequence: '00', scheme: 'VISA_CVN10' },
    tags: { ...visaTags, '9F10': '06010A03A06010' },
    arqc: '29CCA15AE665FA2E',
    detail: '3030',
    answer: '28993816AFAE4AEB3030',
  },
  {
    card: { pan: '1234567890123456', sequence: '00', scheme: 'VISA_CVN18' },
    tags: { ...visaTags, '9F10': '06011203A0B800' },
    arqc: '7A788EA6B8A3E733',
    detail: '00000000',
    answer: '9AF514C100000000',
  },
  {
    card: { pan: '1234567890123456', sequence: '00', scheme: 'MASTERCARD_CVN16' },
    tags: {
      ...visaTags,
      '95': '8000000000',
      '9F02': '000000009999',
      '9A': '209906',
      '9C': '00',
      '9F37': 'ABCDEF12',
      '9F10': '0110A00003220000000000000000000000FF',
    },
    arqc: '24CCF3DEE3158C70',
    detail: '0010',
    answer: '73F6BBF389A6586C0010',
  },
] as const satisfies readonly { card: CardKeyIds; [key: string]: unknown }[];

describe.each(published)('a card of $card.scheme', ({ card, tags, arqc, detail, answer }) => {
  const signed = tagsOf({ ...tags, '9F26': arqc });

  test('signs as published', () => {
    expect(toHex(cryptogramOf(card, issuerKey, signed))).toBe(arqc);
  });

  test('gets the published answer, and knows it for its own', () => {
    expect(toHex(issuerAnswer(card, issuerKey, signed, fromHex(detail)))).toBe(answer);
    expect(isGenuineAnswer(card, issuerKey, signed, fromHex(answer))).toBe(true);
  });

  test('refuses the answer with any bit of it changed', () => {
    const bytes = fromHex(answer);
    for (let at = 0; at < bytes.length * 8; at++) {
      const changed = withFlippedBit(bytes, Math.floor(at / 8), at % 8);
      expect(isGenuineAnswer(card, issuerKey, signed, changed), `bit ${at}`).toBe(false);
    }
  });

  test('refuses an answer that is cut, and one with bytes after it', () => {
    const bytes = fromHex(answer);
    for (let length = 0; length < bytes.length; length++) {
      expect(isGenuineAnswer(card, issuerKey, signed, bytes.subarray(0, length)), `${length} bytes`).toBe(false);
    }
    expect(isGenuineAnswer(card, issuerKey, signed, fromHex(`${answer}00`))).toBe(false);
    expect(isGenuineAnswer(card, issuerKey, signed, fromHex(answer + '00'.repeat(9)))).toBe(false);
  });

  test('refuses the answer to another cryptogram', () => {
    const other = tagsOf({ ...tags, '9F26': '0102030405060708' });
    expect(isGenuineAnswer(card, issuerKey, other, fromHex(answer))).toBe(false);
  });

  test('refuses an answer under the key of another issuer, account or sequence number', () => {
    const bytes = fromHex(answer);
    expect(isGenuineAnswer(card, withFlippedBit(issuerKey, 0, 1), signed, bytes)).toBe(false);
    expect(isGenuineAnswer({ ...card, pan: '1234567890123464' }, issuerKey, signed, bytes)).toBe(false);
    expect(isGenuineAnswer({ ...card, sequence: '01' }, issuerKey, signed, bytes)).toBe(false);
  });

  test.each(Object.keys(visaTags))('signs the tag %s: another value gives another cryptogram', (tag) => {
    const value = signed.get(tag) ?? new Uint8Array();
    const changed = new Map([...signed, [tag, withFlippedBit(value, value.length - 1)] as const]);
    expect(toHex(cryptogramOf(card, issuerKey, changed))).not.toBe(arqc);
  });

  test('does not sign at all when a tag is missing', () => {
    const missing = new Map([...signed].filter(([tag]) => tag !== '9F37'));
    expect(() => cryptogramOf(card, issuerKey, missing)).toThrow('The card needs the tag 9F37');
  });
});

test('the published values of Visa are those of the fixture', () => {
  const inFixture = DUKPT_FIXTURE.filter(({ id }) => id.startsWith('emv-cvn')).map(({ expect: values }) => values.arqc);
  expect(inFixture).toEqual(published.slice(0, 2).map(({ arqc }) => arqc));
});

describe('tag 9F10', () => {
  test('has the shape of the published examples of its scheme', () => {
    const first = { first: 'ARQC' } as const;
    expect(toHex(issuerApplicationData('VISA_CVN10', first))).toBe('06010A03A00000');
    expect(toHex(issuerApplicationData('VISA_CVN18', first))).toBe('06011203A00000');
    expect(toHex(issuerApplicationData('MASTERCARD_CVN16', first))).toBe('0110A00000000000000000000000000000FF');
    expect(toHex(issuerApplicationData('AMEX_CVN01', first))).toBe('06010103A00000');
    expect(issuerApplicationData('COMMON_CORE', first)).toHaveLength(32);
  });

  test('tells the issuer what the chip decided, first and at the end', () => {
    const status = (...[decisions]: [Parameters<typeof issuerApplicationData>[1]]) =>
      issuerApplicationData('VISA_CVN18', decisions)[4];
    expect(status({ first: 'TC' })).toBe(0x90);
    expect(status({ first: 'AAC' })).toBe(0x80);
    expect(status({ first: 'ARQC', second: 'TC' })).toBe(0x60);
    expect(status({ first: 'ARQC', second: 'AAC' })).toBe(0x20);
    expect(status({ first: 'ARQC', second: 'AAC', hasAnswerFailed: true })).toBe(0x28);
  });
});
