import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../app/domain/secret.ts';
import type { ZvtCommand } from '../../../drivers/zvt/codec/command-types.ts';
import { decodeCommand, encodeCommand } from '../../../drivers/zvt/codec/commands.ts';
import type { AnswerTo, ZvtMessage } from '../../../drivers/zvt/codec/message-types.ts';
import { decodeMessage, encodeMessage } from '../../../drivers/zvt/codec/messages.ts';
import { bytesOf, hexOf, SEED } from './support.ts';

const command = (value: ZvtCommand) => hexOf(encodeCommand(value));
const message = (value: ZvtMessage) => hexOf(encodeMessage(value));
const password = new Secret('000000');

describe('what the till sends', () => {
  test('registers as card complete recommends', () => {
    const config = {
      doesTillPrintPayments: true,
      doesTillPrintAdministration: true,
      wantsIntermediateStatus: true,
      doesTillControlPayments: true,
      doesTillControlAdministration: true,
      wantsReceiptLines: true,
    };
    expect(
      command({
        type: 'registration',
        password,
        config,
        currency: '978',
        serviceByte: 1,
        permittedCommands: [0x06d3],
        usesTlv: true,
      }),
    ).toBe('06 00 10 00 00 00 BE 09 78 03 01 06 06 26 04 0A 02 06 D3');
  });

  test('registers in yen: the currency 0392 is not taken for the service byte 03', () => {
    const yen = decodeCommand(bytesOf('06 00 06 00 00 00 BE 03 92'));
    expect(yen).toMatchObject({ type: 'registration', currency: '392', usesTlv: false });
    const service = decodeCommand(bytesOf('06 00 06 00 00 00 BE 03 01'));
    expect(service).toMatchObject({ type: 'registration', serviceByte: 1 });
    expect(service).not.toHaveProperty('currency');
  });

  test('books what was used and reverses what was not: the two amounts have opposite meanings', () => {
    expect(command({ type: 'book-total', receipt: '0042', amountMinor: 4500 })).toBe(
      '06 24 0A 87 00 42 04 00 00 00 00 45 00',
    );
    expect(command({ type: 'partial-reversal', receipt: '0042', unusedAmountMinor: 500 })).toBe(
      '06 23 0A 87 00 42 04 00 00 00 00 05 00',
    );
    expect(command({ type: 'open-pre-authorizations' })).toBe('06 23 03 87 FF FF');
  });

  test('repeats a receipt for recovery, asks for the status, aborts, logs off', () => {
    expect(command({ type: 'repeat-receipt', password, serviceByte: 3 })).toBe('06 20 05 00 00 00 03 03');
    expect(command({ type: 'status-enquiry' })).toBe('05 01 00');
    expect(command({ type: 'abort-command' })).toBe('06 B0 00');
    expect(command({ type: 'log-off' })).toBe('06 02 00');
    expect(command({ type: 'end-of-day', password })).toBe('06 50 03 00 00 00');
    expect(command({ type: 'negative', errorId: 0xcc })).toBe('84 CC 00');
  });

  test('refuses what does not fit, and never truncates it', () => {
    const sale = { type: 'authorization', amountMinor: 100 } as const;
    expect(() => command({ ...sale, amountMinor: 1_000_000_000_000 })).toThrow(RangeError);
    expect(() => command({ ...sale, amountMinor: -1 })).toThrow(RangeError);
    expect(() => command({ ...sale, amountMinor: 1.5 })).toThrow(RangeError);
    expect(() => command({ ...sale, currency: 'EUR' })).toThrow(RangeError);
    expect(() => command({ ...sale, paymentType: 256 })).toThrow(RangeError);
    expect(() => command({ type: 'end-of-day', password: new Secret('12345') })).toThrow(RangeError);
    expect(() => command({ type: 'reversal', password, receipt: '42' })).toThrow(RangeError);
    expect(() => command({ type: 'display', lines: Array(9).fill('x') })).toThrow(RangeError);
    expect(() => command({ type: 'negative', errorId: 0 })).toThrow(RangeError);
  });
});

