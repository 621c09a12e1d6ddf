// What our functions make of the inputs of a published vector: one function per key of `expect`, by family of vectors.
import { concatBytes, fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { decryptAccountData } from '../../../drivers/virtual/neo2/crypto/account-data.ts';
import { encryptAes, encryptTdes, padWithZeros } from '../../../drivers/virtual/neo2/crypto/ciphers.ts';
import {
  type AesKeyType,
  type AesKeyUse,
  aesInitialKey,
  aesTransactionKey,
  aesWorkingKey,
  initialKeyData,
  workingKeyData,
} from '../../../drivers/virtual/neo2/crypto/dukpt-aes.ts';
import {
  counterOf,
  type TdesKeyUse,
  tdesInitialKey,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../../drivers/virtual/neo2/crypto/dukpt-tdes.ts';
import {
  applicationCryptogram,
  arpcMethod1,
  arpcMethod2,
} from '../../../drivers/virtual/neo2/crypto/emv-cryptograms.ts';
import { cardKeyOptionA, commonSessionKey, counterSessionKey } from '../../../drivers/virtual/neo2/crypto/emv-keys.ts';
import { macOf } from '../../../drivers/virtual/neo2/crypto/mac.ts';
import {
  encryptPinBlock,
  encryptPinFormat4,
  panField4,
  pinBlockFormat0,
  pinField4,
} from '../../../drivers/virtual/neo2/crypto/pin-block.ts';
import type { VectorItem } from './dukpt-fixture.ts';

type Check = (item: VectorItem) => unknown;
type Family = Readonly<Record<string, Check>>;

const textOf = ({ inputs, id }: VectorItem, key: string): string => {
  const value = inputs[key];
  if (typeof value !== 'string') throw new Error(`${id} has no input ${key}`);
  return value;
};
const bytes = (item: VectorItem, key: string) => fromHex(textOf(item, key));

const tdesInitial = (item: VectorItem) => tdesInitialKey(bytes(item, 'bdk'), bytes(item, 'ksn'));
const tdesKey = (item: VectorItem) => tdesTransactionKey(tdesInitial(item), bytes(item, 'ksn'));
const tdesUse = (item: VectorItem, use: TdesKeyUse) => tdesWorkingKey(tdesKey(item), use);
const clearPinBlock = (item: VectorItem) => pinBlockFormat0(textOf(item, 'pin'), textOf(item, 'pan'));
const message = (item: VectorItem) => new TextEncoder().encode(textOf(item, 'data'));
const encrypted =
  (use: TdesKeyUse): Check =>
  (item) =>
    toHex(encryptTdes(tdesUse(item, use), padWithZeros(message(item), 8)));
const tdesMac =
  (use: TdesKeyUse): Check =>
  (item) =>
    toHex(macOf(tdesUse(item, use), message(item), 'ZEROS'));

const tdes: Family = {
  initialKey: (item) => toHex(tdesInitial(item)),
  derivedKey: (item) => toHex(tdesKey(item)),
  pinKey: (item) => toHex(tdesUse(item, 'PIN')),
  macKey: (item) => toHex(tdesUse(item, 'MAC_REQUEST')),
  encryptedPinBlock: (item) => toHex(encryptPinBlock(tdesUse(item, 'PIN'), clearPinBlock(item))),
  transactionCounter: (item) => counterOf(bytes(item, 'ksn')),
  dataKeyRequest: (item) => toHex(tdesUse(item, 'DATA_REQUEST')),
  dataKeyResponse: (item) => toHex(tdesUse(item, 'DATA_RESPONSE')),
  encryptedRequest: encrypted('DATA_REQUEST'),
  encryptedResponse: encrypted('DATA_RESPONSE'),
  macRequest: tdesMac('MAC_REQUEST'),
  macResponse: tdesMac('MAC_RESPONSE'),
};

const idtech: Family = {
  dataKey: (item) => toHex(tdesUse(item, 'DATA_REQUEST')),
  plain: (item) => toHex(decryptAccountData(tdesUse(item, 'DATA_REQUEST'), 'AES', bytes(item, 'ciphertext'))),
};

const clearPin: Family = { pinBlock: (item) => toHex(clearPinBlock(item)) };

const keyIdOf = (item: VectorItem) =>
  'ksn' in item.inputs ? bytes(item, 'ksn').subarray(0, 8) : bytes(item, 'initialKeyId');
const aesInitial = (item: VectorItem) =>
  'initialKey' in item.inputs ? bytes(item, 'initialKey') : aesInitialKey(bytes(item, 'bdk'), keyIdOf(item));
const aesKey = (item: VectorItem) => aesTransactionKey(aesInitial(item), bytes(item, 'ksn'));
const aesUse =
  (use: AesKeyUse, type: AesKeyType): Check =>
  (item) =>
    toHex(aesWorkingKey(aesKey(item), bytes(item, 'ksn'), use, type));

const useNames: Readonly<Record<string, AesKeyUse>> = {
  pin: 'PIN',
  macGen: 'MAC_GENERATION',
  macVer: 'MAC_VERIFICATION',
  macBoth: 'MAC_BOTH',
  dataEnc: 'DATA_ENCRYPTION',
  dataDec: 'DATA_DECRYPTION',
  dataBoth: 'DATA_BOTH',
  kek: 'KEY_ENCRYPTION',
};

const allUses = (type: AesKeyType): Family => ({
  keys: (item) =>
    Object.fromEntries(
      Object.keys(item.expect.keys ?? {}).map((name) => {
        const use = useNames[name];
        if (use === undefined) throw new Error(`Nothing derives "${name}"`);
        return [name, aesUse(use, type)(item)];
      }),
    ),
});

const aes128: Family = {
  initialKey: (item) => toHex(aesInitial(item)),
  derivationData: (item) => toHex(initialKeyData(bytes(item, 'bdk'), keyIdOf(item))),
  derivationKey: (item) => toHex(aesKey(item)),
  pinKey: aesUse('PIN', 'AES_128'),
  derivationDataPin: (item) => toHex(workingKeyData(bytes(item, 'ksn'), 'PIN', 'AES_128')),
  ...allUses('AES_128'),
};

const aes256: Family = {
  derivationKey: (item) => toHex(aesKey(item)),
  pin: aesUse('PIN', 'AES_256'),
  macGen: aesUse('MAC_GENERATION', 'AES_256'),
  dataEnc: aesUse('DATA_ENCRYPTION', 'AES_256'),
};

const format4: Family = {
  pinField: (item) => toHex(pinField4(textOf(item, 'pin'), bytes(item, 'random'))),
  panField: (item) => toHex(panField4(textOf(item, 'pan'))),
  intermediateA: (item) =>
    toHex(encryptAes(bytes(item, 'pinKey'), pinField4(textOf(item, 'pin'), bytes(item, 'random')))),
  encryptedPinBlock: (item) =>
    toHex(encryptPinFormat4(bytes(item, 'pinKey'), textOf(item, 'pin'), textOf(item, 'pan'), bytes(item, 'random'))),
};

interface EmvWays {
  readonly key: 'MASTER' | 'DIVERSIFIED' | 'COUNTER';
  readonly padding: 'ZEROS' | 'MARKED';
  readonly arpc: 'METHOD_1' | 'METHOD_2';
  readonly arpcKey: 'MASTER' | 'SESSION';
}

const ten = ['9F02', '9F03', '9F1A', '95', '5F2A', '9A', '9C', '9F37', '82', '9F36'];
const tagOf = (item: VectorItem, tag: string): Uint8Array => {
  const value = Object.entries(item.inputs.tags ?? {}).find(([name]) => name === tag)?.[1];
  if (typeof value !== 'string') throw new Error(`${item.id} has no tag ${tag}`);
  return fromHex(value);
};

function signedDataOf(item: VectorItem): Uint8Array {
  if ('data' in item.inputs) return bytes(item, 'data');
  const own = 'cvr' in item.inputs ? bytes(item, 'cvr') : tagOf(item, '9F10');
  return concatBytes(...ten.map((tag) => tagOf(item, tag)), own);
}

function emv({ key, padding, arpc, arpcKey }: EmvWays): Family {
  const cardKey = (item: VectorItem) =>
    cardKeyOptionA(bytes(item, 'issuerMasterKey'), textOf(item, 'pan'), textOf(item, 'panSequence'));
  const sessionKey = (item: VectorItem) => {
    if (key === 'MASTER') return cardKey(item);
    return key === 'COUNTER'
      ? counterSessionKey(cardKey(item), tagOf(item, '9F36'))
      : commonSessionKey(cardKey(item), bytes(item, 'diversification'));
  };
  const arqc = (item: VectorItem) => applicationCryptogram(sessionKey(item), signedDataOf(item), padding);
  const answerKey = (item: VectorItem) => (arpcKey === 'MASTER' ? cardKey(item) : sessionKey(item));
  const rest = (item: VectorItem) => {
    if (arpc === 'METHOD_1') return bytes(item, 'arpcResponseCode');
    const own = 'proprietaryData' in item.inputs ? bytes(item, 'proprietaryData') : new Uint8Array();
    return concatBytes(bytes(item, 'csu'), own);
  };
  const answer = (item: VectorItem) =>
    arpc === 'METHOD_1'
      ? arpcMethod1(answerKey(item), arqc(item), rest(item))
      : arpcMethod2(answerKey(item), arqc(item), rest(item).subarray(0, 4), rest(item).subarray(4));
  return {
    cardMasterKey: (item) => toHex(cardKey(item)),
    sessionKey: (item) => toHex(sessionKey(item)),
    arqc: (item) => toHex(arqc(item)),
    arpc: (item) => toHex(answer(item)),
    issuerAuthenticationData91: (item) => toHex(concatBytes(answer(item), rest(item))),
  };
}

const method1 = { key: 'DIVERSIFIED', padding: 'MARKED', arpc: 'METHOD_1', arpcKey: 'MASTER' } as const;

/** Which family a vector belongs to, by its id; the first that matches. */
const families: readonly (readonly [ids: RegExp, family: Family])[] = [
  [/^tdes-/, tdes],
  [/^idtech-aes-data$/, idtech],
  [/^pinblock-format-0$/, clearPin],
  [/^aes-ik-128$|^aes128-(counter-|all-usages-)/, aes128],
  [/^aes128-tdea2-/, allUses('TDES_2_KEY')],
  [/^aes128-tdea3-/, allUses('TDES_3_KEY')],
  [/^aes256-/, aes256],
  [/^aes-pinblock-format-4-/, format4],
  [/^emv-arpc1-(pad00|nopad)$/, emv({ ...method1, padding: 'ZEROS' })],
  [/^emv-arpc1-session-key$/, emv({ ...method1, arpcKey: 'SESSION' })],
  [/^emv-arpc1-/, emv(method1)],
  [/^emv-arpc2/, emv({ ...method1, arpc: 'METHOD_2', arpcKey: 'SESSION' })],
  [/^emv-cvn10$/, emv({ key: 'MASTER', padding: 'ZEROS', arpc: 'METHOD_1', arpcKey: 'MASTER' })],
  [/^emv-cvn18$/, emv({ key: 'COUNTER', padding: 'MARKED', arpc: 'METHOD_2', arpcKey: 'SESSION' })],
];

/** Everything that `expect` of the vector names, computed. @throws Error on a vector or a key that nothing computes */
export function computed(item: VectorItem): Readonly<Record<string, unknown>> {
  const family = families.find(([ids]) => ids.test(item.id))?.[1];
  if (family === undefined) throw new Error(`Nothing computes the vector "${item.id}"`);
  return Object.fromEntries(
    Object.keys(item.expect).map((key) => {
      const check = family[key];
      if (check === undefined) throw new Error(`Nothing computes "${key}" of "${item.id}"`);
      return [key, check(item)];
    }),
  );
}

/** The computed values that are bytes, in whatever depth. */
export function hexValuesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(hexValuesOf) : [];
}
