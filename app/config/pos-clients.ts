import { createHash } from 'node:crypto';
import { assertNoPanIn } from '../contract/card-number.ts';
import { BridgeError } from '../contract/errors.ts';
import { POS_CLIENT_NAME_PATTERN } from '../contract/parts.ts';
import type { PosClient } from '../domain/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';

const keyByteCount = 32;
const keyPrefix = 'pos_';
/** Not a name that `create` accepts twice: the client of training stands apart. */
const trainingClientName = 'training';
const namePattern = new RegExp(POS_CLIENT_NAME_PATTERN);

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
  requireName(name);
  const earlier = deps.clients.listClients().find((each) => each.name === name);
  if (earlier?.merchantId !== undefined) throw madeAtHost();
  if (earlier !== undefined && earlier.revokedAt === undefined)
    throw new BridgeError('INVALID_REQUEST', `name "${name}" has a key already; revoke it first`, { field: 'name' });
  const key = newKey(deps.ids);
  const client = clientWith(deps, name, key, { clientId: earlier?.clientId ?? deps.ids.next(), trainingOnly: false });
  deps.clients.saveClient(client);
  return { client, key };
}

/** Gives a client another name; its keys and its idempotency stay. @throws BridgeError NOT_FOUND, ILLEGAL_STATE, INVALID_REQUEST for a bad or taken name */
export function renamePosClient(deps: PosClientDeps, name: string, newName: string): PosClient {
  requireName(newName);
  const client = ownClient(deps, name);
  if (newName === name) return client;
  if (deps.clients.listClients().some((each) => each.name === newName))
    throw new BridgeError('INVALID_REQUEST', 'another client has that name', { field: 'newName' });
  const renamed = { ...client, name: newName };
  deps.clients.saveClient(renamed);
  return renamed;
}

/**
 * Gives a client a new key. The one before works on for `graceMs`, so that a POS can be changed over without a gap; a key that was replaced earlier
 * stops at once. @throws BridgeError NOT_FOUND, ILLEGAL_STATE for a revoked client or the one of training
 */
export function rotatePosKey(deps: PosClientDeps, name: string, graceMs: number): IssuedKey {
  const { earlierKey: _replacedBefore, ...client } = ownClient(deps, name);
  if (client.revokedAt !== undefined)
    throw new BridgeError('ILLEGAL_STATE', 'the client is revoked; create it again to give it a key');
  const key = newKey(deps.ids);
  const validUntil = new Date(deps.clock.nowMs() + graceMs).toISOString();
  const rotated: PosClient = {
    ...client,
    keyHash: hashKey(key),
    ...(graceMs === 0 ? {} : { earlierKey: { keyHash: client.keyHash, validUntil } }),
  };
  deps.clients.saveClient(rotated);
  return { client: rotated, key };
}

/** Revokes every key of a client; calls with them answer 401 from now on. @throws BridgeError NOT_FOUND */
export function revokePosClient(deps: PosClientDeps, name: string): PosClient {
  const { earlierKey: _revokedToo, ...client } = namedClient(deps, name);
  if (client.merchantId !== undefined) throw madeAtHost();
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

interface CredentialDeps {
  readonly clients: Pick<JournalReader, 'findClientByKeyHash' | 'listClients'>;
  readonly clock: Clock;
  readonly training: boolean;
  /** Told of each call under a valid key. */
  onUse(clientId: string): void;
}

/** Who a key belongs to. A key of training opens nothing while real money can move; a replaced one opens nothing after its time. */
export function credentialsOf({ clients, clock, training, onUse }: CredentialDeps) {
  return {
    clientOf(key: string): { readonly clientId: string; readonly name: string } | undefined {
      const keyHash = hashKey(key);
      const client = clients.findClientByKeyHash(keyHash);
      if (client === undefined || client.revokedAt !== undefined) return undefined;
      if (client.trainingOnly && !training) return undefined;
      if (client.keyHash !== keyHash && !isStillValid(client, clock)) return undefined;
      onUse(client.clientId);
      return { clientId: client.clientId, name: client.name };
    },
    isRevoked: (clientId: string): boolean =>
      clients.listClients().some((client) => client.clientId === clientId && client.revokedAt !== undefined),
  };
}

function isStillValid({ earlierKey }: PosClient, clock: Clock): boolean {
  return earlierKey !== undefined && clock.nowMs() < Date.parse(earlierKey.validUntil);
}

/** @throws BridgeError INVALID_REQUEST */
/** The one place of every name, whether the console gives it or the command line. */
function requireName(name: string): void {
  assertNoPanIn('name', name);
  if (namePattern.test(name)) return;
  throw new BridgeError(
    'INVALID_REQUEST',
    'name must be 1 to 64 letters, digits, spaces, dots, dashes or underscores',
    {
      field: 'name',
    },
  );
}

/** @throws BridgeError NOT_FOUND */
function namedClient(deps: PosClientDeps, name: string): PosClient {
  const client = deps.clients.listClients().find((each) => each.name === name);
  if (client === undefined) throw new BridgeError('NOT_FOUND', `there is no client named "${name}"`);
  return client;
}

/** A client that people have made. @throws BridgeError NOT_FOUND, ILLEGAL_STATE for the one of training, whose key each start sets again */
function ownClient(deps: PosClientDeps, name: string): PosClient {
  const client = namedClient(deps, name);
  if (client.trainingOnly) throw new BridgeError('ILLEGAL_STATE', 'the client of training stays as it is');
  if (client.merchantId !== undefined) throw madeAtHost();
  return client;
}

function madeAtHost(): BridgeError {
  return new BridgeError('ILLEGAL_STATE', 'the client was made at the host, and is changed there');
}

function clientWith(
  deps: PosClientDeps,
  name: string,
  key: string,
  rest: Pick<PosClient, 'clientId' | 'trainingOnly'>,
): PosClient {
  return { ...rest, name, keyHash: hashKey(key), createdAt: new Date(deps.clock.nowMs()).toISOString() };
}
