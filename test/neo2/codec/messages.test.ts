import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../app/domain/secret.ts';
import type { Vivotech2Frame } from '../../../drivers/framing/vivotech2-frame.ts';
import { readAttribution } from '../../../drivers/neo2/codec/attribution.ts';
import type { NeoCommand } from '../../../drivers/neo2/codec/command-types.ts';
import { decodeCommand, encodeCommand } from '../../../drivers/neo2/codec/commands.ts';
import { DISPLAY_MODES, DISPLAY_TEXTS } from '../../../drivers/neo2/codec/display.ts';
import { ENTRY_STATES } from '../../../drivers/neo2/codec/entries.ts';
import type { NeoMessage, ReplyContext } from '../../../drivers/neo2/codec/message-types.ts';
import { decodeMessage, type EncodableMessage, encodeMessage, isFinal } from '../../../drivers/neo2/codec/messages.ts';
import { NEO_STATUS_CODES, statusMeaning } from '../../../drivers/neo2/codec/status-codes.ts';
import type { NeoTag } from '../../../drivers/neo2/codec/tlv.ts';
import { bytesOf, hexOf, SEED } from '../../zvt/codec/support.ts';
import { receive } from './fixture.ts';
import { clear } from './fixture-checks.ts';

const HEADER = '56 69 56 4F 74 65 63 68 32 00';

function frameOf(bytes: Uint8Array): Vivotech2Frame {
  const [item] = receive([bytes]).items;
  if (item?.type !== 'frame') throw new Error(`${hexOf(bytes)} is no frame`);
  return item.frame;
}

/** The data of a frame. */
const dataHex = (bytes: Uint8Array) => hexOf(frameOf(bytes).data);

function commandOf(bytes: Uint8Array): NeoCommand | unknown {
  const frame = frameOf(bytes);
  return frame.kind === 'message' ? decodeCommand(frame) : frame;
}

const reply = (command: number, status: number, hex = ''): Vivotech2Frame => ({
  kind: 'message',
  command,
  code: status,
  data: bytesOf(hex),
});

const TAGS: readonly NeoTag[] = [clear('9F02', '000000001234'), clear('DFEE1A', '9F269F27'), clear('FFF7', '00')];

const COMMANDS: readonly NeoCommand[] = [
  ...(['ping', 'get-firmware', 'get-configuration', 'get-transaction-result'] as const).map((type) => ({ type })),
  ...(['stop', 'card-off', 'cancel-entry', 'get-function-key', 'cancel'] as const).map((type) => ({ type })),
  { type: 'cancel', isReset: true },
  { type: 'set-poll-mode', isOnDemand: true },
  { type: 'set-poll-mode', isOnDemand: false },
  { type: 'set-configuration', tags: TAGS },
  { type: 'activate', timeoutSeconds: 255, tags: TAGS },
  {
    type: 'start-contact',
    isFallbackAllowed: true,
    seatTimeoutSeconds: 300,
    authenticateTimeoutSeconds: 65_535,
    tags: TAGS,
  },
  { type: 'authenticate', flags: 1, timeoutSeconds: 120, tags: [] },
  { type: 'apply-response', isHostReached: true, tags: [clear('8A', '3030')] },
  { type: 'apply-response', isHostReached: false, code: 0 },
  { type: 'get-contact-result', tags: TAGS },
  { type: 'get-encrypted-pin', keyUse: 'DUKPT_OWN_PAN', maxDigits: 12, minDigits: 4, prompt: '' },
  { type: 'get-amount', maxDigits: 8, minDigits: 1, prompt: 'TIP?' },
  { type: 'display-answer', mode: 1, choice: Uint8Array.of(2) },
];

