import { assertNoPanIn } from '../../app/contract/card-number.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import { MAX_POS_CLIENTS } from '../../app/contract/host/host-limits.ts';
import { POS_CLIENT_NAME_PATTERN } from '../../app/contract/parts.ts';
import type { PosClientRecord } from '../ports/host-records.ts';
import type { HostUnit } from '../ports/host-store.ts';
import { credentialHash, newCredential } from '../services/credentials.ts';
import { missing, type Provisioning } from './provisioning.ts';

/** A POS client with its key, which is shown this once. */
interface IssuedPosKey {
  readonly client: PosClientRecord;
  readonly key: string;
}

interface ClientRef {
  readonly merchantId: string;
  readonly name: string;
}

const namePattern = new RegExp(POS_CLIENT_NAME_PATTERN);

/**
 * A POS client of a merchant, whose key works at every till of it. A revoked name gets a new key and stays the same client.
 * @throws BridgeError NOT_FOUND, INVALID_REQUEST, ILLEGAL_STATE for a name that has a key
 */
export async function addPosClient(context: Provisioning, { merchantId, name }: ClientRef): Promise<IssuedPosKey> {
  const { store, clock, ids } = context;
  if (!namePattern.test(name)) {
    throw new BridgeError('INVALID_REQUEST', '--name is 1 to 64 letters, digits, spaces, dots, dashes or underscores');
  }
  assertNoPanIn('--name', name);
  const key = newCredential(ids, 'POS');
  const client = await store.transact(async (unit) => {
    if ((await unit.findMerchant(merchantId)) === undefined) throw missing('merchant');
    const clients = await unit.listPosClients(merchantId);
    const earlier = clients.find((each) => each.name === name);
    if (earlier !== undefined && earlier.revokedAtMs === undefined) {
      throw new BridgeError(
        'ILLEGAL_STATE',
        `the POS client "${name}" has a key already; rotate it, or revoke it first`,
      );
    }
    if (clients.length >= MAX_POS_CLIENTS) {
      throw new BridgeError('ILLEGAL_STATE', `a merchant has at most ${MAX_POS_CLIENTS} POS clients`);
    }
    const made = {
      ...{ merchantId, name, clientId: earlier?.clientId ?? ids.next(), keyHash: credentialHash(key) },
      createdAtMs: clock.nowMs(),
    };
    await unit.savePosClient(made);
    return made;
  });
  return { client, key };
}

/** A new key; the one before works on for `graceMs`. @throws BridgeError NOT_FOUND for a client that does not work */
export async function rotatePosClient(
  { store, clock, ids }: Provisioning,
  ref: ClientRef,
  graceMs: number,
): Promise<IssuedPosKey> {
  const key = newCredential(ids, 'POS');
  const client = await store.transact(async (unit) => {
    const { earlierKey: _replacedBefore, ...kept } = await workingClient(unit, ref);
    const rotated: PosClientRecord = {
      ...kept,
      keyHash: credentialHash(key),
      ...(graceMs === 0 ? {} : { earlierKey: { keyHash: kept.keyHash, untilMs: clock.nowMs() + graceMs } }),
    };
    await unit.savePosClient(rotated);
    return rotated;
  });
  return { client, key };
}

/** Takes every key of a client out of force: at a till as soon as it has heard of it. @throws BridgeError NOT_FOUND */
export async function revokePosClient({ store, clock }: Provisioning, ref: ClientRef): Promise<PosClientRecord> {
  return await store.transact(async (unit) => {
    const { earlierKey: _revokedToo, ...kept } = await workingClient(unit, ref);
    const revoked = { ...kept, revokedAtMs: clock.nowMs() };
    await unit.savePosClient(revoked);
    return revoked;
  });
}

async function workingClient(unit: HostUnit, { merchantId, name }: ClientRef): Promise<PosClientRecord> {
  const found = (await unit.listPosClients(merchantId)).find((each) => each.name === name);
  if (found === undefined || found.revokedAtMs !== undefined) throw missing('POS client of that merchant that works');
  return found;
}
