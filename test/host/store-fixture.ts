import { randomUUID } from 'node:crypto';
import type { Payment } from '../../app/contract/host/payment.ts';
import type { TerminalTipConfigRequest } from '../../app/contract/host/tip-config.ts';
import { isoOf } from '../../app/domain/instant.ts';
import type { MoneyEvent } from '../../app/domain/posting.ts';
import type { NewIdempotency, NewPayment, PaymentRecord, SessionRecord } from '../../host/ports/host-records.ts';
import type { AuthorizationIntent, HostStore, PaymentMoveWrite } from '../../host/ports/host-store.ts';

/** A shop in a store, and the shortest ways to do something with its payments. */

export const startMs = Date.parse('2026-11-28T09:00:00.123Z');

export interface Shop {
  readonly store: HostStore;
  readonly merchantId: string;
  readonly terminalId: string;
}

/** A merchant of its own, with a paired terminal, so that tests share a database without meeting. */
export async function openShop(store: HostStore, terminalId = 'T1'): Promise<Shop> {
  const merchantId = `M-${randomUUID()}`;
  await store.transact(async (unit) => {
    await unit.addMerchant({ merchantId, name: 'Shop', createdAtMs: startMs });
    await unit.addTerminal({
      merchantId,
      terminalId,
      deviceId: 'D1',
      name: 'Lane',
      currency: 'EUR',
      createdAtMs: startMs,
    });
  });
  return { store, merchantId, terminalId };
}

/** Every way to tip. */
export const tipChoices: TerminalTipConfigRequest = {
  enabled: true,
  presetBasisPoints: [1000, 1500],
  allowCustomAmount: true,
  postAuthAdjustEnabled: false,
  maxAmountMinor: 5000,
  maxBasisPoints: 3000,
  fixedAmountMinor: null,
  fixedAmountThresholdMinor: null,
};

/** A payment that is about to be authorized. */
export function newPayment(
  { merchantId, terminalId }: Shop,
  changes: Partial<Payment> = {},
  names: Partial<Omit<NewPayment, 'payment'>> = {},
): NewPayment {
  const amountMinor = changes.amountMinor ?? 1000;
  const tipAmountMinor = changes.tipAmountMinor ?? 0;
  const payment: Payment = {
    id: randomUUID(),
    merchantId,
    acceptanceChannel: 'CARD_PRESENT',
    status: 'PROCESSING',
    type: 'SALE',
    captureMethod: 'AUTOMATIC',
    capturedAmountMinor: null,
    authExpiresAt: null,
    amountMinor,
    baseAmountMinor: amountMinor - tipAmountMinor,
    currencyCode: 'EUR',
    tipAmountMinor,
    cashbackAmountMinor: 0,
    settlementId: null,
    createdAt: isoOf(startMs),
    updatedAt: isoOf(startMs),
    ...changes,
  };
  return { payment, terminalId, transactionId: payment.id, ...names };
}

export function newKey({ merchantId }: Shop, subjectId: string, changes: Partial<NewIdempotency> = {}): NewIdempotency {
  return {
    merchantId,
    scope: '["M","T1","POST /api/v1/terminal/transactions/authorize"]',
    key: randomUUID(),
    requestHash: 'hash',
    subjectId,
    createdAtMs: startMs,
    leaseUntilMs: startMs + 120_000,
    ...changes,
  };
}

export function intentOf(shop: Shop, added: NewPayment, key: Partial<NewIdempotency> = {}): AuthorizationIntent {
  return {
    payment: added,
    trigger: 'AUTHORIZATION_BEGUN',
    idempotency: newKey(shop, added.payment.id, key),
    message: {
      merchantId: shop.merchantId,
      messageId: randomUUID(),
      paymentId: added.payment.id,
      terminalId: added.terminalId,
      acquirer: 'simulator',
      kind: 'AUTHORIZE',
      attempt: 1,
      stan: 17,
      rrn: '000000000017',
      reference: added.payment.id,
      amountMinor: added.payment.amountMinor,
      sentAtMs: startMs,
    },
  };
}

/** A move from what was read. */
export function moveOf(
  from: PaymentRecord,
  trigger: PaymentMoveWrite['trigger'],
  changes: Partial<Payment>,
  events: readonly MoneyEvent[],
  atMs = startMs + 1000,
): PaymentMoveWrite {
  return { from, trigger, payment: { ...from.payment, ...changes }, events, atMs };
}

export async function readPayment({ store, merchantId }: Shop, paymentId: string): Promise<PaymentRecord> {
  const found = await store.read.findPayment({ merchantId, paymentId });
  if (found === undefined) throw new Error(`no payment ${paymentId}`);
  return found;
}

export async function mustMove(shop: Shop, move: PaymentMoveWrite): Promise<PaymentRecord> {
  const hasMoved = await shop.store.transact((unit) => unit.movePayment(move));
  if (!hasMoved) throw new Error(`${move.trigger} did not move the payment`);
  return await readPayment(shop, move.from.payment.id);
}

/** A sale that was captured at once. */
export async function sell(shop: Shop, amountMinor: number, changes: Partial<Payment> = {}): Promise<PaymentRecord> {
  const added = newPayment(shop, { amountMinor, ...changes });
  const result = await shop.store.beginAuthorization(intentOf(shop, added));
  if (result.kind !== 'INSERTED') throw new Error(result.kind);
  const from = await readPayment(shop, added.payment.id);
  const captured = { status: 'SUCCEEDED', capturedAmountMinor: amountMinor, responseCode: '00' } as const;
  const move = moveOf(from, 'APPROVED', captured, [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor: amountMinor }]);
  if (!(await shop.store.endAuthorization({ move }))) throw new Error('not moved');
  return await readPayment(shop, added.payment.id);
}

/** A hold; `type` PRE_AUTH, or a SALE that waits for its tip. */
export async function hold(shop: Shop, amountMinor: number, changes: Partial<Payment> = {}): Promise<PaymentRecord> {
  const added = newPayment(shop, { amountMinor, type: 'PRE_AUTH', captureMethod: 'MANUAL', ...changes });
  const result = await shop.store.beginAuthorization(intentOf(shop, added));
  if (result.kind !== 'INSERTED') throw new Error(result.kind);
  const from = await readPayment(shop, added.payment.id);
  const authExpiresAt = isoOf(startMs + 7 * 24 * 3_600_000);
  return await mustMove(
    shop,
    moveOf(from, 'APPROVED_AND_HELD', { status: 'REQUIRES_CAPTURE', authExpiresAt }, [
      { kind: 'AUTHORIZED', heldMinor: amountMinor },
    ]),
  );
}

/** A refund that is about to be sent. */
export function refundOf(shop: Shop, original: PaymentRecord, amountMinor: number): NewPayment {
  return newPayment(shop, { type: 'REFUND', amountMinor, originalTransactionId: original.payment.id });
}

export function newSession({ merchantId, terminalId }: Shop, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    merchantId,
    id: randomUUID(),
    terminalId,
    deviceId: 'D1',
    idempotencyKey: 'session-key',
    claimToken: '',
    fence: 0,
    operation: 'PURCHASE',
    amountMinor: 1000,
    currency: 'EUR',
    status: 'CREATED',
    lastEventSequence: 0,
    expiresAtMs: startMs + 300_000,
    createdAtMs: startMs,
    updatedAtMs: startMs,
    ...changes,
  };
}
