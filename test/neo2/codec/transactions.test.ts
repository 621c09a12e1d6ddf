import { describe, expect, test } from 'vitest';
import { Secret } from '../../../app/domain/secret.ts';
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import type { Vivotech2Message } from '../../../drivers/framing/vivotech2-frame.ts';
import { readAttribution } from '../../../drivers/neo2/codec/attribution.ts';
import { encodeCommand } from '../../../drivers/neo2/codec/commands.ts';
import type { ReplyContext, TransactionReply } from '../../../drivers/neo2/codec/message-types.ts';
import { decodeMessage } from '../../../drivers/neo2/codec/messages.ts';
import { decodeNeoTlv, encodeNeoTlv, type NeoTag } from '../../../drivers/neo2/codec/tlv.ts';
import {
  cryptogramType,
  isCardApproval,
  mustReverseAtHost,
  TRANSACTION_RESULTS,
} from '../../../drivers/neo2/codec/transaction-results.ts';
import {
  issuerResponseTags,
  readTransactionFacts,
  transactionTags,
} from '../../../drivers/neo2/codec/transaction-tags.ts';
import { bytesOf, hexOf } from '../../zvt/codec/support.ts';
import { FRAME_ITEMS } from './fixture.ts';
import { clear } from './fixture-checks.ts';

const hexOfItem = (id: string) => FRAME_ITEMS.find((item) => item.id === id)?.hex;

const frame = (data: Uint8Array): Vivotech2Message => ({ kind: 'message', command: 0x60, code: 0, data });
const decodeTags = (attribution: number, tags: readonly NeoTag[], context: ReplyContext = {}) =>
  decodeMessage(frame(Uint8Array.of(attribution, ...encodeNeoTlv(tags))), context);
const masked = (tag: string, hex: string): NeoTag => ({ tag, form: 'MASKED', value: fromHex(hex) });
const encrypted = (tag: string, byteCount: number): NeoTag => ({
  tag,
  form: 'ENCRYPTED',
  value: new Uint8Array(byteCount).fill(0xee),
});
const ascii = (text: string) => toHex(Uint8Array.from(text, (character) => character.charCodeAt(0)));

describe('TLV of a reader', () => {
  test('has marks that are no BER lengths, and tags that end where BER would go on', () => {
    const bytes = bytesOf(
      '5A A1 02 41 11 5A C1 01 EE FF F7 01 00 DF ED 59 01 00 FF EE 12 01 AA FF E6 00 DF 81 22 01 05',
    );
    const result = decodeNeoTlv(bytes);
    if (!result.ok) throw new Error('The list could not be read');
    expect(result.tags.map(({ tag, form, value }) => [tag, form, toHex(value)])).toEqual([
      ['5A', 'MASKED', '4111'],
      ['5A', 'ENCRYPTED', 'EE'],
      ['FFF7', 'CLEAR', '00'],
      ['DFED59', 'CLEAR', '00'],
      ['FFEE12', 'CLEAR', 'AA'],
      ['FFE6', 'CLEAR', ''],
      ['DF8122', 'CLEAR', '05'],
    ]);
    expect(hexOf(encodeNeoTlv(result.tags))).toBe(hexOf(bytes));
  });

  test('gives values of every length back', () => {
    for (const length of [0, 1, 127, 128, 255, 256, 1400]) {
      const tags = [{ tag: 'DFEE23', form: 'CLEAR', value: new Uint8Array(length).fill(7) } as const];
      expect(decodeNeoTlv(encodeNeoTlv(tags))).toEqual({ ok: true, tags });
    }
  });

  test.each([
    ['5A', 'beyond-end'],
    ['5A 02 41', 'beyond-end'],
    ['5A A1', 'beyond-end'],
    ['5A C1 02 41', 'beyond-end'],
    ['5A 82 00', 'beyond-end'],
    ['5A 80', 'bad-length'],
    ['5A 83 00 00 01 00', 'bad-length'],
    ['5A A2 00 01 00', 'bad-length'],
    ['DF', 'bad-tag'],
    ['DF EE', 'bad-tag'],
    ['DF EE 92 01 00', 'bad-tag'],
  ])('%s is refused: %s', (hex, reason) => {
    expect(decodeNeoTlv(bytesOf(hex))).toMatchObject({ ok: false, reason });
  });
});

