import { BridgeError } from '../contract/errors.ts';
import type { DeviceConfigResponse } from '../contract/host/device-config.ts';
import type { DeviceReconciliationRequest } from '../contract/host/device-reconciliation.ts';
import { isoOf } from '../domain/instant.ts';
import type { HostClient } from '../ports/host-client.ts';
import type { CloseMoment } from '../ports/terminal.ts';
import { CALL_TIMEOUT_MS } from './sync-limits.ts';

/** Who the till's terminal is at the host, as the token says. */
export type HostIdentity = Pick<
  DeviceConfigResponse,
  'deviceId' | 'terminalId' | 'currencyCode' | 'limits' | 'businessDay'
>;

/** The identity, and whether the host's acquirer moves no real money. */
export type ToldIdentity = HostIdentity & { readonly acquirer: Pick<DeviceConfigResponse['acquirer'], 'simulated'> };

/** Asks the host once and keeps the answer. @throws BridgeError HOST_UNREACHABLE: nothing was sent that moves money */
export type IdentityOf = (signal: AbortSignal) => Promise<HostIdentity>;

/** What the identity hangs on. */
export interface HostStanding {
  /** Why no payment can begin, though the network may be there. */
  closedReason(): string | undefined;
  /** The till moves no real money, so that its host must not either. */
  readonly isTraining: boolean;
  /** What the host told last of the terminal, with the token that it has now. */
  told(): ToldIdentity | undefined;
  /** Another text once the terminal has another token. */
  epoch(): string;
  /** Kept unless the token has changed since it was asked for. */
  note(told: DeviceConfigResponse, epoch: string): void;
}

/** Of a host that never changes. */
function ownStanding(): HostStanding {
  let kept: DeviceConfigResponse | undefined;
  return {
    closedReason: () => undefined,
    isTraining: false,
    told: () => kept,
    epoch: () => '',
    note: (told) => {
      kept = told;
    },
  };
}

export function createIdentityOf(host: Pick<HostClient, 'config'>, standing: HostStanding = ownStanding()): IdentityOf {
  async function ask(signal: AbortSignal): Promise<DeviceConfigResponse> {
    const reply = await host.config({ timeoutMs: CALL_TIMEOUT_MS, signal });
    if (reply.kind === 'ANSWERED') return reply.body;
    throw unreachable(reply.kind === 'REFUSED' ? `it refused (${reply.errorCode})` : reply.reason);
  }

  async function askAndNote(signal: AbortSignal, epoch: string): Promise<ToldIdentity> {
    const told = await ask(signal);
    standing.note(told, epoch);
    return told;
  }

  return async (signal) => {
    const closed = standing.closedReason();
    if (closed !== undefined) throw unreachable(closed);
    const known = standing.told();
    const epoch = standing.epoch();
    const told = known ?? (await askAndNote(signal, epoch));
    if (standing.isTraining && !told.acquirer.simulated) {
      throw unreachable('its acquirer moves real money, and this till is in training');
    }
    return told;
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

function unreachable(why: string): BridgeError {
  return new BridgeError('HOST_UNREACHABLE', `the host cannot be asked: ${why}; nothing was sent`);
}
