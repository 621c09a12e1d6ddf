import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ActivityRow } from '../../../app/contract/console/activity.ts';
import type { ProcedureResponse } from '../../../app/contract/console/procedures.ts';
import { MAX_PAGE_ITEMS } from '../../../app/contract/limits.ts';
import { useConnectionState, useConsole, useConsoleEvents } from '../../hooks/console-context.ts';
import { type ActivityFilter, queryOf } from './activity-filter.ts';

type ActivityPage = ProcedureResponse<'activity.search'>;
type ActivityPages = InfiniteData<ActivityPage, string | undefined>;

/** The transactions that a filter finds, newest first, a page at a time as the list is scrolled. */
export function useActivityList(filter: ActivityFilter) {
  const api = useConsole();
  const queryClient = useQueryClient();
  // A new number is a new list from its top; the old one stays in sight until it is there.
  const [generation, setGeneration] = useState(0);
  const queryKey = ['activity.search', filter, generation];
  const search = (cursor: string | undefined): Promise<ActivityPage> =>
    api.call('activity.search', {
      ...queryOf(filter),
      limit: MAX_PAGE_ITEMS,
      ...(cursor === undefined ? {} : { cursor }),
    });
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => search(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // A thousand pages are not asked for again by themselves: their newest is looked at, and what is new waits until it is asked for.
    staleTime: 'static',
    gcTime: 0,
    structuralSharing: false,
  });
  // Until the rows of another filter are there, those of the one before stay in sight.
  const asked = JSON.stringify(filter);
  const [shownFilter, setShownFilter] = useState(asked);
  if (!query.isPlaceholderData && shownFilter !== asked) setShownFilter(asked);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data]);
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());

  async function lookForNews(): Promise<void> {
    const newest = await search(undefined).catch(() => undefined);
    const data = queryClient.getQueryData<ActivityPages>(queryKey);
    if (newest === undefined || data === undefined) return;
    const known = new Set(data.pages.flatMap((page) => page.rows.map((row) => row.transactionId)));
    const fresh = new Map(newest.rows.map((row) => [row.transactionId, row]));
    queryClient.setQueryData<ActivityPages>(queryKey, withFresh(data, fresh));
    setArrived(new Set([...fresh.keys()].filter((id) => !known.has(id))));
  }
  useNews(lookForNews);

  const showArrived = () => {
    setArrived(new Set());
    setGeneration((before) => before + 1);
  };
  return { ...query, rows, shownFilter, arrivedCount: arrived.size, showArrived };
}

/** Calls when a transaction has begun or ended, and when the connection is back after it was lost. */
function useNews(look: () => Promise<void>): void {
  useConsoleEvents(({ event }) => {
    const changesList = ['waiting_for_card', 'result', 'cancelled', 'outcome_resolved'].includes(event);
    if (changesList) void look();
  });
  const connection = useConnectionState();
  const before = useRef(connection);
  useEffect(() => {
    if (connection === 'OPEN' && before.current !== 'OPEN') void look();
    before.current = connection;
  });
}

/** The rows as they read now; nothing moves. */
function withFresh(data: ActivityPages, fresh: ReadonlyMap<string, ActivityRow>): ActivityPages {
  const pages = data.pages.map((page) =>
    page.rows.some((row) => fresh.has(row.transactionId))
      ? { ...page, rows: page.rows.map((row) => fresh.get(row.transactionId) ?? row) }
      : page,
  );
  return { ...data, pages };
}
