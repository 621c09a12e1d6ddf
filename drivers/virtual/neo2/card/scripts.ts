// Issuer scripts (EMV book 3, 10.10 and annex E): commands of the issuer that the reader hands on to the chip.
import { concatBytes } from '../../../framing/bytes.ts';

/** A script as it came. BEFORE is tag 71, run before the second cryptogram; AFTER is tag 72. */
export interface IssuerScript {
  readonly when: 'BEFORE' | 'AFTER';
  /** the value of the tag */
  readonly bytes: Uint8Array;
}

export interface ScriptResult {
  readonly isDone: boolean;
  /** five bytes of tag 9F5B */
  readonly result: Uint8Array;
}

const TAG_SCRIPT_ID = [0x9f, 0x18] as const;
const TAG_COMMAND = 0x86;
const ID_BYTES = 4;
/** Upper half of the first byte of a result. */
const FAILED = 0x10;
const SUCCESSFUL = 0x20;
/** The number of a command that failed has four bits; the last one stands for all beyond. */
const MAX_COMMAND_NUMBER = 15;
/** CLA INS P1 P2 Lc */
const HEADER_BYTES = 5;
/** Commands with secure messaging that a card takes from its issuer. */
const SECURED_CLASSES: ReadonlySet<number> = new Set([0x04, 0x0c, 0x84, 0x8c]);
/** Card block, application unblock, application block, PIN change or unblock, put data, update record. */
const ISSUER_COMMANDS: ReadonlySet<number> = new Set([0x16, 0x18, 0x1e, 0x24, 0xda, 0xdc]);

/**
 * Runs one script: its commands in order, up to the first that the chip does not take. The commands' own MACs are not looked at: what is shown
 * is that they came, whole and in order.
 */
export function runScript({ bytes }: IssuerScript): ScriptResult {
  const { id, rest } = readId(bytes);
  const commands = readCommands(rest);
  if (commands === undefined) return { isDone: false, result: concatBytes(Uint8Array.of(FAILED), id) };
  const failedAt = commands.findIndex((command) => !isTaken(command));
  if (failedAt < 0) return { isDone: true, result: concatBytes(Uint8Array.of(SUCCESSFUL), id) };
  const number = Math.min(failedAt + 1, MAX_COMMAND_NUMBER);
  return { isDone: false, result: concatBytes(Uint8Array.of(FAILED | number), id) };
}

/** The id of a script is optional: zeros stand for none. */
function readId(bytes: Uint8Array): { readonly id: Uint8Array; readonly rest: Uint8Array } {
  const [first, second, length] = bytes;
  const hasId = first === TAG_SCRIPT_ID[0] && second === TAG_SCRIPT_ID[1] && length === ID_BYTES && bytes.length >= 7;
  if (!hasId) return { id: new Uint8Array(ID_BYTES), rest: bytes };
  return { id: bytes.slice(3, 3 + ID_BYTES), rest: bytes.subarray(3 + ID_BYTES) };
}

/** Undefined when the bytes are no list of commands, or an empty one. */
function readCommands(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const commands: Uint8Array[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const isLong = bytes[offset + 1] === 0x81;
    const length = bytes[offset + (isLong ? 2 : 1)];
    const start = offset + (isLong ? 3 : 2);
    if (bytes[offset] !== TAG_COMMAND || length === undefined || (!isLong && length > 0x7f)) return undefined;
    if (start + length > bytes.length) return undefined;
    commands.push(bytes.subarray(start, start + length));
    offset = start + length;
  }
  return commands.length === 0 ? undefined : commands;
}

function isTaken(command: Uint8Array): boolean {
  const [category, instruction, , , dataLength] = command;
  if (category === undefined || instruction === undefined || dataLength === undefined) return false;
  const isWhole = command.length === HEADER_BYTES + dataLength;
  return isWhole && SECURED_CLASSES.has(category) && ISSUER_COMMANDS.has(instruction);
}
