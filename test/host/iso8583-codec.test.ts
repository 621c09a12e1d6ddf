import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../app/domain/secret.ts';
import {
  decodeMessage,
  encodeFrame,
  type IsoMessage,
  MAX_MESSAGE_BYTES,
  renderForLog,
} from '../../host/acquirers/iso8583/codec.ts';
import { decodeTlv, encodeTlv } from '../../host/acquirers/iso8583/emv-tlv.ts';
import { DE, fields, type IsoField } from '../../host/acquirers/iso8583/fields.ts';
import { createFrameReader } from '../../host/acquirers/iso8583/frames.ts';
import { bytesOf, framed } from './support/scripted-acquirer.ts';

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_007);
const run = { seed, verbose: 1, numRuns: 300 } as const;

/** From other people's descriptions: bitmap 4210001102C04804 stands for these elements. */
it('numbers the bits from the highest of the first byte', () => {
  const numbers = [2, 7, 12, 28, 32, 39, 41, 42, 50, 53, 62];
  const bits = [...bytesOf('42 10 00 11 02 C0 48 04')].flatMap((byte) => [...byte.toString(2).padStart(8, '0')]);
  expect(bits.flatMap((bit, index) => (bit === '1' ? [index + 1] : []))).toEqual(numbers);
  const message: IsoMessage = {
    mti: '0210',
    fields: new Map<number, string | Secret<string>>([
      [2, new Secret('4761739001010119')],
      [7, '1128111501'],
      [12, '111501'],
      [32, '123456'],
      [39, '00'],
      [41, 'T-1'],
      [42, 'M-1'],
      [50, '978'],
      [62, new Secret('x')],
    ]),
  };
  expect(encodeFrame(message).subarray(6, 14)).toEqual(bytesOf('42 10 00 01 02 C0 40 04'));
});

describe('an encoder', () => {
  const encode = (number: number, value: string | Secret<string>) => () =>
    encodeFrame({ mti: '0200', fields: new Map([[number, value]]) });

  it.each([
    [DE.amount, '0000000001000'],
    [DE.amount, '1000'],
    [DE.amount, '00000000100X'],
    [DE.terminal, 'TERMINAL1'],
    [DE.terminal, 'T\u00fc'],
    [DE.netAmount, 'X0000000000000001'],
    [DE.pan, new Secret('47617390010101190000')],
    [DE.track2, new Secret('4761739001010119?2212')],
    [DE.pinBlock, new Secret('0123456789ABCDEF00')],
    [DE.pinBlock, new Secret('0123456789abcdeg')],
    [DE.chip, new Secret('00'.repeat(256))],
    [128 + 1, '0'],
    [5, '0'],
  ])('refuses DE %i that does not fit, and names it without its value', (number, value) => {
    const text = typeof value === 'string' ? value : value.reveal();
    expect(encode(number, value)).toThrow(RangeError);
    expect(encode(number, value)).toThrow(new RegExp(`DE ${number}\\b`));
    expect(encode(number, value)).not.toThrow(text);
  });

  it('refuses card data that are no secret, and secrets where none belong', () => {
    expect(encode(DE.pan, '4761739001010119')).toThrow('DE 2 must be a secret');
    expect(encode(DE.amount, new Secret('000000001000'))).toThrow('DE 4 must not be a secret');
  });

  it('has room for every element at its largest', () => {
    const largest = ({ kind, length }: IsoField) =>
      kind === 'b' ? 'AB'.repeat(length) : kind === 'xn' ? `C${'1'.repeat(length - 1)}` : '1'.repeat(length);
    const full = [...fields].map(
      ([number, field]) => [number, field.isOpen ? largest(field) : new Secret(largest(field))] as const,
    );
    const bytes = encodeFrame({ mti: '0200', fields: new Map(full) });
    expect(bytes.length).toBeLessThanOrEqual(2 + MAX_MESSAGE_BYTES);
    expect(decodeMessage(bytes.subarray(2)).ok).toBe(true);
  });
});

