import type { Selectable } from 'kysely';
import { MAX_PAIRING_TRIES } from '../../app/contract/host/host-limits.ts';
import type { PairingExpectation } from '../../app/contract/host/pairing.ts';
import type { TerminalTipConfigRequest } from '../../app/contract/host/tip-config.ts';
import type { BusinessDayRule } from '../../app/domain/business-day.ts';
import { canonicalJson } from '../../app/domain/canonical-json.ts';
import type {
  ApiKeyKind,
  ApiKeyRecord,
  MerchantRecord,
  TerminalRecord,
  TerminalState,
  TipConfigRecord,
} from '../ports/host-records.ts';
import type { HostReader, HostUnit, PairingProof, PairingResult, TerminalRef } from '../ports/host-store.ts';
import { type Db, hasChanged, present, type UnitDb } from './db.ts';
import type { HostTables } from './schema.ts';

type ProvisioningReads = Pick<
  HostReader,
  | 'findMerchant'
  | 'listMerchants'
  | 'findTerminal'
  | 'listTerminals'
  | 'findTerminalByToken'
  | 'findKey'
  | 'listKeys'
  | 'findTipConfig'
>;

function selectTipConfig(db: Db, merchantId: string) {
  return db.selectFrom('tip_configs').selectAll().where('merchant_id', '=', merchantId);
}

export function createProvisioningReader(db: Db): ProvisioningReads {
  return {
    async findMerchant(merchantId) {
      const row = await db.selectFrom('merchants').selectAll().where('merchant_id', '=', merchantId).executeTakeFirst();
      return row === undefined ? undefined : merchantOf(row);
    },
    async listMerchants() {
      const rows = await db.selectFrom('merchants').selectAll().orderBy('created_at').orderBy('merchant_id').execute();
      return rows.map(merchantOf);
    },
    async findTerminal(ref) {
      const row = await selectTerminal(db, ref).executeTakeFirst();
      return row === undefined ? undefined : terminalOf(row);
    },
    async listTerminals(merchantId) {
      const rows = await db
        .selectFrom('terminals')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .orderBy('created_at')
        .orderBy('terminal_id')
        .execute();
      return rows.map(terminalOf);
    },
    async findTerminalByToken(tokenHash) {
      const row = await db.selectFrom('terminals').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
      return row === undefined ? undefined : terminalOf(row);
    },
    async findKey(keyHash, nowMs) {
      const row = await workingKeys(db, nowMs).where('key_hash', '=', keyHash).executeTakeFirst();
      return row === undefined ? undefined : keyOf(row);
    },
    async listKeys(merchantId) {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .orderBy('created_at')
        .orderBy('key_id')
        .execute();
      return rows.map(keyOf);
    },
    async findTipConfig(merchantId) {
      const row = await selectTipConfig(db, merchantId).executeTakeFirst();
      return row === undefined ? undefined : tipConfigOf(row);
    },
  };
}

function selectTerminal(db: Db, { merchantId, terminalId }: TerminalRef) {
  return db
    .selectFrom('terminals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('terminal_id', '=', terminalId);
}

function workingKeys(db: Db, nowMs: number) {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]));
}

type ProvisioningWrites = Pick<
  HostUnit,
  | 'addMerchant'
  | 'addTerminal'
  | 'setBusinessDay'
  | 'setTerminalState'
  | 'offerPairingCode'
  | 'tryPairing'
  | 'addKey'
  | 'revokeKey'
  | 'rotateKey'
  | 'saveTipConfig'
>;

export function createProvisioningWriter(unit: UnitDb): ProvisioningWrites {
  return { ...merchantWriter(unit), ...keyWriter(unit) };
}

function merchantWriter(
  unit: UnitDb,
): Pick<
  ProvisioningWrites,
  | 'addMerchant'
  | 'addTerminal'
  | 'setBusinessDay'
  | 'setTerminalState'
  | 'offerPairingCode'
  | 'tryPairing'
  | 'saveTipConfig'
