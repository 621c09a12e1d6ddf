import { describe, expect, it } from 'vitest';
import { Secret } from '../../../app/domain/secret.ts';
import { fromHex } from '../../../drivers/framing/bytes.ts';
import type { NeoCommand } from '../../../drivers/neo2/codec/command-types.ts';
import { aesTransactionKey, aesWorkingKey } from '../../../drivers/virtual/neo2/crypto/dukpt-aes.ts';
import { tdesTransactionKey, tdesWorkingKey } from '../../../drivers/virtual/neo2/crypto/dukpt-tdes.ts';
import { openPinBlock, openPinFormat4 } from '../../../drivers/virtual/neo2/crypto/pin-block.ts';
import { newReaderKeys } from '../../../drivers/virtual/neo2/crypto/test-keys.ts';
import { vector } from '../../support/vectors.ts';
import { answerOf, createReaderBench, type ReaderBench, tap, told, untilCryptogram } from './reader-bench.ts';

const OWN_PIN: NeoCommand = {
  type: 'get-encrypted-pin',
  keyUse: 'DUKPT_OWN_PAN',
  maxDigits: 12,
  minDigits: 4,
  prompt: 'PIN',
};
const PAN = '4761739001010010';

function pinOf(outputs: Parameters<typeof answerOf>[0]) {
  const answer = answerOf(outputs, 'get-encrypted-pin');
  if (answer.type !== 'pin') throw new Error(`The answer is a ${answer.type}`);
  return { state: answer.state, pin: answer.pin };
}

function stateOf(outputs: Parameters<typeof answerOf>[0], answerTo: NeoCommand['type']) {
  const answer = answerOf(outputs, answerTo);
  return answer.type === 'pin' || answer.type === 'amount' || answer.type === 'function-key' ? answer : answer.type;
}

/** Everything that happened since the command, the last answer last. */
function askWhileOnline(bench: ReaderBench) {
  untilCryptogram(bench);
  return bench.till(OWN_PIN);
}

describe('the PIN pad of a virtual reader', () => {
  it('acknowledges, and gives the PIN of the card that was read under a key of its own', () => {
    const bench = createReaderBench();
    expect(told(askWhileOnline(bench))).toEqual(['6200']);
    expect(bench.view().state).toBe('WAITING_FOR_PIN');
    const { pin } = pinOf(bench.expire('think'));
    expect(pin).toMatchObject({ keyScheme: 'TDES_DUKPT', format: 0 });
    const ksn = fromHex(pin?.ksn?.reveal() ?? '');
    const key = tdesWorkingKey(tdesTransactionKey(newReaderKeys().pin.initialKey, ksn), 'PIN');
    expect(openPinBlock(key, fromHex(pin?.pinBlock.reveal() ?? ''), PAN)).toBe('1234');
    expect(bench.entries().at(-1)).toMatchObject({ kind: 'PIN_SEALED', key: 'pin', ksn: pin?.ksn?.reveal() });
    expect(bench.view().state).toBe('WAITING_FOR_ISSUER');
  });

  it('gives format 4 under an AES key', () => {
    const bench = createReaderBench({ encryption: 'AES' });
    askWhileOnline(bench);
    const { pin } = pinOf(bench.expire('think'));
    expect(pin).toMatchObject({ keyScheme: 'AES_DUKPT', format: 4 });
    const ksn = fromHex(pin?.ksn?.reveal() ?? '');
    const key = aesWorkingKey(aesTransactionKey(newReaderKeys().aesPin.initialKey, ksn), ksn, 'PIN', 'AES_128');
    expect(openPinFormat4(key, fromHex(pin?.pinBlock.reveal() ?? ''), PAN)).toBe('1234');
  });

  it('takes the PIN of a tapped card after its one answer, and of a number that the till gives', () => {
    const bench = createReaderBench();
    tap(bench);
    bench.till(OWN_PIN);
    expect(pinOf(bench.expire('think')).state).toBe(0);
    bench.till({ ...OWN_PIN, keyUse: 'DUKPT_GIVEN_PAN', pan: new Secret(PAN) });
    expect(pinOf(bench.expire('think')).state).toBe(0);
    expect(bench.kinds()).toEqual(['CARD_READ', 'PIN_SEALED', 'PIN_SEALED']);
  });

  it('types what a person types', () => {
    const bench = createReaderBench({ isManual: true });
    askWhileOnline(bench);
    bench.press('9', '8', '7', 'OK');
    expect(bench.view()).toMatchObject({ state: 'WAITING_FOR_PIN', display: ['PIN', '***'] });
    const { pin } = pinOf(bench.press('CORR', '7', '6', 'OK'));
    const ksn = fromHex(pin?.ksn?.reveal() ?? '');
    const key = tdesWorkingKey(tdesTransactionKey(newReaderKeys().pin.initialKey, ksn), 'PIN');
    expect(openPinBlock(key, fromHex(pin?.pinBlock.reveal() ?? ''), PAN)).toBe('9876');
  });

  it('says by its state who ended the entry, and why there is none', () => {
    const bench = createReaderBench({ isManual: true });
    expect(pinOf(bench.till(OWN_PIN)).state).toBe(0x04);
    expect(pinOf(bench.till({ ...OWN_PIN, keyUse: 'SESSION_KEY_OWN_PAN' })).state).toBe(0x05);
    askWhileOnline(bench);
    expect(pinOf(bench.press('STOP')).state).toBe(0x01);
    bench.till(OWN_PIN);
    const cancelled = bench.bytes(vector('pin-cancel'));
    expect(told(cancelled)).toEqual(['6200', '6200']);
    expect(pinOf(cancelled).state).toBe(0x02);
    bench.till(OWN_PIN);
    expect(told(bench.expire('entry'))).toEqual(['6208']);
    expect(bench.view().state).toBe('WAITING_FOR_ISSUER');
  });

  it('ends an entry by a cancel of the card step, too', () => {
    const bench = createReaderBench({ isManual: true });
    askWhileOnline(bench);
    expect(told(bench.bytes(vector('ping')))).toEqual(['180B']);
    expect(told(bench.bytes(vector('cancel')))).toEqual(['6200', '0500']);
    expect(bench.view().state).toBe('IDLE');
    expect(bench.book().steps).toMatchObject([{ end: 'ABANDONED' }]);
  });

  it('reports a function key, and digits of an amount', () => {
    const bench = createReaderBench({ isManual: true });
    expect(told(bench.bytes(vector('function-key')))).toEqual(['6200']);
    expect(stateOf(bench.press('F1'), 'get-function-key')).toMatchObject({ state: 0, key: 'F1' });
    bench.till({ type: 'get-amount', minDigits: 1, maxDigits: 4, prompt: 'TIP' });
    expect(stateOf(bench.press('2', '5', '0', 'OK'), 'get-amount')).toMatchObject({ state: 0, digits: '250' });
    bench.till({ type: 'get-amount', minDigits: 1, maxDigits: 4, prompt: 'TIP' });
    expect(stateOf(bench.press('STOP'), 'get-amount')).toMatchObject({ state: 1 });
  });

  it('answers by itself when nobody is there', () => {
    const bench = createReaderBench();
    bench.till({ type: 'get-function-key' });
    expect(stateOf(bench.expire('think'), 'get-function-key')).toMatchObject({ key: 'ENTER' });
    bench.till({ type: 'get-amount', minDigits: 2, maxDigits: 8, prompt: 'TIP' });
    expect(stateOf(bench.expire('think'), 'get-amount')).toMatchObject({ digits: '1234' });
  });
});
