// DUKPT with AES keys (ANSI X9.24-3). A key serial number (KSN) has 12 bytes: the id of the initial key (8), then a counter of 32 bits.
import { concatBytes } from '../../../framing/bytes.ts';
import { AES_BLOCK_BYTES, encryptAes } from './ciphers.ts';

const AES_KSN_BYTES = 12;
const KEY_ID_BYTES = 8;
const COUNTER_BITS = 32;
const MAX_COUNTER = 2 ** COUNTER_BITS - 1;
/** A counter with more bits set is left out (X9.24-3 6.2). */
const MAX_COUNTER_ONES = 16;

/** What a working key is used for (X9.24-3 table 2). */
export type AesKeyUse =
  | 'KEY_ENCRYPTION'
  | 'PIN'
  | 'MAC_GENERATION'
  | 'MAC_VERIFICATION'
  | 'MAC_BOTH'
  | 'DATA_ENCRYPTION'
  | 'DATA_DECRYPTION'
  | 'DATA_BOTH';

const DERIVATION_USE = 0x8000;
const INITIAL_KEY_USE = 0x8001;
const useCodes: Readonly<Record<AesKeyUse, number>> = {
  KEY_ENCRYPTION: 0x0002,
  PIN: 0x1000,
  MAC_GENERATION: 0x2000,
  MAC_VERIFICATION: 0x2001,
  MAC_BOTH: 0x2002,
  DATA_ENCRYPTION: 0x3000,
  DATA_DECRYPTION: 0x3001,
  DATA_BOTH: 0x3002,
};

/** The cipher that a working key is for (X9.24-3 table 3). */
export type AesKeyType = 'TDES_2_KEY' | 'TDES_3_KEY' | 'AES_128' | 'AES_192' | 'AES_256';

const keyTypes: Readonly<Record<AesKeyType, { readonly code: number; readonly bits: number }>> = {
  TDES_2_KEY: { code: 0, bits: 128 },
  TDES_3_KEY: { code: 1, bits: 192 },
  AES_128: { code: 2, bits: 128 },
  AES_192: { code: 3, bits: 192 },
  AES_256: { code: 4, bits: 256 },
};

/** The key that is put into a device, as long as the base key. @param keyId 8 bytes */
export function aesInitialKey(baseKey: Uint8Array, keyId: Uint8Array): Uint8Array {
  return derive(baseKey, aesDerivationData(INITIAL_KEY_USE, aesTypeOf(baseKey), keyId), aesTypeOf(baseKey));
}

/** The key of one transaction, of which the working keys are made: one derivation for each bit of the counter, the highest first. */
export function aesTransactionKey(initialKey: Uint8Array, ksn: Uint8Array): Uint8Array {
  const counter = aesCounterOf(ksn);
  const type = aesTypeOf(initialKey);
  let key = initialKey;
  let reached = 0;
  for (let bit = 2 ** (COUNTER_BITS - 1); bit >= 1; bit /= 2) {
    if (Math.floor(counter / bit) % 2 === 0) continue;
    reached += bit;
    key = derive(key, aesDerivationData(DERIVATION_USE, type, contextOf(ksn, reached)), type);
  }
  return key;
}

/** The key for one use and cipher. */
export function aesWorkingKey(
  transactionKey: Uint8Array,
  ksn: Uint8Array,
  use: AesKeyUse,
  type: AesKeyType,
): Uint8Array {
  return derive(transactionKey, workingKeyData(ksn, use, type), type);
}

/** The derivation data of a working key (its first block). */
export function workingKeyData(ksn: Uint8Array, use: AesKeyUse, type: AesKeyType): Uint8Array {
  return aesDerivationData(useCodes[use], type, contextOf(ksn, aesCounterOf(ksn)));
}

/** The derivation data of an initial key (its first block). */
export function initialKeyData(baseKey: Uint8Array, keyId: Uint8Array): Uint8Array {
  return aesDerivationData(INITIAL_KEY_USE, aesTypeOf(baseKey), keyId);
}

/** The serial number of the next transaction; undefined when the device has used up its keys and takes no payment any more. */
export function nextAesKsn(ksn: Uint8Array): Uint8Array | undefined {
  let counter = aesCounterOf(ksn) + 1;
  while (onesOf(counter) > MAX_COUNTER_ONES) counter += lowestBit(counter);
  if (counter > MAX_COUNTER) return undefined;
  return concatBytes(ksn.subarray(0, KEY_ID_BYTES), fourBytes(counter));
}

/** The counter of a serial number. @throws RangeError unless it has 12 bytes */
export function aesCounterOf(ksn: Uint8Array): number {
  if (ksn.length !== AES_KSN_BYTES) throw new RangeError(`An AES KSN has ${AES_KSN_BYTES} bytes, not ${ksn.length}`);
  return ksn.subarray(KEY_ID_BYTES).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Version, number of the block (1, counted up by derive), use, cipher, length of the key in bits, context. */
function aesDerivationData(use: number, type: AesKeyType, context: Uint8Array): Uint8Array {
  const { code, bits } = keyTypes[type];
  return concatBytes(Uint8Array.of(1, 1, use >> 8, use & 0xff, 0, code, bits >> 8, bits & 0xff), context);
}

function contextOf(ksn: Uint8Array, counter: number): Uint8Array {
  return concatBytes(ksn.subarray(KEY_ID_BYTES / 2, KEY_ID_BYTES), fourBytes(counter));
}

function derive(key: Uint8Array, data: Uint8Array, type: AesKeyType): Uint8Array {
  const bytes = keyTypes[type].bits / 8;
  const blocks = Array.from({ length: Math.ceil(bytes / AES_BLOCK_BYTES) }, (_, index) =>
    encryptAes(
      key,
      data.map((byte, at) => (at === 1 ? index + 1 : byte)),
    ),
  );
  return concatBytes(...blocks).slice(0, bytes);
}

function aesTypeOf(key: Uint8Array): AesKeyType {
  if (key.length === 16) return 'AES_128';
  if (key.length === 24) return 'AES_192';
  if (key.length === 32) return 'AES_256';
  throw new RangeError(`An AES key has 16, 24 or 32 bytes, not ${key.length}`);
}

function fourBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

// Counters of 32 bits are too wide for JavaScript's signed bit operations.
function onesOf(value: number): number {
  let ones = 0;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}

function lowestBit(value: number): number {
  let bit = 1;
  while (Math.floor(value / bit) % 2 === 0) bit *= 2;
  return bit;
}
