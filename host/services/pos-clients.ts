import type { PosClientsResponse } from '../../app/contract/host/pos-clients.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { PosClientRecord } from '../ports/host-records.ts';
import type { DeviceCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';

/** GET /api/v1/terminal/pos-clients: what a till needs to let them in, and no key (decisions: Credentials). */
export function createPosClients({ store }: HostDeps): Pick<DeviceCalls, 'posClients'> {
  return {
    async posClients({ merchantId }) {
      // The version first: a change in between makes the list newer than it says, and it is fetched once more.
      const version = await store.read.posClientsVersion(merchantId);
      return { version, clients: (await store.read.listPosClients(merchantId)).map(toldClient) };
    },
  };
}

function toldClient(client: PosClientRecord): PosClientsResponse['clients'][number] {
  const { clientId, name, keyHash, earlierKey, createdAtMs, revokedAtMs } = client;
  return {
    ...{ clientId, name, keyHash, createdAt: isoOf(createdAtMs) },
    ...(earlierKey === undefined
      ? {}
      : { earlierKey: { keyHash: earlierKey.keyHash, validUntil: isoOf(earlierKey.untilMs) } }),
    ...(revokedAtMs === undefined ? {} : { revokedAt: isoOf(revokedAtMs) }),
  };
}
