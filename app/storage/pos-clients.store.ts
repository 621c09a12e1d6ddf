import type { PosClient } from '../domain/records.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, WriteHandle } from './database.ts';

interface Stored {
  client_id: string;
  name: string;
  key_hash: string;
  created_at: string;
  revoked_at: string | null;
  earlier_key_hash: string | null;
  earlier_key_until: string | null;
  training_only: number;
  merchant_id: string | null;
}

type ClientReads = Pick<JournalReader, 'listClients' | 'findClientByKeyHash' | 'clientUses'>;
type ClientWrites = Pick<JournalUnit, 'saveClient' | 'saveClientUse'>;

const select =
  'SELECT client_id, name, key_hash, created_at, revoked_at, earlier_key_hash, earlier_key_until, training_only, merchant_id FROM pos_clients';

/** Reads of the POS clients, revoked ones included. */
export function createClientReader(handle: ReadHandle): ClientReads {
  const all = handle.read<Stored>(`${select} ORDER BY created_at, client_id`);
  const byHash = handle.read<Stored>(`${select} WHERE key_hash = ?`);
  const byEarlierHash = handle.read<Stored>(`${select} WHERE earlier_key_hash = ?`);
  const uses = handle.read<{ client_id: string; last_used_at: string }>(
    'SELECT client_id, last_used_at FROM pos_client_uses',
  );
  return {
    listClients: () => all.all().map(clientOf),
    findClientByKeyHash(keyHash) {
      const row = byHash.get(keyHash) ?? byEarlierHash.get(keyHash);
      return row === undefined ? undefined : clientOf(row);
    },
    clientUses: () => new Map(uses.all().map((row) => [row.client_id, row.last_used_at])),
  };
}

function clientOf(row: Stored): PosClient {
  return {
    clientId: row.client_id,
    name: row.name,
    keyHash: row.key_hash,
    createdAt: row.created_at,
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
    ...(row.earlier_key_hash === null || row.earlier_key_until === null
      ? {}
      : { earlierKey: { keyHash: row.earlier_key_hash, validUntil: row.earlier_key_until } }),
    trainingOnly: row.training_only === 1,
    ...(row.merchant_id === null ? {} : { merchantId: row.merchant_id }),
  };
}

/** Writes of the POS clients: a client is made, or its name, keys and revocation are replaced; and when it called last. */
export function createClientWriter(handle: WriteHandle): ClientWrites {
  const save = handle.write(
    `INSERT INTO pos_clients (client_id, name, key_hash, created_at, revoked_at, earlier_key_hash, earlier_key_until, training_only, merchant_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, key_hash = excluded.key_hash, revoked_at = excluded.revoked_at,
       earlier_key_hash = excluded.earlier_key_hash, earlier_key_until = excluded.earlier_key_until, training_only = excluded.training_only,
       merchant_id = excluded.merchant_id`,
  );
  const saveUse = handle.write(
    `INSERT INTO pos_client_uses (client_id, last_used_at) VALUES (?, ?)
     ON CONFLICT (client_id) DO UPDATE SET last_used_at = excluded.last_used_at`,
  );
  return {
    saveClient(client) {
      const { clientId, name, keyHash, createdAt, revokedAt, earlierKey, trainingOnly, merchantId } = client;
      const earlier = [earlierKey?.keyHash ?? null, earlierKey?.validUntil ?? null];
      save.run(
        clientId,
        name,
        keyHash,
        createdAt,
        revokedAt ?? null,
        ...earlier,
        trainingOnly ? 1 : 0,
        merchantId ?? null,
      );
    },
    saveClientUse(clientId, usedAt) {
      saveUse.run(clientId, usedAt);
    },
  };
}
