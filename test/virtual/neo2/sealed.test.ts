import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { CHIP_CARDS } from '../../../drivers/virtual/neo2/card/chip-cards.ts';
import { decryptAccountData } from '../../../drivers/virtual/neo2/crypto/account-data.ts';
import { tdesWorkingKey } from '../../../drivers/virtual/neo2/crypto/dukpt-tdes.ts';
import { openPinBlock } from '../../../drivers/virtual/neo2/crypto/pin-block.ts';
import { accountKeyOf, sealPin, sealTags } from '../../../drivers/virtual/neo2/crypto/sealed.ts';
import {
  type DukptState,
  type DukptStep,
  newReaderKeys,
  takeDukptKey,
} from '../../../drivers/virtual/neo2/crypto/test-keys.ts';
import { paymentWith } from './support.ts';

function stepOf(state: DukptState): DukptStep {
  const step = takeDukptKey(state);
  if (step === undefined) throw new Error('The key is used up');
  return step;
}

const keys = newReaderKeys();
const random = fromHex('2F69ADDE2E9E7ACE');
const inHex = (tags: ReturnType<typeof sealTags>) => tags.map(({ tag, form, value }) => [tag, form, toHex(value)]);

describe('tags that leave the reader', () => {
  const tags = [
    ['5A', fromHex('4111111111111111')],
    ['57', fromHex('4111111111111111D29121010000000000000F')],
    ['5F34', fromHex('01')],
  ] as const;

  // The answers to 60-11 in the protocol material, made by another program under KSN FFFF9876543210E00001.
  test.each([
    ['AES', '974943135C4F50AB5AAA477FFD11BC46', 'BEB0557077CE5BB2421DF35621263763879DD36ADC7C893CA719285D201D2BF0'],
    ['TDES', 'D8016F4FDAC417D129250573393C0840', '937CFDE113AFFF48A10B142A5EA0315B3F1172EC1469883F'],
  ] as const)('are masked and encrypted under %s, one after the other', (cipher, account, track2) => {
    expect(inHex(sealTags(tags, stepOf(keys.pin), cipher))).toEqual([
      ['5A', 'MASKED', '4111CCCCCCCC1111'],
      ['5A', 'ENCRYPTED', account],
      ['57', 'MASKED', '4111CCCCCCCC1111DCCCCCCCCCCCCCCCCCCCCC'],
      ['57', 'ENCRYPTED', track2],
      ['5F34', 'CLEAR', '01'],
    ]);
  });

  test('hold the account number of no card in the clear', () => {
    for (const card of CHIP_CARDS) {
      const sealed = sealTags(paymentWith(card).authorization.tags, stepOf(keys.account), 'AES');
      expect(inHex(sealed).join(' '), card.id).not.toContain(card.pan);
    }
  });

  test('come back at the acquirer under the log’s own serial number', () => {
    const step = stepOf(keys.account);
    const [, encrypted] = sealTags([['5A', fromHex('4761739001010010')]], step, 'AES');
    expect(toHex(encrypted?.value ?? new Uint8Array())).toBe('58772EBEFC4EE245E5BDF12E7013425B');
    expect(toHex(step.ksn)).toBe('629949012C0004600001');
  });

  test('come back under AES DUKPT with either cipher, and not with the key of the other', () => {
    const step = stepOf(keys.aesPin);
    for (const [cipher, other] of [
      ['AES', 'TDES'],
      ['TDES', 'AES'],
    ] as const) {
      const [, encrypted] = sealTags(tags.slice(0, 1), step, cipher);
      const bytes = encrypted?.value ?? new Uint8Array();
      const opened = (key: Uint8Array) => toHex(decryptAccountData(key, cipher, bytes)).slice(0, 20);
      expect(opened(accountKeyOf(step, cipher))).toBe('5A084111111111111111');
      expect(opened(accountKeyOf(step, other))).not.toBe('5A084111111111111111');
    }
  });
});

describe('the PIN that leaves the reader', () => {
  // The answers to 62-01 in the protocol material: values of X9.24-1 and X9.24-3.
  test('is a block of format 0 under TDES DUKPT, with its serial number', () => {
    const sealed = sealPin(stepOf(keys.pin), { pin: '1234', pan: '4012345678909', random });
    expect([sealed.format, toHex(sealed.ksn), toHex(sealed.block)]).toEqual([
      'ISO_0',
      'FFFF9876543210E00001',
      '1B9C1845EB993A7A',
    ]);
  });

  test('is a block of format 4 under AES DUKPT, with its serial number', () => {
    const sealed = sealPin(stepOf(keys.aesPin), { pin: '1234', pan: '4111111111111111', random });
    expect([sealed.format, toHex(sealed.ksn), toHex(sealed.block)]).toEqual([
      'ISO_4',
      '123456789012345600000001',
      'A912150391AB65A67E52883D81CE2D15',
    ]);
  });

  test('is not opened with the key of the account data', () => {
    const { block } = sealPin(stepOf(keys.pin), { pin: '1234', pan: '4012345678909', random });
    const pinKeyOfAccount = tdesWorkingKey(stepOf(keys.account).transactionKey, 'PIN');
    expect(openPinBlock(pinKeyOfAccount, block, '4012345678909')).toBeUndefined();
    const dataKey = accountKeyOf(stepOf(keys.pin), 'TDES');
    expect(openPinBlock(dataKey, block, '4012345678909')).toBeUndefined();
  });

  test('never takes random bytes of another number than its format has', () => {
    const short = { pin: '1234', pan: '4111111111111111', random: random.subarray(1) };
    expect(() => sealPin(stepOf(keys.aesPin), short)).toThrow('The block takes 8 random bytes, not 7');
  });
});
