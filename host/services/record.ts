import type { HostTransactionType } from '../../app/contract/host/authorize.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import type { RecordRequest } from '../../app/contract/host/record.ts';
import { declineFor, reportedCode } from '../../app/contract/issuer-answers.ts';
import { canonicalJson } from '../../app/domain/canonical-json.ts';
import type { HostAmounts } from '../../app/domain/money.ts';
import { paymentIdFor } from '../../app/domain/payment-id.ts';
import { recordedEvents } from '../../app/domain/posting.ts';
import { checkRecord } from '../../app/domain/record-payment.ts';
import type { PaymentRecord } from '../ports/host-records.ts';
import type { HostUnit } from '../ports/host-store.ts';
import { endSessionOf } from './end-session.ts';
import type { DeviceCaller, DeviceCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { AtomicWork, IdempotencyGate } from './idempotency-gate.ts';
import { requireOwnDevice, requireTerminalCurrency } from './own-device.ts';
import { cardOf } from './told-card.ts';
import { addTold, nameTaken } from './told-payment.ts';
import { requireToldSession } from './told-session.ts';

/**
 * POST /api/v1/terminal/transactions/record: a payment of the terminal's own acquirer, for reporting (decisions: EXTERNAL_RAIL). One transactionId is
 * one payment: told again it is the same, told as REVERSED it was taken back, told otherwise it is refused.
 */
export function createRecord(deps: HostDeps, gate: IdempotencyGate): Pick<DeviceCalls, 'record'> {
  const { store, ids, businessDateOf } = deps;

  async function work(caller: DeviceCaller, request: RecordRequest, amounts: HostAmounts, part: AtomicWork) {
    const { unit, atMs } = part;
    const made = paymentOf(caller, request, amounts, part.subjectId, atMs);
    const told = { ...made, businessDate: businessDateOf(caller.businessDay, Date.parse(made.createdAt)) };
    const before = await unit.findPaymentByName(caller, request.transactionId);
    const added = before === undefined ? await add(unit, caller, request, told, atMs) : undefined;
    if (added !== undefined) return added.payment;
    // Known, or stored under another key by another process meanwhile.
    const found = before ?? (await unit.findPaymentByName(caller, request.transactionId));
    const { merchantId } = caller;
    const existing = await unit.lockPayment({ merchantId, paymentId: found?.payment.id ?? '' });
    if (existing === undefined) throw nameTaken();
    return await tellAgain(unit, existing, request, told, atMs);
  }

  return {
    async record(caller, call, request) {
      requireOwnDevice(caller, request);
      const amounts = checkRecord(request);
      requireTerminalCurrency(caller, request.currencyCode);
      const known = await store.read.findPaymentByName(caller, request.transactionId);
      const subjectId = known?.payment.id ?? paymentIdFor(request.transactionId, () => ids.next());
      const keyed = { caller, call, body: request, subjectId };
      return await gate.atomically(keyed, (part) => work(caller, request, amounts, part));
    },
  };
}

function paymentOf(
  { merchantId, terminalId }: DeviceCaller,
  request: RecordRequest,
  amounts: HostAmounts,
  id: string,
  atMs: number,
): Payment {
  const { type, status, responseCode, entryMode, metadata } = request;
  const { originalTransactionId, referenceId, tipSource, authorizationCode, rrn } = request;
  const code = responseCode === undefined ? undefined : reportedCode(responseCode, amounts.amountMinor);
  // A terminal whose clock is ahead does not put a payment into the future.
  const createdAtMs = Math.min(Date.parse(request.occurredAt), atMs);
  return {
    id,
    merchantId,
    acceptanceChannel: 'EXTERNAL_RAIL',
    status,
    type,
    captureMethod: type === 'PRE_AUTH' ? 'MANUAL' : 'AUTOMATIC',
    capturedAmountMinor: status === 'DECLINED' ? null : amounts.amountMinor,
    authExpiresAt: null,
    ...amounts,
    currencyCode: request.currencyCode,
    ...(tipSource === undefined ? {} : { tipSource }),
    ...(originalTransactionId === undefined ? {} : { originalTransactionId }),
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
    ...(rrn === undefined ? {} : { rrn }),
    ...(code === undefined ? {} : { responseCode: code }),
    ...(status === 'DECLINED' ? { decline: declineFor(code, entryMode === undefined ? {} : { entryMode }) } : {}),
    ...cardOf({ ...request, terminalId }),
    ...(metadata === undefined ? {} : { metadata }),
    settlementId: null,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(atMs).toISOString(),
  };
}

const operations: Readonly<Record<RecordRequest['type'], HostTransactionType>> = {
  SALE: 'purchase',
  PRE_AUTH: 'pre_auth',
  REFUND: 'refund',
};

async function add(
  unit: HostUnit,
  caller: DeviceCaller,
  request: RecordRequest,
  payment: Payment,
  atMs: number,
): Promise<PaymentRecord | undefined> {
  const { paymentSessionId, transactionId, status, type } = request;
  await requireToldSession(unit, caller, paymentSessionId, { ...request, transactionType: operations[type] });
  const { terminalId } = caller;
  const events = recordedEvents(payment, 'NEW', status);
  const names = { terminalId, transactionId, ...(paymentSessionId === undefined ? {} : { paymentSessionId }) };
  const record = await addTold(unit, { payment, ...names }, 'RECORDED', events, atMs);
  if (record !== undefined) await endSessionOf(unit, record, atMs);
  return record;
}

/** What stays when a payment is told as taken back; its card and codes may be those of the reversal then. */
const lasting = [
  ...(['type', 'amountMinor', 'baseAmountMinor', 'tipAmountMinor', 'cashbackAmountMinor', 'currencyCode'] as const),
  'originalTransactionId',
] as const satisfies readonly (keyof Payment)[];
/** What stays when it is told as it was told before. */
const repeated = [
  ...lasting,
  ...(['tipSource', 'referenceId', 'authorizationCode', 'rrn', 'responseCode', 'cardScheme', 'maskedPan'] as const),
  ...(['cardPresent', 'metadata'] as const),
] as const satisfies readonly (keyof Payment)[];

async function tellAgain(
  unit: HostUnit,
  existing: PaymentRecord,
  request: RecordRequest,
  told: Payment,
  atMs: number,
): Promise<Payment> {
  const { payment } = existing;
  const isRepeat = payment.status === told.status;
  const isSame = (isRepeat ? repeated : lasting).every((field) => textOf(payment[field]) === textOf(told[field]));
  const isSameSession = !isRepeat || existing.paymentSessionId === request.paymentSessionId;
  if (payment.acceptanceChannel !== 'EXTERNAL_RAIL' || !isSame || !isSameSession) {
    throw nameTaken(payment.id);
  }
  if (isRepeat) return payment;
  const from = payment.status === 'SUCCEEDED' ? 'SUCCEEDED' : 'NEW';
  const events = recordedEvents(payment, from, request.status);
  const next = { ...payment, status: request.status };
  if (!(await unit.movePayment({ from: existing, trigger: 'RECORDED', payment: next, events, atMs }))) {
    throw new Error('a payment that was locked has changed');
  }
  const moved = await unit.findPayment({ merchantId: payment.merchantId, paymentId: payment.id });
  return moved?.payment ?? next;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : canonicalJson(value);
}
