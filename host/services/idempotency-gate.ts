import { looksLikeCardNumber } from '../../app/contract/card-number.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import { requestHash, scopeText } from '../../app/domain/idempotency.ts';
import type { IdempotencyRecord, IdempotencyRef, NewIdempotency } from '../ports/host-records.ts';
import type { HostUnit } from '../ports/host-store.ts';
import type { Caller, HostAnswer, HostCall } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import {
  FIRST_KEY_POLL_MS,
  IDEMPOTENCY_RETRY_AFTER_SECONDS,
  LONGEST_KEY_POLL_MS,
  orphanedAfterMs,
  REPEAT_WAIT_MS,
} from './host-limits.ts';
import { pause, within } from './within.ts';

/** A call that may carry an Idempotency-Key. */
export interface KeyedCall {
  readonly caller: Caller;
  readonly call: HostCall;
  /** What is compared, and never kept: the body without card data (decisions: Idempotency-Key). */
  readonly body: unknown;
  /** The terminal that a merchant's call is about; a device's own otherwise. */
  readonly terminalId?: string;
  /** The id of what the call is about or makes, where it is known before; drawn otherwise. */
  readonly subjectId?: string;
}

/** The work of a call whose effect is one commit. */
export interface AtomicWork {
  readonly unit: HostUnit;
  readonly subjectId: string;
  readonly atMs: number;
}

/** One effect per Idempotency-Key, whatever process of the host the calls come to (decisions: Idempotency). */
export interface IdempotencyGate {
  /**
   * For what is done in one transaction: key, effect and answer are committed together. `work` may be run again after a deadlock, and so sends nothing.
   * @returns what `work` returns as the JSON body of a 200, or the first answer
   */
  atomically(keyed: KeyedCall, work: (part: AtomicWork) => Promise<object>): Promise<HostAnswer>;
  /**
   * For what asks the acquirer in between: `first` commits the reservation with its intent, and the answer with the outcome.
   * @throws BridgeError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, and what `first` throws (refusals are not kept)
   */
  once(keyed: KeyedCall, first: (reservation: NewIdempotency) => Promise<HostAnswer>): Promise<HostAnswer>;
  /** The same, where one read tells of the key and of what `first` must know. */
  onceKnowing<Known extends { readonly isKeyTaken: boolean }>(
    keyed: KeyedCall,
    read: (reservation: NewIdempotency) => Promise<Known>,
    first: (reservation: NewIdempotency, known: Known) => Promise<HostAnswer>,
  ): Promise<HostAnswer>;
  /** A key that turned out to be taken while the intent was being stored: waits for its answer like a repeat. */
  repeat(found: IdempotencyRecord, reservation: NewIdempotency): Promise<HostAnswer>;
}

interface FirstCall {
  readonly requestHash: string;
  readonly subjectId: string;
  readonly answer: Promise<HostAnswer>;
}

