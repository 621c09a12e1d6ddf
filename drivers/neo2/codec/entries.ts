// PIN, key and amount entry at the reader's keypad, 62-xx (guide 80139403-002, chapter 8.24).
import { Secret } from '../../../app/domain/secret.ts';
import { concatBytes } from '../../framing/bytes.ts';
import type { Vivotech2Message } from '../../framing/vivotech2-frame.ts';
import type { GetAmount, GetEncryptedPin, PinKeyUse } from './command-types.ts';
import { malformed } from './malformed.ts';
import type { AmountReply, FunctionKeyReply, Malformed, NeoFunctionKey, PinReply } from './message-types.ts';
import { checked, packText, readText } from './text.ts';

/** State byte with which every answer to an entry begins. */
export const ENTRY_STATES: ReadonlyMap<number, { readonly name: string; readonly meaning: string }> = new Map([
  [0x00, { name: 'ENTERED', meaning: 'The entry was made.' }],
  [0x01, { name: 'CANCELLED_AT_READER', meaning: 'Cancelled at the keypad.' }],
  [0x02, { name: 'CANCELLED_BY_HOST', meaning: 'Cancelled by a command.' }],
  [0x03, { name: 'BAD_PARAMETER', meaning: 'A parameter is wrong.' }],
  [0x04, { name: 'BAD_PAN', meaning: 'The card number is wrong.' }],
  [0x05, { name: 'KEY_MISSING', meaning: 'The key for PINs is missing.' }],
  [0x06, { name: 'KEY_EXHAUSTED', meaning: 'The key for PINs is used up.' }],
  [0x07, { name: 'BAD_TEXT', meaning: 'The text to show is wrong.' }],
  [0x10, { name: 'FINANCIAL_CARD', meaning: 'A payment card is not allowed here.' }],
]);

const STATE_ENTERED = 0x00;

const KEY_USES: readonly (readonly [code: number, use: PinKeyUse])[] = [
  [0x00, 'SESSION_KEY_OWN_PAN'],
  [0x01, 'DUKPT_OWN_PAN'],
  [0x10, 'SESSION_KEY_GIVEN_PAN'],
  [0x11, 'DUKPT_GIVEN_PAN'],
];
const GIVEN_PAN_BIT = 0x10;

const KEYS: readonly (readonly [text: string, key: NeoFunctionKey])[] = [
  ['B', 'BACKSPACE'],
  ['C', 'CANCEL'],
  ['E', 'ENTER'],
  ['*', 'STAR'],
  ['#', 'HASH'],
  ['F1', 'F1'],
  ['F2', 'F2'],
  ['F3', 'F3'],
  ['F4', 'F4'],
];

/** KSN and PIN block in characters of hex, one after the other. */
const PIN_LAYOUTS = [
  { keyScheme: 'TDES_DUKPT', format: 0, ksnLength: 20, blockLength: 16 },
  { keyScheme: 'AES_DUKPT', format: 4, ksnLength: 24, blockLength: 32 },
  { keyScheme: 'SESSION_KEY', format: 0, ksnLength: 0, blockLength: 16 },
] as const;

const MIN_PIN_DIGITS = 4;
const MAX_PIN_DIGITS = 12;
const MAX_AMOUNT_DIGITS = 15;
const MAX_PROMPT_CHARACTERS = 16;
/** Two lines of a PIN prompt with a NUL between them would be 33; a prompt here is plain text. */
const MAX_PIN_PROMPT_CHARACTERS = 32;
/** The digits of an amount are padded with F to this length. */
const AMOUNT_FIELD_CHARACTERS = 16;

/** @throws RangeError when a value does not fit */
export function packPinRequest(command: GetEncryptedPin): Uint8Array {
  const keyUse = KEY_USES.find(([, use]) => use === command.keyUse)?.[0] ?? 0;
  const pan = command.pan?.reveal() ?? '';
  if ((keyUse & GIVEN_PAN_BIT) === 0 ? pan !== '' : !/^[0-9]{12,19}$/.test(pan)) {
    throw new RangeError(`${command.keyUse} does not go with a card number of ${pan.length} digits`);
  }
  const { maxDigits, minDigits } = digitBounds(command, MIN_PIN_DIGITS, MAX_PIN_DIGITS);
  const digits = packText(pan, { min: 0, max: 19 });
  const prompt = packText(command.prompt, { min: 0, max: MAX_PIN_PROMPT_CHARACTERS });
  return concatBytes(
    Uint8Array.of(keyUse, digits.length),
    digits,
    Uint8Array.of(maxDigits, minDigits, prompt.length),
    prompt,
  );
}