> {
  const { db } = unit;
  return {
    async addMerchant({ merchantId, name, createdAtMs }) {
      await db.insertInto('merchants').values({ merchant_id: merchantId, name, created_at: createdAtMs }).execute();
    },
    async addTerminal({ merchantId, terminalId, deviceId, name, currency, createdAtMs, businessDay }) {
      await db
        .insertInto('terminals')
        .values({
          merchant_id: merchantId,
          terminal_id: terminalId,
          device_id: deviceId,
          name,
          currency,
          state: 'UNPAIRED',
          token_hash: null,
          batch_number: 1,
          created_at: createdAtMs,
          updated_at: createdAtMs,
          ...(businessDay === undefined ? {} : dayColumns(businessDay)),
        })
        .execute();
    },
    async setBusinessDay(ref, businessDay, atMs) {
      const change = { ...dayColumns(businessDay), updated_at: atMs };
      return hasChanged(await updateTerminal(db, ref).set(change).executeTakeFirst());
    },
    async setTerminalState(ref, state, atMs) {
      const forgets = state === 'REVOKED' || state === 'UNPAIRED';
      const result = await updateTerminal(db, ref)
        .set({ state, updated_at: atMs, ...(forgets ? { token_hash: null } : {}) })
        .executeTakeFirst();
      if (forgets) await dropCode(db, ref);
      return hasChanged(result);
    },
    async offerPairingCode(code, atMs) {
      const { merchantId, terminalId } = code;
      await dropCode(db, code);
      await db
        .insertInto('pairing_codes')
        .values({
          selector: code.selector,
          merchant_id: merchantId,
          terminal_id: terminalId,
          code_hash: code.codeHash,
          tries: 0,
          expires_at: code.expiresAtMs,
        })
        .execute();
      await updateTerminal(db, code).set({ state: 'PAIRING', updated_at: atMs }).execute();
    },
    tryPairing: (proof, tokenHash, atMs) => tryPairing(unit, proof, tokenHash, atMs),
    async saveTipConfig(merchantId, config, atMs) {
      const values = { config: canonicalJson(config), updated_at: atMs };
      const changed = await db
        .insertInto('tip_configs')
        .values({ merchant_id: merchantId, config_version: 1, ...values })
        .onConflict((conflict) =>
          conflict
            .column('merchant_id')
            .doUpdateSet((eb) => ({ ...values, config_version: eb('tip_configs.config_version', '+', 1) }))
            .where('tip_configs.config', '<>', values.config),
        )
        .returningAll()
        .executeTakeFirst();
      const row = changed ?? (await selectTipConfig(db, merchantId).executeTakeFirstOrThrow());
      return tipConfigOf(row);
    },
  };
}

function updateTerminal(db: Db, { merchantId, terminalId }: TerminalRef) {
  return db.updateTable('terminals').where('merchant_id', '=', merchantId).where('terminal_id', '=', terminalId);
}

async function dropCode(db: Db, { merchantId, terminalId }: TerminalRef): Promise<void> {
  await db
    .deleteFrom('pairing_codes')
    .where('merchant_id', '=', merchantId)
    .where('terminal_id', '=', terminalId)
    .execute();
}

