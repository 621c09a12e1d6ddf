// What the URLs of all protocols have in common. Each error names the part that is wrong.
import { code as findCurrency } from 'currency-codes';
import { BridgeError } from '../../app/contract/errors.ts';
import type { SerialLine, TcpLine } from '../line-address.ts';

const MIN_BAUD_RATE = 300;
const MAX_BAUD_RATE = 921_600;

export type UrlParameters = ReadonlyMap<string, string>;

/** @throws BridgeError INVALID_REQUEST naming the part */
export function refuse(part: string, problem: string): never {
  throw new BridgeError('INVALID_REQUEST', `Terminal URL: ${part} ${problem}.`, { field: 'terminal' });
}

/** A URL without what no terminal's address has: user information and a fragment. */
export function readUrl(text: string): URL {
  if (!URL.canParse(text)) refuse('host or port', `cannot be read; expected ${text.slice(0, text.indexOf('://'))}://…`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') refuse('user information', 'has no place here (use parameters)');
  if (url.hash !== '') refuse('the part after #', 'has no meaning');
  return url;
}

export function readParameters(given: URLSearchParams, known: readonly string[]): UrlParameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of given) {
    if (!known.includes(name)) refuse(`parameter "${name}"`, `is not known (known: ${known.join(', ')})`);
    if (parameters.has(name)) refuse(`parameter "${name}"`, 'is there twice');
    parameters.set(name, value);
  }
  return parameters;
}

/** A host and a port in the network; an IPv6 address stands in brackets. */
export function readTcpLine(url: URL, defaultPort: number): TcpLine {
  const host = decodePart(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (host === '') refuse('the host', 'is missing');
  if (url.pathname !== '' && url.pathname !== '/')
    refuse(`the path "${url.pathname}"`, `has no place in ${url.protocol.slice(0, -1)}`);
  const port = url.port === '' ? defaultPort : Number(url.port);
  if (port < 1) refuse('the port', 'must be 1 to 65535');
  return { kind: 'TCP', host, port };
}

/** A serial port: /dev/ttyUSB0 stands in the path, COM3 where a host would stand. */
export function readSerialLine(url: URL, parameters: UrlParameters, defaultBaudRate: number): SerialLine {
  const path = decodePart(url.hostname === '' ? url.pathname : url.hostname + url.pathname.replace(/^\/$/, ''));
  if (path === '' || path === '/' || path.includes('\0'))
    refuse('the serial port', `is missing (${url.protocol}///dev/ttyUSB0)`);
  const baudText = parameters.get('baudRate') ?? String(defaultBaudRate);
  const baudRate = Number(baudText);
  if (!/^\d{3,6}$/.test(baudText) || baudRate < MIN_BAUD_RATE || baudRate > MAX_BAUD_RATE)
    refuse('baudRate', `must be a number from ${MIN_BAUD_RATE} to ${MAX_BAUD_RATE}`);
  return { kind: 'SERIAL', path, baudRate };
}

/** ISO 4217: letters and number; EUR when the URL names none. */
export function readCurrency(parameters: UrlParameters): {
  readonly currency: string;
  readonly currencyNumeric: string;
} {
  const currency = parameters.get('currency') ?? 'EUR';
  const entry = /^[A-Z]{3}$/.test(currency) ? findCurrency(currency) : undefined;
  if (entry === undefined) refuse('currency', 'must be an ISO 4217 code such as EUR');
  return { currency, currencyNumeric: entry.number };
}

/** The value of a parameter out of a table; the table's first entry is the default. */
export function choice<T>(parameters: UrlParameters, name: string, table: { readonly [key: string]: T }): T {
  const [first] = Object.keys(table);
  const text = parameters.get(name) ?? first ?? '';
  const value = Object.hasOwn(table, text) ? table[text] : undefined;
  if (value === undefined) refuse(name, `must be one of ${Object.keys(table).join(', ')}`);
  return value;
}

/** A part with its percent signs read. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    refuse(`"${text}"`, 'has a percent sign that means nothing');
  }
}
