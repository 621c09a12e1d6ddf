import { useQuery } from '@tanstack/react-query';
import { useConsole, useConsoleEvents } from '../../hooks/console-context.ts';

/** Milliseconds between looks at the inbox: what is asked again by itself tells no event until it knows. */
const lookAgainMs = 10_000;

/** What needs a person, or is being found out. */
export function useAttention() {
  const api = useConsole();
  const query = useQuery({
    queryKey: ['attention.list'],
    queryFn: () => api.call('attention.list', {}),
    refetchInterval: lookAgainMs,
  });
  useConsoleEvents(({ event }) => {
    if (event === 'result' || event === 'outcome_resolved') void query.refetch();
  });
  return query;
}

/** How many things wait, for the rail. */
export function useAttentionCount(): number {
  const { data } = useAttention();
  return data === undefined ? 0 : data.tasks.length + data.possibleDuplicates.length + data.blockedCloses.length;
}
