import { createHash } from 'node:crypto';
import { BridgeError } from '../contract/errors.ts';
import type { PosClient } from '../domain/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';

const keyByteCount = 32;
const keyPrefix = 'pos_';
/** Not a name that `create` accepts twice: the client of training stands apart. */
const trainingClientName = 'training';
const namePattern = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/;

/** Where the clients are kept: the till's journal, or the same table opened beside it. */
type ClientStore = Pick<JournalReader, 'listClients'> & Pick<JournalUnit, 'saveClient'>;

export interface PosClientDeps {
  readonly clients: ClientStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A POS client with its key, which is shown this once and stored as a hash only (decisions: Credentials). */
export interface IssuedKey {
  readonly client: PosClient;
  readonly key: string;
}

function hashKey(key: string): string {
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
  const earlier = deps.clients.listClients().find((each) => each.name === name);
  if (earlier !== undefined && earlier.revokedAt === undefined)
    throw new BridgeError('INVALID_REQUEST', `name "${name}" has a key already; revoke it first`, { field: 'name' });
  const key = newKey(deps.ids);
  const client = clientWith(deps, name, key, { clientId: earlier?.clientId ?? deps.ids.next(), trainingOnly: false });
  deps.clients.saveClient(client);
  return { client, key };
}

/** Revokes the key of a client; calls with it answer 401 from now on. @throws BridgeError NOT_FOUND */
export function revokePosClient(deps: PosClientDeps, name: string): PosClient {
  const client = deps.clients.listClients().find((each) => each.name === name);
  if (client === undefined) throw new BridgeError('NOT_FOUND', `there is no client named "${name}"`);
  const revoked: PosClient = {
    ...client,
    revokedAt: client.revokedAt ?? new Date(deps.clock.nowMs()).toISOString(),
  };
  deps.clients.saveClient(revoked);
  return revoked;
}

/** Makes sure that the training client answers to `key`, which the training till prints on its READY line. */
export function ensureTrainingClient(deps: PosClientDeps, key: string): void {
  const earlier = deps.clients.listClients().find((each) => each.trainingOnly);
  if (earlier?.keyHash === hashKey(key)) return;
  const kept = { clientId: earlier?.clientId ?? deps.ids.next(), trainingOnly: true };
  deps.clients.saveClient(clientWith(deps, trainingClientName, key, kept));
}

/** Who a key belongs to. A key of training opens nothing while real money can move. */
export function credentialsOf(journal: Pick<JournalReader, 'findClientByKeyHash'>, training: boolean) {
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
