// Texts and numbers as readers write them.

/** Printable ASCII only, as the guide allows for prompts. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** The bytes as text, one character a byte. */
export function readText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** @throws RangeError for anything but printable ASCII, or for more or fewer characters than allowed */
export function packText(text: string, { min, max }: { readonly min: number; readonly max: number }): Uint8Array {
  if (!PRINTABLE.test(text) || text.length < min || text.length > max) {
    throw new RangeError(`A text must have ${min} to ${max} printable characters of ASCII`);
  }
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** @throws RangeError for a number that is no integer from `min` to `max` */
export function checked(value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${value} is not between ${min} and ${max}`);
  }
  return value;
}

/** Two bytes, high one first. */
export function packHighFirst(value: number): Uint8Array {
  const number = checked(value, 0, 0xffff);
  return Uint8Array.of(number >> 8, number & 0xff);
}

/** Two bytes, low one first. */
export function packLowFirst(value: number): Uint8Array {
  const number = checked(value, 0, 0xffff);
  return Uint8Array.of(number & 0xff, number >> 8);
}
