// PIN blocks of ISO 9564-1: formats 0 and 3 for TDES keys, format 4 for AES keys.
import { concatBytes, fromHex, toHex } from '../../../framing/bytes.ts';
import { decryptAes, decryptTdes, encryptAes, encryptTdes, xorBytes } from './ciphers.ts';

const MIN_PIN_DIGITS = 4;
const MAX_PIN_DIGITS = 12;
/** Fill digits of format 3 lie from A to F. */
const FIRST_FILL_DIGIT = 10;
const FILL_DIGITS = 6;
const RANDOM_BYTES = { FORMAT_3: 10, FORMAT_4: 8 } as const;

/** The clear block of format 0. @param pan whole, with its check digit */
export function pinBlockFormat0(pin: string, pan: string): Uint8Array {
  return xorBytes(fromHex(`0${pinDigits(pin)}`.padEnd(16, 'F')), panField(pan));
}

/** The clear block of format 3. @param random 10 bytes, of which the fill digits are made */
export function pinBlockFormat3(pin: string, pan: string, random: Uint8Array): Uint8Array {
  const fill = Array.from(requireBytes(random, RANDOM_BYTES.FORMAT_3), (byte) =>
    (FIRST_FILL_DIGIT + (byte % FILL_DIGITS)).toString(16),
  ).join('');
  const digits = `3${pinDigits(pin)}${fill}`.slice(0, 16);
  return xorBytes(fromHex(digits), panField(pan));
}

/** The field of a format 4 block that holds the PIN. @param random 8 bytes */
export function pinField4(pin: string, random: Uint8Array): Uint8Array {
  return concatBytes(fromHex(`4${pinDigits(pin)}`.padEnd(16, 'A')), requireBytes(random, RANDOM_BYTES.FORMAT_4));
}

/** The field of a format 4 block that holds the account: how many digits it has more than twelve, then the digits. */
export function panField4(pan: string): Uint8Array {
  const digits = pan.padStart(12, '0');
  return fromHex(`${digits.length - 12}${digits}`.padEnd(32, '0'));
}

/** A clear block of format 0 or 3 under a PIN key. @param pinKey the PIN variant of a transaction key */
export function encryptPinBlock(pinKey: Uint8Array, clearBlock: Uint8Array): Uint8Array {
  return encryptTdes(pinKey, clearBlock);
}

/** A PIN in format 4 under an AES PIN key. */
export function encryptPinFormat4(pinKey: Uint8Array, pin: string, pan: string, random: Uint8Array): Uint8Array {
  const inner = encryptAes(pinKey, pinField4(pin, random));
  return encryptAes(pinKey, xorBytes(inner, panField4(pan)));
}

/** The issuer's side: the PIN of an encrypted block of format 0 or 3; undefined when key or account are not those of the block. */
export function openPinBlock(pinKey: Uint8Array, block: Uint8Array, pan: string): string | undefined {
  const digits = toHex(xorBytes(decryptTdes(pinKey, block), panField(pan)));
  const format = digits[0];
  if (format !== '0' && format !== '3') return undefined;
  return pinIn(digits, format === '0' ? /^F+$/ : /^[A-F]+$/);
}

/** The issuer's side: the PIN of a format 4 block; undefined when key or account are not those of the block. */
export function openPinFormat4(pinKey: Uint8Array, block: Uint8Array, pan: string): string | undefined {
  const inner = xorBytes(decryptAes(pinKey, block), panField4(pan));
  const digits = toHex(decryptAes(pinKey, inner)).slice(0, 16);
  return digits[0] === '4' ? pinIn(digits, /^A+$/) : undefined;
}

/** Length and digits, as every format writes them. @throws RangeError unless there are 4 to 12 digits */
function pinDigits(pin: string): string {
  if (!/^[0-9]+$/.test(pin) || pin.length < MIN_PIN_DIGITS || pin.length > MAX_PIN_DIGITS) {
    throw new RangeError(`A PIN has ${MIN_PIN_DIGITS} to ${MAX_PIN_DIGITS} digits`);
  }
  return `${pin.length.toString(16)}${pin}`;
}

/** Too few would make a block that every PIN of the shop shares. */
function requireBytes(random: Uint8Array, count: number): Uint8Array {
  if (random.length !== count) throw new RangeError(`The block takes ${count} random bytes, not ${random.length}`);
  return random;
}

/** Formats 0 and 3: the twelve digits before the check digit. */
function panField(pan: string): Uint8Array {
  return fromHex(pan.slice(-13, -1).padStart(16, '0'));
}

function pinIn(digits: string, fill: RegExp): string | undefined {
  const length = Number.parseInt(digits[1] ?? '', 16);
  const pin = digits.slice(2, 2 + length);
  const isPin = length >= MIN_PIN_DIGITS && length <= MAX_PIN_DIGITS && /^[0-9]+$/.test(pin);
  return isPin && fill.test(digits.slice(2 + length)) ? pin : undefined;
}
