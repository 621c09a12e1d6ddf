import type { TerminalCalls } from '../ports/terminal-calls.ts';
import { createAdmission } from './admission.ts';
import { createCancelSession } from './cancel-session.ts';
import { createClaimSession } from './claim-session.ts';
import { createCloseDay } from './close-day.ts';
import { createCloudCalls } from './cloud-calls.ts';
import { createCreateSession } from './create-session.ts';
import { createDeviceConfig } from './device-config.ts';
import { endUnpaidSession } from './end-session.ts';
import type { Host } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { MAINTENANCE_EVERY_MS, orphanedAfterMs, TICK_MS } from './host-limits.ts';
import { createIdempotencyGate } from './idempotency-gate.ts';
import { lapseHolds } from './lapse-holds.ts';
import { createLookUpPayments } from './look-up-payments.ts';
import { createLookUpSession } from './look-up-session.ts';
import { createOfflineComplete } from './offline-complete.ts';
import { createPair } from './pair.ts';
import { createPaymentServices } from './payment-services.ts';
import { createPosClients } from './pos-clients.ts';
import { createPosTerminals } from './pos-terminal.ts';
import { createPosTickets } from './pos-tickets.ts';
import { createRecord } from './record.ts';
import { createScheduler, type Job } from './scheduler.ts';
import { createSessionEvent } from './session-event.ts';
import { moveOverdueSessions } from './session-time.ts';
import { createSettlements } from './settlements.ts';
import { settlePending } from './tell-acquirer.ts';
import { createPutTipConfig } from './tip-config.ts';
import { createTotals } from './totals.ts';

/** Every operation of the host, and what comes by time. */
export interface HostServices {
  readonly host: Host;
  /** Begins to listen for late answers and to run what is due. */
  start(): void;
  /** Ends what runs by time; calls that run go on. */
  stop(): Promise<void>;
}

/** @param isAlone true where no other process shares the database: what is open at the start was left behind. */
export function createHostServices(
  deps: HostDeps & { readonly calls: TerminalCalls },
  { isAlone }: { readonly isAlone: boolean },
): HostServices {
  const gate = createIdempotencyGate(deps);
  const { reversals, recovery, lateAnswers, ...payments } = createPaymentServices(deps, {
    gate,
    endSession: endUnpaidSession,
  });
  const host: Host = {
    ...createAdmission(deps),
    ...createPair(deps),
    ...payments,
    ...createOfflineComplete(deps, gate),
    ...createRecord(deps, gate),
    ...createDeviceConfig(deps),
    ...createPosClients(deps),
    ...createCreateSession(deps, gate),
    ...createLookUpSession(deps),
    ...createCancelSession(deps),
    ...createClaimSession(deps, gate),
    ...createSessionEvent(deps),
    ...createLookUpPayments(deps),
    ...createPutTipConfig(deps),
    ...createCloseDay(deps, gate),
    ...createTotals(deps),
    ...createSettlements(deps),
    ...createCloudCalls(deps),
    ...createPosTerminals(deps),
    ...createPosTickets(deps, createAdmission(deps)),
  };
  const startedAtMs = deps.clock.nowMs();
  const orphanedBefore = (nowMs: number) => Math.max(isAlone ? startedAtMs : 0, nowMs - orphanedAfterMs(deps));
  // What was being told when the last process ended has nobody who waits for its answer.
  let closesLeftMs = isAlone ? orphanedAfterMs(deps) : 0;
  const settle = async (nowMs: number) => {
    const count = await settlePending(deps, nowMs + closesLeftMs);
    closesLeftMs = 0;
    return count;
  };
  const jobs: readonly Job[] = [
    { name: 'reversals', everyMs: TICK_MS, needsAcquirer: true, run: reversals.repeatDue },
    { name: 'left-open', everyMs: TICK_MS, run: (nowMs, limit) => recovery.takeOver(orphanedBefore(nowMs), limit) },
    { name: 'recovery', everyMs: TICK_MS, needsAcquirer: true, run: recovery.recoverDue },
    { name: 'sessions', everyMs: TICK_MS, run: (nowMs) => moveOverdueSessions(deps, nowMs) },
    { name: 'holds', everyMs: TICK_MS, run: (nowMs, limit) => lapseHolds(deps, nowMs, limit) },
    { name: 'settlements', everyMs: TICK_MS, needsAcquirer: true, run: settle },
    { name: 'maintenance', everyMs: MAINTENANCE_EVERY_MS, run: (nowMs) => deps.store.maintain(nowMs).then(() => 0) },
  ];
  const scheduler = createScheduler(deps, jobs, { isAlone });
  let endListening = () => {};
  return {
    host,
    start() {
      endListening = lateAnswers.listen();
      scheduler.start();
    },
    async stop() {
      endListening();
      await scheduler.stop();
    },
  };
}
