import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely';
import { asStoreError } from './failures.ts';

/** A dialect whose every failure passes asStoreError, so that the rest of the host knows one kind of "the database is away". */
export function guardedDialect(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => new GuardedDriver(dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

async function guarded<T>(work: () => Promise<T>, mayHaveCommitted = false): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error, mayHaveCommitted);
  }
}

class GuardedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  /** Outside of a transaction a statement commits itself: one whose answer is lost may have done so. */
  isInTransaction = false;

  constructor(inner: DatabaseConnection) {
    this.inner = inner;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return guarded(async () => await this.inner.executeQuery<R>(query), !this.isInTransaction);
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery(query, chunkSize);
  }
}

function innerOf(connection: DatabaseConnection): DatabaseConnection {
  return connection instanceof GuardedConnection ? connection.inner : connection;
}

class GuardedDriver implements Driver {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  init(): Promise<void> {
    return guarded(() => this.#driver.init());
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return guarded(async () => new GuardedConnection(await this.#driver.acquireConnection()));
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (connection instanceof GuardedConnection) connection.isInTransaction = true;
    return guarded(() => this.#driver.beginTransaction(innerOf(connection), settings));
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return guarded(() => this.#driver.commitTransaction(innerOf(connection)), true);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#driver.rollbackTransaction(innerOf(connection));
    } catch {
      // The connection is gone, and its transaction with it. The caller gets the error that came first.
    }
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return guarded(() => this.#driver.releaseConnection(innerOf(connection)));
  }

  destroy(): Promise<void> {
    return guarded(() => this.#driver.destroy());
  }
}
