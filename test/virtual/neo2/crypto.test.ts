import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import {
  decryptAccountData,
  encryptAccountData,
  encryptAccountTag,
  maskedAccountValue,
} from '../../../drivers/virtual/neo2/crypto/account-data.ts';
import { decryptAes, encryptAes, encryptTdes, xorBytes } from '../../../drivers/virtual/neo2/crypto/ciphers.ts';
import {
  aesCounterOf,
  aesInitialKey,
  aesTransactionKey,
  aesWorkingKey,
  nextAesKsn,
} from '../../../drivers/virtual/neo2/crypto/dukpt-aes.ts';
import {
  counterOf,
  nextTdesKsn,
  tdesInitialKey,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../../drivers/virtual/neo2/crypto/dukpt-tdes.ts';
import { arpcMethod2 } from '../../../drivers/virtual/neo2/crypto/emv-cryptograms.ts';
import { cardKeyOptionA, cardKeyOptionB, commonSessionKey } from '../../../drivers/virtual/neo2/crypto/emv-keys.ts';
import { macOf } from '../../../drivers/virtual/neo2/crypto/mac.ts';
import {
  encryptPinBlock,
  encryptPinFormat4,
  openPinBlock,
  openPinFormat4,
  pinBlockFormat0,
  pinBlockFormat3,
} from '../../../drivers/virtual/neo2/crypto/pin-block.ts';
import {
  AES_BASE_KEY,
  newReaderKeys,
  TDES_BASE_KEY,
  takeDukptKey,
} from '../../../drivers/virtual/neo2/crypto/test-keys.ts';
import { withFlippedBit } from './support.ts';

const ksn = fromHex('FFFF9876543210E00001');
const pinKeyAt = (serial: Uint8Array, baseKey = TDES_BASE_KEY) =>
  tdesWorkingKey(tdesTransactionKey(tdesInitialKey(baseKey, serial), serial), 'PIN');
const hexOf = (bytes: Uint8Array | undefined) => bytes && toHex(bytes);

describe('the counter of TDES DUKPT', () => {
  test('leaves out every number of more than ten set bits, and no other, to its end', () => {
    const seen: number[] = [];
    let serial: Uint8Array | undefined = fromHex('FFFF9876543210FFF7F0');
    while (serial !== undefined) {
      serial = nextTdesKsn(serial);
      if (serial !== undefined) seen.push(counterOf(serial));
    }
    const ones = (value: number) => value.toString(2).replaceAll('0', '').length;
    const all = Array.from({ length: 0x1fffff - 0x1ff7f0 }, (_, index) => 0x1ff7f1 + index);
    expect(seen).toEqual(all.filter((counter) => ones(counter) <= 10));
    expect(seen.at(-1)).toBe(0x1ff800);
  });

  test('ends after its last number: the device has no key left', () => {
    expect(nextTdesKsn(fromHex('FFFF9876543210FFF800'))).toBeUndefined();
    const spent = { ...newReaderKeys().pin, ksn: fromHex('FFFF9876543210FFF800') };
    expect(takeDukptKey(spent)).toBeUndefined();
  });

  test('leaves the device part of the serial number alone', () => {
    expect(hexOf(nextTdesKsn(fromHex('FFFF9876543210E00000')))).toBe('FFFF9876543210E00001');
    expect(hexOf(nextTdesKsn(fromHex('629949012C0004600001')))).toBe('629949012C0004600002');
  });

  test('is refused in a serial number that is too short', () => {
    expect(() => counterOf(fromHex('9876543210E00001'))).toThrow('A KSN has 10 bytes, not 8');
  });
});

describe('the counter of AES DUKPT', () => {
  test('leaves out numbers of more than sixteen set bits', () => {
    expect(hexOf(nextAesKsn(fromHex('12345678901234560000FFFF')))).toBe('123456789012345600010000');
    expect(hexOf(nextAesKsn(fromHex('12345678901234560001FFFE')))).toBe('123456789012345600020000');
  });

  test('counts beyond 31 bits and ends at its last number', () => {
    expect(hexOf(nextAesKsn(fromHex('12345678901234567FFF8000')))).toBe('123456789012345680000000');
    expect(hexOf(nextAesKsn(fromHex('1234567890123456FFFE8000')))).toBe('1234567890123456FFFF0000');
    expect(nextAesKsn(fromHex('1234567890123456FFFF0000'))).toBeUndefined();
  });

  test('has a key for its last number, whose sign bit is set', () => {
    const last = fromHex('1234567890123456FFFF0000');
    expect(aesCounterOf(last)).toBe(0xffff0000);
    expect(aesTransactionKey(fromHex('1273671EA26AC29AFA4D1084127652A1'), last)).toHaveLength(16);
  });
});

describe('keys of AES DUKPT in every length', () => {
  test.each([16, 24, 32])('a base key of %i bytes gives initial and transaction keys as long', (length) => {
    const baseKey = new Uint8Array(length).fill(0x5a);
    const serial = fromHex('123456789012345600000003');
    const initial = aesInitialKey(baseKey, serial.subarray(0, 8));
    expect(initial).toHaveLength(length);
    expect(aesTransactionKey(initial, serial)).toHaveLength(length);
  });

  test('a working key of AES-192 is neither the one of AES-128 nor the one of AES-256, cut', () => {
    const serial = fromHex('123456789012345600000001');
    const key = aesTransactionKey(aesInitialKey(AES_BASE_KEY, serial.subarray(0, 8)), serial);
    const [short, middle, long] = (['AES_128', 'AES_192', 'AES_256'] as const).map((type) =>
      hexOf(aesWorkingKey(key, serial, 'DATA_ENCRYPTION', type)),
    );
    expect([short?.length, middle?.length, long?.length]).toEqual([32, 48, 64]);
    expect(middle?.startsWith(short ?? '')).toBe(false);
    expect(long?.startsWith(middle ?? '')).toBe(false);
  });
});

describe('a reader takes keys', () => {
  test('in order, each once, and the old state is not changed', () => {
    const { pin } = newReaderKeys();
    const first = takeDukptKey(pin);
    const second = first && takeDukptKey(first.state);
    expect([hexOf(first?.ksn), hexOf(second?.ksn)]).toEqual(['FFFF9876543210E00001', 'FFFF9876543210E00002']);
    expect(hexOf(first?.transactionKey)).toBe('042666B49184CFA368DE9628D0397BC9');
    expect(hexOf(second?.transactionKey)).toBe('C46551CEF9FD24B0AA9AD834130D3BC7');
    expect(hexOf(pin.ksn)).toBe('FFFF9876543210E00000');
  });

  test('from one serial number for account data and another for PIN blocks', () => {
    const { account, pin, aesPin } = newReaderKeys();
    expect(hexOf(takeDukptKey(account)?.ksn)).toBe('629949012C0004600001');
    expect(hexOf(takeDukptKey(pin)?.ksn)).toBe('FFFF9876543210E00001');
    expect(hexOf(takeDukptKey(aesPin)?.transactionKey)).toBe('4F21B565BAD9835E112B6465635EAE44');
  });
});

// Own values of the protocol material, made by another program: card 4111 1111 1111 1111 under the X9.24 base key, KSN FFFF9876543210E00001.
const accountVectors = [
  ['AES', '5A', '4111111111111111', '974943135C4F50AB5AAA477FFD11BC46'],
  [
    'AES',
    '57',
    '4111111111111111D29121010000000000000F',
    'BEB0557077CE5BB2421DF35621263763879DD36ADC7C893CA719285D201D2BF0',
  ],
  ['TDES', '5A', '4111111111111111', 'D8016F4FDAC417D129250573393C0840'],
  ['TDES', '57', '4111111111111111D29121010000000000000F', '937CFDE113AFFF48A10B142A5EA0315B3F1172EC1469883F'],
] as const;

describe('account data', () => {
  const dataKey = tdesWorkingKey(tdesTransactionKey(tdesInitialKey(TDES_BASE_KEY, ksn), ksn), 'DATA_REQUEST');

  test.each(accountVectors)('under %s: tag %s is encrypted as a reader does it', (cipher, tag, value, encrypted) => {
    expect(hexOf(encryptAccountTag(dataKey, cipher, fromHex(tag), fromHex(value)))).toBe(encrypted);
  });

  test('that fill their blocks get no further block', () => {
    const value = fromHex('00'.repeat(14));
    expect(encryptAccountTag(dataKey, 'AES', fromHex('5A'), value)).toHaveLength(16);
    expect(encryptAccountTag(dataKey, 'TDES', fromHex('57'), value)).toHaveLength(16);
    expect(encryptAccountData(dataKey, 'AES', new TextEncoder().encode(';4111111111111111=2912?'))).toHaveLength(32);
  });

  test('come back under their own key', () => {
    const encrypted = encryptAccountTag(dataKey, 'AES', fromHex('5A'), fromHex('4111111111111111'));
    expect(hexOf(decryptAccountData(dataKey, 'AES', encrypted))).toBe('5A084111111111111111000000000000');
  });

  test('do not come back under the key of another transaction, or the PIN key of their own', () => {
    const encrypted = fromHex('974943135C4F50AB5AAA477FFD11BC46');
    const next = fromHex('FFFF9876543210E00002');
    const other = tdesWorkingKey(tdesTransactionKey(tdesInitialKey(TDES_BASE_KEY, next), next), 'DATA_REQUEST');
    for (const key of [other, pinKeyAt(ksn)]) {
      expect(hexOf(decryptAccountData(key, 'AES', encrypted))?.startsWith('5A08')).toBe(false);
    }
  });

  test.each([
    ['4111111111111111', '4111CCCCCCCC1111'],
    ['4111111111111111D29121010000000000000F', '4111CCCCCCCC1111DCCCCCCCCCCCCCCCCCCCCC'],
    ['378282246310005F', '3782CCCCCCC0005F'],
  ])('%s is masked as %s', (value, masked) => {
    expect(hexOf(maskedAccountValue(fromHex(value)))).toBe(masked);
  });
});

describe('PIN blocks', () => {
  const [pin, pan] = ['1234', '4012345678909'];
  const random = fromHex('2F69ADDE2E9E7ACE');

  test('of format 0 and 3 are opened by the issuer with the key of their serial number', () => {
    for (const clear of [pinBlockFormat0(pin, pan), pinBlockFormat3(pin, pan, fromHex('00112233445566778899'))]) {
      expect(openPinBlock(pinKeyAt(ksn), encryptPinBlock(pinKeyAt(ksn), clear), pan)).toBe(pin);
    }
  });

  test('of format 3 have the format, the length, the PIN and random digits from A to F in them', () => {
    const clear = pinBlockFormat3(pin, pan, fromHex('00010203040506070809'));
    const account = fromHex('0000401234567890');
    expect(hexOf(xorBytes(clear, account))).toBe('341234ABCDEFABCD');
  });

  test('of format 4 are opened by the issuer', () => {
    const block = encryptPinFormat4(fromHex('AF8CB133A78F8DC2D1359F18527593FB'), pin, '4111111111111111', random);
    expect(openPinFormat4(fromHex('AF8CB133A78F8DC2D1359F18527593FB'), block, '4111111111111111')).toBe(pin);
  });

  test.each(['1234', '12345', '123456789012'])('hold a PIN of any length: %s', (long) => {
    expect(openPinBlock(pinKeyAt(ksn), encryptPinBlock(pinKeyAt(ksn), pinBlockFormat0(long, pan)), pan)).toBe(long);
    const block = encryptPinFormat4(AES_BASE_KEY, long, pan, random);
    expect(openPinFormat4(AES_BASE_KEY, block, pan)).toBe(long);
  });

  test.each(['123', '1234567890123', '12a4', ''])('are not made of "%s"', (wrong) => {
    expect(() => pinBlockFormat0(wrong, pan)).toThrow('A PIN has 4 to 12 digits');
  });

  test('are not opened with a wrong base key', () => {
    const block = fromHex('1B9C1845EB993A7A');
    expect(openPinBlock(pinKeyAt(ksn), block, pan)).toBe(pin);
    expect(openPinBlock(pinKeyAt(ksn, withFlippedBit(TDES_BASE_KEY, 3, 1)), block, pan)).toBeUndefined();
  });

  test('are not opened with the serial number before, after, or that of the account data', () => {
    const block = fromHex('10A01C8D02C69107');
    for (const wrong of ['FFFF9876543210E00001', 'FFFF9876543210E00003', '629949012C0004600002']) {
      expect(openPinBlock(pinKeyAt(fromHex(wrong)), block, pan), wrong).toBeUndefined();
    }
  });

  test('of format 4 are not opened with the key of another transaction or for another account', () => {
    const key = fromHex('AF8CB133A78F8DC2D1359F18527593FB');
    const block = fromHex('A912150391AB65A67E52883D81CE2D15');
    expect(openPinFormat4(key, block, '4111111111111111')).toBe(pin);
    expect(openPinFormat4(fromHex('D30BDC73EC9714B000BEC66BDB7B6D09'), block, '4111111111111111')).toBeUndefined();
    expect(openPinFormat4(key, block, '5555555555554444')).toBeUndefined();
  });
});

// Published with the vectors of the fixture, by the same project (knovichikhin/pyemv, tests/test_kd_hsm.py, MIT): values of an HSM.
describe('card keys of more than sixteen digits', () => {
  const issuerKey = fromHex('0123456789ABCDEFFEDCBA9876543210');
  const data = fromHex('0123456789ABCDEF0123456789ABCDEF');

  test.each([
    ['12345678901234567', '45', '5760EE07B4FA65D1', '106B81D9'],
    ['12345678901234567', '00', '0BAA251EA8989442', 'C1C41F3A'],
    ['123456789012345679', '00', 'DC95BCE3EBBE0296', 'ECCA0C4B'],
    ['1234567890123456', '00', '0CE77D211CB5459A', '8CD9AA5D'],
  ])('by option B: account %s, sequence %s', (pan, sequence, arqc, arpc) => {
    const key = commonSessionKey(cardKeyOptionB(issuerKey, pan, sequence), fromHex('1234567890123456'));
    expect(hexOf(macOf(key, data, 'MARKED'))).toBe(arqc);
    expect(hexOf(arpcMethod2(key, fromHex(arqc), fromHex('00000000')))).toBe(arpc);
  });

  test('by option B when the hash has too few digits', () => {
    const key = commonSessionKey(cardKeyOptionB(issuerKey, '000000000000000005', '23'), fromHex('001C000000000000'));
    const signed = '0000000040000000000000000124800004800001241911050152BF45851800001C06011203A0B800';
    expect(hexOf(macOf(key, fromHex(signed), 'MARKED'))).toBe('8CAD6F2489C640B1');
    const arpc = arpcMethod2(key, fromHex('8CAD6F2489C640B1'), fromHex('00000000'), fromHex('12345678'));
    expect(hexOf(arpc)).toBe('E39F1876');
  });

  test('have odd parity in every byte', () => {
    const key = cardKeyOptionA(issuerKey, '4761739001010010', '01');
    for (const byte of key) expect(byte.toString(2).replaceAll('0', '').length % 2).toBe(1);
  });
});

describe('ciphers', () => {
  test('refuse keys of a wrong length and half blocks', () => {
    expect(() => encryptTdes(new Uint8Array(9), new Uint8Array(8))).toThrow('A DES key has 8, 16 or 24 bytes, not 9');
    expect(() => encryptAes(new Uint8Array(8), new Uint8Array(16))).toThrow('An AES key has 16, 24 or 32 bytes, not 8');
    expect(() => encryptTdes(new Uint8Array(16), new Uint8Array(7))).toThrow();
    expect(() => decryptAes(new Uint8Array(16), new Uint8Array(17))).toThrow();
  });

  test('refuse hex that is not whole bytes', () => {
    for (const wrong of ['0', '0G', '00 11', '0x00']) expect(() => fromHex(wrong), wrong).toThrow(RangeError);
  });
});
