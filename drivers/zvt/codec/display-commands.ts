// 06 E0, 06 E1, 06 E2: text on the terminal's display. F0 duration, F1–F8 lines, F9 beeps, then what 06 E2 adds.
import { Secret } from '../../../app/domain/secret.ts';
import { concatBytes } from '../../framing/bytes.ts';
import { encodeApdu } from './apdu.ts';
import { encodeBmp, parseBmps, TLV_CONTAINER_BMP } from './bmp.ts';
import { bmpName } from './bmp-fields.ts';
import { DEFAULT_CHARSET, decodeText, encodeText, type ZvtCharset } from './charset.ts';
import { DISPLAY_COMMANDS } from './command-codes.ts';
import type { DisplayCommand, NumericInputOptions } from './command-types.ts';
import { encodeContainer } from './fields.ts';
import { malformed } from './malformed.ts';
import type { BmpField, Malformed } from './message-types.ts';
import { decodeTlv } from './tlv.ts';

const DURATION = 0xf0;
const FIRST_LINE = 0xf1;
const BEEPS = 0xf9;
const CONFIRM = 0xfb;
const MIN_LENGTH = 0xe0;
const FIRST_SECOND_LINE = 0xe1;
const MAX_LENGTH = 0xe9;
const ECHO = 0xea;
const MAC = 0xeb;
const MAC_BYTES = 8;
/** F1–F8 and E1–E8 */
const MAX_DISPLAY_LINES = 8;

/** Decodes the data of a display command. */
export function decodeDisplay(
  apdu: Uint8Array,
  type: DisplayCommand['type'],
  data: Uint8Array,
  charset: ZvtCharset = DEFAULT_CHARSET,
): DisplayCommand | Malformed {
  const { fields, end } = parseBmps(data);
  if (end.kind !== 'complete') return malformed(apdu, 'bad-field', { field: bmpName(end.bmp) });
  const byteOf = (bmp: number) => fields.find((field) => field.bmp === bmp)?.value[0];
  const durationSeconds = byteOf(DURATION);
  const beepCount = byteOf(BEEPS);
  const tlv = readTlv(fields);
  return {
    type,
    lines: readLines(fields, FIRST_LINE, charset),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(beepCount === undefined ? {} : { beepCount }),
    ...(type === 'numeric-input' ? { input: readInput(fields, byteOf, charset) } : {}),
    ...(tlv === undefined ? {} : { tlv: new Secret(tlv) }),
  };
}

function readTlv(fields: readonly BmpField[]) {
  const container = fields.find(({ bmp }) => bmp === TLV_CONTAINER_BMP);
  const result = container === undefined ? undefined : decodeTlv(container.value);
  return result?.ok === true ? result.nodes : undefined;
}

/** The lines up to the last one given; one left out in between is empty. */
function readLines(fields: readonly BmpField[], firstBmp: number, charset: ZvtCharset): readonly string[] {
  const given = fields.filter(({ bmp }) => bmp >= firstBmp && bmp < firstBmp + MAX_DISPLAY_LINES);
  const count = given.reduce((most, { bmp }) => Math.max(most, bmp - firstBmp + 1), 0);
  return Array.from({ length: count }, (_, index) => {
    const value = given.find(({ bmp }) => bmp === firstBmp + index)?.value;
    return value === undefined ? '' : decodeText(value, charset);
  });
}

function readInput(
  fields: readonly BmpField[],
  byteOf: (bmp: number) => number | undefined,
  charset: ZvtCharset,
): NumericInputOptions {
  const confirm = byteOf(CONFIRM);
  const minLength = byteOf(MIN_LENGTH);
  const maxLength = byteOf(MAX_LENGTH);
  const echo = byteOf(ECHO);
  const secondLines = readLines(fields, FIRST_SECOND_LINE, charset);
  const mac = fields.find(({ bmp }) => bmp === MAC)?.value;
  return {
    ...(confirm === undefined ? {} : { confirm }),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(echo === undefined ? {} : { echo }),
    ...(secondLines.length === 0 ? {} : { secondLines }),
    ...(mac === undefined ? {} : { mac }),
  };
}

/** Encodes a display command. @throws RangeError for more than eight lines or a MAC that is not eight bytes */
export function encodeDisplay(command: DisplayCommand, charset: ZvtCharset = DEFAULT_CHARSET): Uint8Array {
  const controlField = DISPLAY_COMMANDS.find(([, type]) => type === command.type)?.[0] ?? 0;
  const { input = {} } = command;
  if (input.mac !== undefined && input.mac.length !== MAC_BYTES) throw new RangeError('A MAC has eight bytes');
  const fields = [
    ...byteField(DURATION, command.durationSeconds),
    ...lineFields(FIRST_LINE, command.lines, charset),
    ...byteField(BEEPS, command.beepCount),
    ...byteField(CONFIRM, input.confirm),
    ...byteField(MIN_LENGTH, input.minLength),
    ...lineFields(FIRST_SECOND_LINE, input.secondLines ?? [], charset),
    ...byteField(ECHO, input.echo),
    ...byteField(MAX_LENGTH, input.maxLength),
    ...(input.mac === undefined ? [] : [{ bmp: MAC, value: input.mac }]),
  ];
  return encodeApdu(controlField, concatBytes(...fields.map(encodeBmp), encodeContainer(command)));
}

function byteField(bmp: number, value: number | undefined): readonly BmpField[] {
  if (value === undefined) return [];
  if (!Number.isInteger(value) || value < 0 || value > 0xff) throw new RangeError(`${value} is no byte`);
  return [{ bmp, value: Uint8Array.of(value) }];
}

function lineFields(firstBmp: number, lines: readonly string[], charset: ZvtCharset): readonly BmpField[] {
  if (lines.length > MAX_DISPLAY_LINES) throw new RangeError(`A display takes ${MAX_DISPLAY_LINES} lines`);
  return lines.map((line, index) => ({ bmp: firstBmp + index, value: encodeText(line, charset) }));
}
