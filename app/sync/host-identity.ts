import { BridgeError } from '../contract/errors.ts';
import type { DeviceConfigResponse } from '../contract/host/device-config.ts';
import type { HostClient } from '../ports/host-client.ts';
import { CALL_TIMEOUT_MS } from './sync-limits.ts';

/** Who the till's terminal is at the host, as the token says. */
export type HostIdentity = Pick<DeviceConfigResponse, 'deviceId' | 'terminalId' | 'currencyCode' | 'limits'>;

/** Asks the host once and keeps the answer. @throws BridgeError HOST_UNREACHABLE: nothing was sent that moves money */
export type IdentityOf = (signal: AbortSignal) => Promise<HostIdentity>;

export function createIdentityOf(host: Pick<HostClient, 'config'>): IdentityOf {
  let known: HostIdentity | undefined;
  return async (signal) => {
    if (known !== undefined) return known;
    const reply = await host.config({ timeoutMs: CALL_TIMEOUT_MS, signal });
    if (reply.kind === 'ANSWERED') {
      known = reply.body;
      return known;
    }
    const why = reply.kind === 'REFUSED' ? `it refused (${reply.errorCode})` : reply.reason;
    throw new BridgeError('HOST_UNREACHABLE', `the host cannot be asked: ${why}; nothing was sent`);
  };
}
