// What leaves the reader of a card and its PIN: sealed under the key of one transaction.

import { fromHex } from '../../../framing/bytes.ts';
import { type AccountCipher, encryptAccountTag, maskedAccountValue } from './account-data.ts';
import { aesWorkingKey } from './dukpt-aes.ts';
import { tdesWorkingKey } from './dukpt-tdes.ts';
import { encryptPinBlock, encryptPinFormat4, pinBlockFormat0 } from './pin-block.ts';
import type { DukptStep } from './test-keys.ts';

/** How the value of a tag travels: as it is, with the middle of the number masked (A1), or encrypted (C1). */
export interface SealedTag {
  readonly tag: string;
  readonly form: 'CLEAR' | 'MASKED' | 'ENCRYPTED';
  readonly value: Uint8Array;
}

export interface SealedPin {
  readonly format: 'ISO_0' | 'ISO_4';
  readonly ksn: Uint8Array;
  readonly block: Uint8Array;
}

/** Tags with an account number in them: the number, and the chip's images of track 2. */
const ACCOUNT_TAGS: ReadonlySet<string> = new Set(['5A', '57', '9F6B']);

/** The key of the account data of this transaction, for the requests of the reader. */
export function accountKeyOf({ state, ksn, transactionKey }: DukptStep, cipher: AccountCipher): Uint8Array {
  // A TDES DUKPT key of 16 bytes is used as an AES key as it is.
  if (state.scheme === 'TDES') return tdesWorkingKey(transactionKey, 'DATA_REQUEST');
  return aesWorkingKey(transactionKey, ksn, 'DATA_ENCRYPTION', cipher === 'AES' ? 'AES_128' : 'TDES_2_KEY');
}

/** The tags as the reader tells them: each one with an account number comes twice, masked and encrypted, and never in the clear. */
export function sealTags(
  tags: Iterable<readonly [tag: string, value: Uint8Array]>,
  step: DukptStep,
  cipher: AccountCipher,
): readonly SealedTag[] {
  const key = accountKeyOf(step, cipher);
  return [...tags].flatMap(([tag, value]): readonly SealedTag[] => {
    if (!ACCOUNT_TAGS.has(tag)) return [{ tag, form: 'CLEAR', value }];
    return [
      { tag, form: 'MASKED', value: maskedAccountValue(value) },
      { tag, form: 'ENCRYPTED', value: encryptAccountTag(key, cipher, fromHex(tag), value) },
    ];
  });
}

/** The PIN as the reader tells it: format 0 under a TDES key, format 4 under an AES key. @param random 8 bytes, for format 4 */
export function sealPin(
  { state, ksn, transactionKey }: DukptStep,
  { pin, pan, random }: { readonly pin: string; readonly pan: string; readonly random: Uint8Array },
): SealedPin {
  if (state.scheme === 'TDES') {
    const block = encryptPinBlock(tdesWorkingKey(transactionKey, 'PIN'), pinBlockFormat0(pin, pan));
    return { format: 'ISO_0', ksn, block };
  }
  const key = aesWorkingKey(transactionKey, ksn, 'PIN', 'AES_128');
  return { format: 'ISO_4', ksn, block: encryptPinFormat4(key, pin, pan, random) };
}