describe('what a host tells the card', () => {
  test('is built from facts as published logs show it', () => {
    const sale = { transactionType: '00', accountType: '00', amountMinor: 200, otherAmountMinor: 0, currency: '840' };
    const start = {
      type: 'start-contact',
      isFallbackAllowed: true,
      seatTimeoutSeconds: 120,
      authenticateTimeoutSeconds: 120,
      tags: transactionTags(sale),
    } as const;
    expect(hexOf(encodeCommand(start))).toBe(hexOfItem('start-contact-lsb'));
    const refund = { ...sale, transactionType: '20', amountMinor: 1010, currency: '978' };
    const wanted = { isFallbackAllowed: false, seatTimeoutSeconds: 30, authenticateTimeoutSeconds: 30 };
    expect(hexOf(encodeCommand({ ...start, ...wanted, tags: transactionTags(refund) }))).toBe(
      hexOfItem('start-refund'),
    );
  });

  test('is read back as it was given', () => {
    const facts = {
      transactionType: '09',
      amountMinor: 999_999_999_999,
      otherAmountMinor: 500,
      currency: '978',
      presentations: ['STRIPE', 'CONTACT'],
      fallback: { isAllowed: true, nextCommandTimeoutSeconds: 96 },
    } as const;
    expect(readTransactionFacts(transactionTags(facts))).toEqual(facts);
    expect(readTransactionFacts([clear('9F02', '00000000000A'), clear('5F2A', '1978'), clear('9C', '0000')])).toEqual(
      {},
    );
    expect(transactionTags({ outputTags: ['9F26', 'DFEE25'] })).toEqual([clear('DFEE1A', '9F26DFEE25')]);
    expect(() => transactionTags({ amountMinor: 1_000_000_000_000 })).toThrow(RangeError);
    expect(() => transactionTags({ amountMinor: -1 })).toThrow(RangeError);
    expect(() => transactionTags({ currency: 'EUR' })).toThrow(RangeError);
  });

  test('of the issuer is built as published logs show it', () => {
    const issuerAuthenticationData = fromHex('11223344556677883030');
    const tags = issuerResponseTags({ responseCode: '00', issuerAuthenticationData });
    const command = { type: 'apply-response', isHostReached: true, tags } as const;
    expect(hexOf(encodeCommand(command))).toBe(hexOfItem('apply-approve-lsb'));
    const scripts = [
      { tag: '71', content: fromHex('9F180400000001860984240000 04AAAAAAAA'.replace(' ', '')) },
      { tag: '72', content: fromHex('86098418000004BBBBBBBB') },
    ] as const;
    const full = { responseCode: '00', issuerAuthenticationData: fromHex('A1B2C3D4E5F607083030'), scripts };
    expect(hexOf(encodeCommand({ ...command, tags: issuerResponseTags(full) }))).toBe(hexOfItem('apply-with-scripts'));
    expect(() => issuerResponseTags({ responseCode: '0' })).toThrow(RangeError);
    const tooShort = { responseCode: '00', issuerAuthenticationData: new Uint8Array(7) };
    expect(() => issuerResponseTags(tooShort)).toThrow(RangeError);
  });
});

describe('card data in the clear', () => {
  const clearPan = clear('5A', '4111111111111111');
  const refusal = (tag: string) => ({ type: 'refused', reason: 'CLEAR_CARD_DATA', command: 0x60, status: 0, tag });

  test.each([
    ['an account number', clearPan],
    ['a track 2 equivalent', clear('57', '4111111111111111D2912101000000000000')],
    ['the track of a contactless stripe', clear('9F6B', '4111111111111111D2912101000000000000')],
    ['a track 1', clear('56', ascii('B4111111111111111^TEST/CARD^2912'))],
    ['a track as text', clear('5F22', ascii(';4111111111111111=2912?'))],
    ['an account number in a container', clear('FF8105', '5A084111111111111111')],
    ['an account number in a container of the maker', clear('FFEE01', '57094111111111111111D2')],
    ['a number under the mark of a masked one', masked('5A', '4111111111111111')],
    ['a number before a masked rest of the track', masked('57', '4111111111111111DCCCCCCCCCCCCC')],
    ['a swipe that was not encrypted', clear('DFEE23', ascii('%B4111111111111111^TEST/CARD^2912?'))],
  ])('%s is refused where the reader encrypts', (_name, tag) => {
    const result = clear('DFEE25', '0004');
    for (const attribution of [0xc0, 0xc2, 0xc1, 0xc8, 0x40, 0x80]) {
      const decoded = decodeTags(attribution, [result, tag]);
      expect(decoded).toEqual(refusal(tag.tag === 'FF8105' ? '5A' : tag.tag === 'FFEE01' ? '57' : tag.tag));
    }
    // Said by DFEE26 alone, or demanded by the driver.
    expect(decodeTags(0x00, [tag, clear('DFEE26', 'C200')]).type).toBe('refused');
    expect(decodeTags(0x00, [tag], { encryptionExpected: 'ALWAYS' }).type).toBe('refused');
    expect(JSON.stringify(decodeTags(0xc2, [tag]))).not.toContain('4111');
  });

  test('come as secrets only where the reader does not encrypt', () => {
    const decoded = decodeTags(0x00, [clearPan]);
    expect(decoded).toMatchObject({
      type: 'transaction',
      attribution: { encryption: 'OFF' },
      tags: expect.any(Secret),
    });
    expect(decoded).not.toHaveProperty('maskedPan');
  });

  test('are not what a reader that encrypts sends', () => {
    const tags = [
      clear('DFEE25', '0004'),
      clear('DFEE12', 'FFFF9876543210E00001'),
      masked('5A', '411111CCCCCC1111'),
      encrypted('5A', 16),
      masked('57', '411111CCCCCC1111DCCCCCCCCCCCCC'),
      encrypted('57', 32),
      masked('56', ascii('B4111********1111^TEST/CARD^')),
      clear('5A', ''),
      clear('DFEE51', 'FFFF9876543210E00002'),
    ];
    const decoded = decodeTags(0xc2, tags) as TransactionReply;
    expect(decoded).toMatchObject({ type: 'transaction', resultCode: '0004', maskedPan: '411111******1111' });
    expect(decoded.ksn?.reveal()).toBe('FFFF9876543210E00001');
    expect(decoded.pinKsn?.reveal()).toBe('FFFF9876543210E00002');
    expect(decoded.encrypted?.reveal().map(({ tag }) => tag)).toEqual(['5A', '57']);
    expect(decodeTags(0xc2, [clear('FFEE12', 'AA')])).toMatchObject({ ksn: expect.any(Secret) });
    expect(decodeTags(0xc2, [clear('DF4A', 'AA')])).toMatchObject({ ksn: expect.any(Secret) });
  });

  test('show no more of a masked number than a record may keep', () => {
    expect(decodeTags(0xc2, [masked('5A', '41111111CCCC1111')])).not.toHaveProperty('maskedPan');
    expect(decodeTags(0xc2, [masked('5A', '411111CCCCC1117F')])).toMatchObject({ maskedPan: '411111*****1117' });
  });
});

