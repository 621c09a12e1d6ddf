import { describe, expect, it } from 'vitest';
import { createClientUses } from '../../app/config/client-uses.ts';
import {
  createPosClient,
  credentialsOf,
  ensureTrainingClient,
  renamePosClient,
  revokePosClient,
  rotatePosKey,
} from '../../app/config/pos-clients.ts';
import type { PosClient } from '../../app/domain/records.ts';
import { quietLog } from '../support/engine-harness.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createSeededIds } from '../support/seeded-ids.ts';

const hourMs = 3_600_000;

function createKeys() {
  const clock = createManualClock();
  const kept = new Map<string, PosClient>();
  const clients = {
    listClients: () => [...kept.values()],
    saveClient: (client: PosClient) => void kept.set(client.clientId, client),
    findClientByKeyHash: (hash: string) =>
      [...kept.values()].find((client) => client.keyHash === hash || client.earlierKey?.keyHash === hash),
  };
  const used: string[] = [];
  const credentials = credentialsOf({ clients, clock, training: false, onUse: (id) => used.push(id) });
  const opens = (key: string) => credentials.clientOf(key)?.name;
  const { isRevoked } = credentials;
  return { isRevoked, deps: { clients, clock, ids: createSeededIds('keys') }, clock, opens, used, clients };
}

describe('a client by its id', () => {
  it('is revoked once its keys are, until it is given another', () => {
    const { deps, isRevoked } = createKeys();
    const { clientId } = createPosClient(deps, 'bar').client;
    expect([isRevoked(clientId), isRevoked('of nobody')]).toEqual([false, false]);
    revokePosClient(deps, 'bar');
    expect(isRevoked(clientId)).toBe(true);
    createPosClient(deps, 'bar');
    expect(isRevoked(clientId)).toBe(false);
  });
});

describe('a rotated key', () => {
  it.each([
    ['an hour', hourMs],
    ['a day', 24 * hourMs],
  ])('leaves the one before in force for %s and not a millisecond longer', async (_, graceMs) => {
    const { deps, clock, opens } = createKeys();
    const before = createPosClient(deps, 'bar').key;
    const after = rotatePosKey(deps, 'bar', graceMs).key;
    expect([opens(before), opens(after)]).toEqual(['bar', 'bar']);
    await clock.advance(graceMs - 1);
    expect([opens(before), opens(after)]).toEqual(['bar', 'bar']);
    await clock.advance(1);
    expect([opens(before), opens(after)]).toEqual([undefined, 'bar']);
  });

  it('without grace stops the one before at once', () => {
    const { deps, opens } = createKeys();
    const before = createPosClient(deps, 'bar').key;
    const after = rotatePosKey(deps, 'bar', 0).key;
    expect([opens(before), opens(after)]).toEqual([undefined, 'bar']);
  });

  it('lets only one key before live: a second rotation ends the first', () => {
    const { deps, opens } = createKeys();
    const first = createPosClient(deps, 'bar').key;
    const second = rotatePosKey(deps, 'bar', hourMs).key;
    const third = rotatePosKey(deps, 'bar', hourMs).key;
    expect([opens(first), opens(second), opens(third)]).toEqual([undefined, 'bar', 'bar']);
  });

  it('is the same client, so that its idempotency stays', () => {
    const { deps } = createKeys();
    const { client } = createPosClient(deps, 'bar');
    expect(rotatePosKey(deps, 'bar', hourMs).client.clientId).toBe(client.clientId);
    expect(renamePosClient(deps, 'bar', 'terrace').clientId).toBe(client.clientId);
  });

  it('is revoked together with the one before', () => {
    const { deps, opens } = createKeys();
    const before = createPosClient(deps, 'bar').key;
    const after = rotatePosKey(deps, 'bar', hourMs).key;
    revokePosClient(deps, 'bar');
    expect([opens(before), opens(after)]).toEqual([undefined, undefined]);
    const again = createPosClient(deps, 'bar').key;
    expect([opens(before), opens(after), opens(again)]).toEqual([undefined, undefined, 'bar']);
  });

  it('is not given to a revoked client, nor to the one of training', () => {
    const { deps } = createKeys();
    createPosClient(deps, 'bar');
    revokePosClient(deps, 'bar');
    expect(() => rotatePosKey(deps, 'bar', 0)).toThrow('revoked');
    ensureTrainingClient(deps, 'pos_training');
    expect(() => rotatePosKey(deps, 'training', 0)).toThrow('training');
  });
});

