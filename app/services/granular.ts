import { BridgeError } from '../contract/errors.ts';
import { COMPLETION_TIMEOUT_SECONDS } from '../contract/limits.ts';
import type { CompleteRequest } from '../contract/transactions.ts';
import { requestHash } from '../domain/idempotency.ts';
import { isOpen } from '../domain/transaction.machine.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { TerminalOutcome } from '../ports/terminal.ts';
import { keptCard, next } from './apply-outcome.ts';
import { createDeadline, within } from './deadline.ts';
import { endTransaction, withRequestId } from './end-transaction.ts';
import { type Engine, nowIso, requireRunning, seenBy } from './engine.ts';
import { applyCompletion, lostCompletion } from './granular-outcome.ts';
import type { Reservation } from './idempotency-gate.ts';
import { releaseLane } from './lane.ts';
import { responseOf } from './response.ts';
import { committed, type Flight } from './run-exchange.ts';
import type { Answer, CallContext } from './till.ts';

/** Scope of the note that keeps what a completion said, so that the identical body gets the same result, after a restart too. */
const COMPLETION_SCOPE = 'completion';
/** What the card is told when no issuer answer came: unable to go online, declined (EMV book 4, authorisation response code Z3). */
const UNABLE_TO_GO_ONLINE = 'Z3';

/** Granular payments between /initiate and /complete (decisions: /v1/transaction/complete, chipData, Granular payments). */
export interface Granular {
  /** Commits PENDING_ONLINE and keeps the terminal and the chip data until the POS completes, 60 s at most. */
  hold(flight: Flight, outcome: TerminalOutcome & { kind: 'PENDING_ONLINE' }): Promise<Answer>;
  holds(transactionId: string): boolean;
  /** The answer of /initiate again, with its chip data, while it waits. */
  liveAnswer(transactionId: string): Answer | undefined;
  complete(context: CallContext, request: CompleteRequest): Promise<Answer>;
  /** Gives the cards up; the rows are ended by the next start. */
  stop(): void;
}

interface Held {
  readonly flight: Flight;
  cancelTimer: () => void;
  completing?: { readonly bodyHash: string; readonly answer: Promise<Answer> };
}

export interface GranularDeps {
  /** The engine is made of parts that need each other; it is there before the first call. */
  readonly engine: () => Engine;
}

