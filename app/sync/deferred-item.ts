import type { AuthorizeRequest } from '../contract/host/authorize.ts';
import type { Payment } from '../contract/host/payment.ts';
import type { CardFacts } from '../domain/transaction.ts';
import type { DeferredAnswer, DeferredSales } from '../ports/deferred.ts';
import type { HostCall, HostClient, HostReply } from '../ports/host-client.ts';
import type { KeptAccount } from '../ports/kept-account.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import { isAsked } from './ask-issuer.ts';
import { accountFieldsOf } from './authorize-request.ts';
import { newOutboxItem } from './outbox-item.ts';
import { notTaken, type Try } from './retry.ts';
import { MONEY_CALL_TIMEOUT_MS } from './sync-limits.ts';

/** What a sale that was taken offline hangs on. */
export interface DeferredDeps {
  /** undefined while the till does not accept payments yet. */
  readonly sales: () => DeferredSales | undefined;
  readonly account: (transactionId: string) => KeptAccount | undefined;
  readonly nowIso: () => string;
}

/** Asks the issuer for a sale that was taken without it, once; under its key it is one authorization however often that is done. */
export async function sendDeferred(
  host: HostClient,
  { sales: salesOf, account, nowIso }: DeferredDeps,
  item: OutboxItem,
  signal: AbortSignal,
): Promise<Try> {
  const { transactionId, idempotencyKey } = item;
  const sales = salesOf();
  const standing = sales?.standing(transactionId) ?? 'NOT_YET';
  if (sales === undefined || standing === 'NOT_YET') return { standing: 'WAITING', trouble: 'The sale has not ended.' };
  if (standing === 'OVER') return { standing: 'SETTLED', trouble: 'A person has said that it brought nothing.' };
  const kept = account(transactionId);
  if (kept === undefined) return { standing: 'SET_ASIDE', trouble: 'The account of the card is lost.' };
  const request = { ...(item.body as unknown as AuthorizeRequest), ...accountFieldsOf({ account: kept }) };
  const call: HostCall & { idempotencyKey: string } = { idempotencyKey, timeoutMs: MONEY_CALL_TIMEOUT_MS, signal };
  const reply = await host.authorize(request, call);
  if (reply.kind !== 'ANSWERED') return notTaken(reply satisfies HostReply<unknown>);
  const { payment } = reply.body;
  const answer = answerOf(request, payment);
  if (typeof answer === 'string') return { standing: 'TAKEN', trouble: answer };
  sales.answered(transactionId, answer);
  if (payment.status !== 'REQUIRES_CAPTURE') return { standing: 'DONE' };
  // What the host holds until its tip is known is captured as it is, as a sale online would be.
  const capture = { ...item, kind: 'CAPTURE', body: { amountMinor: request.amount } } as const;
  const { terminalId, kind, body } = capture;
  const owed = newOutboxItem({ terminalId, transactionId, kind, body }, nowIso());
  return { standing: 'DONE', alongside: (unit) => unit.saveOutboxItem(owed) };
}

/** @returns in words why nothing is known yet */
function answerOf(request: AuthorizeRequest, payment: Payment): DeferredAnswer | string {
  const { id, status, decline, responseCode } = payment;
  switch (status) {
    case 'SUCCEEDED':
    case 'REQUIRES_CAPTURE': {
      if (!isAsked(request, payment)) return 'The host answered about another payment than was asked for.';
      const reference = { paymentId: id, ...(status === 'REQUIRES_CAPTURE' ? { isHeld: true } : {}) };
      return { kind: 'AUTHORIZED', card: { ...cardOf(payment), responseCode: '00' }, reference };
    }
    case 'DECLINED': {
      const reason = responseCode === undefined && decline !== undefined ? { reason: decline.merchantMessage } : {};
      const code = responseCode === undefined ? {} : { responseCode };
      return { kind: 'DECLINED', card: { ...cardOf(payment), ...code }, ...reason };
    }
    case 'REVERSED':
    case 'CANCELED':
      return { kind: 'DECLINED', card: cardOf(payment), reason: `The host has the payment as ${status}.` };
    default:
      return 'The host does not know yet what became of it.';
  }
}

function cardOf({ authorizationCode, rrn }: Payment): CardFacts {
  return {
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
    ...(rrn === undefined ? {} : { rrn }),
  };
}
