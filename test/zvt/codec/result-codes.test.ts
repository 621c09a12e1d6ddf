import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeMessage } from '../../../drivers/zvt/codec/messages.ts';
import { RESULT_CODES } from '../../../drivers/zvt/codec/result-code-table.ts';
import { type AskedPayment, judgePayment, judgeResultCode } from '../../../drivers/zvt/codec/result-codes.ts';
import { progressOf, TERMINAL_STATUS, terminalStatusOf } from '../../../drivers/zvt/codec/status-tables.ts';
import { bytesOf, SEED } from './support.ts';

function judge(hex: string, asked?: AskedPayment) {
  const message = decodeMessage(bytesOf(hex));
  if (message.type !== 'status-information') throw new Error(`decoded as ${message.type}`);
  return judgePayment(message, asked);
}

describe('the result of a payment', () => {
  test('is approved with 27 00 and the amount and currency that were asked for', () => {
    const status = '04 0F 0C 27 00 04 00 00 00 00 12 34 49 09 78';
    expect(judge(status, { amountMinor: 1234, currency: '978' })).toMatchObject({ kind: 'approved' });
    expect(judge(status, { amountMinor: 1235, currency: '978' })).toMatchObject({
      kind: 'mismatch',
      reason: 'AMOUNT_DIFFERS',
    });
    expect(judge(status, { amountMinor: 1234, currency: '840' })).toMatchObject({
      kind: 'mismatch',
      reason: 'CURRENCY_DIFFERS',
    });
  });

  test('is approved without an amount, since nothing contradicts it', () => {
    expect(judge('04 0F 02 27 00', { amountMinor: 1234, currency: '978' })).toMatchObject({ kind: 'approved' });
  });

  test('is unknown without a result code', () => {
    expect(judge('04 0F 07 04 00 00 00 00 12 34')).toMatchObject({ kind: 'unknown', reason: 'NO_RESULT_CODE' });
  });

  test('is unknown when the result or the amount says two things', () => {
    expect(judge('04 0F 04 27 00 27 33')).toMatchObject({ kind: 'unknown', reason: 'UNREADABLE_FIELD' });
    expect(judge('04 0F 10 27 00 04 00 00 00 00 12 34 04 00 00 00 00 12 35')).toMatchObject({ kind: 'unknown' });
    expect(judge('04 0F 04 27 00 27 00')).toMatchObject({ kind: 'approved' });
  });

  test('is unknown when the amount is no decimal number', () => {
    expect(judge('04 0F 09 27 00 04 00 00 00 00 1A 34')).toMatchObject({ kind: 'unknown', reason: 'UNREADABLE_FIELD' });
  });

  test('is no approval for any code but 00, alone or in a status information', () => {
    for (let code = 1; code <= 0xff; code++) {
      expect(judgeResultCode(code, 'binary').kind).not.toBe('approved');
      expect(judgeResultCode(code, 'bcd').kind).not.toBe('approved');
    }
  });

  test('gives issuer codes 01 to 99 as two decimal digits', () => {
    for (let code = 1; code <= 99; code++) {
      expect(judgeResultCode(code)).toMatchObject({ kind: 'declined', responseCode: String(code).padStart(2, '0') });
    }
    expect(judgeResultCode(0x33).responseCode).toBe('51');
    expect(judgeResultCode(0x64).responseCode).toBeUndefined();
  });

  test('gives issuer codes as their digits where the terminal sends BCD', () => {
    expect(judgeResultCode(0x51, 'bcd')).toMatchObject({ kind: 'declined', responseCode: '51' });
    expect(judgeResultCode(0x05, 'bcd')).toMatchObject({ kind: 'declined', responseCode: '05' });
    expect(judgeResultCode(0x1a, 'bcd')).toMatchObject({ kind: 'declined' });
    expect(judgeResultCode(0x1a, 'bcd').responseCode).toBeUndefined();
    expect(judgeResultCode(0x6c, 'bcd')).toMatchObject({ kind: 'cancelled' });
    expect(judgeResultCode(0x91, 'bcd')).toMatchObject({ kind: 'declined', responseCode: '91' });
  });

  test('is cancelled only by 6C', () => {
    const cancelled = [...RESULT_CODES].filter(([, { kind }]) => kind === 'cancelled').map(([code]) => code);
    expect(cancelled).toEqual([0x6c]);
  });

  test('names every code the protocol digest lists', () => {
    const listed =
      '64 65 66 67 68 6A 6B 6C 6E 6F 71 72 73 74 75 77 78 79 7A 7B 7C 7E 7D 83 85 89 9A 9B 9C A0 A1 A3 A5 B1 B2 B4 B5 ' +
      'B7 B8 BF C2 C3 C5 C6 C8 C9 CC CD DC E0 E4 F0 FC FF';
    for (const code of bytesOf(listed)) expect(RESULT_CODES.has(code)).toBe(true);
    expect(new Set([...RESULT_CODES.values()].map(({ reason }) => reason)).size).toBe(RESULT_CODES.size);
  });

  test('says what an unlisted code was', () => {
    expect(judgeResultCode(0xee)).toMatchObject({ kind: 'failed', meaning: 'The terminal reported EE.' });
  });

  test('is never approved for any status information without 27 00', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (data) => {
        const message = decodeMessage(Uint8Array.from([0x04, 0x0f, data.length, ...data]));
        if (message.type !== 'status-information') return;
        const hasApproval = data.some((byte, index) => byte === 0x27 && data[index + 1] === 0x00);
        if (judgePayment(message).kind === 'approved') expect(hasApproval).toBe(true);
      }),
      { seed: SEED, numRuns: 5000 },
    );
  });
});

