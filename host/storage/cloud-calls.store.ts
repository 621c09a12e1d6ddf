import type { Selectable } from 'kysely';
import type { CloudCallRecord, CloudCallRef } from '../ports/host-records.ts';
import type { HostReader, HostUnit } from '../ports/host-store.ts';
import { type Db, hasChanged } from './db.ts';
import type { HostTables } from './schema.ts';

/** Reads of the POS calls that went to a till. */
export function createCloudCallReader(db: Db): Pick<HostReader, 'findCloudCall' | 'findCloudCallOf'> {
  return {
    async findCloudCall(ref) {
      const row = await db
        .selectFrom('cloud_calls')
        .selectAll()
        .where((eb) => eb.and(valuesOf(ref)))
        .executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
    async findCloudCallOf(merchantId, transactionId) {
      const row = await db
        .selectFrom('cloud_calls')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .where('transaction_id', '=', transactionId)
        .executeTakeFirst();
      return row === undefined ? undefined : recordOf(row);
    },
  };
}

type CloudCallWrites = Pick<HostUnit, 'addCloudCall' | 'moveCloudCall' | 'releaseCloudCall'>;

/** Writes of them: each move from exactly one state, so that of two that send the same call one does. */
export function createCloudCallWriter(db: Db): CloudCallWrites {
  return {
    async addCloudCall(call) {
      const result = await db
        .insertInto('cloud_calls')
        .values({
          ...valuesOf(call),
          request_hash: call.requestHash,
          transaction_id: call.transactionId,
          request: call.request,
          state: 'SENT',
          created_at: call.createdAtMs,
          status_code: null,
          body: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return hasChanged(result);
    },
    async moveCloudCall(ref, from, to) {
      const { statusCode, body } = to.answer ?? { statusCode: null, body: null };
      const result = await db
        .updateTable('cloud_calls')
        .set({ state: to.state, status_code: statusCode, body })
        .where((eb) => eb.and(valuesOf(ref)))
        .where('state', '=', from)
        .executeTakeFirst();
      return hasChanged(result);
    },
    async releaseCloudCall(ref) {
      await db
        .deleteFrom('cloud_calls')
        .where((eb) => eb.and(valuesOf(ref)))
        .where('state', '=', 'SENT')
        .execute();
    },
  };
}

function valuesOf({ merchantId, clientId, terminalId, route, key }: CloudCallRef) {
  return { merchant_id: merchantId, client_id: clientId, terminal_id: terminalId, route, key };
}

function recordOf(row: Selectable<HostTables['cloud_calls']>): CloudCallRecord {
  const { status_code: statusCode, body } = row;
  return {
    ...{ merchantId: row.merchant_id, clientId: row.client_id, terminalId: row.terminal_id },
    ...{ route: row.route, key: row.key, requestHash: row.request_hash },
    ...{ transactionId: row.transaction_id, request: row.request, createdAtMs: row.created_at },
    state: row.state,
    ...(statusCode === null || body === null ? {} : { answer: { statusCode, body } }),
  };
}
