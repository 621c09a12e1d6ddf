import type { PairedShop, TerminalKind } from '../../support/paired-shop.ts';
import { readBooks } from './books.ts';
import { closingDisagreements, disagreements, type EndedOrder, resolveTasks } from './judge.ts';
import type { Order } from './orders.ts';

/** Within these milliseconds everything comes to its end: a lost claim is given up after a minute, an authorization is known within two. */
export const LONGEST_ORDER_MS = 240_000;
const LOOK_AGAIN_MS = 150;

/** Holds the books of a shop against each other and against what callers were told, order by order. */
export interface Judging {
  readonly orders: readonly Order[];
  add(order: Order): void;
  /** All orders and how they ended, as far as they have been judged. */
  ended(): readonly EndedOrder[];
  /** Waits until everything agrees, with the help of a person where one is needed. @returns what still does not */
  settle(isClosing?: boolean): Promise<readonly string[]>;
  /** How often the books were held against each other, and tasks that only a person could answer. */
  figures(): { readonly judged: number; readonly forPerson: number };
}

export function createJudging(shop: PairedShop, terminal: TerminalKind): Judging {
  const orders: Order[] = [];
  let ended: readonly EndedOrder[] = [];
  let judged = 0;
  let forPerson = 0;

  async function look(isClosing: boolean): Promise<readonly string[]> {
    ended = await Promise.all(orders.map(async (order, index) => await stillSo(order, ended[index])));
    const books = await readBooks(shop, terminal);
    judged += 1;
    forPerson += await resolveTasks(shop, books);
    return [...disagreements(books, ended), ...(isClosing ? closingDisagreements(books) : [])];
  }

  /** Only what was told last can still change. */
  async function stillSo(order: Order, before: EndedOrder | undefined): Promise<EndedOrder> {
    const isOld = order !== orders.at(-1) && before !== undefined;
    return isOld ? before : { order, end: await order.ask(shop) };
  }

  return {
    orders,
    add: (order) => void orders.push(order),
    ended: () => ended,
    async settle(isClosing = false) {
      const endMs = performance.now() + LONGEST_ORDER_MS;
      for (;;) {
        const found = await look(isClosing).catch((error: unknown) => [`the books cannot be read: ${String(error)}`]);
        if (found.length === 0 || performance.now() > endMs) return found;
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      }
    },
    figures: () => ({ judged, forPerson }),
  };
}
