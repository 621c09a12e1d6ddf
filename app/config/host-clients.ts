import type { PosClientsResponse } from '../contract/host/pos-clients.ts';
import type { PosClient } from '../domain/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';

type ToldClient = PosClientsResponse['clients'][number];
type ClientsJournal = Pick<Journal, 'listClients' | 'setting' | 'commit'>;

/** The POS clients that the host of a merchant holds, beside the till's own, which stay as they are (decisions: Credentials). */
export interface HostClients {
  /** Of the list that was taken last; undefined before the first. */
  version(merchantId: string): number | undefined;
  /** All of it, or nothing. @throws BridgeError JOURNAL_UNAVAILABLE */
  take(merchantId: string, told: PosClientsResponse): void;
  /** Revokes what the host of the merchant has made. */
  release(merchantId: string): void;
}

const longestName = 64;
const settingOf = (merchantId: string) => `host-pos-clients/${merchantId}`;

export function createHostClients(journal: ClientsJournal, clock: Clock): HostClients {
  function save(merchantId: string, told: readonly ToldClient[], version: string): void {
    const changed = changedClients(journal.listClients(), merchantId, told, new Date(clock.nowMs()).toISOString());
    journal.commit((unit) => {
      for (const client of changed) unit.saveClient(client);
      unit.saveSetting(settingOf(merchantId), version);
    });
  }

  return {
    version(merchantId) {
      const stored = journal.setting(settingOf(merchantId)) ?? '';
      return stored === '' ? undefined : Number(stored);
    },
    take: (merchantId, { clients, version }) => save(merchantId, clients, String(version)),
    release: (merchantId) => save(merchantId, [], ''),
  };
}

/** What is to be saved so that the till's clients of this merchant are those that were told. What is told no more is revoked: the journal names it. */
function changedClients(
  known: readonly PosClient[],
  merchantId: string,
  told: readonly ToldClient[],
  nowIso: string,
): readonly PosClient[] {
  const others = known.filter((client) => client.merchantId !== merchantId);
  const takenHashes = new Set(others.flatMap(({ keyHash, earlierKey }) => [keyHash, earlierKey?.keyHash]));
  const takenNames = new Set(others.map(({ name }) => name));
  const takenIds = new Set(others.map(({ clientId }) => clientId));
  const saved = told
    // A client of the till's own stays its own, whatever a host tells of it.
    .filter(({ clientId, keyHash }) => !takenIds.has(clientId) && !takenHashes.has(keyHash))
    .map((client): PosClient => {
      const name = freeName(client, takenNames);
      takenNames.add(name);
      return { ...client, name, merchantId, trainingOnly: false };
    });
  const savedIds = new Set(saved.map(({ clientId }) => clientId));
  const gone = known
    .filter((client) => client.merchantId === merchantId && client.revokedAt === undefined)
    .filter(({ clientId }) => !savedIds.has(clientId))
    .map(({ earlierKey: _revokedToo, ...client }): PosClient => ({ ...client, revokedAt: nowIso }));
  return [...gone, ...saved];
}

/** Its own name; another where a client of the till has that one: people, and the journal, tell clients apart by their names. */
function freeName({ name, clientId }: ToldClient, taken: ReadonlySet<string>): string {
  const endings = ['', ' - host', ` - ${clientId.slice(0, 8)}`];
  const names = endings.map((ending) => name.slice(0, longestName - ending.length) + ending);
  return names.find((each) => !taken.has(each)) ?? clientId;
}
