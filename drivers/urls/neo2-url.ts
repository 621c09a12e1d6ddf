import { type HidLine, type SerialLine, usbIdOf } from '../line-address.ts';
import type { Neo2Settings } from '../neo2/neo2-settings.ts';
import {
  choice,
  decodePart,
  readCurrency,
  readParameters,
  readSerialLine,
  readUrl,
  refuse,
  type UrlParameters,
} from './url-parts.ts';

/** An ID TECH NEO 2 reader. */
export interface Neo2Address {
  readonly protocol: 'NEO2';
  readonly line: HidLine | SerialLine;
  /** ISO 4217; the reader is asked in this one currency. */
  readonly currency: string;
  readonly settings: Neo2Settings;
}

/** What recent readers have on their serial port. */
const DEFAULT_BAUD_RATE = 115_200;
const SCHEME = 'neo2+hid://';
const commonParameters = ['currency', 'encryption'];
/** Longest string that a USB device may give, in characters. */
const MAX_SERIAL_NUMBER_CHARACTERS = 126;

/**
 * Reads `neo2+hid://VID:PID[/SERIAL]?currency=EUR` or `neo2+serial:///dev/ttyX?baudRate=115200`. Further parameter: `encryption` (required: card data
 * in the clear are refused; as-told: only where the reader says that it encrypts).
 * @throws BridgeError INVALID_REQUEST naming the wrong part
 */
export function parseNeo2Url(text: string): Neo2Address {
  return text.startsWith(SCHEME) ? parseHidUrl(text) : parseSerialUrl(text);
}

function parseSerialUrl(text: string): Neo2Address {
  const url = readUrl(text);
  const parameters = readParameters(url.searchParams, ['baudRate', ...commonParameters]);
  return addressOf(readSerialLine(url, parameters, DEFAULT_BAUD_RATE), parameters);
}

/** Two numbers with a colon are no host and port of a URL: read by hand. */
function parseHidUrl(text: string): Neo2Address {
  const [place = '', query = '', ...rest] = text.slice(SCHEME.length).split('?');
  if (text.includes('#')) refuse('the part after #', 'has no meaning');
  if (rest.length > 0) refuse('the second "?"', 'has no meaning');
  const parameters = readParameters(new URLSearchParams(query), commonParameters);
  const [usbId = '', serialText, ...beyond] = place.split('/');
  const ids = /^([0-9a-f]{4}):([0-9a-f]{4})$/i.exec(usbId);
  if (ids === null)
    refuse(
      'vendor and product',
      `must be four hexadecimal digits each (${SCHEME}0ACD:3810), not "${usbId.slice(0, 20)}"`,
    );
  if (beyond.length > 0) refuse('the serial number', 'must not have a "/" in it (%2F)');
  const line = { kind: 'HID', vendorId: hex(ids[1]), productId: hex(ids[2]) } as const;
  return addressOf(
    serialText === undefined || serialText === '' ? line : { ...line, serialNumber: readSerialNumber(serialText) },
    parameters,
  );
}

function readSerialNumber(text: string): string {
  const serialNumber = decodePart(text);
  if (!/^[ -~\u00A0-\uFFFF]+$/.test(serialNumber) || serialNumber.length > MAX_SERIAL_NUMBER_CHARACTERS)
    refuse('the serial number', `must be 1 to ${MAX_SERIAL_NUMBER_CHARACTERS} printable characters`);
  return serialNumber;
}

function addressOf(line: Neo2Address['line'], parameters: UrlParameters): Neo2Address {
  const settings: Neo2Settings = {
    ...readCurrency(parameters),
    encryption: choice(parameters, 'encryption', { required: 'ALWAYS', 'as-told': 'AS_ATTRIBUTED' }),
  };
  return { protocol: 'NEO2', line, currency: settings.currency, settings };
}

/** Where it is, as a URL without its parameters. */
export function neo2PlaceOf(line: Neo2Address['line']): string {
  if (line.kind === 'SERIAL') return `neo2+serial://${line.path}`;
  const place = `${SCHEME}${usbIdOf(line)}`;
  return line.serialNumber === undefined ? place : `${place}/${encodeURIComponent(line.serialNumber)}`;
}

function hex(digits: string | undefined): number {
  return Number.parseInt(digits ?? '', 16);
}
