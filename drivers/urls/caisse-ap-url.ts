import type { CaisseApSettings } from '../caisse-ap/caisse-ap-settings.ts';
import type { TcpLine } from '../line-address.ts';
import { choice, readCurrency, readParameters, readTcpLine, readUrl, refuse, type UrlParameters } from './url-parts.ts';

/** A terminal that speaks Caisse-AP over IP. */
export interface CaisseApAddress {
  readonly protocol: 'CAISSE_AP';
  readonly line: TcpLine;
  /** ISO 4217; the till names it in each request. */
  readonly currency: string;
  readonly settings: CaisseApSettings;
}

const DEFAULT_PORT = 8_888;
/** The terminal hands it back and checks its length alone. */
const DEFAULT_PROTOCOL_ID = '000000000001';

/**
 * Reads `caisse-ap+tcp://HOST:PORT?currency=EUR&till=01`. Further parameters: `answer` (wait; at-once: the terminal never says how a payment ended),
 * `protocolId` (twelve characters, for shops whose terminal is told to expect one).
 * @throws BridgeError INVALID_REQUEST naming the wrong part
 */
export function parseCaisseApUrl(text: string): CaisseApAddress {
  const url = readUrl(text);
  const parameters = readParameters(url.searchParams, ['currency', 'till', 'answer', 'protocolId']);
  const settings = readSettings(parameters);
  return { protocol: 'CAISSE_AP', line: readTcpLine(url, DEFAULT_PORT), currency: settings.currency, settings };
}

function readSettings(parameters: UrlParameters): CaisseApSettings {
  const till = parameters.get('till') ?? '1';
  if (!/^\d{1,2}$/.test(till)) refuse('till', 'must be one or two digits');
  const protocolId = parameters.get('protocolId') ?? DEFAULT_PROTOCOL_ID;
  if (!/^[0-9A-Za-z]{12}$/.test(protocolId)) refuse('protocolId', 'must be twelve letters or digits');
  return {
    ...readCurrency(parameters),
    tillNumber: till.padStart(2, '0'),
    protocolId,
    answerMode: choice(parameters, 'answer', { wait: 'WAIT', 'at-once': 'AT_ONCE' }),
  };
}
