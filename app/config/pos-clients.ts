import { createHash } from 'node:crypto';
import { BridgeError } from '../contract/errors.ts';
import type { PosClient } from '../domain/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';

const keyByteCount = 32;
const keyPrefix = 'pos_';
const namePattern = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/;

export interface PosClientDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A POS client with its key, which is shown this once and stored as a hash only (decisions: Credentials). */
export interface IssuedKey {
  readonly client: PosClient;
  readonly key: string;
}

export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

export function newKey(ids: Ids): string {
  return keyPrefix + Buffer.from(ids.randomBytes(keyByteCount)).toString('base64url');
}

/** Issues a key to a client. A revoked name gets a new key and stays the same client. @throws BridgeError INVALID_REQUEST for a bad or taken name */
export function createPosClient(deps: PosClientDeps, name: string): IssuedKey {
  if (!namePattern.test(name))
    throw new BridgeError(
      'INVALID_REQUEST',
      'name must be 1 to 64 letters, digits, spaces, dots, dashes or underscores',
      { field: 'name' },
    );
  const key = newKey(deps.ids);
  const client = deps.journal.commit((unit) => {
    const earlier = unit.listClients().find((each) => each.name === name);
    if (earlier !== undefined && earlier.revokedAt === undefined)
      throw new BridgeError('INVALID_REQUEST', `name "${name}" has a key already; revoke it first`, { field: 'name' });
    const saved = clientWith(deps, name, key, { clientId: earlier?.clientId ?? deps.ids.next(), trainingOnly: false });
    unit.saveClient(saved);
    return saved;
  });
  return { client, key };
}

/** Revokes the key of a client; calls with it answer 401 from now on. @throws BridgeError NOT_FOUND */
export function revokePosClient(deps: PosClientDeps, name: string): PosClient {
  return deps.journal.commit((unit) => {
    const client = unit.listClients().find((each) => each.name === name);
    if (client === undefined) throw new BridgeError('NOT_FOUND', `there is no client named "${name}"`);
    const revoked: PosClient = { ...client, revokedAt: client.revokedAt ?? new Date(deps.clock.nowMs()).toISOString() };
    unit.saveClient(revoked);
    return revoked;
  });
}

/** Makes sure that the training client answers to `key`, which the training till prints on its READY line. */
export function ensureTrainingClient(deps: PosClientDeps, key: string): void {
  const name = 'training';
  deps.journal.commit((unit) => {
    const earlier = unit.listClients().find((each) => each.name === name && each.trainingOnly);
    if (earlier?.keyHash === hashKey(key)) return;
    unit.saveClient(
      clientWith(deps, name, key, { clientId: earlier?.clientId ?? deps.ids.next(), trainingOnly: true }),
    );
  });
}

/** Who a key belongs to. A key of training opens nothing while real money can move. */
export function credentialsOf(journal: Journal, training: boolean) {
  return {
    clientOf: (key: string): { readonly clientId: string; readonly name: string } | undefined => {
      const client = journal.findClientByKeyHash(hashKey(key));
      if (client === undefined || client.revokedAt !== undefined) return undefined;
      if (client.trainingOnly && !training) return undefined;
      return { clientId: client.clientId, name: client.name };
    },
  };
}

function clientWith(
  deps: PosClientDeps,
  name: string,
  key: string,
  rest: Pick<PosClient, 'clientId' | 'trainingOnly'>,
): PosClient {
  return { ...rest, name, keyHash: hashKey(key), createdAt: new Date(deps.clock.nowMs()).toISOString() };
}
