import { openPairedShop, type PairedShop, type Side, type TerminalKind } from '../../support/paired-shop.ts';
import { runProgram, temporaryFolder } from '../../support/processes.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';
import type { EndedOrder } from './judge.ts';
import { createJudging, LONGEST_ORDER_MS } from './judging.ts';
import { nameOf, pickKill } from './moments.ts';
import { dayClose, localOrder, type Order, sessionOrder } from './orders.ts';
import { createStriker, type Striker } from './striker.ts';

/** What a shop went through, and how its books stood. */
export interface ChunkResult {
  readonly seed: number;
  readonly terminal: TerminalKind;
  readonly rounds: number;
  /** Kills while an order ran, by the moment. */
  readonly kills: Readonly<Record<string, number>>;
  /** Of processes: one kill may be of both. */
  readonly killed: { readonly till: number; readonly host: number };
  readonly ordersKilled: Readonly<Record<string, number>>;
  /** Orders by how they ended. */
  readonly ends: Readonly<Record<string, number>>;
  /** Tasks that only a person could answer. */
  readonly forPerson: number;
  /** Starts that did not come to READY and were repeated, as whoever looks after a program does; a busy machine is enough for one. */
  readonly startsRepeated: number;
  /** How often the books were held against each other. */
  readonly judged: number;
  /** The first disagreement that did not go away; the shop was ended there. */
  readonly wrong: readonly string[];
  /** Why a round could not be run, which says nothing of the books; the shop was ended there. */
  readonly broken?: string;
}

export interface ChunkOptions {
  readonly seed: number;
  readonly kills: number;
  /** Hears of each round. */
  readonly say: (text: string) => void;
}

/** One kill, often another while the first is recovered from. */
const KILLS_IN_ROUND = [1, 1, 1, 2, 2, 3];
/** A program that does not start once in so many tries does not start. */
const STARTS = 4;
/** A shop whose moments never come must end all the same. */
const ROUNDS_PER_KILL = 4;
const FIRST_AMOUNT = 1_000;
const FIRST_REFUND = 100;

/** One shop, killed in the middle of what it does until it has died often enough; its terminal is a reader for odd seeds. */
export async function runKillChunk({ seed, kills, say }: ChunkOptions): Promise<ChunkResult> {
  const folder = temporaryFolder();
  const terminal = seed % 2 === 0 ? 'OWN_ACQUIRER' : 'READER';
  const striker = createStriker();
  const hooks = { hostHooks: striker.hooksOf('HOST_LINE'), terminalHooks: striker.hooksOf('TERMINAL_LINE') };
  const shop = await openPairedShop(folder.path, { kind: terminal, ...hooks });
  const day = createKilledDay({ shop, terminal, striker, random: seededRandom(seed), say });
  try {
    while (day.killCount() < kills && day.result().rounds < kills * ROUNDS_PER_KILL && day.isSound()) {
      await day.round(kills - day.killCount());
    }
    if (day.isSound()) await day.end();
    return { seed, terminal, ...day.result() };
  } finally {
    await shop.close();
    folder.remove();
  }
}

interface DayDeps {
  readonly shop: PairedShop;
  readonly terminal: TerminalKind;
  readonly striker: Striker;
  readonly random: SeededRandom;
  readonly say: (text: string) => void;
}