describe('a renamed client', () => {
  it('keeps its key and takes no name that another has', () => {
    const { deps, opens } = createKeys();
    const { key } = createPosClient(deps, 'bar');
    createPosClient(deps, 'shop');
    expect(() => renamePosClient(deps, 'bar', 'shop')).toThrow('another client has that name');
    expect(() => renamePosClient(deps, 'bar', '../bar')).toThrow('name must be');
    renamePosClient(deps, 'bar', 'terrace');
    expect(opens(key)).toBe('terrace');
  });
});

describe('when a client called last', () => {
  function createUses() {
    const clock = createManualClock();
    const writes: (readonly [string, string])[][] = [];
    let isBusy = false;
    const uses = createClientUses({
      ...{ clock, log: quietLog, isBusy: () => isBusy },
      stored: () => new Map([['old', '2026-11-01T08:00:00.000Z']]),
      save: (of) => void writes.push([...of]),
    });
    return {
      clock,
      uses,
      writes,
      setBusy: (next: boolean) => {
        isBusy = next;
      },
    };
  }

  it('is known at once, and written once a minute for all calls together', async () => {
    const { clock, uses, writes } = createUses();
    expect(uses.lastUsedAt('old')).toBe('2026-11-01T08:00:00.000Z');
    for (let call = 0; call < 600; call += 1) {
      uses.note(call % 2 === 0 ? 'bar' : 'shop');
      await clock.advance(100);
    }
    expect(uses.lastUsedAt('bar')).toBe('2026-11-27T10:00:59.800Z');
    expect(writes.map((write) => write.map(([id]) => id))).toEqual([['bar', 'shop']]);
    await clock.advance(600_000);
    expect(writes).toHaveLength(1);
  });

  it('waits for a running payment, and is written before the till ends', async () => {
    const { clock, uses, writes, setBusy } = createUses();
    uses.note('bar');
    setBusy(true);
    await clock.advance(300_000);
    expect(writes).toEqual([]);
    uses.close();
    expect(writes).toEqual([[['bar', '2026-11-27T10:00:00.000Z']]]);
    uses.note('bar');
    await clock.advance(300_000);
    expect(writes).toHaveLength(1);
  });

  it('is tried again when the disk has refused, and stops nothing', async () => {
    const clock = createManualClock();
    let failures = 1;
    const saved: unknown[] = [];
    const uses = createClientUses({
      ...{ clock, log: quietLog, isBusy: () => false, stored: () => new Map<string, string>() },
      save(of) {
        if (failures > 0) {
          failures -= 1;
          throw new Error('disk full');
        }
        saved.push([...of.keys()]);
      },
    });
    uses.note('bar');
    await clock.advance(60_000);
    uses.note('shop');
    await clock.advance(60_000);
    expect(saved).toEqual([['bar', 'shop']]);
  });
});

describe('a name', () => {
  it.each(['4111111111111111', 'till 4111 1111 1111 1111'])('that looks like a card number is refused: %s', (name) => {
    const { deps, clients } = createKeys();
    createPosClient(deps, 'bar');
    expect(() => createPosClient(deps, name)).toThrow('name');
    expect(() => renamePosClient(deps, 'bar', name)).toThrow('name');
    expect(clients.listClients().map((client) => client.name)).toEqual(['bar']);
  });
});
