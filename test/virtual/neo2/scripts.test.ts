import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { completeByChip } from '../../../drivers/virtual/neo2/card/chip-payment.ts';
import { type IssuerScript, runScript } from '../../../drivers/virtual/neo2/card/scripts.ts';
import { isGenuineCryptogram } from '../../../drivers/virtual/neo2/card/test-issuer.ts';
import { ISSUER_KEY } from '../../../drivers/virtual/neo2/crypto/test-keys.ts';
import { answerTo, cardOf, paymentWith, tagHex } from './support.ts';

// The contents of the scripts that the fixture's project quotes for Mastercard (PIN unblock, PIN change), without the tag 72 and its length.
const PIN_UNBLOCK = '9F180400000000860D8424000008ED0AB162BAB1DE61';
const PIN_CHANGE = '9F1804000000008615842400021000859B8FE53F316DED0AB162BAB1DE61';

const script = (hex: string, when: IssuerScript['when'] = 'AFTER'): IssuerScript => ({ when, bytes: fromHex(hex) });

function endWith(scripts: readonly IssuerScript[], responseCode = '00') {
  const card = cardOf('mastercard-chip');
  const { input, authorization } = paymentWith(card);
  const answer = answerTo(card, authorization, responseCode);
  const end = completeByChip(input, authorization, { kind: 'ANSWERED', responseCode, answer, scripts });
  return { card, end, told: (tag: string) => tagHex(end.tags, tag) };
}

describe('an issuer script', () => {
  test.each([PIN_UNBLOCK, PIN_CHANGE])('%s is run', (hex) => {
    expect(runScript(script(hex))).toEqual({ isDone: true, result: fromHex('2000000000') });
  });

  test('is told with its own id', () => {
    const { result } = runScript(script(PIN_UNBLOCK.replace('9F180400000000', '9F1804CAFE0001')));
    expect(toHex(result)).toBe('20CAFE0001');
  });

  test('may have no id', () => {
    expect(toHex(runScript(script('860D8424000008ED0AB162BAB1DE61')).result)).toBe('2000000000');
  });

  test('stops at the first command that the chip does not take, and names it', () => {
    const taken = '86058418000000';
    const unknown = '86058499000000';
    const open = '86050018000000';
    expect(toHex(runScript(script(taken + unknown + taken)).result)).toBe('1200000000');
    expect(toHex(runScript(script(open)).result)).toBe('1100000000');
    expect(toHex(runScript(script(taken.repeat(20) + unknown)).result)).toBe('1F00000000');
  });

  test('stops at a command whose own length is another than it has', () => {
    for (const data of ['', '0000']) {
      const length = (5 + data.length / 2).toString(16).padStart(2, '0');
      expect(toHex(runScript(script(`86${length}8418000001${data}`)).result), data).toBe('1100000000');
    }
    expect(runScript(script('8606841800000100')).isDone).toBe(true);
  });

  test('that is cut anywhere is not done', () => {
    const whole = fromHex(PIN_CHANGE);
    for (let length = 0; length < whole.length; length++) {
      expect(runScript({ when: 'AFTER', bytes: whole.subarray(0, length) }).isDone, `${length} bytes`).toBe(false);
    }
  });

  test('may have a command of more than 127 bytes', () => {
    expect(runScript(script(`8681858404DA0080${'00'.repeat(128)}`)).isDone).toBe(false);
    expect(runScript(script(`86818584DA000080${'00'.repeat(128)}`)).isDone).toBe(true);
  });
});

describe('a payment with scripts', () => {
  test('tells that they were run, and a result for each, those before the cryptogram first', () => {
    const late = script(PIN_UNBLOCK.replace('9F180400000000', '9F180400000072'));
    const early = script(PIN_UNBLOCK.replace('9F180400000000', '9F180400000071'), 'BEFORE');
    const { end, told } = endWith([late, early]);
    expect([end.decision, told('9F5B'), told('9B'), told('95')]).toEqual([
      'APPROVED',
      '20000000712000000072',
      '7C00',
      '8000048000',
    ]);
  });

  test('tells nothing of scripts when there were none', () => {
    const { told } = endWith([]);
    expect([told('9F5B'), told('9B')]).toEqual([undefined, '7800']);
  });

  test('is approved although one failed, and tells which: before the cryptogram', () => {
    const { card, end, told } = endWith([script('00', 'BEFORE')]);
    expect([end.decision, told('95'), told('9F5B')]).toEqual(['APPROVED', '8000048020', '1000000000']);
    expect(isGenuineCryptogram(card, ISSUER_KEY, end.tags)).toBe(true);
  });

  test('signs before a script that comes after the cryptogram: its failure is told and not signed', () => {
    const { card, end, told } = endWith([script('00')]);
    expect([end.decision, told('95'), told('9F5B')]).toEqual(['APPROVED', '8000048010', '1000000000']);
    expect(isGenuineCryptogram(card, ISSUER_KEY, end.tags)).toBe(false);
    expect(isGenuineCryptogram(card, ISSUER_KEY, end.cryptogram.signed)).toBe(true);
  });

  test('runs them for a declined payment, too', () => {
    const { end, told } = endWith([script(PIN_UNBLOCK)], '51');
    expect([end.decision, told('9F5B')]).toEqual(['DECLINED', '2000000000']);
  });
});
