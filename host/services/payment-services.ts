import { createAuthorize } from './authorize.ts';
import { createFollowUp } from './follow-up.ts';
import type { Host } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { IdempotencyGate } from './idempotency-gate.ts';
import { createLateAnswerDesk, type LateAnswers } from './late-answers.ts';
import { createLookUp } from './look-up.ts';
import { createPaymentChanges } from './payment-changes.ts';
import { createRecovery, type Recovery } from './recover.ts';
import { createRecoverPayment } from './recover-payment.ts';
import { createRefund } from './refund.ts';
import { createReversals, type Reversals } from './reversals.ts';
import { createReverse, createReversePayment } from './reverse.ts';
import { createSendFounding } from './send-founding.ts';
import type { EndSession } from './write-outcome.ts';

/** What asks the acquirer: payments from their authorization to their end. */
export interface PaymentServices
  extends Pick<
    Host,
    'authorize' | 'capture' | 'voidPayment' | 'adjustTip' | 'refund' | 'reverse' | 'recover' | 'lookUp'
  > {
  readonly reversals: Reversals;
  readonly recovery: Recovery;
  readonly lateAnswers: LateAnswers;
}

export function createPaymentServices(
  deps: HostDeps,
  { gate, endSession }: { readonly gate: IdempotencyGate; readonly endSession: EndSession },
): PaymentServices {
  const reversals = createReversals(deps);
  const recovery = createRecovery(deps, { reversals, endSession });
  const lateAnswers = createLateAnswerDesk(deps, { recovery, reversals });
  const sendFounding = createSendFounding(deps, { gate, reversals, endSession, noteSent: lateAnswers.note });
  const reversePayment = createReversePayment(deps, reversals);
  return {
    reversals,
    recovery,
    lateAnswers,
    ...createAuthorize(deps, { gate, reversals, sendFounding }),
    ...createPaymentChanges(deps, createFollowUp(deps, { gate, endSession })),
    ...createRefund(deps, { gate, sendFounding }),
    ...createReverse(deps, reversePayment),
    ...createRecoverPayment(deps, { recovery, reversePayment }),
    ...createLookUp(deps),
  };
}