describe('what the terminal makes of it', () => {
  test.each([
    ['06 01 00', 'missing-field', '04'],
    ['06 01 07 04 00 00 00 00 1A 00', 'bad-field', '04'],
    ['06 01 0E 04 00 00 00 00 10 00 04 00 00 00 00 20 00', 'bad-field', '04'],
    ['06 01 0A 04 00 00 00 00 10 00 49 99 78', 'bad-field', '49'],
    ['06 01 06 04 00 00 00 00 10', 'bad-field', '04'],
    ['06 24 07 04 00 00 00 00 45 00', 'missing-field', '87'],
    ['06 30 03 00 00 00', 'missing-field', '87'],
    ['06 30 01 00', 'missing-field', undefined],
    ['06 50 00', 'missing-field', undefined],
    ['06 01 07 04 00', 'incomplete', undefined],
    ['06 B0 00 00', 'surplus-bytes', undefined],
  ])('%s is malformed', (hex, reason, field) => {
    const decoded = decodeCommand(bytesOf(hex));
    expect(decoded).toMatchObject({ type: 'malformed', reason });
    expect(decoded.type === 'malformed' ? decoded.field : 'decoded').toBe(field);
  });

  test('keeps a command it has no meaning for', () => {
    const decoded = decodeCommand(bytesOf('06 C6 02 01 02'));
    expect(decoded).toMatchObject({ type: 'unknown', controlField: 0x06c6 });
    expect(decoded.type === 'malformed' ? '' : command(decoded)).toBe('06 C6 02 01 02');
  });
});