export function createGranular({ engine: getEngine }: GranularDeps): Granular {
  const held = new Map<string, Held>();

  async function hold(flight: Flight, outcome: TerminalOutcome & { kind: 'PENDING_ONLINE' }): Promise<Answer> {
    const { engine, lane, work, exchange } = flight;
    const before = committed(work);
    if (!isOpen(before.state)) {
      // The call's deadline has ended it: the card is told, and nobody waits for an issuer.
      await tellCardNoAnswer(flight);
      exchange.discard();
      throw new BridgeError('TERMINAL_NOT_READY', 'the card came too late');
    }
    const record: TransactionRecord = {
      ...next(before, nowIso(engine)),
      state: 'PENDING_ONLINE',
      card: keptCard(outcome.card),
    };
    try {
      engine.events.commit(lane.terminalId, (unit, announce) => {
        unit.saveTransaction(record);
        const event = { event: 'online_authorization', transactionId: work.id, chipData: outcome.chipData } as const;
        announce(withRequestId(event, work.eventRequestId));
      });
    } catch (error) {
      await tellCardNoAnswer(flight);
      exchange.discard();
      throw error;
    }
    work.record = record;
    work.chipData = outcome.chipData;
    const cancelTimer = engine.deps.clock.after(COMPLETION_TIMEOUT_SECONDS * 1_000, () => void expire(work.id));
    held.set(work.id, { flight, cancelTimer });
    const answer = liveAnswer(work.id);
    if (answer === undefined) throw new Error('a held payment has its answer');
    return { ...answer, replayed: false };
  }

  function liveAnswer(transactionId: string): Answer | undefined {
    const entry = held.get(transactionId);
    if (entry === undefined) return undefined;
    const { engine, work } = entry.flight;
    const body = JSON.stringify(responseOf(committed(work), engine.deps.settings, work.chipData));
    return { statusCode: 200, body, transactionId, replayed: true };
  }

  async function complete(context: CallContext, request: CompleteRequest): Promise<Answer> {
    const engine = getEngine();
    requireRunning(engine);
    const record = seenBy(context, engine.deps.journal.findTransaction(request.transactionId));
    if (record === undefined)
      throw new BridgeError('NOT_FOUND', 'there is no transaction with this transactionId', { field: 'transactionId' });
    const deadline = createDeadline(engine.deps.clock, context.timeoutSeconds);
    const { terminalId, transactionId: subjectId } = record;
    try {
      return await engine.gate.once(
        { context, terminalId, body: request, deadline, subjectId },
        async (reservation) => {
          const answer = await within(
            engine.deps.clock,
            deadline.remainingMs(),
            completeOnce(engine, request, reservation),
          );
          if (answer !== undefined) return answer;
          throw new BridgeError(
            'IDEMPOTENCY_IN_PROGRESS',
            'the card has not answered yet; send the same completion again',
            {
              details: { transactionId: subjectId, retryAfterSeconds: 1 },
            },
          );
        },
      );
    } finally {
      deadline.cancel();
    }
  }

  async function completeOnce(
    engine: Engine,
    request: CompleteRequest,
    reservation: Reservation | undefined,
  ): Promise<Answer> {
    const { transactionId } = request;
    const bodyHash = requestHash(COMPLETION_SCOPE, request, engine.deps.hmac);
    const entry = held.get(transactionId);
    if (entry === undefined) return earlierResult(engine, transactionId, bodyHash);
    if (entry.completing !== undefined) {
      if (entry.completing.bodyHash !== bodyHash) throw notPending(transactionId);
      return { ...(await entry.completing.answer), replayed: true };
    }
    const createdAt = nowIso(engine);
    engine.deps.journal.commit((unit) => {
      unit.reserveIdempotency({
        scope: COMPLETION_SCOPE,
        key: transactionId,
        bodyHash,
        subjectId: transactionId,
        createdAt,
      });
      if (reservation !== undefined) unit.reserveIdempotency({ ...reservation, subjectId: transactionId, createdAt });
    });
    entry.cancelTimer();
    const answer = finish(entry, request);
    entry.completing = { bodyHash, answer };
    return answer;
  }

  function earlierResult(engine: Engine, transactionId: string, bodyHash: string): Answer {
    const earlier = engine.deps.journal.findIdempotency(COMPLETION_SCOPE, transactionId);
    if (earlier?.answer === undefined || earlier.bodyHash !== bodyHash) throw notPending(transactionId);
    return { ...earlier.answer, transactionId, replayed: true };
  }

  /** Gives the issuer's answer to the card and ends the payment. */
  async function finish(entry: Held, request: CompleteRequest): Promise<Answer> {
    const { exchange } = entry.flight;
    let outcome: TerminalOutcome = { kind: 'UNKNOWN', message: 'The reader cannot complete the card.', evidence: [] };
    try {
      outcome = (await exchange.complete?.(request)) ?? outcome;
    } catch (error) {
      outcome = { kind: 'UNKNOWN', message: `The card step was lost (${String(error)}).`, evidence: [] };
    }
    return end(entry, (record, at) => applyCompletion(record, request, outcome, at));
  }

  /** No completion within 60 s. */
  async function expire(transactionId: string): Promise<void> {
    const entry = held.get(transactionId);
    if (entry === undefined || entry.completing !== undefined) return;
    const answer = tellCardNoAnswer(entry.flight).then(() =>
      end(entry, (record, at) => lostCompletion(record, 'No issuer answer came within 60 s.', at)),
    );
    // A completion that comes from now on is too late.
    entry.completing = { bodyHash: '', answer };
    await answer.catch((error: unknown) =>
      entry.flight.engine.deps.log.error('A payment that was not completed could not be ended.', {
        transactionId,
        reason: String(error),
      }),
    );
  }

  async function tellCardNoAnswer({ exchange, work }: Flight): Promise<void> {
    try {
      await exchange.complete?.({ transactionId: work.id, responseCode: UNABLE_TO_GO_ONLINE });
    } catch {
      // The card is gone: there is nothing more to tell it.
    }
  }

  function end(entry: Held, apply: (record: TransactionRecord, at: string) => TransactionRecord): Answer {
    const { engine, lane, work } = entry.flight;
    try {
      const before = committed(work);
      const record = apply(before, nowIso(engine));
      const circumstances = { by: 'system', evidence: [], eventRequestId: work.eventRequestId };
      return endTransaction(engine, before, { record }, circumstances);
    } finally {
      held.delete(work.id);
      delete work.chipData;
      engine.events.forgetChipData(lane.terminalId, work.id);
      releaseLane(lane, work);
      engine.recoverSoon(lane);
    }
  }

  return {
    hold,
    holds: (transactionId) => held.has(transactionId),
    liveAnswer,
    complete,
    stop() {
      for (const { flight, cancelTimer } of held.values()) {
        cancelTimer();
        flight.exchange.discard();
        releaseLane(flight.lane, flight.work);
      }
      held.clear();
    },
  };
}

function notPending(transactionId: string): BridgeError {
  return new BridgeError('NOT_PENDING_ONLINE', 'the transaction does not wait for an issuer answer', {
    details: { transactionId },
  });
}
