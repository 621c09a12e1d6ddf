import { sql } from 'kysely';
import type { Lease } from '../ports/host-records.ts';
import type { HostStore } from '../ports/host-store.ts';
import type { Db, UnitDb } from './db.ts';

/** Trace numbers that a process draws at once: the counter's row is written once per so many authorizations of a terminal. */
const STAN_BLOCK = 50;
const MAX_STAN = 999_999;
/** Terminals whose drawn numbers a process keeps; of those that it forgets, the rest of the block is skipped. */
const MAX_STAN_BLOCKS = 20_000;
/** Milliseconds for which a key is kept (decisions: Idempotency-Key, 30 days), and keys that are forgotten in one statement. */
const KEY_LIFE_MS = 30 * 24 * 3_600_000;
const KEYS_PER_DELETE = 1_000;

/** The one secret that there is. */
const SECRET_NAME = 'hmac';

type Jobs = Pick<HostStore, 'acquireLease' | 'releaseLease' | 'claimSecret' | 'nextStan'>;

/** What keeps processes out of each other's way. Each writes in a transaction of its own: on SQLite only these wait for others. */
export function createJobs({ transact }: { transact<T>(work: (unit: UnitDb) => Promise<T>): Promise<T> }): Jobs {
  const blocks = new Map<string, { next: number; left: number }>();
  const drawing = new Map<string, Promise<void>>();

  async function draw(name: string, merchantId: string, acquirer: string, terminalId: string): Promise<void> {
    const drawFrom = (db: Db) =>
      db
        .insertInto('stan_counters')
        .values({ merchant_id: merchantId, acquirer, terminal_id: terminalId, next_stan: 1 + STAN_BLOCK })
        .onConflict((conflict) =>
          conflict
            .columns(['merchant_id', 'acquirer', 'terminal_id'])
            .doUpdateSet({ next_stan: sql<number>`(stan_counters.next_stan - 1 + ${STAN_BLOCK}) % ${MAX_STAN} + 1` }),
        )
        .returning('next_stan')
        .executeTakeFirstOrThrow();
    const row = await transact(({ db }) => drawFrom(db));
    if (blocks.size >= MAX_STAN_BLOCKS) blocks.clear();
    blocks.set(name, { next: wrapped(row.next_stan - STAN_BLOCK), left: STAN_BLOCK });
  }

  return {
    async nextStan({ merchantId, acquirer, terminalId }) {
      const name = JSON.stringify([merchantId, acquirer, terminalId]);
      for (;;) {
        const block = blocks.get(name);
        if (block !== undefined && block.left > 0) {
          const stan = block.next;
          block.next = wrapped(stan + 1);
          block.left -= 1;
          return stan;
        }
        // Those who find the block used up at the same time wait for one draw.
        const running = drawing.get(name) ?? draw(name, merchantId, acquirer, terminalId);
        drawing.set(name, running);
        await running.finally(() => drawing.delete(name));
      }
    },
    acquireLease: (name, owner, nowMs, untilMs) => transact(({ db }) => acquireLease(db, name, owner, nowMs, untilMs)),
    claimSecret: (fingerprint, nowMs) =>
      transact(async ({ db }) => {
        await db
          .insertInto('host_secrets')
          .values({ name: SECRET_NAME, fingerprint, made_at: nowMs })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute();
        const kept = db.selectFrom('host_secrets').select('fingerprint').where('name', '=', SECRET_NAME);
        return (await kept.executeTakeFirstOrThrow()).fingerprint;
      }),
    async releaseLease({ name, owner, fence }) {
      await transact(({ db }) =>
        db
          .updateTable('leases')
          .set({ until_at: 0 })
          .where('name', '=', name)
          .where('owner', '=', owner)
          .where('fence', '=', fence)
          .execute(),
      );
    },
  };
}

/** Trace numbers go from 999,999 on to 1; a number below 1 is meant from the end. */
function wrapped(stan: number): number {
  return ((stan - 1 + MAX_STAN) % MAX_STAN) + 1;
}

/** One statement: free, over, or ours already. A new holder gets a new fence. */
async function acquireLease(
  db: Db,
  name: string,
  owner: string,
  nowMs: number,
  untilMs: number,
): Promise<Lease | undefined> {
  const row = await db
    .insertInto('leases')
    .values({ name, owner, fence: 1, until_at: untilMs })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          owner,
          fence: sql<number>`CASE WHEN leases.owner = ${owner} AND leases.until_at > ${nowMs} THEN leases.fence ELSE leases.fence + 1 END`,
          until_at: untilMs,
        })
        .where((eb) => eb.or([eb('leases.until_at', '<=', nowMs), eb('leases.owner', '=', owner)])),
    )
    .returning('fence')
    .executeTakeFirst();
  return row === undefined ? undefined : { name, owner, fence: row.fence, untilMs };
}

/**
 * Forgets keys after their time, a bounded number per call, but for those of payments that are not resolved or not settled (decisions:
 * Idempotency-Key); their answers go with them.
 * @returns how many were forgotten
 */
export async function forgetOldKeys(db: Db, nowMs: number): Promise<number> {
  const before = nowMs - KEY_LIFE_MS;
  const keys = await db
    .selectFrom('idempotency_keys as k')
    .select(['k.merchant_id', 'k.scope', 'k.key', 'k.created_at'])
    .where('k.created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments as p')
            .leftJoin('settlements as s', (join) =>
              join
                .onRef('s.merchant_id', '=', 'p.merchant_id')
                .onRef('s.terminal_id', '=', 'p.terminal_id')
                .onRef('s.batch_number', '=', 'p.batch_number'),
            )
            .select('p.payment_id')
            .whereRef('p.merchant_id', '=', 'k.merchant_id')
            .whereRef('p.payment_id', '=', 'k.subject_id')
            .where(
              sql<boolean>`(p.status IN ('PROCESSING', 'FAILED', 'REQUIRES_CAPTURE') OR (p.batch_number IS NOT NULL AND s.settlement_id IS NULL))`,
            ),
        ),
      ),
    )
    .orderBy('k.created_at')
    .limit(KEYS_PER_DELETE)
    .execute();
  for (const key of keys) {
    for (const table of ['idempotency_answers', 'idempotency_keys'] as const) {
      await db
        .deleteFrom(table)
        .where('merchant_id', '=', key.merchant_id)
        .where('scope', '=', key.scope)
        .where('key', '=', key.key)
        .where('created_at', '=', key.created_at)
        .execute();
    }
  }
  return keys.length;
}

/** Forgets POS calls after the same time, but for those whose end is not known (decisions: Idempotency-Key). */
export async function forgetOldCalls(db: Db, nowMs: number): Promise<void> {
  const old = await db
    .selectFrom('cloud_calls')
    .select(['merchant_id', 'transaction_id'])
    .where('created_at', '<', nowMs - KEY_LIFE_MS)
    .where('state', '<>', 'SENT')
    .orderBy('created_at')
    .limit(KEYS_PER_DELETE)
    .execute();
  for (const call of old) {
    await db
      .deleteFrom('cloud_calls')
      .where('merchant_id', '=', call.merchant_id)
      .where('transaction_id', '=', call.transaction_id)
      .where('state', '<>', 'SENT')
      .execute();
  }
}
