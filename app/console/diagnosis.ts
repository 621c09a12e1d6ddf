import type { Diagnosis, ProbeView, RequestView } from '../contract/console/integrations.ts';
import { BridgeError } from '../contract/errors.ts';
import { readOrigin } from '../domain/web-origin.ts';
import type { PosProbe } from '../ports/pos-probe.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';

/** Begins the request id of each try of ours; random, so that no caller can hide behind it. */
export type ProbeMark = string;

interface Asked {
  readonly origin?: string;
  readonly address?: string;
}

/**
 * What the till can tell about a web page that is to call it: it calls itself as the page's browser would, and looks up when it heard the page last.
 * @throws BridgeError INVALID_REQUEST naming origin or address
 */
export async function diagnose(deps: ConsoleDeps, mark: ProbeMark, asked: Asked): Promise<Diagnosis> {
  const { posAccess, clock, settingsStore } = deps;
  const own = new URL(posAccess.url());
  const called = calledAddress(asked.address, own);
  const origin = asked.origin === undefined ? undefined : requiredOrigin(asked.origin);
  let tries = 0;

  async function probe(kind: PosProbe['kind'], page?: string): Promise<ProbeView> {
    tries += 1;
    const requestId = `${mark}.${tries}`;
    return posAccess.probe({ kind, host: called.host, requestId, ...(page === undefined ? {} : { origin: page }) });
  }

  const isOwnPort = called.port === own.port;
  const holder = isOwnPort ? undefined : await posAccess.holderOf(Number(called.port));
  const base = {
    tillTime: nowIso(clock),
    port: { own: Number(own.port), called: Number(called.port), ...(holder === undefined ? {} : { holder }) },
    isEncryptedAddress: called.isEncrypted,
    host: await probe('PLAIN'),
  };
  if (origin === undefined) return base;
  const lastSeen = lastRequestOf(deps, mark, origin);
  return {
    ...base,
    origin: { origin, isAllowed: settingsStore.current().allowedOrigins.includes(origin) },
    preflight: await probe('PREFLIGHT', origin),
    webSocket: await probe('WEB_SOCKET', origin),
    ...(lastSeen === undefined ? {} : { lastSeen }),
  };
}

/** @throws BridgeError INVALID_REQUEST */
export function requiredOrigin(text: string): string {
  const reading = readOrigin(text);
  if ('origin' in reading) return reading.origin;
  throw new BridgeError('INVALID_REQUEST', problemTexts[reading.problem], { field: 'origin' });
}

const problemTexts = {
  WILDCARD: 'an origin names one page; a wildcard is not taken',
  SCHEME: 'an origin begins with https://, or with http:// for this machine',
  NOT_SECURE: 'http is taken from this machine only: browsers keep pages without https from the till',
  PATH: 'an origin ends after host and port',
  HOST: 'the host is not one that a browser sends',
} as const;

interface CalledAddress {
  /** Host header: with the port, unless it is the scheme's own. */
  readonly host: string;
  readonly port: string;
  readonly isEncrypted: boolean;
}

function calledAddress(address: string | undefined, own: URL): CalledAddress {
  const url = address === undefined ? own : parsed(address);
  const isEncrypted = url.protocol === 'https:' || url.protocol === 'wss:';
  return { host: url.host, port: url.port === '' ? (isEncrypted ? '443' : '80') : url.port, isEncrypted };
}

function parsed(address: string): URL {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : undefined;
  if (url !== undefined && /^(https?|wss?):$/.test(url.protocol)) return url;
  throw new BridgeError('INVALID_REQUEST', 'the address begins with http:// and names host and port', {
    field: 'address',
  });
}

/** Requests as people see them: without the tries of the doctor itself. */
export function requestsAfter({ requests }: ConsoleDeps, mark: ProbeMark, sequence: number): RequestView[] {
  return requests.after(sequence).filter(({ requestId }) => !requestId.startsWith(mark));
}

function lastRequestOf(deps: ConsoleDeps, mark: ProbeMark, origin: string): RequestView | undefined {
  return requestsAfter(deps, mark, 0).findLast((entry) => entry.origin === origin);
}
