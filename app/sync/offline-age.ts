import { OFFLINE_WARN_MS, oldestAgeMs, waitingSalesOf } from '../domain/offline-sales.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import { OFFLINE_LOOK_MS } from './sync-limits.ts';

/** Follows how long sales wait for their issuer: after twelve hours a person is warned (decisions section 7). */
export interface OfflineAge {
  start(): void;
  stop(): void;
}

export interface OfflineAgeDeps {
  readonly openItems: () => readonly OutboxItem[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Warns in the log once for each time that sales come to wait for so long, and again after a restart. */
export function createOfflineAge({ openItems, clock, log }: OfflineAgeDeps): OfflineAge {
  let isWarned = false;
  let cancelTimer: (() => void) | undefined;

  function look(): void {
    const waiting = waitingSalesOf(openItems());
    const isLate = oldestAgeMs(waiting, clock.nowMs()) >= OFFLINE_WARN_MS;
    if (isLate && !isWarned) {
      const reason = `${waiting.length} wait; the oldest for more than 12 hours. After 24 hours no new one is taken.`;
      log.warn('Sales that were taken offline wait for their issuer for long; get the till to its host.', { reason });
    }
    isWarned = isLate;
  }

  function round(): void {
    try {
      look();
    } catch (error) {
      log.error('The sales that wait for their issuer could not be read; tried again.', { reason: String(error) });
    }
    cancelTimer = clock.after(OFFLINE_LOOK_MS, round);
  }

  return { start: round, stop: () => cancelTimer?.() };
}
