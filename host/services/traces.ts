import type { HostTransactionType } from '../../app/contract/host/authorize.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import type { MessageKind, MessageTrace, OriginalMessage } from '../ports/acquirer.ts';
import type { AcquirerMessage, NewPayment, PaymentRecord, StoredAcquirerMessage } from '../ports/host-records.ts';
import type { HostDeps } from './host-deps.ts';

/** How a message to the acquirer is named, on disk before it leaves (ADR 14). */
export async function drawTrace(
  { store, acquirerName, clock, ids }: HostDeps,
  terminal: { readonly merchantId: string; readonly terminalId: string },
): Promise<MessageTrace> {
  const { merchantId, terminalId } = terminal;
  const stan = await store.nextStan({ merchantId, terminalId, acquirer: acquirerName });
  const sentAtMs = clock.nowMs();
  return { reference: ids.next(), stan, rrn: rrnOf(sentAtMs, stan), sentAtMs };
}

/**
 * Names the message that makes a payment. Its reference follows from the till's name for the payment: a host that was put back to a backup and
 * founds the payment once more says the same reference, and the acquirer knows it again. Number and time are always those of this sending.
 */
export async function drawFoundingTrace(
  deps: HostDeps,
  { payment: { merchantId }, terminalId, transactionId }: NewPayment,
): Promise<MessageTrace> {
  const trace = await drawTrace(deps, { merchantId, terminalId });
  const reference = uuidOf(deps.hmac(JSON.stringify(['founding message', merchantId, terminalId, transactionId])));
  return { ...trace, reference };
}

/** The first bits of a hash as a UUID of version 8 (RFC 9562, 5.8). @param hash lower-case hex */
function uuidOf(hash: string): string {
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(16), 16) % 4);
  const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `${variant}${hash.slice(17, 20)}`];
  return [...groups, hash.slice(20, 32)].join('-');
}

const DAY_MS = 24 * 3_600_000;

/** Last digit of the year, day of the year, hour, trace number: YDDDhhnnnnnn, UTC (the usual form of DE 37). */
function rrnOf(atMs: number, stan: number): string {
  const at = new Date(atMs);
  const day = Math.floor((atMs - Date.UTC(at.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
  return [
    String(at.getUTCFullYear() % 10),
    String(day).padStart(3, '0'),
    String(at.getUTCHours()).padStart(2, '0'),
    String(stan).padStart(6, '0'),
  ].join('');
}

/** What a message is about. */
interface Subject {
  readonly payment: Pick<Payment, 'id' | 'merchantId'>;
  readonly terminalId: string;
}

/** A message as it is stored before it is sent. Repeats go out under the same trace and are no messages of their own. */
export function messageOf(
  { acquirerName }: HostDeps,
  { payment, terminalId }: Subject,
  kind: MessageKind,
  trace: MessageTrace,
  amountMinor: number,
): AcquirerMessage {
  const { reference, stan, rrn, sentAtMs } = trace;
  return {
    merchantId: payment.merchantId,
    messageId: reference,
    paymentId: payment.id,
    terminalId,
    acquirer: acquirerName,
    kind,
    attempt: 1,
    stan,
    rrn,
    reference,
    amountMinor,
    sentAtMs,
  };
}

/** The trace of a stored message. */
export function traceOf({
  messageId,
  reference = messageId,
  stan,
  rrn,
  sentAtMs,
}: StoredAcquirerMessage): MessageTrace {
  if (stan === undefined || rrn === undefined) throw new Error(`message ${messageId} was stored without its trace`);
  return { reference, stan, rrn, sentAtMs };
}

const operations: Readonly<Partial<Record<Payment['type'], HostTransactionType>>> = {
  SALE: 'purchase',
  PRE_AUTH: 'pre_auth',
  REFUND: 'refund',
};

/** The operation of a payment in the words of an acquirer. */
export function operationOf({ type }: Pick<Payment, 'type'>): HostTransactionType {
  const operation = operations[type];
  if (operation === undefined) throw new Error(`a ${type} is never authorized`);
  return operation;
}

/** A stored message, as much of it as a later one must repeat. */
export function originalOf(
  { payment }: Pick<PaymentRecord, 'payment'>,
  message: StoredAcquirerMessage,
): OriginalMessage {
  const { cashbackAmountMinor = 0, captureMethod = 'AUTOMATIC' } = payment;
  const authorizationCode = message.answer?.authorizationCode ?? payment.authorizationCode;
  return {
    kind: message.kind,
    trace: traceOf(message),
    operation: operationOf(payment),
    captureMethod,
    amountMinor: message.amountMinor,
    ...(cashbackAmountMinor > 0 ? { cashbackMinor: cashbackAmountMinor } : {}),
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
  };
}

/** The message that made the payment, by which all later ones name it; undefined for one that no acquirer was asked about. */
export function foundingMessage(messages: readonly StoredAcquirerMessage[]): StoredAcquirerMessage | undefined {
  return messages.find(({ kind }) => kind === 'AUTHORIZE' || kind === 'REFUND');
}

/** The message whose outcome is in question while a payment is FAILED: the last that is no reversal. */
export function questionedMessage(messages: readonly StoredAcquirerMessage[]): StoredAcquirerMessage | undefined {
  return messages.findLast(({ kind }) => kind !== 'REVERSE');
}
