import { BridgeError } from '../../contract/errors.ts';
import type { TerminalPaymentSession } from '../../contract/host/payment-session.ts';
import type { TransactionEvent } from '../../contract/session.ts';
import type { TransactionResponse } from '../../contract/transactions.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HostClient } from '../../ports/host-client.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Log } from '../../ports/log.ts';
import type { SessionOrder, SessionStore, SessionTill } from '../../ports/payment-sessions.ts';
import type { IdentityOf } from '../host-identity.ts';
import { CALL_TIMEOUT_MS, CLAIM_TRIES, LOOK_AGAIN_MS, SESSION_RESUME_MS, SESSION_START_MS } from '../sync-limits.ts';
import { createSessionBook } from './session-book.ts';
import { createSessionReports } from './session-reports.ts';
import { endOf, failed, type SessionEnd, stepOf } from './session-steps.ts';

export interface RemoteSessionsDeps {
  readonly till: SessionTill;
  readonly store: SessionStore;
  readonly host: Pick<HostClient, 'claimSession' | 'sessionEvent'>;
  readonly identityOf: IdentityOf;
  /** Reads the terminal's configuration again: the tips that it offers are those in force. Never rejects. */
  readConfiguration(signal: AbortSignal): Promise<void>;
  /** The till's terminal that the host knows. */
  readonly terminalId: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Payments that the merchant's server has asked for at the host (specification: Remote terminal payment sessions). */
export interface RemoteSessions {
  /** Takes up what an earlier run has left. */
  start(): void;
  /** A session may wait: it is claimed as soon as the terminal is free. */
  wake(): void;
  stop(): void;
}

/** An order that cannot be begun twice is in one of two hands: the host's until it is claimed, this till's afterwards. */
export function createRemoteSessions(deps: RemoteSessionsDeps): RemoteSessions {
  const { till, host, terminalId, clock, ids, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const book = createSessionBook(deps.store, clock);
  const reports = createSessionReports({ book, host, clock, ids, log, signal });
  let isWanted = false;
  let isLooking = false;
  let cancelLook = (): void => undefined;
  let unsubscribe = (): void => undefined;

  function wake(): void {
    isWanted = true;
    void look();
  }

  /** One session at a time: the next is claimed when the one before has ended. */
  async function look(): Promise<void> {
    cancelLook();
    if (!isWanted || isLooking || signal.aborted) return;
    const isTaken = book.open().some(({ state }) => state !== 'ENDED');
    if (isTaken) return;
    if (!till.isFree(terminalId)) return lookLater();
    isLooking = true;
    try {
      const order = await claim();
      if (order !== undefined) await begin(order);
    } catch (error) {
      log.warn('A payment session could not be claimed.', { terminalId, reason: reasonOf(error) });
    } finally {
      isLooking = false;
    }
    if (isWanted) lookLater();
  }

  function lookLater(): void {
    cancelLook();
    if (!signal.aborted) cancelLook = clock.after(LOOK_AGAIN_MS, () => void look());
  }

  /** @returns undefined when none waits, or the host does not say: its next wake-up tells */
  async function claim(): Promise<SessionOrder | undefined> {
    isWanted = false;
    const { deviceId, terminalId: hostTerminalId } = await deps.identityOf(signal);
    const idempotencyKey = ids.next();
    for (let tries = 0; tries < CLAIM_TRIES && !signal.aborted; tries++) {
      const call = { idempotencyKey, timeoutMs: CALL_TIMEOUT_MS, signal };
      const reply = await host.claimSession({ deviceId, terminalId: hostTerminalId }, call);
      if (reply.kind === 'ANSWERED') {
        const { session } = reply.body;
        return session === undefined ? undefined : orderOf(session, terminalId);
      }
      // The claim may stand: the same key gives it again.
      if (reply.kind !== 'LOST') return undefined;
    }
    return undefined;
  }

  /** The payment begins only once the host has said that it is in progress: a claim that has run out moves no money. */
  async function begin(order: SessionOrder): Promise<void> {
    const { sessionId } = order;
    book.claim(order);
    book.report(sessionId, 'DISPLAYED');
    log.info('A payment session was claimed.', { terminalId, requestId: sessionId });
    const untilMs = clock.monotonicMs() + SESSION_START_MS;
    const isRead = deps.readConfiguration(signal);
    reports.deliver(sessionId);
    while (reports.statusOf(sessionId) === 'CLAIMED' || reports.statusOf(sessionId) === undefined) {
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs <= 0 || book.find(sessionId) === undefined || signal.aborted) break;
      await reports.nextStatus(sessionId, leftMs);
    }
    await isRead;
    if (signal.aborted) return;
    if (reports.statusOf(sessionId) === 'IN_PROGRESS') return void perform(order);
    end(sessionId, failed('NOT_STARTED_IN_TIME'));
  }

  async function perform(order: SessionOrder): Promise<void> {
    const { sessionId } = order;
    try {
      book.started(sessionId);
      conclude(sessionId, await till.run(order));
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error)) return end(sessionId, failed(error.code));
      // It may have begun: the engine knows, and is asked again under the same key.
      log.warn('A payment session waits for its payment.', {
        terminalId,
        requestId: sessionId,
        reason: reasonOf(error),
      });
      clock.after(SESSION_RESUME_MS, () => resume(order));
    }
  }

  /** Whatever became of it before: what was begun is found, and nothing is begun anew. */
  function resume(order: SessionOrder): void {
    const { sessionId } = order;
    if (signal.aborted || book.find(sessionId)?.state !== 'STARTED') return;
    if (till.isBegun(order)) void perform(order);
    else end(sessionId, failed('NOT_STARTED'));
  }

  /** The first answer may say that nothing is known; what the engine has found out since says more. */
  function conclude(sessionId: string, response: TransactionResponse): void {
    const session = book.find(sessionId);
    if (session === undefined || session.state === 'ENDED') return;
    const { transactionId } = response;
    book.madeAs(sessionId, transactionId);
    const how = endOf(response) ?? endOf(till.find(terminalId, transactionId));
    if (how === undefined) return;
    book.report(sessionId, 'AUTHORIZATION_RESULT');
    end(sessionId, how);
  }

  function end(sessionId: string, how: SessionEnd): void {
    const session = book.find(sessionId);
    if (session === undefined) return;
    book.end(sessionId, how);
    const state = how.status ?? how.eventType;
    log.info('A payment session has ended.', { terminalId, requestId: sessionId, state });
    reports.deliver(sessionId);
    wake();
  }

  function follow(event: TransactionEvent): void {
    if (event.event === 'result' || event.event === 'outcome_resolved') {
      const { response } = event;
      const own = book.open().find(({ transactionId }) => transactionId === response.transactionId);
      if (own !== undefined) conclude(own.order.sessionId, response);
      return;
    }
    const sessionId = event.requestId ?? '';
    if (book.find(sessionId)?.state !== 'STARTED') return;
    if ('transactionId' in event && event.transactionId !== undefined) book.madeAs(sessionId, event.transactionId);
    const step = stepOf(event);
    if (step === undefined) return;
    book.report(sessionId, step);
    reports.deliver(sessionId);
  }

  return {
    start() {
      unsubscribe = till.subscribe(follow);
      for (const { order, state } of book.open()) {
        if (state === 'CLAIMED') end(order.sessionId, failed('TILL_RESTARTED'));
        else if (state === 'STARTED') resume(order);
        reports.deliver(order.sessionId);
      }
    },
    wake,
    stop() {
      unsubscribe();
      cancelLook();
      stopping.abort();
    },
  };
}

function orderOf(session: TerminalPaymentSession, terminalId: string): SessionOrder {
  const { originalTransactionId } = session;
  return {
    sessionId: session.id,
    claimToken: session.claimToken,
    authorizationKey: session.idempotencyKey,
    terminalId,
    operation: session.operation,
    amountMinor: session.amountMinor,
    currency: session.currencyCode,
    ...(originalTransactionId === undefined ? {} : { originalTransactionId }),
  };
}

/** A refusal before anything was begun; not what is in progress, nor a disk that could not say. */
function isRefusal(error: unknown): error is BridgeError {
  if (!(error instanceof BridgeError)) return false;
  return error.code !== 'IDEMPOTENCY_IN_PROGRESS' && error.code !== 'JOURNAL_UNAVAILABLE';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
