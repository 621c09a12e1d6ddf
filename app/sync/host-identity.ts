import { BridgeError } from '../contract/errors.ts';
import type { DeviceConfigResponse } from '../contract/host/device-config.ts';
import type { DeviceReconciliationRequest } from '../contract/host/device-reconciliation.ts';
import { isoOf } from '../domain/instant.ts';
import type { JsonObject } from '../domain/json-value.ts';
import type { HostClient } from '../ports/host-client.ts';
import type { CloseMoment } from '../ports/terminal.ts';
import { CALL_TIMEOUT_MS } from './sync-limits.ts';

/** Who the till's terminal is at the host, as the token says. */
export type HostIdentity = Pick<
  DeviceConfigResponse,
  'deviceId' | 'terminalId' | 'currencyCode' | 'limits' | 'businessDay'
>;

/** Asks the host once and keeps the answer. @throws BridgeError HOST_UNREACHABLE: nothing was sent that moves money */
export type IdentityOf = (signal: AbortSignal) => Promise<HostIdentity>;

/** What the identity hangs on. */
export interface HostStanding {
  /** Another text once the terminal has another token: the identity is asked for again. */
  epoch(): string;
  /** Why no payment can begin, though the network may be there. */
  closedReason(): string | undefined;
  /** The till moves no real money, so that its host must not either. */
  readonly isTraining: boolean;
}

const alwaysOpen: HostStanding = { epoch: () => '', closedReason: () => undefined, isTraining: false };

export function createIdentityOf(host: Pick<HostClient, 'config'>, standing: HostStanding = alwaysOpen): IdentityOf {
  let known: { readonly epoch: string; readonly identity: HostIdentity } | undefined;
  return async (signal) => {
    const epoch = standing.epoch();
    const closed = standing.closedReason();
    if (closed !== undefined) throw unreachable(closed);
    if (known?.epoch === epoch) return known.identity;
    const reply = await host.config({ timeoutMs: CALL_TIMEOUT_MS, signal });
    if (reply.kind === 'ANSWERED') {
      if (standing.isTraining && !reply.body.acquirer.simulated) {
        throw unreachable('its acquirer moves real money, and this till is in training');
      }
      known = { epoch, identity: reply.body };
      return reply.body;
    }
    throw unreachable(reply.kind === 'REFUSED' ? `it refused (${reply.errorCode})` : reply.reason);
  };
}

type CloseDates = Pick<DeviceReconciliationRequest, 'businessDate' | 'closedAt'>;

/**
 * What a host is told of the date of a close: one that tells none of its own does not know these fields.
 * @param clockSkewMs by which the host's is ahead
 */
export function closeDates(
  { businessDay }: Pick<HostIdentity, 'businessDay'>,
  close: CloseMoment | undefined,
  clockSkewMs: number,
): CloseDates {
  if (businessDay === undefined || close === undefined) return {};
  return { businessDate: close.businessDate, closedAt: isoOf(Date.parse(close.closedAt) + clockSkewMs) };
}

/** The same of a close that waits in the outbox; one that was put there before the host was told of dates has none. */
export function keptDates({ businessDay }: Pick<HostIdentity, 'businessDay'>, body: JsonObject): CloseDates {
  const { businessDate, closedAt } = body;
  if (businessDay === undefined || typeof businessDate !== 'string' || typeof closedAt !== 'string') return {};
  return { businessDate, closedAt };
}

function unreachable(why: string): BridgeError {
  return new BridgeError('HOST_UNREACHABLE', `the host cannot be asked: ${why}; nothing was sent`);
}
