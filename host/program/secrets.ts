import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ids } from '../../app/ports/ids.ts';
import type { NatsAddress } from '../nodes/nats-address.ts';
import type { HostStore } from '../ports/host-store.ts';
import { requireDatabase, requireNats, UsageError } from './options.ts';

/** Where secrets come from (decisions: secrets from the environment or files). */
export type Environment = Readonly<Record<string, string | undefined>>;

/** 256 bits. */
const secretBytes = 32;
const minSecretCharacters = 32;

/** A value of the environment, or of the file that NAME_FILE names; undefined when there is neither. @throws UsageError */
function secretOf(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  const file = environment[`${name}_FILE`];
  if (value !== undefined && file !== undefined) throw new UsageError(`set ${name} or ${name}_FILE, not both`);
  if (file === undefined) return value;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new UsageError(`${name}_FILE names ${file}, which cannot be read`);
  }
}

/** The database of this run, with its password. @throws UsageError */
export function databaseUrl(environment: Environment, option: string | undefined, dataDir: string): string {
  if (option !== undefined) return option;
  const given = secretOf(environment, 'TILL_HOST_DATABASE_URL');
  if (given === undefined) return `sqlite:${join(dataDir, 'host.db')}`;
  requireDatabase('TILL_HOST_DATABASE_URL', given);
  return given;
}

/** Where NATS is for this run; undefined when it has none. @throws UsageError, also for a database that only one host can use */
export function natsAddress(
  environment: Environment,
  option: string | undefined,
  database: string,
): NatsAddress | undefined {
  const url = option ?? secretOf(environment, 'TILL_HOST_NATS_URL');
  if (url === undefined) return undefined;
  requireNats(option === undefined ? 'TILL_HOST_NATS_URL' : '--nats', url);
  if (database.startsWith('sqlite:')) {
    throw new UsageError('NATS passes calls between several hosts, and several hosts on one database need PostgreSQL');
  }
  const credentials = secretOf(environment, 'TILL_HOST_NATS_CREDENTIALS');
  return { url, ...(credentials === undefined ? {} : { credentials }) };
}

/** A database as people may read it. */
export function withoutPassword(database: string): string {
  if (database.startsWith('sqlite:')) return database;
  const url = new URL(database);
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}

/** HMAC-SHA-256 under the host's secret, lower-case hex. The secret is made in the data folder when nobody gives one. @throws UsageError */
export function openHmac(environment: Environment, dataDir: string, ids: Ids): (text: string) => string {
  const secret = secretOf(environment, 'TILL_HOST_SECRET') ?? keptSecret(dataDir, ids);
  if (secret.length < minSecretCharacters) {
    throw new UsageError(`the secret of the host has at least ${minSecretCharacters} characters`);
  }
  return (text) => createHmac('sha256', secret).update(text, 'utf8').digest('hex');
}

function keptSecret(dataDir: string, ids: Ids): string {
  const path = join(dataDir, 'host-secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    const secret = Buffer.from(ids.randomBytes(secretBytes)).toString('base64url');
    // Two that start at once: one of them writes, both read what it wrote.
    writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path, 'utf8').trim();
}

/** @throws UsageError when the database was used under another secret: what was stored could not be compared any more */
export async function requireSameSecret(
  store: Pick<HostStore, 'claimSecret'>,
  hmac: (text: string) => string,
  nowMs: number,
): Promise<void> {
  const fingerprint = hmac('fingerprint of the secret');
  if ((await store.claimSecret(fingerprint, nowMs)) === fingerprint) return;
  throw new UsageError(
    'This database belongs to a host with another secret: Idempotency-Keys would not be recognised any more. Give every host on one database the same TILL_HOST_SECRET or TILL_HOST_SECRET_FILE (a host makes its own in host-secret of its data folder).',
  );
}
