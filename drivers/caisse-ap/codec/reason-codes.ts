/** What a payment that was not done came to. */
type ReasonKind = 'DECLINED' | 'ABANDONED' | 'TIMED_OUT' | 'NOT_UNDERSTOOD' | 'FAILED';

export interface ReasonMeaning {
  readonly kind: ReasonKind;
  /** For the person at the till. */
  readonly meaning: string;
}

/** AF, beside AE 01. */
const reasons: ReadonlyMap<string, ReasonMeaning> = new Map<string, ReasonMeaning>([
  ['04', { kind: 'DECLINED', meaning: 'the payment was refused' }],
  ['05', { kind: 'DECLINED', meaning: 'the payment is forbidden' }],
  ['08', { kind: 'TIMED_OUT', meaning: 'the time for the payment was over' }],
  ['09', { kind: 'NOT_UNDERSTOOD', meaning: 'the request lacked a field that this terminal wants' }],
  ['11', { kind: 'ABANDONED', meaning: 'the payment was abandoned at the terminal' }],
]);

/** Codes that are not listed, and none at all, are failures without a reason: nothing was charged, AE 01 says so. */
export function reasonMeaning(code: string | undefined): ReasonMeaning {
  const listed = reasons.get(code ?? '');
  if (listed !== undefined) return listed;
  const named = code === undefined || code === '' ? 'without a reason' : `for a reason that is not listed (AF ${code})`;
  return { kind: 'FAILED', meaning: `the payment failed ${named}` };
}