describe('transaction data that contradict themselves', () => {
  test.each([
    ['two results', [clear('DFEE25', '0002'), clear('DFEE25', '0003')], 'contradicting-repeat', 'DFEE25'],
    ['two cryptogram types', [clear('9F27', '40'), clear('9F27', '00')], 'contradicting-repeat', '9F27'],
    ['two key serial numbers', [clear('DFEE12', 'AA'), clear('FFEE12', 'BB')], 'contradicting-repeat', 'FFEE12'],
    ['a result of one byte', [clear('DFEE25', '02')], 'bad-field', 'DFEE25'],
    ['a cipher text that fills no block', [encrypted('5A', 15)], 'bad-field', '5A'],
    ['a cipher text of half an AES block', [encrypted('57', 24)], 'bad-field', '57'],
  ] as const)('%s are malformed', (_name, tags, reason, field) => {
    expect(decodeTags(0xc2, tags)).toMatchObject({ type: 'malformed', reason, field });
  });

  test('are no answer: cut anywhere, they are malformed or hold fewer tags', () => {
    const bytes = Uint8Array.of(0xc2, ...encodeNeoTlv([clear('DFEE25', '0002'), clear('9F27', '40')]));
    for (let cut = 1; cut < bytes.length; cut++) {
      const decoded = decodeMessage(frame(bytes.slice(0, cut)));
      expect(decoded.type).toBe([1, 7].includes(cut) ? 'transaction' : 'malformed');
    }
  });

  test('may repeat the same', () => {
    expect(decodeTags(0xc2, [clear('DFEE25', '0002'), clear('DFEE25', '0002')])).toMatchObject({ resultCode: '0002' });
  });
});

describe('results', () => {
  test('approve only as 0000 and 0002, and only when the cryptogram does not say otherwise', () => {
    const approving = [...TRANSACTION_RESULTS.keys()].filter((resultCode) => isCardApproval({ resultCode }));
    expect(approving).toEqual(['0000', '0002']);
    expect(isCardApproval({ resultCode: '0002', cryptogram: 'TC' })).toBe(true);
    expect(isCardApproval({ resultCode: '0002', cryptogram: 'AAC' })).toBe(false);
    expect(isCardApproval({ resultCode: '0002', cryptogram: 'ARQC' })).toBe(false);
    expect(isCardApproval({ cryptogram: 'TC' })).toBe(false);
    expect(isCardApproval({ resultCode: '0099' })).toBe(false);
  });

  test('after an approval of the issuer that are no approval of the card must be reversed, a lost one too', () => {
    expect(mustReverseAtHost(true, { resultCode: '0002', cryptogram: 'TC' })).toBe(false);
    expect(mustReverseAtHost(true, { resultCode: '0003', cryptogram: 'AAC' })).toBe(true);
    expect(mustReverseAtHost(true, undefined)).toBe(true);
    expect(mustReverseAtHost(false, undefined)).toBe(false);
  });

  test('have the code table of the reader', () => {
    expect(TRANSACTION_RESULTS.size).toBe(18);
    expect(TRANSACTION_RESULTS.get('0009')?.kind).toBe('GO_ONLINE');
    expect([0x00, 0x40, 0x80, 0xc0].map(cryptogramType)).toEqual(['AAC', 'TC', 'ARQC', undefined]);
  });

  test('come with an attribution byte that says where the card was read', () => {
    expect(readAttribution(0x4c)).toEqual({ byte: 0x4c, interface: 'STRIPE', encryption: 'PARTLY' });
    expect(readAttribution(0x10)).toEqual({ byte: 0x10, encryptionMode: 'TDES', encryption: 'OFF' });
  });
});
