import { BridgeError } from '../../app/contract/errors.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import type { ReverseRequest, ReverseResponse } from '../../app/contract/host/reverse.ts';
import { checkReversal } from '../../app/domain/host-ceilings.ts';
import { isoOf } from '../../app/domain/instant.ts';
import { assertNoPanInId, paymentIdFor } from '../../app/domain/payment-id.ts';
import type { ReversalReason } from '../ports/acquirer.ts';
import type { NewPayment, PaymentRecord } from '../ports/host-records.ts';
import type { DeviceCaller, Host } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { findOwnPayment } from './own-device.ts';
import type { Reversals } from './reversals.ts';

/** Begins the reversal of a payment, where money may be out, and sends it at once. */
export type ReversePayment = (record: PaymentRecord, reason: ReversalReason) => Promise<'pending' | 'reversed'>;

/** @throws BridgeError ALREADY_SETTLED, HAS_REFUNDS, ILLEGAL_STATE */
export function createReversePayment({ store, clock }: HostDeps, reversals: Reversals): ReversePayment {
  return async (record, reason) => {
    const ref = { merchantId: record.payment.merchantId, paymentId: record.payment.id };
    const isBegun = await store.transact(async (unit) => {
      const now = await unit.lockPayment(ref);
      if (now === undefined) throw new Error('a payment is gone');
      if (checkReversal(now) === 'NOTHING') return false;
      const found = await unit.findReversal(ref);
      if (found !== undefined && found.state !== 'CONFIRMED') return true;
      if ((await reversals.begin(unit, now, reason, clock.nowMs())) === undefined) {
        throw new Error('a locked payment has changed');
      }
      return true;
    });
    if (!isBegun) return 'reversed';
    return (await reversals.attempt(ref)) ? 'reversed' : 'pending';
  };
}

/**
 * POST /api/v1/terminal/transactions/recovery/reverse (specification; decisions: recovery/reverse). A payment that the host has never seen is kept
 * as one that was never authorized: its id is taken, so that a late authorize is refused.
 */
export function createReverse(deps: HostDeps, reversePayment: ReversePayment): Pick<Host, 'reverse'> {
  const { store, clock, ids, businessDateOf } = deps;

  const tombstone = async (caller: DeviceCaller, name: string): Promise<boolean> => {
    const atMs = clock.nowMs();
    const stone = tombstoneOf(caller, name, ids.next(), atMs);
    const payment = { ...stone.payment, businessDate: businessDateOf(caller.businessDay, atMs) };
    const result = await store.transact((unit) => unit.insertPayment({ ...stone, payment }, 'TOMBSTONED', [], atMs));
    return result.kind === 'INSERTED';
  };

  const answer = async (
    caller: DeviceCaller,
    request: ReverseRequest,
    status: ReverseResponse['status'],
  ): Promise<ReverseResponse> => {
    const { originalTransactionId } = request;
    const found = await findOwnPayment(store, caller, originalTransactionId);
    if (found === undefined) throw new Error('a payment is gone');
    return {
      payment: found.payment,
      originalTransactionId,
      reversalId: found.payment.id,
      status,
      message: messages[status],
    };
  };

  return {
    async reverse(caller, _call, request) {
      const { originalTransactionId: name } = request;
      assertNoPanInId('originalTransactionId', name);
      const found = await findOwnPayment(store, caller, name);
      if (found === undefined && (await tombstone(caller, name))) return await answer(caller, request, 'reversed');
      // Somebody has begun it in between.
      const record = found ?? (await findOwnPayment(store, caller, name));
      if (record === undefined) throw new BridgeError('NOT_FOUND', 'no payment of this terminal has that id');
      return await answer(caller, request, await reversePayment(record, 'TERMINAL_FAILED'));
    },
  };
}

const messages: Readonly<Record<ReverseResponse['status'], string>> = {
  pending: 'Stored, and repeated until the acquirer confirms it.',
  reversed: 'Nothing of it stands.',
};

function tombstoneOf(caller: DeviceCaller, name: string, drawn: string, atMs: number): NewPayment {
  const { merchantId, terminalId, currency } = caller;
  const payment: Payment = {
    id: paymentIdFor(name, () => drawn),
    merchantId,
    acceptanceChannel: 'CARD_PRESENT',
    status: 'CANCELED',
    type: 'SALE',
    captureMethod: 'AUTOMATIC',
    capturedAmountMinor: null,
    authExpiresAt: null,
    amountMinor: 0,
    baseAmountMinor: 0,
    tipAmountMinor: 0,
    cashbackAmountMinor: 0,
    currencyCode: currency,
    cardPresent: { terminalId },
    settlementId: null,
    createdAt: isoOf(atMs),
    updatedAt: isoOf(atMs),
  };
  return { payment, terminalId, transactionId: name };
}
