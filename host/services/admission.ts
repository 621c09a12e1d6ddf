import type { Clock } from '../../app/ports/clock.ts';
import type { HostStore } from '../ports/host-store.ts';
import { credentialHash, kindOf } from './credentials.ts';
import type { HostAdmission, PosCaller } from './host.ts';

/**
 * Looks every credential up when it is shown: one indexed read, and one that was revoked is refused from then on. What is not of our making is
 * refused unread (decisions: Wrong credentials).
 */
export function createAdmission({
  store,
  clock,
}: {
  readonly store: Pick<HostStore, 'read'>;
  readonly clock: Clock;
}): HostAdmission {
  async function posClientOfHash(keyHash: string): Promise<PosCaller | undefined> {
    const client = await store.read.findPosClient(keyHash, clock.nowMs());
    if (client === undefined) return undefined;
    const { merchantId, clientId, name } = client;
    return { kind: 'POS', merchantId, clientId, name };
  }

  return {
    async deviceOf(token) {
      if (kindOf(token) !== 'DEVICE') return undefined;
      const terminal = await store.read.findTerminalByToken(credentialHash(token));
      if (terminal === undefined) return undefined;
      const { merchantId, terminalId, deviceId, currency, businessDay } = terminal;
      return { kind: 'DEVICE', merchantId, terminalId, deviceId, currency, businessDay };
    },
    async posClientOf(key) {
      if (kindOf(key) !== 'POS') return undefined;
      return await posClientOfHash(credentialHash(key));
    },
    posClientOfHash,
    async keyOf(key) {
      const kind = kindOf(key);
      if (kind !== 'SECRET' && kind !== 'PUBLISHABLE') return undefined;
      const found = await store.read.findKey(credentialHash(key), clock.nowMs());
      if (found === undefined) return undefined;
      const { merchantId, keyId } = found;
      return { kind: found.kind, caller: { kind: 'SECRET', merchantId, keyId } };
    },
  };
}