describe('commands of a host', () => {
  test.each(COMMANDS)('$type comes back as it was sent', (command) => {
    expect(commandOf(encodeCommand(command))).toEqual(command);
  });

  test('with secrets come back as they were sent', () => {
    const pin: NeoCommand = {
      type: 'get-encrypted-pin',
      keyUse: 'DUKPT_GIVEN_PAN',
      pan: new Secret('4111111111111111'),
      maxDigits: 6,
      minDigits: 4,
      prompt: 'ENTER PIN',
    };
    // Key use, length and digits of the number, longest and shortest PIN, length and text of the prompt (guide, 8.24.5).
    const digits = Array.from({ length: 15 }, () => '31').join(' ');
    const prompt = '45 4E 54 45 52 20 50 49 4E';
    expect(dataHex(encodeCommand(pin))).toBe(`11 10 34 ${digits} 06 04 09 ${prompt}`);
    const decoded = commandOf(encodeCommand(pin));
    expect(decoded).toMatchObject({ ...pin, pan: expect.any(Secret) });
    expect(JSON.stringify(decoded) + inspect(decoded, { depth: 9 })).not.toContain('1111111');
    expect((decoded as typeof pin).pan?.reveal()).toBe('4111111111111111');
    const apdu = commandOf(
      encodeCommand({ type: 'exchange-apdu', interface: 0x20, apdu: new Secret(bytesOf('00 A4')) }),
    );
    expect(apdu).toMatchObject({ type: 'exchange-apdu', interface: 0x20 });
  });

  test('are laid out as the guide shows', () => {
    // Guide 80139403-002, 8.5.3, "Example Usage": 30 s, sale of 1.00, all interfaces, fallback, 96 s for the next command.
    const activate = bytesOf(
      `${HEADER} 02 40 00 22 1E 9C 01 00 9F 02 06 00 00 00 00 01 00 9F 03 06 00 00 00 00 00 00 DF EF 37 01 07 DF EF 3C 03 01 00 60 18 D1`,
    );
    const command = commandOf(activate) as NeoCommand;
    expect(command).toMatchObject({ type: 'activate', timeoutSeconds: 30 });
    expect(hexOf(encodeCommand(command))).toBe(hexOf(activate));
    // 19.3.20 and 19.3.16: a command this codec has no meaning for, and answers in both orders of the CRC.
    const shown = bytesOf(`${HEADER} 61 17 00 00 72 8D`);
    expect(hexOf(encodeCommand(commandOf(shown) as NeoCommand))).toBe(hexOf(shown));
    expect(decodeMessage(frameOf(bytesOf(`${HEADER} 61 00 00 00 4B 81`)))).toEqual({
      type: 'reply',
      command: 0x61,
      status: 0,
    });
    expect(decodeMessage(frameOf(bytesOf(`${HEADER} 61 00 00 01 01 5B BF`)))).toMatchObject({ type: 'unknown' });
    // 8.24.8: a reserved byte, most and fewest digits, the text.
    const amount = encodeCommand({ type: 'get-amount', maxDigits: 8, minDigits: 1, prompt: 'TIP?' });
    expect(dataHex(amount)).toBe('00 08 01 54 49 50 3F');
    expect(dataHex(encodeCommand({ type: 'set-poll-mode', isOnDemand: true }))).toBe('01');
    expect(dataHex(encodeCommand({ type: 'apply-response', isHostReached: false }))).toBe('02');
  });

  test('with a value that does not fit are refused, never truncated', () => {
    const refused: readonly NeoCommand[] = [
      { type: 'activate', timeoutSeconds: 256, tags: [] },
      { type: 'authenticate', flags: -1, timeoutSeconds: 1, tags: [] },
      { type: 'authenticate', flags: 0, timeoutSeconds: 65_536, tags: [] },
      { type: 'apply-response', isHostReached: false, code: 1 },
      { type: 'get-amount', maxDigits: 16, minDigits: 1, prompt: 'TIP?' },
      { type: 'get-amount', maxDigits: 3, minDigits: 4, prompt: 'TIP?' },
      { type: 'get-amount', maxDigits: 3, minDigits: 1, prompt: 'seventeen letters' },
      { type: 'get-amount', maxDigits: 3, minDigits: 1, prompt: 'Trinkgeld für' },
      { type: 'get-encrypted-pin', keyUse: 'DUKPT_GIVEN_PAN', maxDigits: 6, minDigits: 4, prompt: '' },
      { type: 'get-encrypted-pin', keyUse: 'DUKPT_OWN_PAN', maxDigits: 13, minDigits: 4, prompt: '' },
      { type: 'get-encrypted-pin', keyUse: 'DUKPT_OWN_PAN', maxDigits: 12, minDigits: 3, prompt: '' },
      {
        type: 'get-encrypted-pin',
        keyUse: 'DUKPT_OWN_PAN',
        pan: new Secret('4111111111111111'),
        maxDigits: 6,
        minDigits: 4,
        prompt: '',
      },
      { type: 'set-configuration', tags: [clear('9F02', '00'.repeat(1500))] },
      { type: 'set-configuration', tags: [clear('9F', '00')] },
      { type: 'set-configuration', tags: [{ tag: '5A', form: 'MASKED', value: new Uint8Array(256) }] },
    ];
    for (const command of refused) expect(() => encodeCommand(command), command.type).toThrow(RangeError);
  });

  test('cut short or with surplus data are malformed', () => {
    const frame = (command: number, code: number, hex: string) =>
      decodeCommand({ kind: 'message', command, code, data: bytesOf(hex) }).type;
    expect(frame(0x18, 0x01, '00')).toBe('malformed');
    expect(frame(0x05, 0x01, '02')).toBe('malformed');
    expect(frame(0x01, 0x01, '')).toBe('malformed');
    expect(frame(0x02, 0x40, '')).toBe('malformed');
    expect(frame(0x60, 0x10, '01 00 78 00')).toBe('malformed');
    expect(frame(0x60, 0x11, '00 00')).toBe('malformed');
    expect(frame(0x60, 0x12, '')).toBe('malformed');
    expect(frame(0x60, 0x12, '01 8A 03 30 30')).toBe('malformed');
    expect(frame(0x62, 0x01, '11 10 34')).toBe('malformed');
    expect(frame(0x62, 0x01, '01 00 0C 04 02 41')).toBe('malformed');
    expect(frame(0x62, 0x04, '00 01')).toBe('malformed');
  });
});

