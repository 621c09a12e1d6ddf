import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPairedShop, type PairedShop, type TerminalKind } from '../support/paired-shop.ts';
import { temporaryFolder } from '../support/processes.ts';
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { type BadLine, createBadLine, type Trouble, troubles } from './bad-line.ts';
import { createJudging, type Judging, LONGEST_ORDER_MS } from './kills/judging.ts';
import { localOrder, type Order, sessionOrder } from './kills/orders.ts';

/** Whose messages are disturbed. */
type Line = 'HOST_LINE' | 'TERMINAL_LINE';

interface Flow {
  readonly name: string;
  readonly line: Line;
  /** Messages that a run has at least: fewer, and the line was not looked at. */
  readonly least: number;
  /** The order of one run; `amountMinor` is of its own and approved by every issuer. */
  order(at: Counter, amountMinor: number): Promise<Order>;
}

interface Counter {
  readonly shop: PairedShop;
  readonly random: SeededRandom;
  /** A sale over a good line, with the id of its transaction. */
  sale(): Promise<{ readonly order: Order; readonly id: string }>;
}

const session = (line: Line, least: number): Flow => ({
  ...{ name: 'a sale that the merchant’s server ordered', line, least },
  order: async ({ random }, amountMinor) => sessionOrder(random, amountMinor),
});
const sale = (line: Line, least: number): Flow => ({
  ...{ name: 'a sale', line, least },
  order: async ({ random }, amountMinor) => localOrder(random, 'SALE', amountMinor),
});
const refund = (line: Line, least: number): Flow => ({
  ...{ name: 'a refund', line, least },
  order: async ({ random, sale: sell }, amountMinor) => localOrder(random, 'REFUND', amountMinor, await sell()),
});
const voidOf = (line: Line, least: number): Flow => ({
  ...{ name: 'a void', line, least },
  order: async ({ random, sale: sell }) => localOrder(random, 'VOID', 0, await sell()),
});

const flows: Readonly<Record<TerminalKind, readonly Flow[]>> = {
  // A reader is on a serial line.
  READER: [session('HOST_LINE', 12), sale('HOST_LINE', 2), refund('HOST_LINE', 2), voidOf('HOST_LINE', 2)],
  OWN_ACQUIRER: [session('HOST_LINE', 10), sale('HOST_LINE', 2), sale('TERMINAL_LINE', 4), voidOf('HOST_LINE', 2)],
};
/** Endings of amounts that choose an answer of the issuer are left out: all are whole units. */
const UNIT_MINOR = 100;
const FIRST_UNITS = 20;

/**
 * Till and host as the programs that they are, with a proxy on their line that loses, cuts short, doubles or delays every message of every flow, one
 * per run: one charge and one answer, and the books agree.
 */
export function badLineBattery(kind: TerminalKind): void {
  describe(`till and host over a bad line (${kind})`, () => {
    const lines = { HOST_LINE: createBadLine(), TERMINAL_LINE: createBadLine() };
    let folder: ReturnType<typeof temporaryFolder>;
    let shop: PairedShop;
    let run: Run;
    beforeAll(async () => {
      folder = temporaryFolder();
      const hooks = { hostHooks: lines.HOST_LINE.hooks, terminalHooks: lines.TERMINAL_LINE.hooks };
      shop = await openPairedShop(folder.path, { kind, ...hooks });
      run = createRuns(shop, createJudging(shop, kind));
    }, LONGEST_ORDER_MS);
    afterAll(async () => {
      await shop.close();
      folder.remove();
    });

    it.each(flows[kind])(
      '$name: one charge and one answer, whatever befalls any message on the $line',
      async (flow) => {
        const line = lines[flow.line];
        const undisturbed = await run(flow, line);
        expect(undisturbed.wrong).toEqual([]);
        expect(undisturbed.messages).toBeGreaterThanOrEqual(flow.least);
        const failed: string[] = [];
        let met = 0;
        for (const trouble of troubles) {
          for (let index = 0; index < undisturbed.messages; index += 1) {
            const { wrong, isMet } = await run(flow, line, { trouble, index });
            met += isMet ? 1 : 0;
            failed.push(...wrong.map((text) => `message ${index} ${trouble}: ${text}`));
          }
        }
        expect(failed).toEqual([]);
        expect(met).toBeGreaterThanOrEqual(flow.least * troubles.length);
      },
      1_200_000,
    );
  });
}

/** One order over a line, `at` one of whose messages it has trouble. */
type Run = (
  flow: Flow,
  line: BadLine,
  at?: { readonly trouble: Trouble; readonly index: number },
) => Promise<{ readonly wrong: readonly string[]; readonly messages: number; readonly isMet: boolean }>;

function createRuns(shop: PairedShop, judging: Judging): Run {
  const random = seededRandom(1);
  let units = FIRST_UNITS;
  const amount = () => UNIT_MINOR * units++;

  async function end(order: Order): Promise<readonly string[]> {
    judging.add(order);
    const timeout = AbortSignal.timeout(LONGEST_ORDER_MS);
    const isOver = await order.run(shop, timeout).then(
      () => true,
      () => false,
    );
    return isOver ? await judging.settle() : ['no end'];
  }

  async function sell() {
    const order = localOrder(random, 'SALE', amount());
    const wrong = await end(order);
    const { paymentId } = judging.ended().at(-1)?.end ?? {};
    if (wrong.length > 0 || paymentId === undefined) throw new Error(`no sale: ${wrong.join('; ')}`);
    return { order, id: paymentId };
  }

  return async (flow, line, at) => {
    const order = await flow.order({ shop, random, sale: sell }, amount());
    line.begin(at);
    const wrong = await end(order);
    return { wrong, messages: line.messages(), isMet: line.isMet() };
  };
}
