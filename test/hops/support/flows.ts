import { randomUUID } from 'node:crypto';
import type { PaymentSessionDetail } from '../../../app/contract/host/payment-session.ts';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { callHost, callPos, lookAt, past, paymentsAtHost, untilIdle } from './calls.ts';
import { type HopShop, MOST_CALL_SECONDS, type PosAddress, type StandingPayment } from './hop-shop.ts';
import { until } from './until.ts';

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

/** What the flow needs beforehand. On a busy machine one may end otherwise; the next is of another amount, so that it is not taken for it. */
async function approvedSale(shop: HopShop, pos: PosAddress, amountMinor: number): Promise<TransactionResponse> {
  const patient = { ...past(pos), callSeconds: MOST_CALL_SECONDS };
  for (let tries = 1; ; tries++) {
    await untilIdle(shop);
    const order = saleOf(shop, tries * ORIGINALS_FROM_MINOR + amountMinor);
    const { body } = await callPos(patient, '/v1/transaction/sale', randomUUID(), order);
    const sale = body as TransactionResponse;
    if (sale.status === 'APPROVED') return sale;
    if (tries === MOST_TRIES) throw new Error(`the sale before it was ${JSON.stringify(body)}`);
  }
}

const saleOf = ({ kind }: HopShop, amount: number) => ({
  ...{ type: 'SALE', amount, currency },
  ...(kind === 'READER' ? { entryMode: 'CONTACT' } : {}),
});

/** A call of a POS at one address, and how it finds out what became of it. */
type Calls = (shop: HopShop, path: string, body: object, effect: Payment['effect']) => Promise<Payment>;

/** Calls the till under one key until it answers, and finds out by that answer. */
const atTill: Calls = async (shop, path, body, effect) => {
  const key = randomUUID();
  const answer = await callPos(shop.till, path, key, body);
  return {
    effect,
    async told() {
      if (answer.status !== 200) return { charged: 'NO', text: JSON.stringify(answer.body) };
      // A definitive answer is given again under its key; an unknown one is replaced by the truth.
      const again = await callPos(past(shop.till), path, key, body);
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
};

/**
 * Calls the host under one key until it answers, and finds out by that answer; by the id in it, and under the key again, where the link was lost.
 * The till must have it under the id that the host gave it.
 */
const atCloud: Calls = async (shop, path, body, effect) => {
  const key = randomUUID();
  const answer = await callPos(shop.cloud, path, key, body);
  return {
    effect,
    async told() {
      if (answer.status !== 200) return { charged: 'NO', text: JSON.stringify(answer.body) };
      const first = answer.body as TransactionResponse;
      const again = (await callPos(past(shop.cloud), path, key, body)).body as TransactionResponse;
      const mayReplace = isUnknown(first);
      const place = `/v1/transactions/${first.transactionId}`;
      const found = await lookAt(mayReplace ? shop.cloud : shop.till, place);
      const text = JSON.stringify([first, again, found.body]);
      if (!mayReplace && JSON.stringify(first) !== JSON.stringify(again)) return { charged: 'UNKNOWN', text };
      // The till has never begun; its word counts once nothing of the call can be on its way any more.
      if (found.status === 404 && mayReplace && isUnknown(again)) return { charged: 'NO', text };
      const { transactionId, status } = found.body as TransactionResponse;
      const isOne = transactionId === first.transactionId && transactionId === again.transactionId;
      const isSame = isOne && status === again.status;
      return { charged: isSame ? chargedOf(status, again.outcome?.charged) : 'UNKNOWN', text };
    },
  };
};

const isUnknown = ({ outcome }: TransactionResponse) => outcome?.charged === 'UNKNOWN';

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

/** What a POS has a terminal do, at one of the addresses of the POS API. */
const posFlows = (at: 'till' | 'cloud', call: Calls): readonly Flow[] => [
  {
    name: 'a sale',
    prepare: async (shop, amount) => () => call(shop, '/v1/transaction/sale', saleOf(shop, amount), saleEffect(amount)),
  },
  {
    name: 'a refund',
    async prepare(shop, amount) {
      const { transactionId } = await approvedSale(shop, shop[at], amount);
      const body = { type: 'REFUND', amount, currency, originalTransactionId: transactionId };
      return () => call(shop, '/v1/transaction/refund', body, refundEffect(amount));
    },
  },
  {
    name: 'a void',
    async prepare(shop, amount) {
      const { transactionId, amount: original } = await approvedSale(shop, shop[at], amount);
      const body = { type: 'VOID', amount: 0, currency, originalTransactionId: transactionId };
      const effect = { type: 'SALE', amountMinor: original, timesDone: 0, timesNot: 1 } as const;
      return () => call(shop, '/v1/transaction/void', body, effect);
    },
  },
];

/** Every way in which money moves at the till's own address, and by an order of the merchant's server. */
export const flows: readonly Flow[] = [
  ...posFlows('till', atTill),
  {
    name: 'a session',
    prepare: async (shop, amount) => () => bySession(shop, { operation: 'PURCHASE' }, saleEffect(amount)),
  },
  {
    name: 'a session of a refund',
    async prepare(shop, amount) {
      const { transactionId, amount: original } = await approvedSale(shop, shop.till, amount);
      const isKnown = async () => (await paymentsAtHost(shop)).some(({ amountMinor }) => amountMinor === original);
      await until(isKnown, 'the payment at the host that is to be refunded');
      const order = { operation: 'REFUND', originalTransactionId: transactionId };
      return () => bySession(shop, order, refundEffect(amount));
    },
  },
  {
    name: 'the first sale after a start',
    prepare: async (shop, amount) => async () => {
      await shop.restartTill();
      return atTill(shop, '/v1/transaction/sale', saleOf(shop, amount), saleEffect(amount));
    },
  },
];

/** The same of a POS that calls at the host. */
export const cloudFlows: readonly Flow[] = posFlows('cloud', atCloud);