const MESSAGES: readonly EncodableMessage[] = [
  { type: 'reply', command: 0x18, status: 0 },
  { type: 'first-response', command: 0x60, status: 0x63 },
  { type: 'progress', command: 0x02, status: 0x0e, transactionStatus: 1 },
  {
    type: 'display',
    mode: 0x01,
    content: {
      kind: 'LINES',
      timeoutSeconds: 30,
      language: 'EN',
      lines: [
        { line: 1, messageId: 0x1c },
        { line: 2, text: 'VISA DEBIT' },
        { line: 16, text: '' },
      ],
      backlightSeconds: 0xffff,
    },
  },
  { type: 'display', mode: 0x08, content: { kind: 'LINES', timeoutSeconds: 0, language: 'FR', lines: [] } },
  { type: 'display', mode: 0x03, content: { kind: 'SHORT', language: 'EN', messageId: 0x0b } },
  { type: 'display', mode: 0x10, content: { kind: 'NOTHING' } },
  { type: 'display', mode: 0x20, content: { kind: 'TOUCH', event: 1, x: 320, y: 7 } },
  { type: 'display', mode: 0x21, content: { kind: 'LAMP', lamp: 2, isOn: true } },
  { type: 'swipe-request', timeoutSeconds: 60, language: 'EN' },
  { type: 'swipe-request', timeoutSeconds: 60, language: 'EN', rest: Uint8Array.of(1, 2, 3) },
  {
    type: 'user-interface',
    events: [
      { component: 'LAMP', lamp: 3, state: 1, extra: [0, 0] },
      { component: 'BUZZER', pattern: 1, value: 2, extra: [0, 1] },
      { component: 'DISPLAY', messageIndex: 3, extra: [0, 0] },
      { component: 'OTHER', code: 9, status: 8, extra: [7, 6] },
    ],
  },
];

