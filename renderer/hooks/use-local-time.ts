import { useCallback } from 'react';
import { useTexts } from './use-texts.ts';

/** Local time of an ISO instant; with the date when it is not of the day of `now`. */
function formatLocalTime(locale: string, iso: string, now: Date): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === now.toDateString();
  return new Intl.DateTimeFormat(locale, {
    timeStyle: 'short',
    ...(isToday ? {} : { dateStyle: 'medium' }),
  }).format(at);
}

/** `formatLocalTime` in the language that is shown, for this moment. */
export function useLocalTime(): (iso: string) => string {
  const { locale } = useTexts();
  return useCallback((iso) => formatLocalTime(locale, iso, new Date()), [locale]);
}
