import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHostKillRig, type HostKillRig, type Shop, type Told } from './host-kill-rig.ts';

const terminal = '/api/v1/terminal';
const device = { deviceId: 'D-1', terminalId: 'T-1' };

/** Minor units that the book must have. */
type Standing = readonly [heldMinor: number, netMinor: number];

/** An operation that is killed at each of its places: what stands before it, the call, and what the book must say afterwards. */
interface Operation {
  readonly name: string;
  prepare(rig: HostKillRig, shop: Shop): Promise<string>;
  run(rig: HostKillRig, shop: Shop, id: string, key: string): Promise<Told | undefined>;
  /** What stands when the call has had its effect, and when it has had none. */
  readonly done: Standing;
  readonly undone: Standing;
  /** The answer that says that it has had its effect. */
  isDone(body: Record<string, unknown>): boolean;
}

const authorizeBody = (transactionId: string, change: object = {}) => ({
  ...device,
  transactionId,
  amount: 5000,
  currencyCode: 'EUR',
  entryMode: 'CONTACTLESS',
  ...change,
});

async function authorized(rig: HostKillRig, shop: Shop, change: object = {}): Promise<string> {
  const id = randomUUID();
  const told = await rig.device(shop, `${terminal}/transactions/authorize`, authorizeBody(id, change), randomUUID());
  if (told?.body.approved !== true) throw new Error(`not approved: ${JSON.stringify(told)}`);
  return id;
}

const hold = (rig: HostKillRig, shop: Shop) => authorized(rig, shop, { transactionType: 'pre_auth' });
const act = (id: string, name: string) => `${terminal}/payments/${id}/${name}`;

const operations: readonly Operation[] = [
  {
    name: 'a purchase',
    prepare: async () => randomUUID(),
    run: (rig, shop, id, key) => rig.device(shop, `${terminal}/transactions/authorize`, authorizeBody(id), key),
    done: [0, 5000],
    undone: [0, 0],
    isDone: ({ approved }) => approved === true,
  },
  {
    name: 'a pre-authorization',
    prepare: async () => randomUUID(),
    run: (rig, shop, id, key) =>
      rig.device(shop, `${terminal}/transactions/authorize`, authorizeBody(id, { transactionType: 'pre_auth' }), key),
    done: [5000, 0],
    undone: [0, 0],
    isDone: ({ approved }) => approved === true,
  },
  {
    name: 'a capture',
    prepare: hold,
    run: (rig, shop, id, key) => rig.device(shop, act(id, 'capture'), { amountMinor: 4000 }, key),
    done: [0, 4000],
    undone: [5000, 0],
    isDone: ({ status }) => status === 'SUCCEEDED',
  },
  {
    name: 'a tip adjustment',
    prepare: hold,
    run: (rig, shop, id, key) => rig.device(shop, act(id, 'tip-adjust'), { tipAmountMinor: 500 }, key),
    done: [5500, 0],
    undone: [5000, 0],
    isDone: ({ tipAmountMinor }) => tipAmountMinor === 500,
  },
  {
    name: 'a void',
    prepare: (rig, shop) => authorized(rig, shop),
    run: (rig, shop, id, key) => rig.device(shop, act(id, 'void'), {}, key),
    done: [0, 0],
    undone: [0, 5000],
    isDone: ({ status }) => status === 'REVERSED',
  },
  {
    name: 'a refund',
    prepare: (rig, shop) => authorized(rig, shop),
    run: (rig, shop, id, key) => rig.server(shop, `/v1/payments/${id}/refunds`, { amountMinor: 2000 }, key),
    done: [0, 3000],
    undone: [0, 5000],
    isDone: ({ status }) => status === 'SUCCEEDED',
  },
  {
    name: 'a reversal',
    prepare: (rig, shop) => authorized(rig, shop),
    run: (rig, shop, id) =>
      rig.device(shop, `${terminal}/transactions/recovery/reverse`, {
        originalTransactionId: id,
        reason: 'card removed',
      }),
    done: [0, 0],
    undone: [0, 5000],
    isDone: ({ status }) => status === 'reversed',
  },
  {
    name: 'a day close',
    prepare: (rig, shop) => authorized(rig, shop),
    run: (rig, shop, _id, key) => rig.device(shop, `${terminal}/reconciliation`, { ...device, closeDay: true }, key),
    done: [0, 5000],
    undone: [0, 5000],
    isDone: ({ status }) => status === 'SUCCESS',
  },
];

/** No operation has more places; the first run of each says how many it has. */
const MAX_PLACES = 40;

/** A host on a database of this kind, killed by SIGKILL before and after every commit and every message of each operation. */
export function hostKillBattery(kind: string, database: () => Promise<string | undefined>): void {
  describe(`a host on ${kind}, killed at every write and message`, () => {
    let rig: HostKillRig;
    beforeAll(async () => {
      rig = await createHostKillRig(await database());
    }, 120_000);
    afterAll(() => rig.close());

    it.each(operations)('$name: once at most, and the books agree', { timeout: 300_000 }, async (operation) => {
      const places: string[] = [];
      for (let dieAt = 1; dieAt <= MAX_PLACES; dieAt += 1) {
        const shop = await rig.openShop();
        const id = await operation.prepare(rig, shop);
        const key = randomUUID();
        await rig.arm(dieAt);
        const first = await operation.run(rig, shop, id, key);
        const at = rig.diedAt();
        if (at === undefined) await rig.arm();
        else places.push(at);
        await rig.revive();
        const replay = await repeated(rig, shop, operation, id, key);
        await rig.settled(shop);
        const last = await repeated(rig, shop, operation, id, key);
        const where = `killed ${at ?? 'nowhere'} (${dieAt}): ${JSON.stringify(last)}`;
        await verify(rig, shop, operation, { earlier: [first, replay], last, where });
        if (at === undefined) break;
      }
      console.log(`${operation.name}, killed at ${places.length} places: ${places.join(', ')}`);
      expect(places.length).toBeGreaterThanOrEqual(6);
      expect(places.length).toBeLessThan(MAX_PLACES);
    });
  });
}

/** The caller repeats the same call under the same key until it is told how it ended. */
async function repeated(rig: HostKillRig, shop: Shop, operation: Operation, id: string, key: string): Promise<Told> {
  for (;;) {
    const told = await operation.run(rig, shop, id, key);
    if (told === undefined) throw new Error('the host that was started again has died');
    if (told.status !== 409 || told.body.error !== 'IDEMPOTENCY_IN_PROGRESS') return told;
  }
}

interface Answers {
  /** What was told while the outcome may have been open. */
  readonly earlier: readonly (Told | undefined)[];
  /** What is told when everything has come to its end. */
  readonly last: Told;
  readonly where: string;
}

async function verify(rig: HostKillRig, shop: Shop, operation: Operation, answers: Answers): Promise<void> {
  const { earlier, last, where } = answers;
  const { lane, conflicts, hostHeldMinor, hostNetMinor } = await rig.audit(shop);
  const book = [lane?.authorized.sumMinor ?? 0, lane?.netMinor ?? 0];
  expect([hostHeldMinor, hostNetMinor], where).toEqual(book);
  expect(conflicts, where).toBe(0);
  expect(last.status, where).toBe(200);
  const isDone = operation.isDone(last.body);
  expect(book, where).toEqual(isDone ? operation.done : operation.undone);
  // Nobody was ever told that it was done when it is not.
  for (const told of earlier) if (told?.status === 200 && operation.isDone(told.body)) expect(isDone, where).toBe(true);
}
