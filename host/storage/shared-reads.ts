import { sql } from 'kysely';
import type { TerminalRecord } from '../ports/host-records.ts';
import type { AuthorizationGround, GroundRef, HostReader, HostStore } from '../ports/host-store.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import { createBatcher } from './batcher.ts';
import type { Db } from './db.ts';
import { terminalOf, tipConfigOf } from './provisioning.store.ts';

/** Reads that share one statement, statements that run at the same time, and reads that wait for one; beyond that: 503. */
const MAX_SHARED = 64;
const MAX_RUNNING = 2;
const MAX_WAITING = 10_000;

type SharedReads = Pick<HostReader, 'findTerminalByToken'> & Pick<HostStore, 'authorizationGround'>;

/**
 * What every authorization reads, on PostgreSQL: those that come at the same time share one statement, which begins after all of them were asked for.
 * Nothing is kept from one statement to the next.
 */
export function createSharedReads(db: Db): SharedReads {
  const limits = {
    maxItems: MAX_SHARED,
    maxRunning: MAX_RUNNING,
    maxWaiting: MAX_WAITING,
    refusal: () => new StoreUnavailable('too many reads wait for it'),
  };
  return {
    findTerminalByToken: createBatcher<string, TerminalRecord | undefined>({
      ...limits,
      run: async (tokens) => inPlace(await terminalsByToken(db, tokens)),
    }),
    authorizationGround: createBatcher<GroundRef, AuthorizationGround>({
      ...limits,
      run: async (refs) => inPlace(await groundOf(db, refs)),
    }),
  };
}

function inPlace<Out>(values: readonly Out[]) {
  return values.map((value) => ({ ok: true, value }) as const);
}

async function terminalsByToken(db: Db, tokens: readonly string[]): Promise<readonly (TerminalRecord | undefined)[]> {
  const { rows } = await sql<Parameters<typeof terminalOf>[0]>`
    SELECT merchant_id, terminal_id, device_id, name, currency, state, token_hash, batch_number, created_at, updated_at, time_zone, day_cut_off
    FROM terminals WHERE token_hash = ANY(${[...tokens]}::text[])`.execute(db);
  const found = new Map(rows.map((row) => [row.token_hash, row]));
  return tokens.map((token) => {
    const row = found.get(token);
    return row === undefined ? undefined : terminalOf(row);
  });
}

type GroundRow = { [Column in keyof TipRow]: TipRow[Column] | null } & {
  readonly is_key_taken: boolean;
  readonly has_open_reversals: boolean;
};
type TipRow = Parameters<typeof tipConfigOf>[0];

async function groundOf(db: Db, refs: readonly GroundRef[]): Promise<readonly AuthorizationGround[]> {
  const asked = refs.map(({ merchantId, terminalId, scope, key }, place) => ({
    ...{ place, merchant_id: merchantId, terminal_id: terminalId },
    ...{ scope, key },
  }));
  const { rows } = await sql<GroundRow>`
    SELECT k.merchant_id IS NOT NULL AS is_key_taken, r.merchant_id IS NOT NULL AS has_open_reversals,
      t.merchant_id, t.config_version, t.config, t.updated_at
    FROM json_to_recordset(${JSON.stringify(asked)}::json)
      AS asked (place int, merchant_id text, terminal_id text, scope text, key text)
    LEFT JOIN idempotency_keys AS k ON k.merchant_id = asked.merchant_id AND k.scope = asked.scope AND k.key = asked.key
    LEFT JOIN LATERAL (
      SELECT merchant_id FROM reversals
      WHERE merchant_id = asked.merchant_id AND terminal_id = asked.terminal_id AND state <> 'CONFIRMED' LIMIT 1
    ) AS r ON true
    LEFT JOIN tip_configs AS t ON t.merchant_id = asked.merchant_id
    ORDER BY asked.place`.execute(db);
  return rows.map(({ is_key_taken: isKeyTaken, has_open_reversals: hasOpenReversals, ...tips }) => ({
    isKeyTaken,
    hasOpenReversals,
    ...(isTipRow(tips) ? { tips: tipConfigOf(tips) } : {}),
  }));
}

function isTipRow(row: { readonly [Column in keyof TipRow]: TipRow[Column] | null }): row is TipRow {
  return row.merchant_id !== null;
}
