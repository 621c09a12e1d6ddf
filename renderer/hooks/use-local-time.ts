import { useCallback } from 'react';
import type { Formats } from '../i18n/formats.ts';
import { useTexts } from './use-texts.ts';

/** Local time of an ISO instant; with the date when it is not of the day of `now`. */
function formatLocalTime(formats: Formats, iso: string, now: Date): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === now.toDateString();
  return formats.dateTime({ timeStyle: 'short', ...(isToday ? {} : { dateStyle: 'medium' }) }).format(at);
}

/** `formatLocalTime` in the language that is shown, for this moment. */
export function useLocalTime(): (iso: string) => string {
  const { formats } = useTexts();
  return useCallback((iso) => formatLocalTime(formats, iso, new Date()), [formats]);
}
