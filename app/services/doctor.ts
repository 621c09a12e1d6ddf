import type { Diagnosis, ProbeView, RequestView } from '../contract/console/integrations.ts';
import { BridgeError } from '../contract/errors.ts';
import { readOrigin } from '../domain/web-origin.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { PosAccess, PosProbe } from '../ports/pos-probe.ts';
import type { RequestLog } from '../ports/request-log.ts';

export interface DoctorDeps {
  readonly posAccess: PosAccess;
  readonly requests: RequestLog;
  /** The origins in force. */
  readonly allowedOrigins: () => readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
}

interface Asked {
  readonly origin?: string;
  /** Address that the page calls; the till's own when absent. */
  readonly address?: string;
}

/** The browser doctor: one for the console and for the page that the POS API serves. */
export interface Doctor {
  /** Where the POS API listens, http://127.0.0.1:8443. */
  posUrl(): string;
  /**
   * What the till can tell about a web page that is to call it: it calls itself as the page's browser would, and looks up when it heard the page last.
   * @throws BridgeError INVALID_REQUEST naming origin or address
   */
  diagnose(asked: Asked): Promise<Diagnosis>;
  /** The list that the sequences of `requestsAfter` belong to: another one after each start. */
  readonly listId: string;
  /** Requests as people see them, oldest first: without the tries of the doctor itself. */
  requestsAfter(sequence: number): RequestView[];
}

export function createDoctor({ posAccess, requests, allowedOrigins, clock, ids }: DoctorDeps): Doctor {
  /** Begins the request id of each try of ours; random, so that no caller can hide behind it. */
  const mark = `doctor-${ids.next()}`;
  let tries = 0;

  function requestsAfter(sequence: number): RequestView[] {
    return requests.after(sequence).filter(({ requestId }) => !requestId.startsWith(mark));
  }

  async function diagnose(asked: Asked): Promise<Diagnosis> {
    const own = new URL(posAccess.url());
    const called = calledAddress(asked.address, own);
    const origin = asked.origin === undefined ? undefined : requiredOrigin(asked.origin);

    async function probe(kind: PosProbe['kind'], page?: string): Promise<ProbeView> {
      tries += 1;
      const requestId = `${mark}.${tries}`;
      return posAccess.probe({ kind, host: called.host, requestId, ...(page === undefined ? {} : { origin: page }) });
    }

    const isOwnPort = called.port === own.port;
    const holder = isOwnPort ? undefined : await posAccess.holderOf(Number(called.port));
    const base = {
      tillTime: new Date(clock.nowMs()).toISOString(),
      port: { own: Number(own.port), called: Number(called.port), ...(holder === undefined ? {} : { holder }) },
      isEncryptedAddress: called.isEncrypted,
      host: await probe('PLAIN'),
    };
    if (origin === undefined) return base;
    const lastSeen = requestsAfter(0).findLast((entry) => entry.origin === origin);
    return {
      ...base,
      origin: { origin, isAllowed: allowedOrigins().includes(origin) },
      preflight: await probe('PREFLIGHT', origin),
      webSocket: await probe('WEB_SOCKET', origin),
      ...(lastSeen === undefined ? {} : { lastSeen }),
    };
  }

  return { posUrl: posAccess.url, diagnose, listId: ids.next(), requestsAfter };
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
