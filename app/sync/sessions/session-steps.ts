// What the engine tells of a payment, in the words of a payment session (decisions: Session events).
import type { SessionDeviceEvent, SessionEventType } from '../../contract/host/payment-session.ts';
import type { TransactionEvent } from '../../contract/session.ts';
import type { TransactionResponse } from '../../contract/transactions.ts';

/** How a session ends, as its device reports it. */
export type SessionEnd = Pick<SessionDeviceEvent, 'eventType' | 'status' | 'failureCode'>;

const steps: Partial<Readonly<Record<TransactionEvent['event'], SessionEventType>>> = {
  card_detected: 'CARD_PRESENTED',
  pin_required: 'PIN_STARTED',
  processing: 'AUTHORIZATION_STARTED',
};

/** The step that an event of the engine is; undefined: none that a session knows. */
export function stepOf({ event }: TransactionEvent): SessionEventType | undefined {
  return steps[event];
}

/** How the session of a payment ended; undefined while that is not known. */
export function endOf({ status, outcome, errorCode, cancelledReason }: TransactionResponse): SessionEnd | undefined {
  switch (status) {
    case 'APPROVED':
      return { eventType: 'COMPLETED', status: 'SUCCEEDED' };
    case 'DECLINED':
      return { eventType: 'COMPLETED', status: 'DECLINED' };
    case 'CANCELLED':
      return { eventType: 'CANCELLED', failureCode: `${cancelledReason ?? 'OPERATOR'}_CANCELLED` };
    case 'ERROR':
      return outcome?.charged === 'NO' ? failed(errorCode ?? 'TERMINAL_ERROR') : undefined;
    default:
      return undefined;
  }
}

export function failed(failureCode: string): SessionEnd {
  return { eventType: 'FAILED', failureCode };
}