describe('the intermediate status', () => {
  test.each([
    [0x00, 'waiting-for-amount-confirmation'],
    [0x01, 'enter-pin'],
    [0x04, 'waiting-for-host'],
    [0x05, 'auto-reversal'],
    [0x0a, 'waiting-for-card'],
    [0x0b, 'remove-card'],
    [0x0e, 'processing'],
    [0x0f, 'end-of-day'],
    [0x15, 'wrong-pin'],
    [0x1c, 'approved-shown'],
    [0x1d, 'declined-shown'],
    [0x26, 'select'],
    [0x2c, 'select'],
    [0x68, 'card-inserted'],
    [0xd2, 'connecting'],
    [0xff, 'text'],
  ])('%i is %s', (status, kind) => {
    expect(progressOf(status).kind).toBe(kind);
  });

  test('41 to 67 mean the same as 40 less, and that the card should be removed', () => {
    for (let status = 0x41; status <= 0x67; status++) {
      expect(progressOf(status).kind).toBe(progressOf(status - 0x40).kind);
      expect(progressOf(status).shouldRemoveCard).toBe(true);
    }
    expect(progressOf(0x40).shouldRemoveCard).toBe(false);
    expect(progressOf(0x68).shouldRemoveCard).toBe(false);
    expect(progressOf(0x0b).shouldRemoveCard).toBe(true);
  });

  test('has words for every byte', () => {
    for (let status = 0; status <= 0xff; status++) expect(progressOf(status).meaning).not.toBe('');
  });
});

describe('the terminal status', () => {
  test.each([
    [0x00, 'none'],
    [0x51, 'initialise'],
    [0x62, 'diagnose'],
    [0x9c, 'wait'],
    [0x9d, 'wait'],
    [0xb1, 'ask-for-day-close'],
    [0xb2, 'ask-for-day-close'],
    [0xc2, 'diagnose'],
    [0xcc, 'check-printer'],
    [0xdc, 'remove-card'],
    [0xdf, 'service'],
    [0xe1, 'remove-card'],
    [0xf0, 'ask-for-day-close'],
    [0xf6, 'wait'],
  ])('%i asks for %s', (status, action) => {
    expect(terminalStatusOf(status).action).toBe(action);
    expect(TERMINAL_STATUS.has(status)).toBe(true);
  });

  test('is ready only with 00', () => {
    for (let status = 1; status <= 0xff; status++) expect(terminalStatusOf(status).isReady).toBe(false);
    expect(terminalStatusOf(0).isReady).toBe(true);
    expect(terminalStatusOf(0x77)).toMatchObject({ action: 'unknown', meaning: 'Status 77' });
  });
});
