import { expect } from 'vitest';
import { untilIdle } from './calls.ts';
import type { Flow, Payment } from './flows.ts';
import type { Disturbance, HopMessage, Wires } from './hop.ts';
import { type HopShop, openHopShop, type TerminalKind } from './hop-shop.ts';
import { settle } from './judge.ts';
import { until } from './until.ts';

/** Shops that are used at the same time: most of their time they wait. */
const SIDE_BY_SIDE = 4;
/** A message may not come in every run: then the run is repeated. */
const MOST_TRIES = 3;
/** What a busy machine did twice while it was recorded, and never does again: so many of a hundred rows at most. */
const MOST_UNMET_OF_100 = 15;
/** Part of the names of the rows that are held; all of them, unless one is looked at again. */
const WANTED_ROWS = process.env.HOPS_ROWS ?? '';
const FIRST_AMOUNT = 1_000;
/** Of a flow with all its rows that have met their fault. */
const FEWEST_ROWS = WANTED_ROWS === '' ? 10 : 0;
/** Keeps clear of the amounts that choose an issuer's answer. */
const AMOUNT_STEP = 10;

/** One flow in which one message meets one fault. */
interface Row {
  readonly flow: Flow;
  readonly disturbance: Disturbance;
}

/** Every message of every hop, met by everything that can befall it, in shops that serve one row after the other. */
export interface Matrix {
  /** @throws an assertion error that names the rows that do not end as they should */
  hold(flow: Flow): Promise<void>;
  close(): Promise<void>;
}

export async function openMatrix(kind: TerminalKind): Promise<Matrix> {
  const shops = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => openHopShop(kind)));
  let lastAmount = FIRST_AMOUNT;

  const unmet: string[] = [];

  async function run(shop: HopShop, flow: Flow, disturbance?: Disturbance): Promise<Payment> {
    lastAmount += AMOUNT_STEP;
    const amountMinor = lastAmount;
    // What did not meet its fault in the run before does not meet it here.
    shop.wires.begin();
    await untilIdle(shop);
    const act = await flow.prepare(shop, amountMinor);
    await quiet(shop.wires);
    shop.wires.begin(disturbance);
    return await act();
  }

  /** Of a run that took its payment: nothing was disturbed, neither by us nor by a machine that is too busy for it. */
  async function messagesOf(shop: HopShop, flow: Flow): Promise<readonly HopMessage[]> {
    let problems: readonly string[] = [];
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      try {
        const payment = await run(shop, flow);
        problems = await settle(shop, payment);
        await quiet(shop.wires);
        const { charged, text } = await payment.told();
        if (problems.length === 0 && charged === 'YES') return shop.wires.messages();
        problems = [...problems, `charged ${charged}: ${text}`];
      } catch (error) {
        problems = [String(error)];
      }
    }
    throw new Error(`${flow.name}, undisturbed: ${problems.join('; ')}`);
  }

  /** What comes in every run in every shop belongs to the flow; the rest came by its own time, or because a till had just started. */
  async function record(flow: Flow): Promise<readonly Row[]> {
    const [first = [], ...others] = (
      await Promise.all(
        shops.map(async (shop) => {
          const once = await messagesOf(shop, flow);
          return [once, await messagesOf(shop, flow)];
        }),
      )
    ).flat();
    const named = others.map((messages) => new Set(messages.map(nameOf)));
    return first
      .filter((message) => named.every((names) => names.has(nameOf(message))))
      .flatMap(({ faults, ...message }) =>
        faults.map((fault) => ({ flow, disturbance: { ...message, fault } }) satisfies Row),
      )
      .filter((row) => nameOfRow(row).includes(WANTED_ROWS));
  }

  async function holdRow(shop: HopShop, { flow, disturbance }: Row): Promise<readonly string[]> {
    const name = nameOfRow({ flow, disturbance });
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      try {
        const problems = await settle(shop, await run(shop, flow, disturbance));
        if (problems.length > 0) return problems.map((problem) => `${name}: ${problem}`);
        if (shop.wires.hasMet()) return [];
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    }
    unmet.push(name);
    return [];
  }

  return {
    async hold(flow) {
      const rows = await record(flow);
      // What waits for a time limit is begun first.
      const waiting = rows.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
      unmet.length = 0;
      const problems: string[] = [];
      const work = async (shop: HopShop) => {
        for (let row = waiting.shift(); row !== undefined; row = waiting.shift())
          problems.push(...noted(await holdRow(shop, row)));
      };
      await Promise.all(shops.map(work));
      expect(problems).toEqual([]);
      expect(unmet.length * 100, `never came: ${unmet.join('; ')}`).toBeLessThan(rows.length * MOST_UNMET_OF_100);
      process.stdout.write(
        `${flow.name}: ${rows.length} rows, ${[...new Set(rows.map(({ disturbance }) => disturbance.hop))].join(', ')}; never came: ${unmet.join('; ')}\n`,
      );
      expect(rows.length - unmet.length, `rows of ${flow.name} that met their fault`).toBeGreaterThan(FEWEST_ROWS);
    },
    async close() {
      await Promise.all(shops.map((shop) => shop.stop()));
    },
  };
}

const nameOf = ({ hop, label, occurrence }: Omit<HopMessage, 'faults'>) => `${hop}, ${label} no. ${occurrence + 1}`;

const nameOfRow = ({ flow, disturbance }: Row) => `${flow.name}, ${nameOf(disturbance)} ${disturbance.fault}`;

/** Seen while the matrix still runs. */
function noted(problems: readonly string[]): readonly string[] {
  for (const problem of problems) process.stdout.write(`PROBLEM ${problem}\n`);
  return problems;
}

/** Nobody is told of what is swallowed, and what a linked call came to is known late where its till has never begun. */
const isLong = ({ disturbance: { fault, label } }: Row) => fault === 'SWALLOWED' || label.includes('frame call');

const LOOK_MS = 100;

/** Nothing of the run before is on its way any more. */
async function quiet(wires: Wires): Promise<void> {
  let seen = wires.messages().length;
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const before = seen;
    seen = wires.messages().length;
    return before === seen;
  }, 'a quiet line');
}
