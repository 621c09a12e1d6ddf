// What may be seen of a frame on the line: its name, and the tags on a list. Everything else is only counted.
import type { TracedField, TracedMessage } from '../../../app/ports/wire-traces.ts';
import { toHex } from '../../framing/bytes.ts';
import { readFrame, readFrameLayout, type Vivotech2Message } from '../../framing/vivotech2-frame.ts';
import { commandType, type KnownCommandType } from './command-codes.ts';
import { statusMeaning } from './status-codes.ts';
import { decodeNeoTlv } from './tlv.ts';

/** Fixed bytes before the tags of a command; the bytes of what is not listed are hidden. */
const prefixBytes: { readonly [Type in KnownCommandType]?: number } = {
  'set-configuration': 0,
  activate: 1,
  'start-contact': 5,
  authenticate: 3,
  'apply-response': 1,
};

/** Commands whose replies hold an attribution byte and tags. */
const transactionCommands: ReadonlySet<number> = new Set([0x60, 0x02]);

/**
 * Tags whose bytes may be seen: results, verification, amounts, currency, choices of the till. None is longer than six bytes, so that no value
 * that is shown has the digits of a card number.
 */
const seenTags: ReadonlySet<string> = new Set([
  ...['82', '8A', '95', '9A', '9B', '9C', '5F2A', '5F57', '9F02', '9F03', '9F1A', '9F27', '9F34', '9F36'],
  ...['DFEE25', 'DFEE26', 'DFEF37', 'DFEF3C', 'DFED59', 'FFF7'],
]);
const MAX_SEEN_BYTES = 6;

/** A frame as it may be kept and shown. Never throws. */
export function traceMessage(direction: TracedMessage['direction'], bytes: Uint8Array): TracedMessage {
  const layout = readFrameLayout(bytes);
  const frame = layout === undefined ? undefined : readFrame(bytes, layout)?.frame;
  const byteCount = bytes.length;
  if (frame === undefined) return { direction, name: 'not readable', byteCount, fields: hidden('data', bytes) };
  if (frame.kind === 'event')
    return { direction, name: 'user interface event', byteCount, fields: hidden('data', frame.data) };
  const { name, fields } = direction === 'TO_TERMINAL' ? readCommand(frame) : readReply(frame);
  return {
    direction,
    name: `${toHex(Uint8Array.of(frame.command, frame.code)).replace(/(..)/, '$1 ')} ${name}`,
    byteCount,
    fields,
  };
}

interface Read {
  readonly name: string;
  readonly fields: readonly TracedField[];
}

function readCommand({ command, code, data }: Vivotech2Message): Read {
  const type = commandType(command, code);
  if (type === undefined) return { name: 'other command', fields: hidden('data', data) };
  const name = type.replaceAll('-', ' ');
  const prefix = prefixBytes[type];
  if (prefix === undefined) return { name, fields: hidden('data', data) };
  return { name, fields: [...shown('parameters', data.subarray(0, prefix)), ...tagsOf(data.subarray(prefix))] };
}

function readReply({ command, code, data }: Vivotech2Message): Read {
  if (command === 0x61 && data.length > 0) return { name: 'request of the reader', fields: hidden('data', data) };
  const name = `reply: ${statusMeaning(code).name.toLowerCase().replaceAll('_', ' ')}`;
  if (!transactionCommands.has(command)) return { name, fields: hidden('data', data) };
  return { name, fields: [...shown('attribution', data.subarray(0, 1)), ...tagsOf(data.subarray(1))] };
}

function tagsOf(data: Uint8Array): readonly TracedField[] {
  const read = decodeNeoTlv(data);
  // A list that cannot be read to its end may have been read wrongly from its beginning: nothing of it is shown.
  if (!read.ok) return hidden('data', data);
  return read.tags.flatMap(({ tag, form, value }) =>
    form === 'CLEAR' && seenTags.has(tag) && value.length <= MAX_SEEN_BYTES ? shown(tag, value) : hidden(tag, value),
  );
}

function shown(tag: string, bytes: Uint8Array): readonly TracedField[] {
  return bytes.length === 0 ? [] : [{ tag, shown: toHex(bytes) }];
}

function hidden(tag: string, bytes: Uint8Array): readonly TracedField[] {
  return bytes.length === 0 ? [] : [{ tag, hiddenBytes: bytes.length }];
}
