// DUKPT with TDES keys (ANSI X9.24-1). A key serial number (KSN) has 10 bytes: key set and device, then a counter of 21 bits.
import { concatBytes } from '../../../framing/bytes.ts';
import { encryptTdes, xorBytes } from './ciphers.ts';

const TDES_KSN_BYTES = 10;
const COUNTER_BITS = 21;
const COUNTER_MASK = 2 ** COUNTER_BITS - 1;
/** A counter with more bits set is left out, so that no key takes more than ten derivations (X9.24-1 A.2). */
const MAX_COUNTER_ONES = 10;

const keyMask = Uint8Array.of(0xc0, 0xc0, 0xc0, 0xc0, 0, 0, 0, 0, 0xc0, 0xc0, 0xc0, 0xc0, 0, 0, 0, 0);

/** What a transaction key is used for; each has its own variant of the key (X9.24-1 A.4.1). */
export type TdesKeyUse = 'PIN' | 'MAC_REQUEST' | 'MAC_RESPONSE' | 'DATA_REQUEST' | 'DATA_RESPONSE';

/** The byte of each half that a use changes. */
const variantByte: Readonly<Record<TdesKeyUse, number>> = {
  PIN: 7,
  MAC_REQUEST: 6,
  MAC_RESPONSE: 4,
  DATA_REQUEST: 5,
  DATA_RESPONSE: 3,
};

/** The key that is put into a device (X9.24-1 A.6). @param baseKey 16 bytes @param ksn the counter in it does not matter */
export function tdesInitialKey(baseKey: Uint8Array, ksn: Uint8Array): Uint8Array {
  const register = withCounter(ksn, 0).subarray(0, 8);
  return concatBytes(encryptTdes(baseKey, register), encryptTdes(xorBytes(baseKey, keyMask), register));
}

/** The key of one transaction, of which the variants are made: one derivation for each bit of the counter, the highest first. */
export function tdesTransactionKey(initialKey: Uint8Array, ksn: Uint8Array): Uint8Array {
  const counter = counterOf(ksn);
  let key = initialKey;
  let reached = 0;
  for (let bit = 2 ** (COUNTER_BITS - 1); bit > 0; bit = Math.floor(bit / 2)) {
    if ((counter & bit) === 0) continue;
    reached |= bit;
    key = nonReversible(key, withCounter(ksn, reached).subarray(2));
  }
  return key;
}

/** The key for one use. Data keys are one-way besides: each half of the variant is encrypted by the whole of it. */
export function tdesWorkingKey(transactionKey: Uint8Array, use: TdesKeyUse): Uint8Array {
  const at = variantByte[use];
  const variant = transactionKey.map((byte, index) => (index % 8 === at ? byte ^ 0xff : byte));
  if (use !== 'DATA_REQUEST' && use !== 'DATA_RESPONSE') return variant;
  return concatBytes(encryptTdes(variant, variant.subarray(0, 8)), encryptTdes(variant, variant.subarray(8)));
}

/** The serial number of the next transaction; undefined when the device has used up its keys and takes no payment any more. */
export function nextTdesKsn(ksn: Uint8Array): Uint8Array | undefined {
  let counter = counterOf(ksn) + 1;
  // From here to the next counter with few enough bits it is the lowest set bit that has to be carried.
  while (onesOf(counter) > MAX_COUNTER_ONES) counter += counter & -counter;
  return counter > COUNTER_MASK ? undefined : withCounter(ksn, counter);
}

/** The counter of a serial number. @throws RangeError unless it has 10 bytes */
export function counterOf(ksn: Uint8Array): number {
  if (ksn.length !== TDES_KSN_BYTES) throw new RangeError(`A KSN has ${TDES_KSN_BYTES} bytes, not ${ksn.length}`);
  const tail = ((ksn[7] ?? 0) << 16) | ((ksn[8] ?? 0) << 8) | (ksn[9] ?? 0);
  return tail & COUNTER_MASK;
}

function withCounter(ksn: Uint8Array, counter: number): Uint8Array {
  const kept = (ksn[7] ?? 0) & ~(COUNTER_MASK >> 16);
  return concatBytes(ksn.subarray(0, 7), Uint8Array.of(kept | (counter >> 16), (counter >> 8) & 0xff, counter & 0xff));
}

/** X9.24-1 A.2, "non-reversible key generation": each half is DES by the left half of the key, between two additions of the right one. */
function nonReversible(key: Uint8Array, register: Uint8Array): Uint8Array {
  return concatBytes(halfOf(xorBytes(key, keyMask), register), halfOf(key, register));
}

function halfOf(key: Uint8Array, register: Uint8Array): Uint8Array {
  const right = key.subarray(8);
  return xorBytes(encryptTdes(key.subarray(0, 8), xorBytes(register, right)), right);
}

function onesOf(value: number): number {
  let ones = 0;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}
