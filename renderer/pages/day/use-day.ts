import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import { DEFAULT_PAGE_ITEMS } from '../../../app/contract/limits.ts';
import type { ReconciliationResponse } from '../../../app/contract/settlements.ts';
import { useConsole, useConsoleEvents } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';

/** The open day of a terminal, asked for again whenever a payment ends. */
export function useDayPreview(terminalId: string) {
  const api = useConsole();
  const query = useQuery({
    queryKey: ['day.preview', terminalId],
    queryFn: () => api.call('day.preview', { terminalId }),
  });
  useConsoleEvents(({ event }) => {
    if (['waiting_for_card', 'result', 'cancelled', 'outcome_resolved'].includes(event)) void query.refetch();
  });
  return query;
}

/** Closes the day of a terminal. The key stays the same until there is an answer, so that a repeat closes nothing a second time. */
export function useDayClose(terminalId: string, onClosed: (settlementId: string) => void) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const key = useRef(crypto.randomUUID());
  const [end, setEnd] = useState<ReconciliationResponse>();
  const close = useApprovedCall({
    call: (of: { readonly terminalId: string }, approval: Approval | undefined) =>
      api.call('day.close', {
        ...of,
        idempotencyKey: key.current,
        ...(approval === undefined ? {} : { approval }),
      }),
    onSuccess(response) {
      const { settlementId } = response;
      setEnd(response);
      key.current = crypto.randomUUID();
      void queryClient.invalidateQueries({ queryKey: ['day.preview'] });
      void queryClient.invalidateQueries({ queryKey: ['day.settlements'] });
      void queryClient.invalidateQueries({ queryKey: ['attention.list'] });
      if (settlementId !== undefined) onClosed(settlementId);
    },
  });
  return { ...close, end, start: () => close.start({ terminalId }) };
}

/** The closed days, newest first. */
export function useClosedDays() {
  const api = useConsole();
  return useInfiniteQuery({
    queryKey: ['day.settlements'],
    queryFn: ({ pageParam }) =>
      api.call('day.settlements', {
        limit: DEFAULT_PAGE_ITEMS,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

/** The report of a closed day; it never changes. */
export function useDayReport(settlementId: string) {
  const api = useConsole();
  return useQuery({
    queryKey: ['day.report', settlementId],
    queryFn: () => api.call('day.report', { settlementId }),
    staleTime: 'static',
  });
}
