import { looksLikeCardNumber } from '../contract/card-number.ts';
import { BridgeError } from '../contract/errors.ts';
import { requestHash, scopeText } from '../domain/idempotency.ts';
import type { IdempotencyEntry } from '../domain/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import { type Deadline, within } from './deadline.ts';
import { IDEMPOTENCY_RETRY_AFTER_SECONDS } from './engine-limits.ts';
import type { Answer, CallContext } from './till.ts';

/** What the commit of an intent reserves, so that the key and the intent are on disk together or not at all. */
export type Reservation = Pick<IdempotencyEntry, 'scope' | 'key' | 'bodyHash'>;

interface KeyedCall {
  readonly context: CallContext;
  readonly terminalId: string;
  readonly body: unknown;
  readonly deadline: Deadline;
  /** The id that the first call gives to what it starts. */
  readonly subjectId: string;
  /** The transaction that the caller is told of, where the subject is something done to it. */
  readonly transactionId?: string;
  /** The answer of a subject that has ended meanwhile, where no commit of its end has stored it. */
  readonly laterAnswer?: (subjectId: string) => Answer | undefined;
}

/** One effect per Idempotency-Key (decisions: Idempotency-Key). */
export interface IdempotencyGate {
  /**
   * Runs `first` unless the key was used: then the first answer again, waited for as long as this call's deadline allows.
   * @throws BridgeError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, and what `first` throws (refusals are not kept)
   */
  once(call: KeyedCall, first: (reservation: Reservation | undefined) => Promise<Answer>): Promise<Answer>;
  /** Wakes those who wait for the answer of a subject that was just committed. */
  answered(subjectId: string): void;
}

interface FirstCall {
  readonly bodyHash: string;
  readonly subjectId: string;
  readonly answer: Promise<Answer>;
}

export interface IdempotencyGateDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly hmac: (text: string) => string;
  /** The answer of a subject that is given from memory only: PENDING_ONLINE with its chip data. */
  readonly liveAnswer: (subjectId: string) => Answer | undefined;
}

export function createIdempotencyGate({ journal, clock, hmac, liveAnswer }: IdempotencyGateDeps): IdempotencyGate {
  // Bounded by the callers: each entry is one call that is running.
  const firstCalls = new Map<string, FirstCall>();
  const waiting = new Map<string, Set<() => void>>();

  async function once(
    call: KeyedCall,
    first: (reservation: Reservation | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const given = call.context.idempotencyKey;
    if (given === undefined) return first(undefined);
    // A caller may choose any key; one that could be a card number is kept as its keyed hash only.
    const key = looksLikeCardNumber(given) ? hmac(given) : given;
    const { clientId, route } = call.context;
    const scope = scopeText({ clientId, terminalId: call.terminalId, route });
    const bodyHash = requestHash(scope, call.body, hmac);
    const slot = `${scope}\n${key}`;
    const running = firstCalls.get(slot);
    if (running !== undefined) return joinFirst(running, bodyHash, call);
    const entry = journal.findIdempotency(scope, key);
    if (entry !== undefined) return replay(entry, bodyHash, call);
    const answer = first({ scope, key, bodyHash }).finally(() => firstCalls.delete(slot));
    firstCalls.set(slot, { bodyHash, subjectId: call.subjectId, answer });
    return answer;
  }

  async function joinFirst(running: FirstCall, bodyHash: string, call: KeyedCall): Promise<Answer> {
    requireSameBody(running.bodyHash, bodyHash);
    const answer = await within(clock, call.deadline.remainingMs(), running.answer);
    if (answer === undefined) throw stillInProgress(call.transactionId ?? running.subjectId);
    return { ...answer, replayed: true };
  }

  async function replay(entry: IdempotencyEntry, bodyHash: string, call: KeyedCall): Promise<Answer> {
    requireSameBody(entry.bodyHash, bodyHash);
    const { scope, key, subjectId } = entry;
    const { transactionId = subjectId } = call;
    const known = (of: IdempotencyEntry) => storedAnswer(of) ?? liveAnswer(subjectId) ?? call.laterAnswer?.(subjectId);
    const answer = known(entry);
    if (answer !== undefined) return { ...answer, transactionId, replayed: true };
    // Left open by a crash: the terminal is being asked, and its answer comes here too.
    await untilAnswered(subjectId, call.deadline.remainingMs());
    const again = journal.findIdempotency(scope, key);
    const late = again === undefined ? undefined : known(again);
    if (late === undefined) throw stillInProgress(transactionId);
    return { ...late, transactionId, replayed: true };
  }

  async function untilAnswered(subjectId: string, waitMs: number): Promise<void> {
    let wake: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const others = waiting.get(subjectId) ?? new Set();
    waiting.set(subjectId, others.add(wake));
    await within(clock, waitMs, answered);
    others.delete(wake);
    if (others.size === 0) waiting.delete(subjectId);
  }

  return {
    once,
    answered(subjectId) {
      for (const wake of waiting.get(subjectId) ?? []) wake();
    },
  };
}

function storedAnswer(entry: IdempotencyEntry): Answer | undefined {
  return entry.answer === undefined ? undefined : { ...entry.answer, transactionId: entry.subjectId, replayed: true };
}

function requireSameBody(first: string, now: string): void {
  if (first === now) return;
  throw new BridgeError('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was used for another request');
}

function stillInProgress(transactionId: string): BridgeError {
  return new BridgeError('IDEMPOTENCY_IN_PROGRESS', 'the first call with this Idempotency-Key is still running', {
    details: { transactionId, retryAfterSeconds: IDEMPOTENCY_RETRY_AFTER_SECONDS },
  });
}
