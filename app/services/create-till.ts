import { MAX_EVENT_PAGE_ITEMS } from '../contract/limits.ts';
import { createBusinessDay } from '../domain/business-day.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { DeferredSales } from '../ports/deferred.ts';
import { abortTransaction } from './abort.ts';
import { createAttachments, type OpenOnTerminal } from './attachments.ts';
import { createCapture } from './capture.ts';
import { canVoid } from './check-request.ts';
import { within } from './deadline.ts';
import { createDeferredSales } from './deferred.ts';
import { createDevice } from './device.ts';
import { type Engine, pickLane } from './engine.ts';
import { createEventLog } from './event-log.ts';
import { createGranular } from './granular.ts';
import { createIdempotencyGate } from './idempotency-gate.ts';
import { createLane, type Lane } from './lane.ts';
import { createLookUp } from './look-up.ts';
import { createReconcile } from './reconcile.ts';
import { createRecovery } from './recover.ts';
import { resolveByPerson } from './resolve.ts';
import { createTransactionRunner } from './run-transaction.ts';
import type { Till } from './till.ts';
import type { AttachedTerminal, TillDeps } from './till-deps.ts';

/** The engine with its life: nothing is accepted before `start` and after `stop`. */
export interface TillEngine extends Till {
  /**
   * Starts the terminals and begins to resolve what a crash left open; returns at once. Until a terminal's open rows are resolved, calls for it
   * answer 409 naming them. @throws BridgeError JOURNAL_UNAVAILABLE
   */
  start(): void;
  /**
   * Accepts nothing more, lets running exchanges end (at most `settings.stopGraceMs`) or leaves them to recovery, and stops the terminals. The
   * journal stays open: whoever opened it closes it.
   */
  stop(): Promise<void>;
  /** Adds a terminal while the till runs: it is started, and what is open on it from before is asked for. @throws BridgeError ILLEGAL_STATE for a known id */
  attach(attached: AttachedTerminal): void;
  /**
   * Takes a terminal away; its history stays. Resolves when its link is closed.
   * @throws BridgeError NOT_FOUND; ILLEGAL_STATE naming what is open on it, before anything is changed
   */
  detach(terminalId: string): Promise<void>;
  /** What keeps `detach` from taking it away. */
  openOn(terminalId: string): OpenOnTerminal | undefined;
  /** What runs on the terminals now; `ended` resolves when all of it has. */
  inFlight(): { readonly count: number; readonly ended: Promise<void> };
  readonly deferred: DeferredSales;
}

export function createTill(deps: TillDeps): TillEngine {
  const { clock, settings } = deps;
  const stopping = new AbortController();
  let isAccepting = false;
  const events = createEventLog(deps);
  const granular = createGranular({ engine: () => engine });
  const gate = createIdempotencyGate({ ...deps, liveAnswer: granular.liveAnswer });
  const lanes = new Map(deps.terminals.map((attached) => [attached.terminal.terminalId, createLane(attached)]));
  const engine: Engine = {
    deps,
    events,
    gate,
    lanes,
    businessDay: createBusinessDay({ timeZone: settings.timeZone, cutOff: settings.dayCutOff }),
    isAccepting: () => isAccepting,
    stopping: stopping.signal,
    recoverSoon: (lane) => recovery.soon(lane),
    recoverLater: (lane) => recovery.later(lane),
    nextAttemptAt: (terminalId) => recovery.nextAttemptAt(terminalId),
  };
  const recovery = createRecovery(engine);
  const runner = createTransactionRunner(engine, recovery, granular);
  const attachments = createAttachments(engine, lanes, recovery);
  const runningWork = () => [...lanes.values()].flatMap(({ work }) => (work === undefined ? [] : [work.ended]));

  return {
    ...runner,
    complete: granular.complete,
    abort: (context, transactionId) => abortTransaction(engine, context, transactionId),
    capture: createCapture(engine),
    resolve: (context, transactionId, request) => resolveByPerson(engine, context, transactionId, request),
    ...createLookUp(engine),
    ...createDevice(engine),
    reconcile: createReconcile(engine, recovery),
    terminals: () =>
      [...lanes.values()].map(({ terminalId, terminal, attached }) => ({
        terminalId,
        protocol: terminal.protocol,
        currency: attached.currency,
        capabilities: terminal.capabilities,
        canVoid: (record: TransactionRecord) => canVoid(terminal, record),
      })),
    eventsAfter: (context, sequence) =>
      events.after(pickLane(engine, context).terminalId, sequence, MAX_EVENT_PAGE_ITEMS + 1),
    subscribe: events.subscribe,

    start() {
      recovery.beginDetached();
      attachments.start();
      isAccepting = true;
    },

    deferred: createDeferredSales(() => engine),

    attach: attachments.attach,
    detach: attachments.detach,
    openOn: attachments.openOn,

    async stop() {
      isAccepting = false;
      const running = runningWork();
      granular.stop();
      await within(clock, settings.stopGraceMs, Promise.all(running));
      stopping.abort();
      recovery.stop();
      attachments.stop();
      await Promise.all([...lanes.values()].map(({ terminal }: Lane) => terminal.stop()));
      await within(clock, settings.stopGraceMs, Promise.all(running));
      events.stop();
    },

    inFlight() {
      const running = runningWork();
      return { count: running.length, ended: Promise.all(running).then(() => undefined) };
    },
  };
}
