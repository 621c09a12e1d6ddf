import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** Published test numbers of the schemes. */
export const cards = [
  '4111111111111111',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '30569309025904',
  '6011111111111117',
  '3530111333300000',
  '6304000000000000',
];

function packed(digits: string): Buffer {
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}f`, 'hex');
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** A card number in every writing that the scanner undoes. */
export const encodings: Readonly<Record<string, (pan: string) => Buffer>> = {
  plain: (pan) => Buffer.from(pan),
  'grouped by blanks': (pan) => Buffer.from(pan.replace(/(.{4})(?=.)/g, '$1 ')),
  'grouped by dashes': (pan) => Buffer.from(pan.replace(/(.{4})(?=.)/g, '$1-')),
  'one digit to a line': (pan) => Buffer.from(Array.from(pan).join('\r\n')),
  'line breaks escaped in JSON': (pan) => Buffer.from(JSON.stringify({ text: pan.replace(/(.{4})/g, '$1\n') })),
  'unicode escapes': (pan) => Buffer.from(pan.replace(/./g, (digit) => `\\u003${digit}`)),
  reversed: (pan) => Buffer.from(Array.from(pan).reverse().join('')),
  hex: (pan) => Buffer.from(Buffer.from(pan).toString('hex')),
  'hex in pairs': (pan) =>
    Buffer.from(
      Buffer.from(pan)
        .toString('hex')
        .replace(/(..)(?=.)/g, '$1 '),
    ),
  base64: (pan) => Buffer.from(Buffer.from(pan).toString('base64')),
  'base64url inside a word': (pan) => Buffer.from(`x${Buffer.from(`id=${pan};`).toString('base64url')}`),
  'base64 of base64': (pan) => Buffer.from(Buffer.from(Buffer.from(pan).toString('base64')).toString('base64')),
  'UTF-16LE': (pan) => Buffer.from(pan, 'utf16le'),
  'UTF-16BE': utf16be,
  'base64 of UTF-16LE': (pan) => Buffer.from(Buffer.from(pan, 'utf16le').toString('base64')),
  'full-width digits': (pan) => Buffer.from(pan.replace(/./g, (digit) => String.fromCharCode(0xff10 + Number(digit)))),
  gzip: (pan) => gzipSync(`{"a":"${pan}"}`),
  'base64 of gzip': (pan) => Buffer.from(gzipSync(`{"a":"${pan}"}`).toString('base64')),
  'hex of deflate': (pan) => Buffer.from(deflateSync(`{"a":"${pan}"}`).toString('hex')),
  'base64 of raw deflate': (pan) => Buffer.from(deflateRawSync(`{"a":"${pan}"}`).toString('base64')),
  'percent encoding': (pan) => Buffer.from(pan.replace(/./g, (digit) => `%3${digit}`)),
  packed: (pan) => Buffer.from(packed(pan).toString('hex')),
  'packed in base64': (pan) => Buffer.from(packed(pan).toString('base64')),
  'packed in an EMV tag in base64': (pan) => {
    const bytes = packed(pan);
    return Buffer.from(Buffer.from([0x9f, 0x02, 0x5a, bytes.length, ...bytes, 0x5f]).toString('base64'));
  },
  'track 2': (pan) => Buffer.from(`;${pan}=25121010000012345678?`),
  'track 1': (pan) => Buffer.from(`%B${pan}^DOE/JANE^25121010000000000000?`),
};