function createKilledDay({ shop, terminal, striker, random, say }: DayDeps) {
  const judging = createJudging(shop, terminal);
  const { orders } = judging;
  const kills = new Map<string, number>();
  const ordersKilled = new Map<string, number>();
  const killed = { till: 0, host: 0 };
  let closedBefore = 0;
  let rounds = 0;
  let startsRepeated = 0;
  let wrong: readonly string[] = [];
  let broken: string | undefined;

  const killCount = () => [...kills.values()].reduce((sum, each) => sum + each, 0);

  /** Approved sales that nothing was given back of yet, with their ids. */
  function untouched(isInOpenBatch: boolean) {
    const touched = new Set(orders.map(({ original }) => original));
    return judging
      .ended()
      .slice(isInOpenBatch ? closedBefore : 0)
      .flatMap(({ order, end }) => {
        const isApproved = end.status === 'APPROVED' || end.status === 'SUCCEEDED';
        const { paymentId: id } = end;
        return order.effect === 'SALE' && isApproved && id !== undefined && !touched.has(order) ? [{ order, id }] : [];
      });
  }

  function nextOrder(): Order {
    const amount = FIRST_AMOUNT + orders.length;
    const refund = FIRST_REFUND + orders.length;
    const [sales, voidable] = [untouched(false), untouched(true)];
    const what = random.between(1, 100);
    if (what <= 6 && voidable.length > 0) return localOrder(random, 'VOID', 0, random.pick(voidable));
    if (what <= 12 && sales.length > 0) return localOrder(random, 'REFUND', refund, random.pick(sales));
    if (what <= 24 && sales.length > 0) return sessionOrder(random, refund, random.pick(sales));
    if (what <= 29) return dayClose(random);
    return what <= 40 ? localOrder(random, 'SALE', amount) : sessionOrder(random, amount);
  }

  /** What breaks the run itself is told with its seed, too. */
  async function round(most: number): Promise<void> {
    rounds += 1;
    await killedOrder(most).catch((error: unknown) => {
      broken = `round ${rounds} could not be run: ${String(error)}`;
    });
  }

  async function killedOrder(most: number): Promise<void> {
    const order = nextOrder();
    judging.add(order);
    const wanted = Math.min(most, random.pick(KILLS_IN_ROUND));
    const planned = Array.from({ length: wanted }, () => pickKill(random, terminal, order.isSession));
    const timeout = AbortSignal.timeout(LONGEST_ORDER_MS);
    let isOver = false;
    const name = `${order.isSession ? 'session' : 'local'} ${order.effect} ${order.amountMinor}`;
    const over = order.run(shop, timeout).then(
      () => {
        isOver = true;
        return 'OVER' as const;
      },
      () => 'OVER' as const,
    );
    const struck: string[] = [];
    for (const kill of planned) {
      const armed = striker.arm(shop, kill);
      await Promise.race([over, armed.struck]);
      if (!armed.isStruck()) {
        armed.disarm();
        break;
      }
      await armed.struck;
      struck.push(nameOf(kill));
      count(kills, nameOf(kill));
      count(ordersKilled, `${order.isSession ? 'session' : 'local'} ${order.effect}`);
      for (const side of kill.victims) killed[side === 'TILL' ? 'till' : 'host'] += 1;
      await new Promise((resolve) => setTimeout(resolve, kill.downMs));
      await Promise.all(kill.victims.map(start));
    }
    await over;
    wrong = isOver ? await judging.settle() : [`${name} has no end after ${LONGEST_ORDER_MS} ms`];
    const status = isOver ? (judging.ended().at(-1)?.end.status ?? 'not judged') : 'without an end';
    if (order.effect === 'CLOSE' && status !== 'FAILED') closedBefore = judging.ended().length;
    say(`round ${rounds}: ${name} ${status}; ${struck.join(', ') || 'not killed'}`);
  }

  async function start(side: Side): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await shop.start(side);
      } catch (error) {
        if (tries === STARTS) throw error;
        startsRepeated += 1;
        say(`the ${side.toLowerCase()} did not start: ${String(error)}`);
      }
    }
  }

  return {
    killCount,
    round,
    isSound: () => wrong.length === 0 && broken === undefined,
    /** Closes the day of a shop that is left in peace, and verifies the journal. */
    async end(): Promise<void> {
      const close = dayClose(random);
      judging.add(close);
      await close.run(shop, AbortSignal.timeout(LONGEST_ORDER_MS));
      wrong = await judging.settle(true);
      const status = judging.ended().at(-1)?.end.status;
      if (status !== 'SUCCESS') wrong = [...wrong, `the last day close ended ${status}`];
      const verified = await runProgram('main/verify-journal', [shop.tillDir]);
      if (verified.code !== 0) wrong = [...wrong, `the journal: ${verified.output}${verified.errors}`];
    },
    result: () => ({
      ...{ rounds, killed: { ...killed }, startsRepeated, wrong, ...judging.figures() },
      ...(broken === undefined ? {} : { broken }),
      kills: Object.fromEntries(kills),
      ordersKilled: Object.fromEntries(ordersKilled),
      ends: endsOf(judging.ended()),
    }),
  };
}

function endsOf(ended: readonly EndedOrder[]): Readonly<Record<string, number>> {
  const ends = new Map<string, number>();
  for (const { order, end } of ended) {
    // A refusal is counted by its HTTP status.
    const status = end.status.split(' ')[0];
    count(ends, `${order.isSession ? 'session' : 'local'} ${order.effect} ${status}`);
  }
  return Object.fromEntries(ends);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
