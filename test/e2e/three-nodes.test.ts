// Three processes of the host on one PostgreSQL and one NATS, and three tills, each linked to another of them; the books of the terminals judge.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSession, refusedUpgrade } from '../server/session-client.ts';
import type { PosAnswer } from '../support/pos.ts';
import { type Cluster, type Lane, type NodeProgram, openCluster } from './three-nodes-rig.ts';

/** Only what hangs needs so long, also on a machine that is busy with other things. */
const SETUP_MS = 480_000;
const PROGRAMS_MS = 240_000;
const WAIT = { timeout: 90_000, interval: 250 };
/** Longer than any test lasts. */
const HAND_SECONDS = 600;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster();
  for (const lane of cluster.lanes) for (const node of cluster.nodes) await cluster.untilReached(node, lane);
}, SETUP_MS);
afterAll(() => cluster?.close(), SETUP_MS);

/** What stands in the terminal's own book, in minor units. */
async function charged({ terminal }: Lane): Promise<{ count: number; sumMinor: number }> {
  const { count, sumMinor } = (await terminal.book()).standing.charges;
  return { count, sumMinor };
}

async function approved(at: NodeProgram, lane: Lane, key: string, amount: number): Promise<PosAnswer> {
  const answer = await cluster.sell(at, lane, key, amount);
  expect([answer.status, answer.body], answer.text).toMatchObject([200, { status: 'APPROVED', amount }]);
  return answer;
}

const hold = ({ terminal }: Lane) => terminal.send('POST', '/hand', { seconds: HAND_SECONDS });
const letGo = ({ terminal }: Lane) => terminal.send('DELETE', '/hand');

/** A sale that has reached its terminal, where a person takes his time; `answer` comes later, and never rejects. */
async function inFlight(at: NodeProgram, lane: Lane, key: string, amount: number) {
  await hold(lane);
  const answer = cluster.sell(at, lane, key, amount).catch(() => 'BROKEN' as const);
  await lane.terminal.untilState(({ state }) => state === 'WAITING_FOR_CARD');
  return { answer };
}

/** The host's own word: the outcome is unknown, and this is the transaction to look up. */
function unknownIn(answer: PosAnswer | 'BROKEN'): string {
  if (answer === 'BROKEN') throw new Error('the connection broke');
  const unknown = {
    status: 'ERROR',
    errorCode: 'OUTCOME_UNKNOWN',
    outcome: { charged: 'UNKNOWN', safeToRetry: false },
  };
  expect([answer.status, answer.body], answer.text).toMatchObject([200, unknown]);
  return String(answer.body.transactionId);
}

/** The same call under its key, until its till tells the end of it. */
async function truthOf(at: NodeProgram, lane: Lane, key: string, amount: number): Promise<PosAnswer> {
  return await vi.waitFor(() => approved(at, lane, key, amount), WAIT);
}

async function isRefusedUnsent(at: NodeProgram, lane: Lane, key: string): Promise<void> {
  const { status, body } = await cluster.sell(at, lane, key, 700);
  expect([status, body.error]).toEqual([503, 'TERMINAL_UNREACHABLE']);
}

async function readiness({ program }: NodeProgram): Promise<readonly unknown[]> {
  const answer = await fetch(`${program.ready.baseUrl}/ready`);
  return [answer.status, await answer.json()];
}

describe('a sale that enters at any node', () => {
  it(
    'is charged once at the terminal, wherever that is linked, and repeated byte for byte at a third node',
    async () => {
      for (const [index, lane] of cluster.lanes.entries()) {
        // The other two, in turn.
        const enters = cluster.nodes[(index + 1) % 3] ?? cluster.nodes[0];
        const repeats = cluster.nodes[(index + 2) % 3] ?? cluster.nodes[0];
        const before = await charged(lane);
        const first = await approved(enters, lane, 'any-node', 1_200);
        const again = await approved(repeats, lane, 'any-node', 1_200);
        expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
        const after = { count: before.count + 1, sumMinor: before.sumMinor + 1_200 };
        expect(await charged(lane)).toEqual(after);
      }
    },
    PROGRAMS_MS,
  );
});

describe('a session at any node', () => {
  it(
    'is opened by a ticket of another node, once, and hears every terminal, wherever that is linked',
    async () => {
      const [a, b, c] = cluster.nodes;
      const headers = { 'x-api-key': cluster.posKey };
      const drawn = await fetch(`${b.program.ready.baseUrl}/v1/session/ticket`, { method: 'POST', headers });
      const { ticket } = (await drawn.json()) as { readonly ticket: string };
      const byTicket = { query: `?ticket=${ticket}`, headers: {} };
      const client = await openSession(a.program.ready.baseUrl, byTicket);
      for (const node of [a, b, c])
        expect(await refusedUpgrade(node.program.ready.baseUrl, byTicket)).toMatchObject({ statusCode: 401 });
      for (const lane of cluster.lanes) {
        const { body } = await approved(c, lane, 'heard-at-a', 1_300);
        const told = () => client.messages().filter((message) => message.terminalId === lane.terminalId);
        await vi.waitFor(() => {
          const results = told().filter(({ event }) => event === 'result');
          expect(results.map(({ response }) => Object(response).transactionId)).toEqual([body.transactionId]);
        }, WAIT);
        const sequences = told().map(({ sequence }) => Number(sequence));
        expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other));
        expect(told().map(({ event }) => event)).toContain('card_detected');
      }
      client.socket.close();
    },
    PROGRAMS_MS,
  );
});

