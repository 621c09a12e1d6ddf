// What may be seen of a message on the line: its name, and the values on a list. Everything else is only counted.
import type { TracedField, TracedMessage } from '../../../app/ports/wire-traces.ts';
import type { Ecr17Command } from './command-types.ts';
import { decodeCommand } from './commands.ts';
import { readHeader } from './header.ts';
import type { Ecr17Message, Malformed } from './message-types.ts';
import { decodeMessage } from './messages.ts';

type Decoded = Ecr17Command | Ecr17Message | Malformed;

/**
 * Values that may be seen: codes, amounts, numbers. They come from sound messages only, and those of a payment are too short and too far apart for a
 * card number, should a terminal have its fields elsewhere. Card data, receipts and texts are on no list.
 */
const seen: ReadonlyMap<string, string> = new Map([
  ['tillId', 'till'],
  ['result', 'result'],
  ['actionCode', 'action'],
  ['amountMinor', 'amount'],
  ['stan', 'STAN'],
  ['preAuthorizationCode', 'pre-authorization'],
  ['state', 'state'],
  ['cardChoice', 'cards'],
  ['goToTill', 'to the till'],
  ['goesToTill', 'to the till'],
  ['ticket', 'ticket'],
  ['terminalTotalMinor', 'terminal total'],
  ['hostTotalMinor', 'host total'],
]);

/** A message as it may be kept and shown. Never throws. @param bytes its text, a character each, without marks and checksum */
export function traceMessage(direction: TracedMessage['direction'], bytes: Uint8Array): TracedMessage {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const byteCount = bytes.length;
  const header = readHeader(text);
  if (header === undefined) return { direction, name: 'not readable', byteCount, fields: hidden(byteCount) };
  const decoded = direction === 'TO_TERMINAL' ? decodeCommand(text) : decodeMessage(text);
  const shown = shownOf(decoded);
  const fields = [...shown, ...hidden(hiddenCount(text, shown))];
  return { direction, name: `${codeOf(header.code)} ${nameOf(decoded)}`, byteCount, fields };
}

function nameOf({ type }: Decoded): string {
  if (type === 'malformed') return 'not readable';
  return type === 'unknown' ? 'other message' : type.replaceAll('-', ' ');
}

/** A code that is no letter may be anything. */
function codeOf(code: string): string {
  return /^[A-Za-z]$/.test(code) ? code : '?';
}

function shownOf(decoded: Decoded): readonly TracedField[] {
  if (decoded.type === 'malformed' || decoded.type === 'unknown') return [];
  return Object.entries(decoded).flatMap(([key, value]) => {
    const tag = seen.get(key);
    return tag === undefined ? [] : [{ tag, shown: String(value) }];
  });
}

/** What of a text is not shown, its header aside. */
function hiddenCount(text: string, shown: readonly TracedField[]): number {
  const shownCount = shown.reduce((sum, field) => sum + ('shown' in field ? field.shown.length : 0), 0);
  return Math.max(0, text.length - 10 - shownCount);
}

function hidden(count: number): readonly TracedField[] {
  return count <= 0 ? [] : [{ tag: 'data', hiddenBytes: count }];
}
