import type { PairResponse } from '../contract/host/pairing.ts';

/** Which terminal of the host a terminal of the till is, as the host said when it was paired. The device token is no part of it: that lies in the vault. */
export interface HostPairing extends Omit<PairResponse, 'deviceToken'> {
  /** Address of the host, as readHostUrl gives it. */
  readonly url: string;
  /** ISO 8601 UTC. */
  readonly pairedAt: string;
}

/** Whether both are one terminal of one merchant: what is owed by one is owed by the other, wherever the host is and however often it was paired. */
export function isSameHostTerminal(one: HostPairing, other: HostPairing): boolean {
  return (['merchantId', 'terminalId', 'deviceId'] as const).every((field) => one[field] === other[field]);
}

/** A pairing code as people type it: in any case, with spaces or dashes. undefined for what cannot be one. */
export function readPairingCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  return /^[0-9A-Z]{8}$/.test(code) ? code : undefined;
}
