import { isCurrency } from '../../app/contract/currencies.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import { PAIRING_CODE_TTL_MINUTES } from '../../app/contract/host/host-limits.ts';
import { type BusinessDayRule, createBusinessDay } from '../../app/domain/business-day.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Ids } from '../../app/ports/ids.ts';
import type { ApiKeyKind, MerchantRecord, TerminalRecord } from '../ports/host-records.ts';
import type { HostStore, TerminalRef } from '../ports/host-store.ts';
import { credentialHash, newCredential, newPairingCode, pairingCodeHash, selectorOf } from '../services/credentials.ts';

/** What provisioning takes from outside. */
export interface Provisioning {
  readonly store: Pick<HostStore, 'read' | 'transact'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const cutOffPattern = /^([01]\d|2[0-3]):[0-5]\d$/;
const namePattern = /^[^\p{Cc}\p{Cf}\p{Surrogate}]{1,100}$/u;
/** Bytes of a drawn id; it is part of what people read. */
const idBytes = 4;

/** @throws BridgeError INVALID_REQUEST naming the option */
function required(option: string, value: string, pattern: RegExp): string {
  if (pattern.test(value)) return value;
  throw new BridgeError('INVALID_REQUEST', `${option} has characters that it may not have, or too many`, {
    field: option,
  });
}

/** A text of a line that people read. @throws BridgeError INVALID_REQUEST naming the option */
export function requiredName(option: string, value: string): string {
  return required(option, value, namePattern);
}

/** An id that is given, or drawn as PREFIX-XXXXXXXX. */
function idOf(ids: Ids, option: string, prefix: string, given: string | undefined): string {
  if (given !== undefined) return required(option, given, idPattern);
  return `${prefix}-${Buffer.from(ids.randomBytes(idBytes)).toString('hex').toUpperCase()}`;
}

/** @throws BridgeError ILLEGAL_STATE for an id that is taken */
export async function addMerchant(
  { store, clock, ids }: Provisioning,
  { name, id }: { readonly name: string; readonly id?: string | undefined },
): Promise<MerchantRecord> {
  const merchantId = idOf(ids, '--id', 'M', id);
  const merchant = { merchantId, name: required('--name', name, namePattern), createdAtMs: clock.nowMs() };
  await store.transact(async (unit) => {
    if ((await unit.findMerchant(merchantId)) !== undefined) throw taken(`merchant ${merchantId}`);
    await unit.addMerchant(merchant);
  });
  return merchant;
}

interface NewTerminal {
  readonly merchantId: string;
  readonly name: string;
  readonly currency: string;
  readonly id?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly cutOff?: string | undefined;
}

/** @throws BridgeError NOT_FOUND, ILLEGAL_STATE for an id that is taken, UNSUPPORTED_CURRENCY, INVALID_REQUEST */
export async function addTerminal({ store, clock, ids }: Provisioning, added: NewTerminal): Promise<TerminalRecord> {
  const { merchantId, currency } = added;
  if (!isCurrency(currency))
    throw new BridgeError('UNSUPPORTED_CURRENCY', '--currency is a code of ISO 4217, such as EUR');
  const terminalId = idOf(ids, '--id', 'T', added.id);
  const deviceId = idOf(ids, '--device', 'D', added.deviceId);
  const name = required('--name', added.name, namePattern);
  const businessDay = businessDayOf(calendarDaysOfUtc, added);
  await store.transact(async (unit) => {
    if ((await unit.findMerchant(merchantId)) === undefined) throw missing('merchant');
    if ((await unit.findTerminal({ merchantId, terminalId })) !== undefined) throw taken(`terminal ${terminalId}`);
    await unit.addTerminal({
      merchantId,
      terminalId,
      deviceId,
      name,
      currency,
      createdAtMs: clock.nowMs(),
      businessDay,
    });
  });
  return await existingTerminal(store, { merchantId, terminalId });
}

const calendarDaysOfUtc: BusinessDayRule = { timeZone: 'UTC', cutOff: '00:00' };

/** What is given of it, and the rest as it was. @throws BridgeError INVALID_REQUEST naming the option */
function businessDayOf(
  before: BusinessDayRule,
  { timeZone = before.timeZone, cutOff = before.cutOff }: Pick<NewTerminal, 'timeZone' | 'cutOff'>,
): BusinessDayRule {
  required('--cut-off', cutOff, cutOffPattern);
  try {
    createBusinessDay({ timeZone, cutOff });
  } catch {
    throw new BridgeError('INVALID_REQUEST', '--time-zone is the IANA name of a time zone, such as Europe/Vienna', {
      field: '--time-zone',
    });
  }
  return { timeZone, cutOff };
}

/** From the next payment and close on; what has its business date keeps it. @throws BridgeError NOT_FOUND, INVALID_REQUEST */
export async function changeBusinessDay(
  { store, clock }: Provisioning,
  ref: TerminalRef,
  given: Pick<NewTerminal, 'timeZone' | 'cutOff'>,
): Promise<TerminalRecord> {
  const { businessDay } = await existingTerminal(store, ref);
  const next = businessDayOf(businessDay, given);
  await store.transact((unit) => unit.setBusinessDay(ref, next, clock.nowMs()));
  return await existingTerminal(store, ref);
}

/** @throws BridgeError NOT_FOUND */
export async function existingTerminal(store: Provisioning['store'], ref: TerminalRef): Promise<TerminalRecord> {
  const terminal = await store.read.findTerminal(ref);
  if (terminal === undefined) throw missing('terminal of that merchant');
  return terminal;
}

/** @throws BridgeError NOT_FOUND */
export async function requireMerchant(store: Provisioning['store'], merchantId: string): Promise<void> {
  if ((await store.read.findMerchant(merchantId)) === undefined) throw missing('merchant');
}

/** A key with what is shown of it this once. */
export interface IssuedKey {
  readonly keyId: string;
  readonly kind: ApiKeyKind;
  readonly key: string;
}

interface NewKey {
  readonly merchantId: string;
  readonly name: string;
  readonly kind: ApiKeyKind;
}

/** A key of a merchant; only its hash is kept. @throws BridgeError NOT_FOUND */
export async function addKey(
  { store, clock, ids }: Provisioning,
  { merchantId, name, kind }: NewKey,
): Promise<IssuedKey> {
  await requireMerchant(store, merchantId);
  const issued = { keyId: ids.next(), kind, key: newCredential(ids, kind) };
  await store.transact((unit) =>
    unit.addKey({
      merchantId,
      keyId: issued.keyId,
      kind,
      name: required('--name', name, namePattern),
      keyHash: credentialHash(issued.key),
      createdAtMs: clock.nowMs(),
    }),
  );
  return issued;
}

/** A new key in place of an old one, which works on for `graceMs`. @throws BridgeError NOT_FOUND for one that does not work, or was rotated before */
export async function rotateKey(
  { store, clock, ids }: Provisioning,
  { merchantId, keyId, graceMs }: { readonly merchantId: string; readonly keyId: string; readonly graceMs: number },
): Promise<IssuedKey> {
  const old = (await store.read.listKeys(merchantId)).find((key) => key.keyId === keyId);
  if (old === undefined) throw missing('key of that merchant');
  const issued = { keyId: ids.next(), kind: old.kind, key: newCredential(ids, old.kind) };
  const nowMs = clock.nowMs();
  const next = {
    ...{ merchantId, keyId: issued.keyId, kind: old.kind, name: old.name },
    ...{ keyHash: credentialHash(issued.key), createdAtMs: nowMs },
  };
  const isRotated = await store.transact((unit) => unit.rotateKey(keyId, next, nowMs + graceMs));
  if (!isRotated) throw missing('key that works and was not rotated before');
  return issued;
}

/** A code with which a terminal fetches its device token, once (decisions: Provisioning). @throws BridgeError NOT_FOUND */
export async function offerPairingCode(
  { store, clock, ids }: Provisioning,
  ref: TerminalRef,
  hmac: (text: string) => string,
): Promise<{ readonly pairingCode: string; readonly expiresAtMs: number }> {
  await existingTerminal(store, ref);
  const pairingCode = newPairingCode(ids);
  const nowMs = clock.nowMs();
  const expiresAtMs = nowMs + PAIRING_CODE_TTL_MINUTES * 60_000;
  const { merchantId, terminalId } = ref;
  const code = { merchantId, terminalId, selector: selectorOf(pairingCode), expiresAtMs };
  await store.transact((unit) =>
    unit.offerPairingCode({ ...code, codeHash: pairingCodeHash(pairingCode, hmac) }, nowMs),
  );
  return { pairingCode, expiresAtMs };
}

export function missing(what: string): BridgeError {
  return new BridgeError('NOT_FOUND', `there is no such ${what}`);
}

function taken(what: string): BridgeError {
  return new BridgeError('ILLEGAL_STATE', `${what} is there already`);
}