describe('three nodes of which one is killed', () => {
  it(
    'go on with only its calls in flight unknown, and tell the truth of those once their terminals are reached',
    async () => {
      const [a, b, c] = cluster.nodes;
      const [laneOfA, laneOfB, laneOfC] = cluster.lanes;
      const before = { a: await charged(laneOfA), b: await charged(laneOfB), c: await charged(laneOfC) };
      const toDead = await inFlight(b, laneOfA, 'to-the-dead', 2_300);
      const throughDead = await inFlight(a, laneOfB, 'through-the-dead', 2_400);
      a.program.kill('SIGKILL');
      await a.program.ended;

      await approved(b, laneOfC, 'meanwhile-at-b', 500);
      await approved(c, laneOfC, 'meanwhile-at-c', 600);
      const transactionId = unknownIn(await toDead.answer);
      expect(await throughDead.answer).toBe('BROKEN');

      // It has not ended, and is not begun again.
      const running = await cluster.sell(c, laneOfB, 'through-the-dead', 2_400);
      expect([running.status, running.body.error]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
      await letGo(laneOfB);
      const end = await truthOf(c, laneOfB, 'through-the-dead', 2_400);
      expect((await approved(b, laneOfB, 'through-the-dead', 2_400)).text).toBe(end.text);
      expect(await charged(laneOfB)).toEqual({ count: before.b.count + 1, sumMinor: before.b.sumMinor + 2_400 });

      // Nobody reaches the other terminal: it is still unknown, and nothing new is sent there.
      unknownIn(await cluster.get(c, laneOfA, `/v1/transactions/${transactionId}`));
      await isRefusedUnsent(c, laneOfA, 'while-away');
      await letGo(laneOfA);
      laneOfA.hostLine.pointTo(c.port);
      await cluster.untilReached(b, laneOfA);
      const truth = await truthOf(b, laneOfA, 'to-the-dead', 2_300);
      expect(truth.body.transactionId).toBe(transactionId);
      expect((await approved(c, laneOfA, 'to-the-dead', 2_300)).text).toBe(truth.text);
      await approved(b, laneOfA, 'after-it-has-moved', 900);
      expect(await charged(laneOfA)).toEqual({ count: before.a.count + 2, sumMinor: before.a.sumMinor + 3_200 });
      expect(await charged(laneOfC)).toEqual({ count: before.c.count + 2, sumMinor: before.c.sumMinor + 1_100 });

      const back = await cluster.startNode();
      await approved(back, laneOfB, 'at-the-node-that-is-back', 300);
      laneOfA.hostLine.pointTo(back.port);
    },
    PROGRAMS_MS,
  );
});

describe('a node that is cut off from NATS', () => {
  it(
    'serves its own terminals, sends nothing to others, and nothing twice when it is back',
    async () => {
      const [, b, c] = cluster.nodes;
      const [, laneOfB, laneOfC] = cluster.lanes;
      const before = { b: await charged(laneOfB), c: await charged(laneOfC) };
      const toCut = await inFlight(b, laneOfC, 'to-the-cut', 2_500);
      const fromCut = await inFlight(c, laneOfB, 'from-the-cut', 2_600);
      await c.natsLine.unplug();
      unknownIn(await toCut.answer);
      unknownIn(await fromCut.answer);
      expect(await readiness(c)).toEqual([503, { status: 'unavailable', database: true, nodes: false }]);
      expect(await readiness(b)).toEqual([200, { status: 'ready', database: true, nodes: true }]);

      await letGo(laneOfC);
      await letGo(laneOfB);
      // Each is told where its terminal is linked, and from then on everywhere: the database has it.
      const ofC = await truthOf(c, laneOfC, 'to-the-cut', 2_500);
      const ofB = await truthOf(b, laneOfB, 'from-the-cut', 2_600);
      expect((await approved(b, laneOfC, 'to-the-cut', 2_500)).text).toBe(ofC.text);
      expect((await approved(c, laneOfB, 'from-the-cut', 2_600)).text).toBe(ofB.text);
      await approved(c, laneOfC, 'own-terminal-of-c', 100);
      await approved(b, laneOfB, 'own-terminal-of-b', 100);
      await isRefusedUnsent(c, laneOfB, 'across-from-c');
      await isRefusedUnsent(b, laneOfC, 'across-from-b');
      expect(await charged(laneOfB)).toEqual({ count: before.b.count + 2, sumMinor: before.b.sumMinor + 2_700 });
      expect(await charged(laneOfC)).toEqual({ count: before.c.count + 2, sumMinor: before.c.sumMinor + 2_600 });

      await c.natsLine.plugIn();
      await vi.waitFor(async () => expect((await readiness(c))[0]).toBe(200), WAIT);
      await cluster.untilReached(c, laneOfB);
      await cluster.untilReached(b, laneOfC);
      const acrossFromC = await approved(c, laneOfB, 'across-from-c', 700);
      const acrossFromB = await approved(b, laneOfC, 'across-from-b', 700);
      expect((await approved(b, laneOfB, 'across-from-c', 700)).text).toBe(acrossFromC.text);
      expect((await approved(c, laneOfC, 'across-from-b', 700)).text).toBe(acrossFromB.text);
      expect(await charged(laneOfB)).toEqual({ count: before.b.count + 3, sumMinor: before.b.sumMinor + 3_400 });
      expect(await charged(laneOfC)).toEqual({ count: before.c.count + 3, sumMinor: before.c.sumMinor + 3_300 });
    },
    PROGRAMS_MS,
  );
});
