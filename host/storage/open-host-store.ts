import { Kysely, sql } from 'kysely';
import type { HostReader, HostStore, HostUnit, TransactOptions } from '../ports/host-store.ts';
import { createAuthorizations } from './authorizations.ts';
import { createBatchCloseReader, createBatchCloseWriter } from './batch-closes.store.ts';
import { createCloudCallReader, createCloudCallWriter } from './cloud-calls.store.ts';
import type { Db, UnitDb } from './db.ts';
import { isRepeatable } from './failures.ts';
import { guardedDialect } from './guarded-dialect.ts';
import { createHostNodes } from './host-nodes.store.ts';
import { createIdempotencyReader, createIdempotencyWriter } from './idempotency.store.ts';
import { createJobs, forgetOldCalls, forgetOldKeys } from './jobs.store.ts';
import { createLinkLeases } from './link-leases.store.ts';
import { createMessageReader, createMessageWriter } from './messages.store.ts';
import { migrate } from './migrate.ts';
import type { DatabaseKind } from './migration.ts';
import { makePartitions } from './partitions.ts';
import { createPaymentReader } from './payments.reader.ts';
import { createPaymentWriter } from './payments.writer.ts';
import { createPosClientReader, createPosClientWriter } from './pos-clients.store.ts';
import { createPool, postgresDialect, preparedDialect } from './postgres.ts';
import { createProvisioningReader, createProvisioningWriter } from './provisioning.store.ts';
import { createRecoveryReader, createRecoveryWriter } from './recovery.store.ts';
import type { HostTables } from './schema.ts';
import { createSessionTickets } from './session-tickets.store.ts';
import { createSessionReader, createSessionWriter } from './sessions.store.ts';
import { createSettlementReader, createSettlementWriter } from './settlements.store.ts';
import { createSharedReads } from './shared-reads.ts';
import { sqliteReader, sqliteWriter } from './sqlite.ts';

/** Times that work is run again after a deadlock or a serialization failure. */
const MAX_REPEATS = 5;

export interface HostStoreOptions {
  /** `sqlite:FILE`, or a URL `postgres://…`. */
  readonly database: string;
  readonly nowMs: number;
}

/**
 * Opens the host's database, and brings its schema to what this program knows.
 * @throws StoreUnavailable; TypeError for a database that is neither
 */
export async function openHostStore({ database, nowMs }: HostStoreOptions): Promise<HostStore> {
  const kind = kindOf(database);
  const connections = kind === 'sqlite' ? connectSqlite(database.slice('sqlite:'.length)) : connectPostgres(database);
  const { writer } = connections;
  try {
    await migrate(writer, kind, nowMs);
    if (kind === 'postgres') await makePartitions(writer, nowMs);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return createStore(kind, connections);
}

function kindOf(database: string): DatabaseKind {
  if (database.startsWith('sqlite:')) return 'sqlite';
  if (/^postgres(ql)?:/.test(database)) return 'postgres';
  throw new TypeError('the database must be sqlite:FILE or postgres://…');
}

interface Connections {
  readonly writer: Db;
  /** Made when it is first used: the schema is there then. */
  readonly reader: Db;
  /** For the statements of an authorization, which are always the same. */
  readonly path: Db;
  close(): Promise<void>;
}

function connectSqlite(path: string): Connections {
  const writer = new Kysely<HostTables>({ dialect: guardedDialect(sqliteWriter(path)) });
  const reader = new Kysely<HostTables>({ dialect: guardedDialect(sqliteReader(path)) });
  return {
    writer,
    reader,
    path: writer,
    async close() {
      await reader.destroy();
      await writer.destroy();
    },
  };
}

function connectPostgres(url: string): Connections {
  const db = new Kysely<HostTables>({ dialect: guardedDialect(postgresDialect(createPool(url))) });
  const path = new Kysely<HostTables>({ dialect: guardedDialect(preparedDialect(url)) });
  return {
    writer: db,
    reader: db,
    path,
    async close() {
      await path.destroy();
      await db.destroy();
    },
  };
}

function createStore(kind: DatabaseKind, { writer, reader, path, close }: Connections): HostStore {
  const transactDb = async <T>(work: (unit: UnitDb) => Promise<T>, { once }: TransactOptions = {}): Promise<T> => {
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await writer.transaction().execute((db) => work({ db, kind }));
      } catch (error) {
        if (once === true || repeats >= MAX_REPEATS || !isRepeatable(error)) throw error;
      }
    }
  };
  const read = createReader(reader);
  const sharedReads = kind === 'postgres' ? createSharedReads(reader) : plainReads(read);
  return {
    read: { ...read, ...sharedReads },
    transact: (work, options) => transactDb((unit) => work(createUnit(unit)), options),
    authorizationGround: sharedReads.authorizationGround,
    ...createAuthorizations({ kind, db: writer, path, transact: transactDb }),
    ...createJobs({ transact: transactDb }),
    ...createLinkLeases({ kind, reader, transact: transactDb }),
    ...createHostNodes({ kind, reader, transact: transactDb }),
    ...createSessionTickets({ transact: transactDb }),
    async maintain(nowMs) {
      if (kind === 'postgres') await makePartitions(writer, nowMs);
      await transactDb(({ db }) => forgetOldKeys(db, nowMs));
      await transactDb(({ db }) => forgetOldCalls(db, nowMs));
    },
    async isReady() {
      try {
        await sql`SELECT 1`.execute(reader);
        return true;
      } catch {
        return false;
      }
    },
    close,
  };
}

/** Where nobody is far away, one read after the other. */
function plainReads(read: HostReader): ReturnType<typeof createSharedReads> {
  return {
    findTerminalByToken: read.findTerminalByToken,
    async authorizationGround(ref) {
      const tips = await read.findTipConfig(ref.merchantId);
      return {
        isKeyTaken: (await read.findIdempotency(ref)) !== undefined,
        hasOpenReversals: (await read.openReversals(ref)).length > 0,
        ...(tips === undefined ? {} : { tips }),
      };
    },
  };
}

function createReader(db: Db): HostReader {
  return {
    ...createProvisioningReader(db),
    ...createPosClientReader(db),
    ...createCloudCallReader(db),
    ...createPaymentReader(db),
    ...createMessageReader(db),
    ...createIdempotencyReader(db),
    ...createSessionReader(db),
    ...createRecoveryReader(db),
    ...createSettlementReader(db),
    ...createBatchCloseReader(db),
  };
}

function createUnit(unit: UnitDb): HostUnit {
  const { db } = unit;
  return {
    ...createReader(db),
    ...createProvisioningWriter(unit),
    ...createPosClientWriter(unit),
    ...createCloudCallWriter(db),
    ...createPaymentWriter(unit),
    ...createMessageWriter(db),
    ...createIdempotencyWriter(db),
    ...createSessionWriter(unit),
    ...createRecoveryWriter(db),
    ...createSettlementWriter(unit),
    ...createBatchCloseWriter(db),
  };
}