describe('decoder and encoder', () => {
  const characters: Readonly<Record<IsoField['kind'], string>> = {
    n: '0123456789',
    an: '0123456789ABCxyz',
    ans: '0123456789ABC -/:',
    z: '0123456789=D',
    xn: '0123456789',
    b: '0123456789ABCDEF',
  };
  const textFor = ({ kind, length, lengthDigits }: IsoField): fc.Arbitrary<string> => {
    const units = kind === 'b' ? length * 2 : kind === 'xn' ? length - 1 : length;
    const sizes =
      lengthDigits === 0 ? { minLength: units, maxLength: units } : { minLength: 0, maxLength: Math.min(units, 60) };
    const text = fc.string({ unit: fc.constantFrom(...characters[kind]), ...sizes });
    if (kind === 'b') return text.map((hex) => hex.slice(0, hex.length - (hex.length % 2)));
    return kind === 'xn'
      ? text.map((digits) => `C${digits}`)
      : text.map((value) => (lengthDigits === 0 && kind === 'ans' ? value.trimEnd() : value));
  };
  const messages = fc
    .subarray([...fields], { minLength: 1 })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(([number, field]) =>
          textFor(field).map((text) => [number, field.isOpen ? text : new Secret(text)] as const),
        ),
      ),
    )
    .map((values): IsoMessage => ({ mti: '0210', fields: new Map(values) }));
  const plain = ({ mti, fields: values }: IsoMessage) => [
    mti,
    ...[...values].map(([number, value]) => [number, typeof value === 'string' ? value : value.reveal()]),
  ];

  it('give back what was put in, over any cut of the line', () => {
    fc.assert(
      fc.property(
        fc.array(messages, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(200), { maxLength: 20 }),
        (sent, cuts) => {
          const bytes = Buffer.concat(sent.map(encodeFrame));
          const reader = createFrameReader();
          const frames: Buffer[] = [];
          let at = 0;
          for (const cut of [...cuts, bytes.length]) {
            frames.push(...reader.push(bytes.subarray(at, at + cut)).frames);
            at += cut;
          }
          const decoded = frames.map(decodeMessage);
          expect(decoded.map((each) => (each.ok ? plain(each.message) : each.problem))).toEqual(
            sent.map((each) => plain({ ...each, fields: new Map([...each.fields].sort(([a], [b]) => a - b)) })),
          );
        },
      ),
      run,
    );
  });

  it('never throw, and never read a message that is cut off or goes on', () => {
    fc.assert(
      fc.property(messages, fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), (message, noise, cut) => {
        const bytes = Buffer.from(encodeFrame(message).subarray(2));
        expect(decodeMessage(bytes.subarray(0, cut % bytes.length)).ok).toBe(false);
        expect(decodeMessage(Buffer.concat([bytes, noise])).ok).toBe(false);
        for (const [index, byte] of noise.entries()) bytes[(index * 31 + cut) % bytes.length] = byte;
        const decoded = decodeMessage(bytes);
        if (decoded.ok) renderForLog(decoded.message);
        decodeMessage(Buffer.from(noise));
      }),
      run,
    );
  });

  it('show no secret in a log', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const text = renderForLog(message);
        for (const [number, value] of message.fields) {
          if (typeof value !== 'string') expect(text).toContain(` ${number}=•`);
        }
        expect(renderForLog({ mti: '0200', fields: new Map([[DE.pan, '4761739001010119']]) })).toBe('0200 2=•');
      }),
      run,
    );
  });
});

describe('frames', () => {
  it('are given in their order, however many come at once', () => {
    const reader = createFrameReader();
    const first = '"0810" 00 00 00 00 00 00 00 00';
    const second = '"0210" 00 00 00 00 00 00 00 00';
    const { frames } = reader.push(Buffer.concat([framed(first), framed(second), Buffer.from([0x00])]));
    expect(frames).toEqual([bytesOf(first), bytesOf(second)]);
    expect(reader.push(framed(first).subarray(1)).frames).toEqual([bytesOf(first)]);
  });

  it('end with the first length that cannot be one', () => {
    const { frames, isBroken } = createFrameReader().push(
      Buffer.concat([framed('"0810" 00 00 00 00 00 00 00 00'), Buffer.from([0x10, 0x01])]),
    );
    expect([frames.length, isBroken]).toEqual([1, true]);
  });
});

describe('EMV tags', () => {
  it('of one and two bytes, with short and long values', () => {
    const long = 'AB'.repeat(200);
    expect(
      encodeTlv([
        ['9F26', '0102'],
        ['82', '1980'],
        ['71', long],
      ]),
    ).toBe(`9F26020102${'82021980'}7181C8${long}`);
    expect(decodeTlv(`9F26020102820219807181C8${long}`)).toEqual([
      ['9F26', '0102'],
      ['82', '1980'],
      ['71', long],
    ]);
    expect(decodeTlv('DF810C0101')).toEqual([['DF810C', '01']]);
    expect(decodeTlv('')).toEqual([]);
  });

  it.each(['9F', '9F26', '9F260', '910A11', '91', '9182010011', '91FF'])(
    'that are cut off or have no sound length (%s) are none',
    (hex) => {
      expect(decodeTlv(hex)).toBeUndefined();
    },
  );

  it('never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        decodeTlv(Buffer.from(bytes).toString('hex').toUpperCase());
      }),
      run,
    );
  });
});
