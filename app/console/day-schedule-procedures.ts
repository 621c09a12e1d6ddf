import type { DaySettings, ScheduledCloseView } from '../contract/console/day.ts';
import { createBusinessDay } from '../domain/business-day.ts';
import { nextDueMs } from '../domain/close-schedule.ts';
import { dayCloseBlockers } from '../services/day-close-blockers.ts';
import { defined } from '../services/response.ts';
import type { Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';

type ScheduleHandlers = Pick<Handlers, 'day.schedule' | 'day.changeSettings'>;

/** How the day is closed: by itself at a time, and with a cash count or without. */
export function createDayScheduleHandlers(deps: ConsoleDeps): ScheduleHandlers {
  const { clock, settingsStore } = deps;

  function settingsView(): DaySettings {
    const { scheduledClose, blindCashCount } = settingsStore.current();
    return defined({ schedule: scheduledClose, blindCashCount });
  }

  return {
    'day.schedule'() {
      const { scheduledClose, timeZone } = settingsStore.current();
      const settings = settingsView();
      if (scheduledClose === undefined) return { settings, closes: [] };
      const dayOf = createBusinessDay({ timeZone, cutOff: scheduledClose.time });
      const next = new Date(nextDueMs(scheduledClose, dayOf, clock.nowMs())).toISOString();
      return { settings, next, closes: scheduledCloses(deps) };
    },
    'day.changeSettings'(_call, { schedule, blindCashCount }) {
      settingsStore.update({ scheduledClose: schedule, blindCashCount });
      return settingsView();
    },
  };
}

/** What the newest scheduled close of each terminal came to, with what is open now. */
export function scheduledCloses({
  till,
  journal,
  settingsStore,
}: Pick<ConsoleDeps, 'till' | 'journal' | 'settingsStore'>): ScheduledCloseView[] {
  const { scheduledClose } = settingsStore.current();
  if (scheduledClose === undefined) return [];
  return till.terminals().flatMap(({ terminalId }) => {
    const record = journal.scheduledClose(terminalId);
    if (record === undefined || record.time !== scheduledClose.time) return [];
    const { time, day, state, attempts, lastAttemptAt, errorCode } = record;
    const blockers = [...dayCloseBlockers(journal, terminalId)];
    return [defined({ terminalId, time, day, state, attempts, lastAttemptAt, errorCode, blockers })];
  });
}