async function tryPairing(
  { db, kind }: UnitDb,
  { selector, codeHash, expected }: PairingProof,
  tokenHash: string,
  atMs: number,
): Promise<PairingResult> {
  const query = db.selectFrom('pairing_codes').selectAll().where('selector', '=', selector);
  const code = await (kind === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
  if (code === undefined || code.expires_at <= atMs) return { kind: 'INVALID' };
  if (code.tries >= MAX_PAIRING_TRIES) return { kind: 'LOCKED' };
  if (code.code_hash !== codeHash) {
    await db
      .updateTable('pairing_codes')
      .set({ tries: code.tries + 1 })
      .where('selector', '=', selector)
      .execute();
    return { kind: code.tries + 1 >= MAX_PAIRING_TRIES ? 'LOCKED' : 'INVALID' };
  }
  const ref = { merchantId: code.merchant_id, terminalId: code.terminal_id };
  const found = terminalOf(await selectTerminal(db, ref).executeTakeFirstOrThrow());
  const field = unexpectedField(found, expected);
  if (field !== undefined) return { kind: 'UNEXPECTED', field };
  await dropCode(db, ref);
  const row = await updateTerminal(db, ref)
    .set({ state: 'PAIRED', token_hash: tokenHash, updated_at: atMs })
    .returningAll()
    .executeTakeFirstOrThrow();
  const merchant = await db
    .selectFrom('merchants')
    .select('name')
    .where('merchant_id', '=', ref.merchantId)
    .executeTakeFirstOrThrow();
  return { kind: 'PAIRED', terminal: terminalOf(row), merchantName: merchant.name };
}

function unexpectedField(
  { merchantId, terminalId, currency }: TerminalRecord,
  expected: PairingExpectation,
): keyof PairingExpectation | undefined {
  const known = { merchantId, terminalId, currencyCode: currency };
  return (['merchantId', 'terminalId', 'currencyCode'] as const).find(
    (field) => expected[field] !== undefined && expected[field] !== known[field],
  );
}

function keyWriter({ db }: UnitDb): Pick<ProvisioningWrites, 'addKey' | 'revokeKey' | 'rotateKey'> {
  const addKey = async (key: ApiKeyRecord): Promise<void> => {
    await db
      .insertInto('api_keys')
      .values({
        merchant_id: key.merchantId,
        key_id: key.keyId,
        kind: key.kind,
        name: key.name,
        key_hash: key.keyHash,
        created_at: key.createdAtMs,
        expires_at: key.expiresAtMs ?? null,
        revoked_at: key.revokedAtMs ?? null,
      })
      .execute();
  };
  const working = (merchantId: string, keyId: string) =>
    db
      .updateTable('api_keys')
      .where('merchant_id', '=', merchantId)
      .where('key_id', '=', keyId)
      .where('revoked_at', 'is', null);
  return {
    addKey,
    async revokeKey(merchantId, keyId, atMs) {
      return hasChanged(await working(merchantId, keyId).set({ revoked_at: atMs }).executeTakeFirst());
    },
    async rotateKey(oldKeyId, next, oldUntilMs) {
      const ended = await working(next.merchantId, oldKeyId)
        .where('expires_at', 'is', null)
        .set({ expires_at: oldUntilMs })
        .executeTakeFirst();
      if (!hasChanged(ended)) return false;
      await addKey(next);
      return true;
    },
  };
}

function merchantOf(row: Selectable<HostTables['merchants']>): MerchantRecord {
  return { merchantId: row.merchant_id, name: row.name, createdAtMs: row.created_at };
}

function dayColumns({ timeZone, cutOff }: BusinessDayRule) {
  return { time_zone: timeZone, day_cut_off: cutOff };
}

/** A row as it was stored. */
export function terminalOf(row: Selectable<HostTables['terminals']>): TerminalRecord {
  return {
    merchantId: row.merchant_id,
    terminalId: row.terminal_id,
    deviceId: row.device_id,
    name: row.name,
    currency: row.currency,
    state: row.state as TerminalState,
    batchNumber: row.batch_number,
    createdAtMs: row.created_at,
    businessDay: { timeZone: row.time_zone, cutOff: row.day_cut_off },
  };
}

function keyOf(row: Selectable<HostTables['api_keys']>): ApiKeyRecord {
  return {
    merchantId: row.merchant_id,
    keyId: row.key_id,
    kind: row.kind as ApiKeyKind,
    name: row.name,
    keyHash: row.key_hash,
    createdAtMs: row.created_at,
    ...present({ expiresAtMs: row.expires_at, revokedAtMs: row.revoked_at }),
  };
}

/** A row as it was stored. */
export function tipConfigOf(row: Selectable<HostTables['tip_configs']>): TipConfigRecord {
  return {
    merchantId: row.merchant_id,
    configVersion: row.config_version,
    config: JSON.parse(row.config) as TerminalTipConfigRequest,
    updatedAtMs: row.updated_at,
  };
}
