// The keys that are in the virtual reader and in its test cards. All are published test keys; no money and no account stands behind them.

import { fromHex } from '../../../framing/bytes.ts';
import { aesInitialKey, aesTransactionKey, nextAesKsn } from './dukpt-aes.ts';
import { nextTdesKsn, tdesInitialKey, tdesTransactionKey } from './dukpt-tdes.ts';

/** A DUKPT key in a device: it goes on by a new state, and the key of a transaction is never told twice. */
export interface DukptState {
  readonly scheme: 'TDES' | 'AES';
  readonly initialKey: Uint8Array;
  /** the serial number that was used last; its counter is 0 in a new device */
  readonly ksn: Uint8Array;
}

/** The key of one transaction, with the state that has used it. */
export interface DukptStep {
  readonly state: DukptState;
  readonly ksn: Uint8Array;
  readonly transactionKey: Uint8Array;
}

/** The issuer's master key of all test cards (the one that public EMV test suites use). */
export const ISSUER_KEY = fromHex('0123456789ABCDEFFEDCBA9876543210');
/** Base key of account data and of TDES PIN blocks (ANSI X9.24-1 annex A.4). */
export const TDES_BASE_KEY = fromHex('0123456789ABCDEFFEDCBA9876543210');
/** Base key of AES PIN blocks (ANSI X9.24-3 test vectors). */
export const AES_BASE_KEY = fromHex('FEDCBA9876543210F1F1F1F1F1F1F1F1');

/** Account data and PIN blocks have keys of their own, so that nobody takes the serial number of one for that of the other. */
const accountKsn = fromHex('629949012C0004600000');
const pinKsn = fromHex('FFFF9876543210E00000');
const aesPinKsn = fromHex('123456789012345600000000');

/** The keys of a new virtual reader. */
export function newReaderKeys(): {
  readonly account: DukptState;
  readonly pin: DukptState;
  readonly aesPin: DukptState;
} {
  return {
    account: { scheme: 'TDES', initialKey: tdesInitialKey(TDES_BASE_KEY, accountKsn), ksn: accountKsn },
    pin: { scheme: 'TDES', initialKey: tdesInitialKey(TDES_BASE_KEY, pinKsn), ksn: pinKsn },
    aesPin: { scheme: 'AES', initialKey: aesInitialKey(AES_BASE_KEY, aesPinKsn.subarray(0, 8)), ksn: aesPinKsn },
  };
}

/** Goes on to the next transaction; undefined when the device has used up its keys. */
export function takeDukptKey(state: DukptState): DukptStep | undefined {
  const ksn = state.scheme === 'AES' ? nextAesKsn(state.ksn) : nextTdesKsn(state.ksn);
  if (ksn === undefined) return undefined;
  const derive = state.scheme === 'AES' ? aesTransactionKey : tdesTransactionKey;
  return { state: { ...state, ksn }, ksn, transactionKey: derive(state.initialKey, ksn) };
}
