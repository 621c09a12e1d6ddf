import { code as findCurrency } from 'currency-codes';
import { BridgeError } from '../app/contract/errors.ts';
import { Secret } from '../app/domain/secret.ts';
import type { ZvtSettings } from './zvt/zvt-settings.ts';

/** Where a terminal is and how it is spoken to: a terminal URL, read. */
export interface TerminalAddress {
  readonly protocol: 'ZVT';
  readonly line: LineAddress;
  /** ISO 4217; the terminal settles in this one currency. */
  readonly currency: string;
  readonly settings: ZvtSettings;
}

export type LineAddress =
  | { readonly kind: 'TCP'; readonly host: string; readonly port: number }
  | { readonly kind: 'SERIAL'; readonly path: string; readonly baudRate: number };

const DEFAULT_ZVT_PORT = 20_007;
const DEFAULT_BAUD_RATE = 9_600;
const MIN_BAUD_RATE = 300;
const MAX_BAUD_RATE = 921_600;

const commonParameters = ['password', 'currency', 'completion', 'issuerCodes', 'receipts'];

function refuse(part: string, problem: string): never {
  throw new BridgeError('INVALID_REQUEST', `Terminal URL: ${part} ${problem}.`, { field: 'terminal' });
}

/**
 * Reads `zvt+tcp://HOST:PORT?password=000000&currency=EUR` or `zvt+serial:///dev/ttyX?baudRate=9600`. Further parameters:
 * `completion` (book-total, partial-reversal), `issuerCodes` (binary, bcd), `receipts` (till, terminal).
 * @throws BridgeError INVALID_REQUEST naming the wrong part; the password is never in the message.
 */
export function parseTerminalUrl(text: string): TerminalAddress {
  const separator = text.indexOf('://');
  if (separator < 1) refuse('it', 'must begin with zvt+tcp:// or zvt+serial://');
  const scheme = text.slice(0, separator);
  if (scheme !== 'zvt+tcp' && scheme !== 'zvt+serial')
    refuse(`"${scheme}"`, 'is not a known kind of terminal (zvt+tcp, zvt+serial)');
  if (!URL.canParse(text)) refuse('host or port', `cannot be read; expected ${scheme}://…`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') refuse('user information', 'has no place here (use ?password=)');
  if (url.hash !== '') refuse('the part after #', 'has no meaning');
  const parameters = readParameters(url, scheme === 'zvt+tcp' ? commonParameters : ['baudRate', ...commonParameters]);
  const line = scheme === 'zvt+tcp' ? readTcpLine(url) : readSerialLine(url, parameters);
  const settings = readSettings(parameters);
  return { protocol: 'ZVT', line, currency: settings.currency, settings };
}

function readParameters(url: URL, known: readonly string[]): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!known.includes(name)) refuse(`parameter "${name}"`, `is not known (known: ${known.join(', ')})`);
    if (parameters.has(name)) refuse(`parameter "${name}"`, 'is there twice');
    parameters.set(name, value);
  }
  return parameters;
}

function readTcpLine(url: URL): LineAddress {
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (host === '') refuse('the host', 'is missing');
  if (url.pathname !== '' && url.pathname !== '/') refuse(`the path "${url.pathname}"`, 'has no place in zvt+tcp');
  const port = url.port === '' ? DEFAULT_ZVT_PORT : Number(url.port);
  if (port < 1) refuse('the port', 'must be 1 to 65535');
  return { kind: 'TCP', host, port };
}

function readSerialLine(url: URL, parameters: ReadonlyMap<string, string>): LineAddress {
  // /dev/ttyUSB0 stands in the path, COM3 where a host would stand.
  const path = decodeURIComponent(url.hostname === '' ? url.pathname : url.hostname + url.pathname.replace(/^\/$/, ''));
  if (path === '' || path === '/' || path.includes('\0'))
    refuse('the serial port', 'is missing (zvt+serial:///dev/ttyUSB0)');
  const baudText = parameters.get('baudRate') ?? String(DEFAULT_BAUD_RATE);
  const baudRate = Number(baudText);
  if (!/^\d{3,6}$/.test(baudText) || baudRate < MIN_BAUD_RATE || baudRate > MAX_BAUD_RATE)
    refuse('baudRate', `must be a number from ${MIN_BAUD_RATE} to ${MAX_BAUD_RATE}`);
  return { kind: 'SERIAL', path, baudRate };
}

function readSettings(parameters: ReadonlyMap<string, string>): ZvtSettings {
  const password = parameters.get('password') ?? '000000';
  if (!/^\d{6}$/.test(password)) refuse('password', 'must be six digits');
  const currency = parameters.get('currency') ?? 'EUR';
  const entry = /^[A-Z]{3}$/.test(currency) ? findCurrency(currency) : undefined;
  if (entry === undefined) refuse('currency', 'must be an ISO 4217 code such as EUR');
  return {
    password: new Secret(password),
    currency,
    currencyNumeric: entry.number,
    completion: choice(parameters, 'completion', {
      'book-total': 'BOOK_TOTAL',
      'partial-reversal': 'PARTIAL_REVERSAL',
    }),
    issuerCodes: choice(parameters, 'issuerCodes', { binary: 'BINARY', bcd: 'BCD' }),
    receipts: choice(parameters, 'receipts', { till: 'TILL', terminal: 'TERMINAL' }),
  };
}

/** The value of a parameter out of a table; the table's first entry is the default. */
function choice<T>(parameters: ReadonlyMap<string, string>, name: string, table: { readonly [key: string]: T }): T {
  const [first] = Object.keys(table);
  const text = parameters.get(name) ?? first ?? '';
  const value = Object.hasOwn(table, text) ? table[text] : undefined;
  if (value === undefined) refuse(name, `must be one of ${Object.keys(table).join(', ')}`);
  return value;
}
