import type { Ecr17Settings } from '../ecr17/ecr17-settings.ts';
import type { SerialLine, TcpLine } from '../line-address.ts';
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

/** A terminal that speaks ECR17 (Protocollo 17). */
export interface Ecr17Address {
  readonly protocol: 'ECR17';
  readonly line: TcpLine | SerialLine;
  /** ISO 4217; the terminal settles in this one currency. */
  readonly currency: string;
  readonly settings: Ecr17Settings;
}

/** What most terminals come with; each is set to its own at the terminal. */
const DEFAULT_PORT = 10_000;
/** Nexi's text says nothing of a serial line's speed: this is what terminals on cables usually stand at. */
const DEFAULT_BAUD_RATE = 9_600;
const commonParameters = ['lrc', 'currency', 'receipts', 'till'];

/** What `lrc` may say: which bytes a frame's check byte counts. Terminals differ, and none says which it takes. */
const lrcNames = { std: 'STD', stx: 'STX', noext: 'NOEXT', 'stx-noext': 'STX_NOEXT' } as const satisfies {
  readonly [name: string]: Ecr17Settings['lrc'];
};

/**
 * Reads `ecr17+tcp://HOST:PORT?lrc=std&currency=EUR` or `ecr17+serial:///dev/ttyX?baudRate=9600`. Further parameters: `receipts` (till, terminal),
 * `till` (number of the till, up to eight digits).
 * @throws BridgeError INVALID_REQUEST naming the wrong part
 */
export function parseEcr17Url(text: string): Ecr17Address {
  const url = readUrl(text);
  const isTcp = url.protocol === 'ecr17+tcp:';
  const parameters = readParameters(url.searchParams, isTcp ? commonParameters : ['baudRate', ...commonParameters]);
  const line = isTcp ? readTcpLine(url, DEFAULT_PORT) : readSerialLine(url, parameters, DEFAULT_BAUD_RATE);
  const settings = readSettings(parameters);
  return { protocol: 'ECR17', line, currency: settings.currency, settings };
}

/** The value of `lrc` for a variant. */
export function lrcNameOf(lrc: Ecr17Settings['lrc']): string {
  return Object.entries(lrcNames).find(([, variant]) => variant === lrc)?.[0] ?? '';
}

function readSettings(parameters: UrlParameters): Ecr17Settings {
  const till = parameters.get('till') ?? '1';
  if (!/^\d{1,8}$/.test(till)) refuse('till', 'must be one to eight digits');
  const { currency } = readCurrency(parameters);
  return {
    currency,
    lrc: choice(parameters, 'lrc', lrcNames),
    receipts: choice(parameters, 'receipts', { till: 'TILL', terminal: 'TERMINAL' }),
    tillId: till.padStart(8, '0'),
  };
}
