import { useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ActivityFilter, readFilter } from './activity-filter.ts';

/** Milliseconds after the last letter at which the address follows: one for each letter would cost more than the letter. */
const restMs = 200;

/** The same filter is the same text. */
const textOf = (filter: Readonly<Record<string, unknown>>) => JSON.stringify(readFilter(filter));

/** Whether nothing but the search text has changed. */
function isTypedOn(before: ActivityFilter, after: ActivityFilter): boolean {
  return before.q !== after.q && textOf({ ...before, q: after.q }) === textOf({ ...after });
}

/**
 * What the list shows, at once, and its twin in the page's address, which follows. What is typed replaces the address instead of adding to
 * it: Back leaves the page, not a letter. Another address (Back, a link) is shown as it says.
 */
export function useFilter(): readonly [filter: ActivityFilter, show: (next: ActivityFilter) => void] {
  const router = useRouter();
  const [shown, setShown] = useState(() => textOf(router.state.location.search));
  const filter = useMemo<ActivityFilter>(() => JSON.parse(shown), [shown]);
  /** What the address was last given, or said. */
  const known = useRef(shown);
  /** Changes of the address by ourselves that are not there yet: what it says meanwhile is old. */
  const following = useRef(0);

  useEffect(() => {
    const adopt = () => {
      const says = textOf(router.state.location.search);
      if (following.current > 0 || says === known.current) return;
      known.current = says;
      setShown(says);
    };
    return router.subscribe('onResolved', adopt);
  }, [router]);

  useEffect(() => {
    if (shown === known.current) return undefined;
    const follow = async () => {
      known.current = shown;
      following.current += 1;
      await router.navigate({ to: '.', search: () => filter, replace: true });
      following.current -= 1;
    };
    const timer = setTimeout(follow, isTypedOn(JSON.parse(known.current), filter) ? restMs : 0);
    return () => clearTimeout(timer);
  }, [shown, filter, router]);
  return [filter, (next) => setShown(textOf({ ...next }))];
}
