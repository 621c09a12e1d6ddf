import { BridgeError } from '../../app/contract/errors.ts';
import type { PaymentTrigger } from '../../app/domain/payment.machine.ts';
import type { MoneyEvent } from '../../app/domain/posting.ts';
import type { NewPayment, PaymentRecord } from '../ports/host-records.ts';
import type { HostUnit } from '../ports/host-store.ts';

/**
 * Stores a payment that was made without an authorization of ours.
 * @returns the payment as it is stored; undefined when its name is that of another
 * @throws BridgeError ILLEGAL_STATE when its session has had its one attempt
 */
export async function addTold(
  unit: HostUnit,
  added: NewPayment,
  trigger: PaymentTrigger,
  events: readonly MoneyEvent[],
  atMs: number,
): Promise<PaymentRecord | undefined> {
  const result = await unit.insertPayment(added, trigger, events, atMs);
  switch (result.kind) {
    case 'INSERTED': {
      const { merchantId, id: paymentId } = added.payment;
      const stored = await unit.findPayment({ merchantId, paymentId });
      if (stored === undefined) throw new Error('a payment that was stored is not there');
      return stored;
    }
    case 'NAME_TAKEN':
      return undefined;
    case 'SESSION_TAKEN':
      throw new BridgeError('ILLEGAL_STATE', 'the payment session has had its one payment, or was never claimed');
    case 'CEILING':
      throw new Error('what has been made without us reserves nothing');
  }
}

/** @param paymentId where it may be told to the caller */
export function nameTaken(paymentId?: string): BridgeError {
  return new BridgeError('ILLEGAL_STATE', 'transactionId is that of another payment', {
    field: 'transactionId',
    ...(paymentId === undefined ? {} : { details: { transactionId: paymentId } }),
  });
}
