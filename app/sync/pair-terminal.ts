import { BridgeError } from '../contract/errors.ts';
import { hostEndpointOf } from '../contract/host/host-endpoints.ts';
import { type PairingExpectation, type PairRequest, PairResponse } from '../contract/host/pairing.ts';
import { type HostPairing, readPairingCode } from '../domain/host-pairing.ts';
import { hostUrlOf } from '../domain/host-url.ts';
import { isoOf } from '../domain/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostReply } from '../ports/host-client.ts';
import type { PairingRequest } from '../ports/host-links.ts';
import { exchangeHttp } from './http-exchange.ts';
import type { Pairings } from './pairings.ts';
import { readAnswer } from './read-answer.ts';
import { CALL_TIMEOUT_MS } from './sync-limits.ts';

export interface PairTerminalDeps {
  readonly clock: Clock;
  readonly pairings: Pairings;
  /** Every terminal of the till: all of them belong to one merchant. */
  readonly terminalIds: readonly string[];
}

/** A terminal of the till, and what was typed for it. */
export interface TerminalPairing extends PairingRequest {
  readonly terminalId: string;
  /** That it settles in; undefined where that is not known. */
  readonly currency?: string;
  /** The host is owed something of it, and it is not known as whom. */
  readonly isOwed: boolean;
}

/**
 * Exchanges a pairing code for the device token of a terminal, and keeps it. A terminal that is paired can be paired anew as the same one only: what
 * the host is owed is owed by that one.
 * @throws BridgeError as HostLinks.pair says; no message has the code or the token
 */
export async function pairTerminal(deps: PairTerminalDeps, wanted: TerminalPairing): Promise<HostPairing> {
  const { pairings, clock } = deps;
  const { terminalId } = wanted;
  const before = pairings.find(terminalId);
  const url = urlOf(wanted.url, before);
  const pairingCode = readPairingCode(wanted.code);
  if (pairingCode === undefined) {
    throw new BridgeError('PAIRING_CODE_INVALID', 'a pairing code is eight letters and digits', { field: 'code' });
  }
  if (before === undefined && wanted.isOwed) {
    throw new BridgeError('ILLEGAL_STATE', 'the host that was given at the start is still owed something', {
      field: 'owed',
    });
  }
  const expected = expectationOf(deps, wanted, before);
  const paired = await exchange(clock, url, { pairingCode, expected });
  requireExpected(paired, expected);
  return await pairings.keep(terminalId, url, paired, isoOf(clock.nowMs()));
}

function urlOf(text: string | undefined, before: HostPairing | undefined): string {
  if (text === undefined && before !== undefined) return before.url;
  if (text === undefined)
    throw new BridgeError('INVALID_REQUEST', 'the address of the host is missing', { field: 'url' });
  try {
    return hostUrlOf(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'cannot be read';
    throw new BridgeError('INVALID_REQUEST', `the address of the host ${why}`, { field: 'url' });
  }
}

/** What the terminal of the code must be: the same as before; of the merchant of the others; in the currency that the terminal has. */
function expectationOf(
  { pairings, terminalIds }: PairTerminalDeps,
  { terminalId, currency }: TerminalPairing,
  before: HostPairing | undefined,
): PairingExpectation {
  const others = terminalIds.filter((id) => id !== terminalId).flatMap((id) => pairings.find(id) ?? []);
  const merchantId = (before ?? others[0])?.merchantId;
  return {
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(before === undefined ? {} : { terminalId: before.terminalId }),
    ...(currency === undefined ? {} : { currencyCode: currency }),
  };
}

/** A host that has not looked at what is expected gets nothing that is owed to another. @throws BridgeError ILLEGAL_STATE */
function requireExpected(paired: PairResponse, expected: PairingExpectation): void {
  const field = (['merchantId', 'terminalId', 'currencyCode'] as const).find(
    (name) => expected[name] !== undefined && expected[name] !== paired[name],
  );
  if (field === undefined) return;
  throw new BridgeError('ILLEGAL_STATE', 'the host has paired another terminal than was asked for', { field });
}

/** @throws BridgeError */
async function exchange(clock: Clock, url: string, request: PairRequest): Promise<PairResponse> {
  const { method, path } = hostEndpointOf('device.pair');
  const reply = await exchangeHttp(clock, {
    method,
    url: `${url}${path}`,
    headers: { accept: 'application/json' },
    body: JSON.stringify(request),
    timeoutMs: CALL_TIMEOUT_MS,
    signal: new AbortController().signal,
  });
  const answer: HostReply<PairResponse> = reply.kind === 'ANSWERED' ? readAnswer(PairResponse, reply) : reply;
  switch (answer.kind) {
    case 'ANSWERED':
      return answer.body;
    case 'REFUSED': {
      const { errorCode, message, field } = answer;
      throw new BridgeError(errorCode, `the host refused: ${message}`, field === undefined ? {} : { field });
    }
    case 'NOT_SENT':
      throw new BridgeError('HOST_UNREACHABLE', `the host cannot be reached: ${answer.reason}; the code is still good`);
    case 'LOST':
      // The code may be used up, and its token lost: nothing but a new code helps then, and that one takes the token out of force.
      throw new BridgeError('HOST_UNREACHABLE', `the host's answer was lost (${answer.reason}): ask for a new code`);
  }
}
