import { verdictOf } from '../../app/contract/issuer-answers.ts';
import type { LateAnswer } from '../ports/acquirer.ts';
import type { PaymentRef } from '../ports/host-store.ts';
import type { HostDeps } from './host-deps.ts';
import type { Recovery } from './recover.ts';
import type { Reversals } from './reversals.ts';

/** Messages whose answers are still looked out for, of this process. */
const MAX_AWAITED = 10_000;

/** Answers that come after their call has ended (decisions: recovery/reverse, a late approval ends REVERSED). */
export interface LateAnswers {
  /** A message that was sent for this payment. */
  note(reference: string, ref: PaymentRef): void;
  /** Begins to listen. @returns ends it */
  listen(): () => void;
}

export function createLateAnswerDesk(
  { store, acquirer, log }: HostDeps,
  { recovery, reversals }: { readonly recovery: Recovery; readonly reversals: Reversals },
): LateAnswers {
  const noted = new Map<string, PaymentRef>();

  const receive = async ({ reference, stan, terminalId, answer }: LateAnswer): Promise<void> => {
    const ref = reference === undefined ? undefined : noted.get(reference);
    log.warn('the acquirer has answered late', { terminalId, sequence: stan, code: answer.responseCode });
    if (ref === undefined) return;
    const record = await store.read.findPayment(ref);
    if (record === undefined) return;
    const { status, amountMinor } = record.payment;
    if (status === 'FAILED') await recovery.recover(ref);
    const isApproval = verdictOf(answer.responseCode, amountMinor) === 'APPROVED';
    const isOver = status === 'REVERSED' || status === 'DECLINED' || status === 'CANCELED';
    // Of a message that acts on a payment an approval is no news: the reversal named the payment as a whole.
    if (isApproval && isOver) await reversals.reopen(record);
  };

  return {
    note(reference, ref) {
      noted.set(reference, ref);
      if (noted.size <= MAX_AWAITED) return;
      const oldest = noted.keys().next();
      if (oldest.done !== true) noted.delete(oldest.value);
    },
    listen: () =>
      acquirer.onLateAnswer((late) => {
        receive(late).catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : 'unknown';
          log.error('a late answer could not be dealt with; recovery will ask', {
            terminalId: late.terminalId,
            reason,
          });
        });
      }),
  };
}