describe('messages of a reader', () => {
  test.each(MESSAGES)('$type comes back as it was sent', (message) => {
    expect(decodeMessage(frameOf(encodeMessage(message)))).toEqual(message);
  });

  test('that answer a command come back as they were sent, under the command that waits', () => {
    const answers: readonly (readonly [ReplyContext['answerTo'] & string, EncodableMessage])[] = [
      ['get-firmware', { type: 'firmware', command: 0x29, status: 0, text: 'READER V1' }],
      ['get-configuration', { type: 'configuration', command: 0x03, status: 0, tags: TAGS }],
      ['get-encrypted-pin', { type: 'first-response', command: 0x62, status: 0 }],
      ['get-encrypted-pin', { type: 'pin', command: 0x62, status: 0x0a, state: 5 }],
      ['get-function-key', { type: 'function-key', command: 0x62, status: 0, state: 0, key: 'BACKSPACE' }],
      ['get-function-key', { type: 'function-key', command: 0x62, status: 0, state: 1 }],
      ['get-amount', { type: 'amount', command: 0x62, status: 0, state: 0, digits: '2578906' }],
      ['get-amount', { type: 'amount', command: 0x62, status: 0x0a, state: 2 }],
      ['cancel-entry', { type: 'reply', command: 0x62, status: 0 }],
    ];
    for (const [answerTo, message] of answers) {
      expect(decodeMessage(frameOf(encodeMessage(message)), { answerTo })).toEqual(message);
    }
    // Guide 8.24.8: seven digits keyed in for 25789.06.
    const amount = encodeMessage({ type: 'amount', command: 0x62, status: 0, state: 0, digits: '2578906' });
    expect(dataHex(amount)).toBe('00 32 35 37 38 39 30 36 46 46 46 46 46 46 46 46 46');
    const apdu = decodeMessage(reply(0x2c, 0, '6F 00 90 00'), { answerTo: 'exchange-apdu' });
    expect(apdu.type === 'apdu' && hexOf(apdu.apdu.reveal())).toBe('6F 00 90 00');
  });

  test('with a PIN under a session key have no KSN', () => {
    const block = '31 42 39 43 31 38 34 35 45 42 39 39 33 41 37 41';
    const decoded = decodeMessage(reply(0x62, 0, `00 ${block}`), { answerTo: 'get-encrypted-pin' });
    expect(decoded).toMatchObject({ type: 'pin', pin: { keyScheme: 'SESSION_KEY', format: 0 } });
    expect('pin' in decoded && decoded.pin && 'ksn' in decoded.pin).toBe(false);
  });

  test('about a display are read field by field, low bytes of lengths and numbers first', () => {
    // Mode 03; time-out 2 bytes 0; language "EN"; two lines, one by its number, one by its text; backlight 2 bytes 000A.
    const lines = '81 0B 1C 02 56 49 53 41 1C';
    const data = `03 02 00 00 00 02 00 45 4E 09 00 ${lines} 02 00 0A 00`;
    expect(decodeMessage(reply(0x61, 0x01, data))).toEqual({
      type: 'display',
      mode: 3,
      content: {
        kind: 'LINES',
        timeoutSeconds: 0,
        language: 'EN',
        lines: [
          { line: 1, messageId: 0x0b },
          { line: 2, text: 'VISA' },
        ],
        backlightSeconds: 10,
      },
    });
    expect(DISPLAY_MODES.get(3)).toBe('SHOW');
    expect(DISPLAY_TEXTS.get(0x0b)).toBe('PLEASE_WAIT');
  });

  test('about a display that cannot be read are kept unread and break nothing', () => {
    for (const data of ['03', '03 FF', '03 02 00 00 00 02 00 45', '01 02 00 1E 00 02 00 45 4E 02 00 81 0B', '22 00']) {
      const decoded = decodeMessage(reply(0x61, 0x01, data));
      expect(decoded).toMatchObject({ type: 'display', content: { kind: 'UNREAD' } });
      expect(hexOf(frameOf(encodeMessage(decoded as NeoMessage)).data)).toBe(data);
    }
  });

  test('about a display that shows a card number keep it secret', () => {
    const lines = [{ line: 1, text: '4111111111111111' }];
    const content = { kind: 'LINES', timeoutSeconds: 0, language: 'EN', lines } as const;
    const decoded = decodeMessage(frameOf(encodeMessage({ type: 'display', mode: 3, content })));
    expect(decoded).toMatchObject({ type: 'display', content: { kind: 'UNREAD', bytes: expect.any(Secret) } });
  });

  test('that are late are not read as the answer to another command', () => {
    const late = decodeMessage(reply(0x03, 0, '00 45'), { answerTo: 'get-function-key' });
    expect(late).toMatchObject({ type: 'reply', command: 0x03 });
    expect(decodeMessage(reply(0x62, 0, '00 45'), { answerTo: 'start-contact' }).type).toBe('reply');
    expect(decodeMessage(reply(0x05, 0), { answerTo: 'get-encrypted-pin' })).toEqual({
      type: 'reply',
      command: 5,
      status: 0,
    });
  });

  test('with a PIN, key or amount that is none are malformed', () => {
    const answer = (answerTo: ReplyContext['answerTo'] & string, hex: string) =>
      decodeMessage(reply(0x62, 0, hex), { answerTo }).type;
    expect(answer('get-encrypted-pin', '00')).toBe('malformed');
    expect(answer('get-encrypted-pin', `00 ${'31 '.repeat(35)}`)).toBe('malformed');
    expect(answer('get-encrypted-pin', `00 ${'5A '.repeat(36)}`)).toBe('malformed');
    expect(answer('get-function-key', '00 58')).toBe('malformed');
    expect(answer('get-amount', `00 ${'46 '.repeat(16)}`)).toBe('malformed');
    expect(answer('get-amount', '00 31 32')).toBe('malformed');
  });

  test('end an exchange only when the answer that counts has come', () => {
    const endsOf = (messages: readonly Vivotech2Frame[]) => messages.map((one) => isFinal(decodeMessage(one)));
    expect(endsOf([reply(0x60, 0x63), reply(0x02, 0x0e, '01'), reply(0x61, 1, '03 45 4E 0B')])).toEqual([
      false,
      false,
      false,
    ]);
    expect(endsOf([reply(0x60, 0x0b), reply(0x60, 0, 'C2'), reply(0x60, 0, 'C2 5A')])).toEqual([true, true, true]);
    expect(endsOf([{ kind: 'event', data: bytesOf('01 11 00') }, reply(0x61, 3, '01')])).toEqual([false, false]);
  });
});

