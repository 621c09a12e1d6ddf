import type { PaymentSessionDetail, SessionStatus } from '../../../app/contract/host/payment-session.ts';
import type { PairedShop } from '../../support/paired-shop.ts';
import type { PosAnswer } from '../../support/pos.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';

/** What an order does to the books when it takes place. */
type Effect = 'SALE' | 'REFUND' | 'VOID' | 'CLOSE';

/** Something that is ordered at the till or at the host, and repeated under one key until it has ended, whoever dies meanwhile. */
export interface Order {
  readonly effect: Effect;
  readonly isSession: boolean;
  /** Of its own among orders of its effect, so that every book can be asked for it; 0 for void and day close. */
  readonly amountMinor: number;
  /** The sale that a refund or void is about. */
  readonly original?: Order;
  /** Resolves when it has ended. Never rejects while `signal` is not aborted. */
  run(shop: PairedShop, signal: AbortSignal): Promise<void>;
  /** Asks again what became of it. */
  ask(shop: PairedShop): Promise<OrderEnd>;
}

export interface OrderEnd {
  /** In the words of its API; HTTP status and text when it was refused. */
  readonly status: string;
  /** The transaction at the till, the payment at the host. */
  readonly paymentId?: string;
}

const PAUSE_MS = 100;
const currency = 'EUR';
/** The shortest that the host allows. */
const EXPIRES_IN_SECONDS = 60;
const finalStatuses: ReadonlySet<SessionStatus> = new Set([
  ...(['SUCCEEDED', 'DECLINED', 'CANCELED', 'FAILED', 'EXPIRED', 'RECOVERY_REQUIRED'] as const),
]);

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Repeats until it gives something: a program that is dead, or has died under the call, answers nothing. */
async function until<T>(ask: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const found = await ask().catch(() => undefined);
    if (found !== undefined) return found;
    await pause();
  }
}

/** An answer that a repeat under the same key would not change by itself. */
function isAnswer({ status, body }: PosAnswer): boolean {
  return status === 200 || (status >= 400 && status < 500 && body.error !== 'IDEMPOTENCY_IN_PROGRESS');
}

function local(key: string, path: string, order: Omit<Order, 'run' | 'ask' | 'isSession'>, body: object): Order {
  const post = (shop: PairedShop) => shop.pos().post(path, body, { 'idempotency-key': key });
  return {
    ...order,
    isSession: false,
    async run(shop, signal) {
      await until(async () => {
        const answer = await post(shop);
        return isAnswer(answer) ? answer : undefined;
      }, signal);
    },
    async ask(shop) {
      const answer = await post(shop);
      const { status, transactionId } = answer.body;
      if (answer.status !== 200) return { status: `${answer.status} ${answer.text}` };
      return { status: String(status), ...(transactionId === undefined ? {} : { paymentId: String(transactionId) }) };
    },
  };
}

const PATHS = {
  SALE: '/v1/transaction/sale',
  REFUND: '/v1/transaction/refund',
  VOID: '/v1/transaction/void',
} as const;

/** At the till, by its POS. @param original with the id of its transaction, of what is given back or taken back */
export function localOrder(
  random: SeededRandom,
  effect: 'SALE' | 'REFUND' | 'VOID',
  amountMinor: number,
  original?: { readonly order: Order; readonly id: string },
): Order {
  const named = original === undefined ? {} : { originalTransactionId: original.id };
  const body = { type: effect, amount: amountMinor, currency, ...named };
  const about = original === undefined ? {} : { original: original.order };
  return local(random.uuid(), PATHS[effect], { effect, amountMinor, ...about }, body);
}

export function dayClose(random: SeededRandom): Order {
  return local(random.uuid(), '/v1/reconciliation', { effect: 'CLOSE', amountMinor: 0 }, { closeDay: true });
}

type Created = { readonly id: string } | { readonly refusal: string };

/** At the host, by the merchant's server; it orders nothing that the host could refuse. */
export function sessionOrder(
  random: SeededRandom,
  amountMinor: number,
  original?: { readonly order: Order; readonly id: string },
): Order {
  const key = random.uuid();
  const create = async (shop: PairedShop): Promise<Created | undefined> => {
    const { merchantId, terminalId } = shop;
    const operation = original === undefined ? 'PURCHASE' : 'REFUND';
    const named = original === undefined ? {} : { originalTransactionId: original.id };
    const asked = { merchantId, terminalId, operation, amountMinor, currencyCode: currency, ...named };
    const body = { ...asked, expiresInSeconds: EXPIRES_IN_SECONDS };
    const answer = await shop.merchant().post('/v1/terminal/payment-sessions', body, { 'idempotency-key': key });
    // The same key gives the same session.
    if (answer.status === 200) return { id: String(answer.body.id) };
    return isAnswer(answer) && answer.body.error !== 'TERMINAL_HAS_OPEN_SESSION' ? { refusal: answer.text } : undefined;
  };
  let created: Created | undefined;
  const look = async (shop: PairedShop, id: string) => {
    const answer = await shop.merchant().get(`/v1/terminal/payment-sessions/${id}`);
    return (answer.body as unknown as PaymentSessionDetail).session;
  };
  return {
    effect: original === undefined ? 'SALE' : 'REFUND',
    isSession: true,
    amountMinor,
    ...(original === undefined ? {} : { original: original.order }),
    async run(shop, signal) {
      const begun = await until(() => create(shop), signal);
      created = begun;
      if ('refusal' in begun) return;
      await until(async () => (finalStatuses.has((await look(shop, begun.id)).status) ? true : undefined), signal);
    },
    async ask(shop) {
      if (created === undefined) return { status: 'NEVER CREATED' };
      if ('refusal' in created) return { status: `REFUSED ${created.refusal}` };
      const { status, paymentId } = await look(shop, created.id);
      return { status, ...(paymentId === undefined ? {} : { paymentId }) };
    },
  };
}
