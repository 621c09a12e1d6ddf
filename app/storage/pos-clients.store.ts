import type { PosClient } from '../domain/records.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

interface Stored {
  client_id: string;
  name: string;
  key_hash: string;
  created_at: string;
  revoked_at: string | null;
  training_only: number;
}

const select = 'SELECT client_id, name, key_hash, created_at, revoked_at, training_only FROM pos_clients';

/** Reads of the POS clients, revoked ones included. */
export function createClientReader(handle: ReadHandle): Pick<JournalReader, 'listClients' | 'findClientByKeyHash'> {
  const all = handle.read<Stored>(`${select} ORDER BY created_at, client_id`);
  const byHash = handle.read<Stored>(`${select} WHERE key_hash = ?`);
  return {
    listClients: () => all.all().map(clientOf),
    findClientByKeyHash(keyHash) {
      const row = byHash.get(keyHash);
      return row === undefined ? undefined : clientOf(row);
    },
  };
}

function clientOf(row: Stored): PosClient {
  return {
    clientId: row.client_id,
    name: row.name,
    keyHash: row.key_hash,
    createdAt: row.created_at,
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
    trainingOnly: row.training_only === 1,
  };
}

/** Writes of the POS clients: a client is made, or its key and revocation are replaced. */
export function createClientWriter(handle: WriteHandle): Pick<JournalUnit, 'saveClient'> {
  const save = handle.write(
    `INSERT INTO pos_clients (client_id, name, key_hash, created_at, revoked_at, training_only) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, key_hash = excluded.key_hash, revoked_at = excluded.revoked_at,
       training_only = excluded.training_only`,
  );
  return {
    saveClient(client) {
      const { clientId, name, keyHash, createdAt, revokedAt, trainingOnly } = client;
      save.run(clientId, name, keyHash, createdAt, revokedAt ?? null, trainingOnly ? 1 : 0);
    },
  };
}
