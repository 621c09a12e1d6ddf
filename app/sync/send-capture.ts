import type { ErrorCode } from '../contract/errors.ts';
import type { Payment } from '../contract/host/payment.ts';
import type { PaymentCaptureRequest, TipAdjustRequest } from '../contract/host/payment-changes.ts';
import { captureDone, captureRefused, isCaptureOwed, tipRefused, tipTaken } from '../domain/tip-capture.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { HostCall, HostClient, HostReply } from '../ports/host-client.ts';
import type { JournalUnit } from '../ports/journal.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import { captureItemOf, newOutboxItem } from './outbox-item.ts';
import { notTaken, type Try } from './retry.ts';

/** A call under the key of its item. */
type KeyedCall = HostCall & { readonly idempotencyKey: string };

interface Sending {
  readonly item: OutboxItem;
  readonly call: KeyedCall;
  nowIso(): string;
}

/** Sets the tip of a held sale. Taken, its capture is owed from the same commit on; refused, the sale waits again and says why. */
export async function sendTipAdjust(host: HostClient, { item, call, nowIso }: Sending): Promise<Try> {
  const { transactionId, body } = item;
  const request = body as unknown as TipAdjustRequest;
  const made = tipTry(await host.adjustTip(transactionId, request, call), request.tipAmountMinor);
  if (made.standing === 'DONE') return { ...made, alongside: withOwed(transactionId, noteTaken) };
  if (made.standing !== 'SET_ASIDE') return made;
  const { errorCode = 'ILLEGAL_STATE', trouble = 'without a reason' } = made;
  const back = (unit: JournalUnit, record: TransactionRecord) => {
    const { captureId } = record.tipCapture ?? {};
    unit.saveTransaction(tipRefused(record, { errorCode, message: trouble }, nowIso()));
    if (captureId !== undefined) unit.releaseIdempotency(captureId);
  };
  // Nobody has to clear it up: the sale can be captured with another tip.
  return { standing: 'SETTLED', trouble, alongside: withOwed(transactionId, back) };

  function noteTaken(unit: JournalUnit, record: TransactionRecord): void {
    const at = nowIso();
    const taken = tipTaken(record, at);
    unit.saveTransaction(taken);
    unit.saveOutboxItem(newOutboxItem(captureItemOf(taken), at));
  }
}

/** Captures a held sale as it is. */
export async function sendCapture(host: HostClient, { item, call, nowIso }: Sending): Promise<Try> {
  const { transactionId, body } = item;
  const request = body as unknown as PaymentCaptureRequest;
  const reply = await host.capture(transactionId, request, call);
  const made = await captureTry(host, reply, item, request, call);
  if (made.standing === 'DONE') {
    const done = (unit: JournalUnit, record: TransactionRecord) => unit.saveTransaction(captureDone(record, nowIso()));
    return { ...made, alongside: withOwed(transactionId, done) };
  }
  if (made.standing !== 'SET_ASIDE') return made;
  const { errorCode = 'ILLEGAL_STATE', trouble: message = 'without a reason' } = made;
  const refused = (unit: JournalUnit, record: TransactionRecord) => {
    const { captureId } = record.tipCapture ?? {};
    unit.saveTransaction(captureRefused(record, { errorCode, message }, nowIso()));
    if (captureId !== undefined) unit.releaseIdempotency(captureId);
  };
  return { ...made, alongside: withOwed(transactionId, refused) };
}

/** Changes the sale while its capture is owed; one that was captured at once, or ended meanwhile, needs no change. */
function withOwed(
  transactionId: string,
  change: (unit: JournalUnit, record: TransactionRecord) => void,
): (unit: JournalUnit) => void {
  return (unit) => {
    const record = unit.findTransaction(transactionId);
    if (record !== undefined && isCaptureOwed(record)) change(unit, record);
  };
}

function tipTry(reply: HostReply<Payment>, tipAmountMinor: number): Try {
  if (reply.kind !== 'ANSWERED') return notTaken(reply);
  const { status, tipAmountMinor: held } = reply.body;
  if (status === 'REQUIRES_CAPTURE' && held === tipAmountMinor) return { standing: 'DONE' };
  return ended(reply.body) ?? unknownYet;
}

async function captureTry(
  host: HostClient,
  reply: HostReply<Payment>,
  { transactionId }: OutboxItem,
  { amountMinor }: PaymentCaptureRequest,
  call: HostCall,
): Promise<Try> {
  // Captured before, by a try whose answer was lost: with what, the look-up tells.
  const isCapturedBefore = reply.kind === 'REFUSED' && reply.errorCode === 'ALREADY_COMPLETED';
  const told = isCapturedBefore ? await host.lookUp(transactionId, call) : reply;
  if (told.kind !== 'ANSWERED') return notTaken(told);
  const { status, capturedAmountMinor } = told.body;
  if (status === 'SUCCEEDED' && capturedAmountMinor === amountMinor) return { standing: 'DONE' };
  if (status === 'SUCCEEDED') {
    return { standing: 'SET_ASIDE', trouble: `the host has captured ${capturedAmountMinor} minor units instead` };
  }
  return ended(told.body) ?? unknownYet;
}

/** FAILED: nobody knows yet; the same key tells once the host has found out. */
const unknownYet: Try = { standing: 'TAKEN', trouble: 'The host does not know yet what became of it.' };

/** A payment with which nothing can be done any more as it was asked. */
function ended({ status }: Payment): (Try & { readonly errorCode: ErrorCode }) | undefined {
  if (status === 'FAILED' || status === 'PROCESSING') return undefined;
  return { standing: 'SET_ASIDE', errorCode: 'ILLEGAL_STATE', trouble: `the host has the payment as ${status}` };
}
