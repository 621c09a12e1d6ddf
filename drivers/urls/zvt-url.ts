import { Secret } from '../../app/domain/secret.ts';
import type { SerialLine, TcpLine } from '../line-address.ts';
import type { ZvtSettings } from '../zvt/zvt-settings.ts';
import {
  choice,
  readCurrency,
  readParameters,
  readSerialLine,
  readTcpLine,
  readUrl,
  refuse,
  type UrlParameters,
} from './url-parts.ts';

/** A ZVT terminal. */
export interface ZvtAddress {
  readonly protocol: 'ZVT';
  readonly line: TcpLine | SerialLine;
  /** ISO 4217; the terminal settles in this one currency. */
  readonly currency: string;
  readonly settings: ZvtSettings;
}

const DEFAULT_PORT = 20_007;
const DEFAULT_BAUD_RATE = 9_600;
const commonParameters = ['password', 'currency', 'completion', 'issuerCodes', 'receipts'];

/**
 * Reads `zvt+tcp://HOST:PORT?password=000000&currency=EUR` or `zvt+serial:///dev/ttyX?baudRate=9600`. Further parameters:
 * `completion` (book-total, partial-reversal), `issuerCodes` (binary, bcd), `receipts` (till, terminal).
 * @throws BridgeError INVALID_REQUEST naming the wrong part; the password is never in the message
 */
export function parseZvtUrl(text: string): ZvtAddress {
  const url = readUrl(text);
  const isTcp = url.protocol === 'zvt+tcp:';
  const parameters = readParameters(url.searchParams, isTcp ? commonParameters : ['baudRate', ...commonParameters]);
  const line = isTcp ? readTcpLine(url, DEFAULT_PORT) : readSerialLine(url, parameters, DEFAULT_BAUD_RATE);
  const settings = readSettings(parameters);
  return { protocol: 'ZVT', line, currency: settings.currency, settings };
}

function readSettings(parameters: UrlParameters): ZvtSettings {
  const password = parameters.get('password') ?? '000000';
  if (!/^\d{6}$/.test(password)) refuse('password', 'must be six digits');
  return {
    password: new Secret(password),
    ...readCurrency(parameters),
    completion: choice(parameters, 'completion', {
      'book-total': 'BOOK_TOTAL',
      'partial-reversal': 'PARTIAL_REVERSAL',
    }),
    issuerCodes: choice(parameters, 'issuerCodes', { binary: 'BINARY', bcd: 'BCD' }),
    receipts: choice(parameters, 'receipts', { till: 'TILL', terminal: 'TERMINAL' }),
  };
}
