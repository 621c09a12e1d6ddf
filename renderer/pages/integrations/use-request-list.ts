import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { MAX_LISTED_REQUESTS } from '../../../app/contract/console/console-limits.ts';
import type { RequestView } from '../../../app/contract/console/integrations.ts';
import { useConsole } from '../../hooks/console-context.ts';

const pollMs = 1_000;
const maxRefusedPages = 5;

interface RequestList {
  readonly listId: string;
  /** Oldest first. */
  readonly requests: readonly RequestView[];
}

/** What was called at the POS API; only what came since is asked for each time. */
export function useRequestList(isPaused: boolean): UseQueryResult<RequestList> {
  const api = useConsole();
  const queries = useQueryClient();
  const queryKey = ['integrations.requests'];
  return useQuery({
    queryKey,
    queryFn: async (): Promise<RequestList> => {
      const known = queries.getQueryData<RequestList>(queryKey);
      const from = known === undefined ? {} : { listId: known.listId };
      const { listId, requests } = await api.call('integrations.requests', {
        after: known?.requests.at(-1)?.sequence ?? 0,
        ...from,
      });
      if (listId !== known?.listId) return { listId, requests };
      return requests.length === 0
        ? known
        : { listId, requests: [...known.requests, ...requests].slice(-MAX_LISTED_REQUESTS) };
    },
    enabled: !isPaused,
    refetchInterval: pollMs,
    structuralSharing: false,
  });
}

/** Pages that were refused because nobody has allowed them, the latest first. */
export function useRefusedPages(): readonly string[] {
  const api = useConsole();
  const { data } = useRequestList(false);
  const allowed = useQuery({
    queryKey: ['integrations.origins.list'],
    queryFn: () => api.call('integrations.origins.list', {}),
  });
  const isAllowed = (origin: string) => allowed.data?.origins.includes(origin) ?? false;
  const latest = new Map<string, RequestView>();
  for (const request of data?.requests ?? []) if (request.origin !== undefined) latest.set(request.origin, request);
  return [...latest.values()]
    .filter(({ errorCode }) => errorCode === 'ORIGIN_NOT_ALLOWED')
    .sort((one, other) => other.sequence - one.sequence)
    .flatMap(({ origin }) => (origin === undefined || origin === 'null' || isAllowed(origin) ? [] : [origin]))
    .slice(0, maxRefusedPages);
}
