import type { AuthorizeRequest, AuthorizeResponse } from '../contract/host/authorize.ts';
import type { Payment } from '../contract/host/payment.ts';
import type { HostClient, HostReply } from '../ports/host-client.ts';
import { type Asking, askUntilKnown } from './ask-until-known.ts';
import { CALL_TIMEOUT_MS } from './sync-limits.ts';

/**
 * What became of an authorization.
 * NOTHING_SENT: certainly nothing has reached the host. NOT_CHARGED: the host has it as nothing that stands. UNKNOWN: it may stand, and nobody can say
 * now.
 */
export type IssuerVerdict =
  | { readonly kind: 'APPROVED'; readonly payment: Payment; readonly emv: AuthorizeResponse['emv'] }
  | { readonly kind: 'DECLINED'; readonly payment: Payment; readonly emv: AuthorizeResponse['emv'] }
  | { readonly kind: 'NOTHING_SENT' | 'NOT_CHARGED' | 'UNKNOWN'; readonly message: string }
  /** The till ends: it is left to the recovery of the next start. */
  | { readonly kind: 'STOPPED' };

interface Told {
  readonly payment: Payment;
  readonly emv: AuthorizeResponse['emv'];
}

/** Asks the issuer through the host, under one key, until it is known or the time is over. */
export async function askIssuer(
  asking: Asking & { readonly host: HostClient },
  request: AuthorizeRequest,
  idempotencyKey: string,
): Promise<IssuerVerdict> {
  const { host, signal } = asking;
  const { transactionId = '' } = request;
  const verdict = await askUntilKnown<Told, IssuerVerdict | 'LOOK_UP'>(
    asking,
    (call) => host.authorize(request, { ...call, idempotencyKey }),
    (reply, mayHaveArrived) => {
      if (reply.kind === 'ANSWERED') return verdictOf(request, reply.body);
      if (reply.kind === 'LOST') return undefined;
      // What is refused now is no end of what may have arrived before.
      if (mayHaveArrived) return reply.kind === 'REFUSED' ? 'LOOK_UP' : undefined;
      if (reply.kind === 'NOT_SENT') return { kind: 'NOTHING_SENT', message: unreachable(reply.reason) };
      return { kind: 'NOT_CHARGED', message: `The host refused (${reply.errorCode}: ${reply.message}).` };
    },
  );
  if (verdict !== undefined && verdict !== 'LOOK_UP') return verdict;
  if (signal.aborted) return { kind: 'STOPPED' };
  const found = await host.lookUp(transactionId, { timeoutMs: CALL_TIMEOUT_MS, signal });
  if (signal.aborted) return { kind: 'STOPPED' };
  return lookedUp(request, found);
}

function lookedUp(request: AuthorizeRequest, found: HostReply<Payment>): IssuerVerdict {
  const message = 'The host has not told what became of the authorization.';
  if (found.kind !== 'ANSWERED') return { kind: 'UNKNOWN', message };
  return verdictOf(request, { payment: found.body, emv: {} }) ?? { kind: 'UNKNOWN', message };
}

/** undefined: the host does not know yet. */
function verdictOf(request: AuthorizeRequest, { payment, emv }: Told): IssuerVerdict | undefined {
  switch (payment.status) {
    case 'SUCCEEDED':
    case 'REQUIRES_CAPTURE':
      // An answer about something else than was asked is never a success (decisions: authorize additions).
      if (!isAsked(request, payment)) {
        return { kind: 'UNKNOWN', message: 'The host answered about another payment than was asked for.' };
      }
      return { kind: 'APPROVED', payment, emv };
    case 'DECLINED':
      return { kind: 'DECLINED', payment, emv };
    case 'REVERSED':
    case 'CANCELED':
      return { kind: 'NOT_CHARGED', message: `The host has the payment as ${payment.status}.` };
    default:
      return undefined;
  }
}

/** Whether the host's payment is the one that was asked for. */
export function isAsked(request: AuthorizeRequest, payment: Payment): boolean {
  return (
    payment.amountMinor === request.amount &&
    payment.currencyCode === request.currencyCode &&
    payment.type === paymentTypes[request.transactionType ?? 'purchase'] &&
    payment.id === request.transactionId
  );
}

const paymentTypes = { purchase: 'SALE', pre_auth: 'PRE_AUTH', refund: 'REFUND' } as const;

export function unreachable(reason: string): string {
  return `HOST_UNREACHABLE: ${reason}; nothing was sent, and nothing was charged.`;
}
