import type { HostTransactionType } from '../contract/host/authorize.ts';
import type { CaptureMethod, PaymentStatus } from '../contract/host/payment.ts';
import { declineFor, reportedCode, verdictOf } from '../contract/issuer-answers.ts';
import type { Decline } from '../contract/transactions.ts';
import type { PaymentTrigger } from './payment.machine.ts';

/** What an acquirer was asked, as far as its answer must repeat it. */
interface AuthorizationFacts {
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly operation: HostTransactionType;
  readonly terminalId: string;
}

export interface AuthorizationSent extends AuthorizationFacts {
  /** MANUAL: an approval holds until a capture. A refund never waits. */
  readonly captureMethod: CaptureMethod;
  readonly entryMode?: string;
}

/** What an acquirer answered. What its protocol does not repeat is absent and not compared. */
export interface AcquirerAnswer {
  readonly responseCode: string;
  readonly echo: Partial<AuthorizationFacts>;
}

/** What an answer makes of a payment that is PROCESSING. */
export interface AuthorizationOutcome {
  readonly trigger: PaymentTrigger;
  readonly to: PaymentStatus;
  /** As it is reported: every approval reads 00. */
  readonly responseCode: string;
  readonly decline?: Decline;
  /** ASK: the acquirer is asked what became of it. REVERSE: it is taken back. Absent where the outcome is certain. */
  readonly recovery?: 'ASK' | 'REVERSE';
  /** Facts that the answer repeats otherwise than they were sent. */
  readonly mismatches: readonly (keyof AuthorizationFacts)[];
}

const facts = ['amountMinor', 'currencyCode', 'operation', 'terminalId'] as const;

/**
 * What an acquirer's answer makes of a payment (decisions: authorize additions, section 4). An answer that repeats something else than what was
 * asked is never a success, and no decline either: nobody knows what it answers. A partial approval is taken back, and declined then.
 */
export function authorizationOutcomeOf(sent: AuthorizationSent, answer: AcquirerAnswer): AuthorizationOutcome {
  const { responseCode: code, echo } = answer;
  const mismatches = facts.filter((fact) => echo[fact] !== undefined && echo[fact] !== sent[fact]);
  const verdict = verdictOf(code, sent.amountMinor);
  const told = { responseCode: reportedCode(code, sent.amountMinor), mismatches };
  const decline = declineFor(code, sent.entryMode === undefined ? {} : { entryMode: sent.entryMode });
  const unknown = { ...told, trigger: 'OUTCOME_LOST', to: 'FAILED' } as const;
  if (mismatches.length > 0) return { ...unknown, recovery: 'REVERSE' };
  switch (verdict) {
    case 'APPROVED':
      return sent.captureMethod === 'MANUAL' && sent.operation !== 'refund'
        ? { ...told, trigger: 'APPROVED_AND_HELD', to: 'REQUIRES_CAPTURE' }
        : { ...told, trigger: 'APPROVED', to: 'SUCCEEDED' };
    case 'DECLINED':
      return { ...told, trigger: 'DECLINED', to: 'DECLINED', decline };
    case 'PARTIAL':
      return { ...unknown, recovery: 'REVERSE', decline };
    case 'UNKNOWN':
      return { ...unknown, recovery: 'ASK', decline };
  }
}