describe('what the terminal sends', () => {
  const answer = (hex: string, answerTo?: AnswerTo) => decodeMessage(bytesOf(hex), answerTo ? { answerTo } : {});

  test('one byte is a key after 06 E1 and a digit after 06 E2', () => {
    expect(answer('80 00 01 31', 'DISPLAY_KEY')).toMatchObject({ key: 'F1' });
    expect(answer('80 00 01 31', 'DISPLAY_KEY')).not.toHaveProperty('digits');
    expect(answer('80 00 01 31', 'NUMERIC_INPUT')).toMatchObject({ digits: '1' });
    expect(answer('80 00 01 31', 'NUMERIC_INPUT')).not.toHaveProperty('key');
    expect(answer('80 00 01 6C', 'NUMERIC_INPUT')).toMatchObject({ key: 'TIMEOUT' });
    expect(message({ type: 'positive', key: 'CARD_PRESENT' })).toBe('80 00 01 DC');
    expect(message({ type: 'positive', digits: '1234' })).toBe('80 00 04 31 32 33 34');
  });

  test('a completion reads differently after a status enquiry', () => {
    expect(answer('06 0F 02 27 00')).toMatchObject({ resultCode: 0 });
    expect(answer('06 0F 01 F0', 'STATUS_ENQUIRY')).toMatchObject({ terminalStatus: 0xf0 });
    expect(answer('06 0F 09 F0 F0 F5 31 2E 32 2E 33 DC', 'STATUS_ENQUIRY')).toMatchObject({
      softwareVersion: '1.2.3',
      terminalStatus: 0xdc,
    });
    expect(answer('06 0F 04 F0 F9 F9 31', 'STATUS_ENQUIRY')).toMatchObject({ type: 'malformed', field: 'F0' });
    expect(answer('06 0F 00', 'STATUS_ENQUIRY')).toEqual({ type: 'completion' });
    expect(message({ type: 'completion', softwareVersion: '1.2.3', terminalStatus: 0xdc })).toBe(
      '06 0F 09 F0 F0 F5 31 2E 32 2E 33 DC',
    );
  });

  test('a registration completion says what is needed', () => {
    expect(answer('06 0F 0A 19 03 29 12 34 56 78 49 09 78', 'REGISTRATION')).toMatchObject({
      registration: { isInitialisationNeeded: true, isDiagnosisNeeded: true, isOpt: false, isVendingMachine: false },
      terminalId: '12345678',
      currency: '978',
    });
    const registration = {
      isInitialisationNeeded: true,
      isDiagnosisNeeded: false,
      isOpt: false,
      isVendingMachine: false,
    };
    expect(message({ type: 'completion', registration, terminalId: '12345678', currency: '978' })).toBe(
      '06 0F 0A 19 01 29 12 34 56 78 49 09 78',
    );
  });

  test('an intermediate status tells a time-out of six minutes from a container', () => {
    expect(answer('04 FF 0B 0E 06 06 07 24 05 07 03 41 42 43')).toMatchObject({ timeoutMinutes: 6, texts: ['ABC'] });
    expect(answer('04 FF 0A 0E 06 07 24 05 07 03 41 42 43')).not.toHaveProperty('timeoutMinutes');
    expect(answer('04 FF 0A 0E 06 07 24 05 07 03 41 42 43')).toMatchObject({ texts: ['ABC'] });
    expect(answer('04 FF 02 0E 06')).toMatchObject({ timeoutMinutes: 6 });
  });

  test('an unknown BMP ends the reading, is reported, and what stood before it counts', () => {
    const decoded = answer('04 0F 05 27 00 EE 01 02');
    expect(decoded).toMatchObject({ type: 'status-information', resultCode: 0, unparsed: { bmp: 0xee } });
    const rest = decoded.type === 'status-information' ? decoded.unparsed?.rest.reveal() : undefined;
    expect(hexOf(rest ?? new Uint8Array(0))).toBe('EE 01 02');
  });

  test('a broken BMP makes the whole message unusable', () => {
    expect(answer('04 0F 06 27 00 04 00 00 00')).toMatchObject({ type: 'malformed', reason: 'bad-field', field: '04' });
    expect(answer('06 D3 03 06 05 25')).toMatchObject({ type: 'malformed', field: '06' });
  });

  test.each([
    ['06 D8 01 41', { type: 'dial-up', step: 'dial' }],
    ['06 D9 00', { type: 'dial-up', step: 'disconnect' }],
    ['06 DA 00', { type: 'dial-up', step: 'send' }],
    ['06 DB 00', { type: 'dial-up', step: 'receive' }],
    ['04 0D 01 41', { type: 'input-request' }],
    ['06 99 01 41', { type: 'unknown', controlField: 0x0699 }],
  ])('%s is told apart and encoded as it came', (hex, expected) => {
    const decoded = decodeMessage(bytesOf(hex));
    expect(decoded).toMatchObject(expected);
    expect(decoded.type === 'malformed' ? '' : message(decoded)).toBe(hex);
  });

  test('a text block writes an attribute where it changes and the last-line mark at the end', () => {
    expect(
      message({
        type: 'text-block',
        receiptType: 'merchant',
        lines: [
          { attribute: 0x50, text: 'SUMME 10,10' },
          { attribute: 0x00, text: 'danke' },
        ],
        isLastLine: true,
      }),
    ).toBe(
      '06 D3 25 06 23 1F 07 01 01 25 1D 09 01 50 07 0B 53 55 4D 4D 45 20 31 30 2C 31 30 09 01 00 07 05 64 61 6E 6B 65 09 01 81',
    );
  });

  test('a print line is CP437, or what was agreed, or ISO 8859-1 where card complete appends a container', () => {
    const text = (hex: string, charset?: 'utf-8') => {
      const decoded = decodeMessage(bytesOf(hex), charset ? { charset } : {});
      return decoded.type === 'print-line' ? decoded.text : undefined;
    };
    expect(text('06 D1 02 00 81')).toBe('ü');
    expect(text('06 D1 08 00 FC 06 04 1F 07 01 01')).toBe('ü');
    expect(text('06 D1 03 00 C3 BC', 'utf-8')).toBe('ü');
    // A 06 inside a text is text unless a container that fills the rest begins there.
    expect(text('06 D1 04 00 41 06 42')).toBe('A\u0006B');
  });
});

