import type { Selectable } from 'kysely';
import type { PosClientRecord } from '../ports/host-records.ts';
import type { HostReader, HostUnit } from '../ports/host-store.ts';
import { type Db, present, type UnitDb } from './db.ts';
import type { HostTables } from './schema.ts';

/** Reads of the POS clients of a merchant, revoked ones included. */
export function createPosClientReader(
  db: Db,
): Pick<HostReader, 'listPosClients' | 'posClientsVersion' | 'findPosClient'> {
  return {
    async findPosClient(keyHash, nowMs) {
      const row = await db
        .selectFrom('pos_clients')
        .selectAll()
        .where(({ and, eb, or }) =>
          or([
            eb('key_hash', '=', keyHash),
            and([eb('earlier_key_hash', '=', keyHash), eb('earlier_key_until', '>', nowMs)]),
          ]),
        )
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return row === undefined ? undefined : clientOf(row);
    },
    async listPosClients(merchantId) {
      const rows = await db
        .selectFrom('pos_clients')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .orderBy('created_at')
        .orderBy('client_id')
        .execute();
      return rows.map(clientOf);
    },
    async posClientsVersion(merchantId) {
      const row = await db
        .selectFrom('pos_client_lists')
        .select('version')
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst();
      return row?.version ?? 0;
    },
  };
}

/** Writes of the POS clients; each makes another version of the list, so that tills fetch it. */
export function createPosClientWriter({ db }: UnitDb): Pick<HostUnit, 'savePosClient'> {
  return {
    async savePosClient({ merchantId, clientId, name, keyHash, earlierKey, createdAtMs, revokedAtMs }) {
      const changed = {
        name,
        key_hash: keyHash,
        earlier_key_hash: earlierKey?.keyHash ?? null,
        earlier_key_until: earlierKey?.untilMs ?? null,
        revoked_at: revokedAtMs ?? null,
      };
      await db
        .insertInto('pos_clients')
        .values({ merchant_id: merchantId, client_id: clientId, created_at: createdAtMs, ...changed })
        .onConflict((conflict) => conflict.columns(['merchant_id', 'client_id']).doUpdateSet(changed))
        .execute();
      await db
        .insertInto('pos_client_lists')
        .values({ merchant_id: merchantId, version: 1 })
        .onConflict((conflict) =>
          conflict.column('merchant_id').doUpdateSet((eb) => ({ version: eb('pos_client_lists.version', '+', 1) })),
        )
        .execute();
    },
  };
}

function clientOf(row: Selectable<HostTables['pos_clients']>): PosClientRecord {
  const { earlier_key_hash: keyHash, earlier_key_until: untilMs } = row;
  return {
    merchantId: row.merchant_id,
    clientId: row.client_id,
    name: row.name,
    keyHash: row.key_hash,
    ...(keyHash === null || untilMs === null ? {} : { earlierKey: { keyHash, untilMs } }),
    createdAtMs: row.created_at,
    ...present({ revokedAtMs: row.revoked_at }),
  };
}
