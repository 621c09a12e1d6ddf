import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../app/domain/secret.ts';
import type { PaymentCommand } from '../../../drivers/ecr17/codec/command-types.ts';
import { decodeCommand, encodeCommand } from '../../../drivers/ecr17/codec/commands.ts';
import { decodeMessage, encodeMessage } from '../../../drivers/ecr17/codec/messages.ts';
import { receiptLines, receiptParts } from '../../../drivers/ecr17/codec/receipt-text.ts';
import { SEED } from '../../zvt/codec/support.ts';

const TERMINAL = '12345678';
const payment: PaymentCommand = {
  type: 'extended-payment',
  terminalId: TERMINAL,
  tillId: '00000001',
  amountMinor: 650,
};
/** An approval of X up to its end, in the places of the specification. */
const APPROVED_X = [
  '123456780E00',
  '000411111******1111',
  'CLI',
  'A1B2C3',
  '3652359',
  '1',
  '00000000001',
  '000101',
  '000202',
  '000',
  '00001010',
  '0000000000',
].join('');

describe('commands of ECR17', () => {
  it.each([
    ['an amount of nine digits', { amountMinor: 100_000_000 }],
    ['a negative amount', { amountMinor: -1 }],
    ['half a cent', { amountMinor: 0.5 }],
    ['a short till id', { tillId: '1' }],
    ['a terminal id with letters', { terminalId: '1234567A' }],
    ['a text of 129 characters', { receiptText: 'A'.repeat(129) }],
    ['a text with a mark of the framing', { receiptText: 'A\u0003' }],
    ['a text with more than a byte a character', { receiptText: '10 €' }],
  ])('refuses %s, and cuts nothing', (_, wrong) => {
    expect(() => encodeCommand({ ...payment, ...wrong })).toThrow(RangeError);
  });

  it('carries the largest amount', () => {
    expect(encodeCommand({ ...payment, amountMinor: 99_999_999 }).slice(23, 31)).toBe('99999999');
  });

  it('asks for the last result in 22 characters', () => {
    const text = '123456780G0000000100000'.slice(0, 22);
    expect(encodeCommand({ type: 'last-result', terminalId: TERMINAL, tillId: '00000001' })).toBe(text);
    expect(decodeCommand(text)).toEqual({ type: 'last-result', terminalId: TERMINAL, tillId: '00000001' });
  });

  it('refuses a STAN and a pre-authorization code of the wrong length', () => {
    expect(() => encodeCommand({ type: 'reversal', terminalId: TERMINAL, tillId: '00000001', stan: '12345' })).toThrow(
      RangeError,
    );
    const closure = { ...payment, type: 'closure', preAuthorizationCode: '1234567890' } as const;
    expect(() => encodeCommand(closure)).toThrow(RangeError);
  });

  it('is malformed when cut, or when the amount is no number', () => {
    const text = encodeCommand(payment);
    expect(decodeCommand(text.slice(0, 30))).toMatchObject({ type: 'malformed', code: 'X', reason: 'too-short' });
    expect(decodeCommand(`${text.slice(0, 23)}0000 650${text.slice(31)}`)).toMatchObject({
      type: 'malformed',
      reason: 'bad-field',
      field: 'amount',
    });
    expect(decodeCommand('ABC')).toMatchObject({ type: 'malformed', reason: 'no-header' });
  });

  it('keeps what it does not know, as a secret', () => {
    const decoded = decodeCommand('123456780Z4111111111111111');
    expect(decoded).toMatchObject({ type: 'unknown', code: 'Z' });
    expect(JSON.stringify(decoded)).not.toContain('4111');
  });
});