export function createIdempotencyGate(deps: HostDeps): IdempotencyGate {
  const { store, clock, ids, hmac } = deps;
  // Bounded by the callers: each entry is one call that is running.
  const firstCalls = new Map<string, FirstCall>();

  const reservationOf = (keyed: KeyedCall, key: string): NewIdempotency => {
    const { caller, call, body, subjectId } = keyed;
    const { merchantId } = caller;
    const terminalId = keyed.terminalId ?? (caller.kind === 'DEVICE' ? caller.terminalId : '');
    const scope = scopeText({ clientId: merchantId, terminalId, route: call.route });
    const createdAtMs = clock.nowMs();
    return {
      merchantId,
      scope,
      key: keptKeyOf(key, hmac),
      requestHash: requestHash(scope, body, hmac),
      subjectId: subjectId ?? ids.next(),
      createdAtMs,
      leaseUntilMs: createdAtMs + orphanedAfterMs(deps),
    };
  };

  const oneAtATime = async (
    keyed: KeyedCall,
    firstOrRepeat: (reservation: NewIdempotency) => Promise<HostAnswer>,
  ): Promise<HostAnswer> => {
    const reservation = reservationOf(keyed, requiredKey(keyed.call));
    const slot = slotOf(reservation);
    const running = firstCalls.get(slot);
    if (running !== undefined) return await join(running, reservation);
    const answer = firstOrRepeat(reservation).finally(() => firstCalls.delete(slot));
    firstCalls.set(slot, { ...reservation, answer });
    return await answer;
  };

  const once: IdempotencyGate['once'] = (keyed, first) =>
    oneAtATime(keyed, async (reservation) => {
      const found = await store.read.findIdempotency(reservation);
      return await (found === undefined ? first(reservation) : repeat(found, reservation));
    });

  const onceKnowing: IdempotencyGate['onceKnowing'] = (keyed, read, first) =>
    oneAtATime(keyed, async (reservation) => {
      const known = await read(reservation);
      const found = known.isKeyTaken ? await store.read.findIdempotency(reservation) : undefined;
      return await (found === undefined ? first(reservation, known) : repeat(found, reservation));
    });

  const join = async (running: FirstCall, reservation: NewIdempotency): Promise<HostAnswer> => {
    requireSameRequest(running, reservation);
    const answer = await within(clock, REPEAT_WAIT_MS, running.answer);
    if (answer === undefined) throw stillInProgress(running.subjectId);
    return { ...answer, replayed: true };
  };

  const repeat: IdempotencyGate['repeat'] = async (found, reservation) => {
    requireSameRequest(found, reservation);
    const answer = found.answer ?? (await answerOf(found));
    if (answer === undefined) throw stillInProgress(found.subjectId);
    return { ...answer, replayed: true, subjectId: found.subjectId };
  };

  /** Another process is at work under the key, or has died and recovery will answer for it. */
  const answerOf = async (ref: IdempotencyRef) => {
    const endMs = clock.monotonicMs() + REPEAT_WAIT_MS;
    for (
      let waitMs = FIRST_KEY_POLL_MS;
      clock.monotonicMs() < endMs;
      waitMs = Math.min(2 * waitMs, LONGEST_KEY_POLL_MS)
    ) {
      await pause(clock, waitMs);
      const found = await store.read.findIdempotency(ref);
      // The first call was refused, and its key is free again.
      if (found === undefined) return undefined;
      if (found.answer !== undefined) return found.answer;
    }
    return undefined;
  };

  return {
    once,
    onceKnowing,
    repeat,
    async atomically(keyed, work) {
      const { idempotencyKey } = keyed.call;
      if (idempotencyKey === undefined) {
        const subjectId = keyed.subjectId ?? ids.next();
        const body = await store.transact((unit) => work({ unit, subjectId, atMs: clock.nowMs() }));
        return { statusCode: 200, body: JSON.stringify(body), replayed: false, subjectId };
      }
      const reservation = reservationOf(keyed, idempotencyKey);
      const { subjectId, createdAtMs: atMs } = reservation;
      const result = await store.transact(async (unit) => {
        const found = await unit.reserveIdempotency(reservation);
        if (found !== undefined) return { found };
        const answer = { statusCode: 200, body: JSON.stringify(await work({ unit, subjectId, atMs })) };
        await unit.saveAnswer(reservation, answer);
        return { answer };
      });
      if (result.found !== undefined) return await repeat(result.found, reservation);
      return { ...result.answer, replayed: false, subjectId };
    },
  };
}

/** A key as it is kept: a caller may choose any, and one that could be a card number is kept as its keyed hash only. */
export function keptKeyOf(key: string, hmac: (text: string) => string): string {
  return looksLikeCardNumber(key) ? hmac(key) : key;
}

function requiredKey({ idempotencyKey }: HostCall): string {
  if (idempotencyKey !== undefined) return idempotencyKey;
  throw new BridgeError('INVALID_REQUEST', 'idempotency-key is required', { field: 'idempotency-key' });
}

function slotOf({ merchantId, scope, key }: IdempotencyRef): string {
  return JSON.stringify([merchantId, scope, key]);
}

function requireSameRequest(first: { readonly requestHash: string }, now: NewIdempotency): void {
  if (first.requestHash === now.requestHash) return;
  throw new BridgeError('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was used for another request');
}

function stillInProgress(transactionId: string): BridgeError {
  return new BridgeError('IDEMPOTENCY_IN_PROGRESS', 'the first call with this Idempotency-Key is still running', {
    details: { transactionId, retryAfterSeconds: IDEMPOTENCY_RETRY_AFTER_SECONDS },
  });
}
