import type { ScheduledCloseView } from '../../../app/contract/console/day.ts';
import type { Translate } from '../../hooks/use-texts.ts';
import type { Formats } from '../../i18n/formats.ts';

/** What the newest scheduled close came to, in a sentence; undefined when there is nothing to tell. */
export function scheduledCloseText(close: ScheduledCloseView, t: Translate, formats: Formats): string | undefined {
  const time = dueTimeText(close, formats);
  switch (close.state) {
    case 'BLOCKED':
      return close.blockers.length === 0
        ? t('day:schedule.waits', { time })
        : t('day:schedule.blocked', { time, count: close.blockers.length });
    case 'CLOSED':
      return t('day:schedule.closed', { time });
    case 'NOTHING':
      return t('day:schedule.nothing', { time });
    case 'DUE':
    case 'SKIPPED':
      return undefined;
  }
}

/** Day and time as the shop's wall clock shows them: `Fri 27 Nov, 23:00`. */
function dueTimeText({ day, time }: ScheduledCloseView, formats: Formats): string {
  const format = formats.dateTime({
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    timeZone: 'UTC',
  });
  return format.format(new Date(`${day}T${time}:00Z`));
}