describe('messages of an ECR17 terminal', () => {
  it('has no approval in a text that is cut before its STAN', () => {
    for (let length = 12; length < 71; length++) {
      expect(decodeMessage(APPROVED_X.slice(0, length)), `${length} characters`).toMatchObject({
        type: 'malformed',
        code: 'E',
        reason: 'too-short',
      });
    }
  });

  it('approves nothing with an amount that is no number', () => {
    expect(decodeMessage(APPROVED_X.replace('00001010', '0000101X'))).toMatchObject({
      type: 'malformed',
      reason: 'bad-field',
      field: 'amount',
    });
  });

  it('tells no amount of an approval that ends before it is whole', () => {
    const plain = decodeMessage(APPROVED_X.slice(0, 71));
    expect(plain).toMatchObject({ type: 'payment-reply', result: '00', stan: '000101' });
    expect(plain).not.toHaveProperty('amountMinor');
  });

  it('takes a refusal whatever is missing behind its result', () => {
    for (let length = 12; length < 92; length++) {
      const text = '123456780E01TRANSAZIONE NEGATA      0000000000020000000000100010200020311600001010'.slice(
        0,
        length,
      );
      expect(decodeMessage(text), text).toMatchObject({ type: 'payment-reply', result: '01' });
    }
  });

  it('prints no card number, and masks what it keeps of one', () => {
    const clear = APPROVED_X.replace('000411111******1111', '0004111111111111111');
    const decoded = decodeMessage(clear);
    expect(decoded).toMatchObject({ maskedPan: '411111******1111' });
    expect(JSON.stringify(decoded)).not.toContain('411111111');
  });

  it('puts the action code of a refused reversal where that of an approved one is', () => {
    const refused = {
      type: 'payment-reply',
      code: 'E',
      terminalId: TERMINAL,
      result: '01',
      text: 'CARTA DIVERSA',
      actionCode: '902',
    } as const;
    const text = `123456780E01${'CARTA DIVERSA'.padEnd(24)}00000000000${' '.repeat(12)}0000000000009020000000000`;
    expect(encodeMessage(refused, 'REVERSAL')).toBe(text);
    expect(decodeMessage(text)).toEqual(refused);
  });

  it('reads no time that is none', () => {
    expect(decodeMessage(APPROVED_X.replace('3652359', '3672359'))).not.toHaveProperty('hostTime');
    expect(decodeMessage('123456780s000000000030022515302')).not.toHaveProperty('localTime');
    expect(decodeMessage('123456780s000000000029022415302')).toMatchObject({ localTime: '2024-02-29 15:30' });
  });

  it('never throws, whatever comes', () => {
    const code = fc.constantFrom(...'PXpicSHCTGERKUsEeVvZ');
    const body = fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((byte) => String.fromCharCode(byte)) });
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 200 });
    fc.assert(
      fc.property(code, fc.oneof(body, digits), (letter, rest) => {
        const text = `123456780${letter}${rest}`;
        expect(decodeCommand(text).type).toBeTypeOf('string');
        expect(decodeMessage(text).type).toBeTypeOf('string');
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });
});

describe('receipts of an ECR17 terminal', () => {
  it('are lines again after they travelled in parts', () => {
    const lines = Array.from({ length: 30 }, (_, number) => ({ text: `RIGA ${number} ${'-'.repeat(number % 17)}` }));
    const bold = { text: 'IMPORTO    EUR 10,10', isBold: true } as const;
    const parts = receiptParts([...lines, { text: '' }, bold, { text: 'RIGA DI VENTIQUATTRO CAR' }, { text: 'FINE' }]);
    expect(parts.length).toBeGreaterThan(2);
    const travelled = parts.map((text, index) => {
      const isLast = index === parts.length - 1;
      const message = encodeMessage({ type: 'receipt-part', terminalId: TERMINAL, text, isLast });
      expect(message.length).toBeLessThanOrEqual(210);
      return decodeMessage(message);
    });
    expect(travelled.map((part) => part.type === 'receipt-part' && part.isLast)).toEqual([
      ...parts.slice(1).map(() => false),
      true,
    ]);
    const text = travelled.map((part) => (part.type === 'receipt-part' ? part.text : '')).join('');
    expect(receiptLines(text)).toEqual([
      ...lines.map((line) => ({ text: line.text.trimEnd() })),
      { text: '' },
      bold,
      { text: 'RIGA DI VENTIQUATTRO CAR' },
      { text: 'FINE' },
    ]);
  });

  it('wrap at the width that the mark of a line gives', () => {
    expect(receiptLines(`{DODICI CARATDOPO}^${'C'.repeat(42)}NORMALE`)).toEqual([
      { text: 'DODICI CARAT' },
      { text: 'DOPO' },
      { text: 'C'.repeat(42) },
      { text: 'NORMALE' },
    ]);
  });

  it('lose the characters that would be marks', () => {
    expect(receiptParts([{ text: 'A}B\u0003C€D' }])).toEqual(['A B C D}']);
    expect(receiptParts([])).toEqual(['']);
  });

  it('are not sent when a part is too long', () => {
    const part = { type: 'receipt-part', terminalId: TERMINAL, isLast: true } as const;
    expect(() => encodeMessage({ ...part, text: 'A'.repeat(194) })).toThrow(RangeError);
    expect(encodeMessage({ ...part, text: 'A'.repeat(193) })).toHaveLength(210);
  });
});

describe('services beside payments', () => {
  it('keep their content secret and travel both ways', () => {
    const service = { type: 'service', terminalId: TERMINAL, tillId: '00000001', xml: new Secret('<x/>') } as const;
    expect(encodeCommand(service)).toBe('123456780K0000000100000004<x/>');
    expect(JSON.stringify(decodeCommand('123456780K0000000100000004<x/>'))).not.toContain('<x/>');
    expect(decodeCommand('123456780K0000000100000005<x/>')).toMatchObject({ type: 'malformed', reason: 'too-short' });
  });
});
