import { randomUUID } from 'node:crypto';
import type { PaymentSessionDetail } from '../../../app/contract/host/payment-session.ts';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { callHost, callTill, tillPast } from './calls.ts';
import type { HopShop, StandingPayment } from './hop-shop.ts';

/** What whoever asked for a payment has been told of it in the end. */
interface Told {
  readonly charged: 'YES' | 'NO' | 'UNKNOWN';
  readonly text: string;
}

/** A payment that is under way: what is looked at, and whoever asked for it. */
export interface Payment {
  /** What stands in every book when it has taken place, and how often then and otherwise. */
  readonly effect: StandingPayment & { readonly timesDone: number; readonly timesNot: number };
  /** As an integrator finds it out: by its answer, by the same key, by a look-up. Asked until all books are quiet. */
  told(): Promise<Told>;
}

export interface Flow {
  readonly name: string;
  /** What has to be there first. @param amountMinor of this row alone */
  prepare(shop: HopShop, amountMinor: number): Promise<() => Promise<Payment>>;
}

const MOST_TRIES = 5;
const ORIGINALS_FROM_MINOR = 100_000;
const currency = 'EUR';

/** What the flow needs beforehand; on a busy machine a reader may not be there yet, and says so. */
async function approvedSale(shop: HopShop, amountMinor: number): Promise<TransactionResponse> {
  for (let tries = 1; ; tries++) {
    const { body } = await callTill(tillPast(shop), '/v1/transaction/sale', randomUUID(), saleOf(shop, amountMinor));
    const sale = body as TransactionResponse;
    if (sale.status === 'APPROVED') return sale;
    const isSafe = sale.outcome?.safeToRetry === true && tries < MOST_TRIES;
    if (!isSafe) throw new Error(`the sale before it was ${JSON.stringify(body)}`);
  }
}

const saleOf = ({ kind }: HopShop, amount: number) => ({
  ...{ type: 'SALE', amount, currency },
  ...(kind === 'READER' ? { entryMode: 'CONTACT' } : {}),
});

/** Calls the till under one key until it answers, and finds out by that answer. */
async function byPos(shop: HopShop, path: string, body: object, effect: Payment['effect']): Promise<Payment> {
  const key = randomUUID();
  const answer = await callTill(shop.posUrl, path, key, body);
  return {
    effect,
    async told() {
      if (answer.status !== 200) return { charged: 'NO', text: JSON.stringify(answer.body) };
      // A definitive answer is given again under its key; an unknown one is replaced by the truth.
      const again = await callTill(tillPast(shop), path, key, body);
      const { status, outcome } = again.body as TransactionResponse;
      const text = JSON.stringify(again.body);
      const first = answer.body as TransactionResponse;
      const wasUnknown = first.outcome?.charged === 'UNKNOWN';
      if (!wasUnknown && text !== JSON.stringify(first)) {
        return { charged: 'UNKNOWN', text: `two answers: ${JSON.stringify(first)} and ${text}` };
      }
      return { charged: chargedOf(status, outcome?.charged), text };
    },
  };
}

function chargedOf(status: TransactionResponse['status'], said: Told['charged'] | undefined): Told['charged'] {
  if (status === 'APPROVED') return 'YES';
  if (status === 'DECLINED' || status === 'CANCELLED') return 'NO';
  return said ?? 'UNKNOWN';
}

/** What the merchant's server orders at the host; it looks until the session has ended. */
async function bySession(shop: HopShop, order: object, effect: Payment['effect']): Promise<Payment> {
  const { merchantId, terminalId } = shop.demo;
  const created = await callHost(shop, '/v1/terminal/payment-sessions', {
    ...{ merchantId, terminalId, currencyCode: currency, expiresInSeconds: 60, amountMinor: effect.amountMinor },
    ...order,
  });
  const { id } = created as { readonly id: string };
  return {
    effect,
    async told() {
      const { session } = (await callHost(shop, `/v1/terminal/payment-sessions/${id}`)) as PaymentSessionDetail;
      const text = JSON.stringify(session);
      if (session.status === 'SUCCEEDED') return { charged: 'YES', text };
      const isOver = ['DECLINED', 'FAILED', 'CANCELED', 'EXPIRED'].includes(session.status);
      return { charged: isOver ? 'NO' : 'UNKNOWN', text };
    },
  };
}

const saleEffect = (amountMinor: number) => ({ type: 'SALE', amountMinor, timesDone: 1, timesNot: 0 }) as const;
const refundEffect = (amountMinor: number) => ({ type: 'REFUND', amountMinor, timesDone: 1, timesNot: 0 }) as const;

/** Every way in which money moves here. */
export const flows: readonly Flow[] = [
  {
    name: 'a sale',
    prepare: async (shop, amount) => () =>
      byPos(shop, '/v1/transaction/sale', saleOf(shop, amount), saleEffect(amount)),
  },
  {
    name: 'a refund',
    async prepare(shop, amount) {
      const { transactionId } = await approvedSale(shop, ORIGINALS_FROM_MINOR + amount);
      const body = { type: 'REFUND', amount, currency, originalTransactionId: transactionId };
      return () => byPos(shop, '/v1/transaction/refund', body, refundEffect(amount));
    },
  },
  {
    name: 'a void',
    async prepare(shop, amount) {
      const original = ORIGINALS_FROM_MINOR + amount;
      const { transactionId } = await approvedSale(shop, original);
      const body = { type: 'VOID', amount: 0, currency, originalTransactionId: transactionId };
      const effect = { type: 'SALE', amountMinor: original, timesDone: 0, timesNot: 1 } as const;
      return () => byPos(shop, '/v1/transaction/void', body, effect);
    },
  },
  {
    name: 'a session',
    prepare: async (shop, amount) => () => bySession(shop, { operation: 'PURCHASE' }, saleEffect(amount)),
  },
];
