import pg from 'pg';

/** Tables of an authorization, as its intent and as its outcome write them. */
const intentTables = ['idempotency_keys', 'payment_names', 'payments', 'acquirer_messages'] as const;
const outcomeTables = ['payments', 'entries', 'acquirer_messages', 'idempotency_answers'] as const;

type Row = Readonly<Record<string, unknown>>;

/** A prepared statement that inserts its rows, and is one transaction. */
interface Commit {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The commits of an authorization as plain as they can be: every row that the host writes for one, copied from a real one, into tables with the
 * same columns and without any index, check, trigger or partition; two transactions, each by one prepared statement of one connection.
 */
export async function openBareAuthorizations(
  url: string,
  paymentId: string,
): Promise<{ authorize(caller: number): Promise<void>; close(): Promise<void> }> {
  const setUp = new pg.Client({ connectionString: url });
  await setUp.connect();
  await setUp.query('CREATE SCHEMA IF NOT EXISTS bare');
  const commits = [
    await commitOf(setUp, 'intent', intentTables, paymentId),
    await commitOf(setUp, 'outcome', outcomeTables, paymentId),
  ];
  await setUp.end();
  const clients = new Map<number, Promise<pg.Client>>();
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  return {
    async authorize(caller) {
      const connecting = clients.get(caller) ?? connect();
      clients.set(caller, connecting);
      const client = await connecting;
      for (const { name, text, values } of commits) await client.query({ name, text, values: [...values] });
    },
    async close() {
      for (const client of clients.values()) await (await client).end();
    },
  };
}

async function commitOf(
  client: pg.Client,
  name: string,
  tables: readonly string[],
  paymentId: string,
): Promise<Commit> {
  const values: unknown[] = [];
  const inserts: string[] = [];
  for (const table of tables) {
    await client.query(`CREATE TABLE IF NOT EXISTS bare.${table} (LIKE ${table})`);
    for (const row of await rowsOf(client, table, paymentId)) {
      const places = Object.values(row).map((value) => `$${values.push(value)}`);
      inserts.push(
        `step_${inserts.length} AS (INSERT INTO bare.${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')}))`,
      );
    }
  }
  return { name, text: `WITH ${inserts.join(', ')} SELECT 1`, values };
}

/** What the host has written for the payment. */
async function rowsOf(client: pg.Client, table: string, paymentId: string): Promise<readonly Row[]> {
  const which = {
    idempotency_keys: 'subject_id = $1',
    idempotency_answers: 'key IN (SELECT key FROM idempotency_keys WHERE subject_id = $1)',
  }[table];
  const { rows } = await client.query<Row>(`SELECT * FROM ${table} WHERE ${which ?? 'payment_id = $1'}`, [paymentId]);
  if (rows.length === 0) throw new Error(`the host has written nothing into ${table}`);
  return rows;
}