describe('status bytes and states', () => {
  test('have a meaning each, and one that is on no list says so', () => {
    const named = [
      '00',
      '01',
      '02',
      '03',
      '04',
      '05',
      '06',
      '07',
      '08',
      '0A',
      '0B',
      '0C',
      '0D',
      '0E',
      '23',
      '57',
      '60',
    ];
    for (const code of [...named, '61', '63']) expect(NEO_STATUS_CODES.has(Number.parseInt(code, 16))).toBe(true);
    expect(statusMeaning(0x63)).toMatchObject({ name: 'WORKING', kind: 'GOES_ON' });
    expect(statusMeaning(0x23).kind).toBe('ONLINE');
    expect(statusMeaning(0x57).kind).toBe('UNKNOWN');
    expect(statusMeaning(0xee)).toMatchObject({ name: 'UNLISTED_EE', kind: 'UNKNOWN' });
    expect([...ENTRY_STATES.keys()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0x10]);
  });

  test('that a command failed keeps what came with it hidden', () => {
    expect(decodeMessage(reply(0x60, 0x0b))).toEqual({ type: 'reply', command: 0x60, status: 0x0b });
    // The older layout of a failed transaction: error code, status word, state.
    expect(decodeMessage(reply(0x02, 0x0a, '30 6A 82 05'))).toMatchObject({ type: 'reply', data: expect.any(Secret) });
    const failed = decodeMessage(reply(0x02, 0x0a, 'C1 FF EE 1F 04 30 6A 82 05 DF EE 25 02 00 06'));
    expect(failed).toMatchObject({
      type: 'transaction',
      resultCode: '0006',
      contactlessFault: { errorCode: 0x30, statusWord: 0x6a82, rfState: 5 },
    });
  });
});

describe('any bytes', () => {
  const answers = [...COMMANDS.map(({ type }) => type), undefined];
  const busyByte = fc.oneof(
    fc.constantFrom(
      0x5a,
      0x57,
      0xa1,
      0xc1,
      0x81,
      0x82,
      0xff,
      0xf7,
      0xdf,
      0xee,
      0x25,
      0x1f,
      0x00,
      0x02,
      0x45,
      0x4e,
      0x1c,
    ),
    fc.integer({ min: 0, max: 255 }),
  );
  const codes = fc.oneof(fc.constantFrom(0x00, 0x01, 0x03, 0x0a, 0x23, 0x40, 0x10), fc.integer({ min: 0, max: 255 }));
  const commands = fc.oneof(fc.constantFrom(0x60, 0x02, 0x03, 0x61, 0x62, 0x2c), fc.integer({ min: 0, max: 255 }));
  const frames = fc.record({
    kind: fc.constant('message' as const),
    command: commands,
    code: codes,
    data: fc.array(busyByte, { maxLength: 80 }).map((bytes) => Uint8Array.from(bytes)),
  });

  test('decode without throwing, and a message that was read is sent again as the same bytes or reads the same', () => {
    fc.assert(
      fc.property(frames, fc.constantFrom(...answers), (frame, answerTo) => {
        const context = answerTo === undefined ? {} : { answerTo };
        const decoded = decodeMessage(frame, context);
        decodeMessage({ kind: 'event', data: frame.data });
        decodeCommand(frame);
        if (decoded.type === 'transaction') {
          expect(decodeMessage(frameOf(encodeMessage(decoded)), context)).toEqual(decoded);
        }
      }),
      { seed: SEED, numRuns: 5000 },
    );
  });

  test('of a card never show in what is printed', () => {
    const track = '57 13 41 11 11 11 11 11 11 11 D2 91 21 01 00 00 00 00 00 00 0F';
    for (const hex of [`00 ${track}`, `C0 ${track}`, `00 9F 6B 08 41 11 11 11 11 11 11 11 57 FF`]) {
      for (const answerTo of answers) {
        const decoded = decodeMessage(reply(0x60, 0, hex), answerTo === undefined ? {} : { answerTo });
        const shown = JSON.stringify(decoded) + inspect(decoded, { depth: 9 }) + String(decoded);
        expect(shown).not.toMatch(/1{8}|17, 17, 17|65, 17/);
      }
    }
    expect(readAttribution(0xc0).encryption).toBe('ON');
  });
});