describe('card data', () => {
  const clear = '04 0F 0D 27 00 22 F0 F8 41 11 11 11 11 11 11 11';
  const tracks = '04 0F 10 27 00 23 F1 F1 41 11 11 11 11 11 11 11 D2 91 2F';

  test('come out masked in every printed form', () => {
    for (const hex of [clear, tracks, `${clear} 00`, '04 0F 05 27 00 22 F0 F9']) {
      const decoded = decodeMessage(bytesOf(hex));
      const printed = `${JSON.stringify(decoded)} ${inspect(decoded, { depth: 9, showHidden: true })} ${Object.values(decoded).join(' ')}`;
      expect(printed).not.toContain('4111111');
      expect(printed.replaceAll(/[, ]/g, '')).not.toContain('65171717');
    }
  });

  test('show at most the first six and the last four digits, and all of them only by reveal()', () => {
    const decoded = decodeMessage(bytesOf(clear));
    expect(decoded).toMatchObject({ maskedPan: '411111******1111' });
    expect(decoded.type === 'status-information' ? decoded.pan?.reveal() : undefined).toBe('4111111111111111');
  });
});

describe('hostile bytes', () => {
  const control = fc.constantFrom(
    ...[
      '04 0F',
      '04 FF',
      '06 0F',
      '06 1E',
      '06 D1',
      '06 D3',
      '80 00',
      '84 1E',
      '84 9D',
      '04 01',
      '06 00',
      '06 01',
      '06 12',
    ],
    ...['06 23', '06 24', '06 30', '05 01', '06 C0', '06 E0', '06 E2', '06 50', '06 70'],
  );
  const busy = fc.oneof(
    fc.constantFrom(0x06, 0x1f, 0x24, 0x25, 0x27, 0x04, 0x22, 0xf0, 0xf1, 0xf9, 0x81, 0x82, 0xff, 0x00),
    fc.integer({ min: 0, max: 255 }),
  );
  const answers = fc.constantFrom<AnswerTo>('REGISTRATION', 'STATUS_ENQUIRY', 'DISPLAY_KEY', 'NUMERIC_INPUT', 'OTHER');

  /** A text with undecodable bytes may have grown beyond its field; an encoder then refuses, by RangeError alone. */
  const encodeOrRefuse = (encode: () => Uint8Array): Uint8Array | undefined => {
    try {
      return encode();
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  };

  test('never make a decoder throw, and what it decodes is encoded or refused', () => {
    fc.assert(
      fc.property(control, fc.array(busy, { maxLength: 120 }), answers, (field, data, answerTo) => {
        const apdu = Uint8Array.from([...bytesOf(field), data.length, ...data]);
        const received = decodeMessage(apdu, { answerTo });
        const sent = decodeCommand(apdu);
        if (received.type !== 'malformed') {
          const again = encodeOrRefuse(() => encodeMessage(received, { answerTo }));
          if (again !== undefined) expect(decodeMessage(again, { answerTo }).type).toBe(received.type);
        }
        if (sent.type !== 'malformed') {
          const again = encodeOrRefuse(() => encodeCommand(sent));
          if (again !== undefined) expect(decodeCommand(again).type).toBe(sent.type);
        }
      }),
      { seed: SEED, numRuns: 10_000 },
    );
  });

  test('never make a decoder throw without a sound header either', () => {
    fc.assert(
      fc.property(fc.array(busy, { maxLength: 60 }), (data) => {
        decodeMessage(Uint8Array.from(data));
        decodeCommand(Uint8Array.from(data));
      }),
      { seed: SEED, numRuns: 10_000 },
    );
  });

  test('in the greatest message are read to the end', () => {
    const apdu = Uint8Array.from([0x06, 0xd1, 0xff, 0xff, 0xff, ...new Uint8Array(65_535).fill(0x06)]);
    expect(decodeMessage(apdu).type).toBe('print-line');
    apdu.set([0x04, 0x0f]);
    expect(decodeMessage(apdu)).toMatchObject({ type: 'malformed', field: '06' });
  });
});