export function decodePinRequest(frame: Vivotech2Message): GetEncryptedPin | Malformed {
  const { data } = frame;
  const keyUse = KEY_USES.find(([code]) => code === data[0])?.[1];
  if (keyUse === undefined) return malformed(frame, 'bad-field', 'keyUse');
  const panEnd = 2 + (data[1] ?? 0);
  const [maxDigits, minDigits, promptLength] = data.subarray(panEnd);
  if (maxDigits === undefined || minDigits === undefined || promptLength === undefined) {
    return malformed(frame, 'missing-field');
  }
  const prompt = data.subarray(panEnd + 3);
  if (prompt.length !== promptLength) return malformed(frame, 'bad-field', 'prompt');
  const pan = readText(data.subarray(2, panEnd));
  return {
    type: 'get-encrypted-pin',
    keyUse,
    ...(pan === '' ? {} : { pan: new Secret(pan) }),
    maxDigits,
    minDigits,
    prompt: readText(prompt),
  };
}

/** @throws RangeError when a value does not fit */
export function packAmountRequest(command: GetAmount): Uint8Array {
  const { maxDigits, minDigits } = digitBounds(command, 1, MAX_AMOUNT_DIGITS);
  const prompt = packText(command.prompt, { min: 1, max: MAX_PROMPT_CHARACTERS });
  // The first byte is reserved.
  return concatBytes(Uint8Array.of(0, maxDigits, minDigits), prompt);
}

export function decodeAmountRequest(frame: Vivotech2Message): GetAmount | Malformed {
  const [reserved, maxDigits, minDigits] = frame.data;
  if (reserved === undefined || maxDigits === undefined || minDigits === undefined) {
    return malformed(frame, 'missing-field');
  }
  return { type: 'get-amount', maxDigits, minDigits, prompt: readText(frame.data.subarray(3)) };
}

/** Reads the answer to an entry; `frame.data` begins with the state. */
export function decodePinReply(frame: Vivotech2Message): PinReply | Malformed {
  const { head, state, text } = openEntry(frame);
  if (state !== STATE_ENTERED) return { type: 'pin', ...head, state };
  const layout = PIN_LAYOUTS.find(({ ksnLength, blockLength }) => text.length === ksnLength + blockLength);
  if (layout === undefined || !/^[0-9A-F]*$/i.test(text)) return malformed(frame, 'bad-field', 'pinBlock');
  const { keyScheme, format, ksnLength } = layout;
  const ksn = text.slice(0, ksnLength).toUpperCase();
  const pinBlock = new Secret(text.slice(ksnLength).toUpperCase());
  const pin = { keyScheme, format, ...(ksn === '' ? {} : { ksn: new Secret(ksn) }), pinBlock };
  return { type: 'pin', ...head, state, pin };
}

export function decodeFunctionKeyReply(frame: Vivotech2Message): FunctionKeyReply | Malformed {
  const { head, state, text } = openEntry(frame);
  if (state !== STATE_ENTERED) return { type: 'function-key', ...head, state };
  const key = KEYS.find(([code]) => code === text)?.[1];
  return key === undefined ? malformed(frame, 'bad-field', 'key') : { type: 'function-key', ...head, state, key };
}

export function decodeAmountReply(frame: Vivotech2Message): AmountReply | Malformed {
  const { head, state, text } = openEntry(frame);
  if (state !== STATE_ENTERED) return { type: 'amount', ...head, state };
  const digits = /^([0-9]+)F*$/.exec(text)?.[1];
  if (digits === undefined || text.length !== AMOUNT_FIELD_CHARACTERS) return malformed(frame, 'bad-field', 'amount');
  return { type: 'amount', ...head, state, digits };
}

/** @throws RangeError when a value does not fit */
export function packEntryReply(reply: PinReply | FunctionKeyReply | AmountReply): Uint8Array {
  return concatBytes(Uint8Array.of(reply.state), packText(entryText(reply), { min: 0, max: 56 }));
}

function entryText(reply: PinReply | FunctionKeyReply | AmountReply): string {
  switch (reply.type) {
    case 'pin':
      return (reply.pin?.ksn?.reveal() ?? '') + (reply.pin?.pinBlock.reveal() ?? '');
    case 'function-key':
      return KEYS.find(([, key]) => key === reply.key)?.[0] ?? '';
    case 'amount':
      return reply.digits?.padEnd(AMOUNT_FIELD_CHARACTERS, 'F') ?? '';
  }
}

function openEntry({ command, code, data }: Vivotech2Message) {
  return { head: { command, status: code }, state: data[0] ?? 0, text: readText(data.subarray(1)) };
}

function digitBounds(
  { maxDigits, minDigits }: Pick<GetAmount, 'maxDigits' | 'minDigits'>,
  min: number,
  max: number,
): Pick<GetAmount, 'maxDigits' | 'minDigits'> {
  return { maxDigits: checked(maxDigits, min, max), minDigits: checked(minDigits, min, maxDigits) };
}
