import { useQuery } from '@tanstack/react-query';
import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import { useConsole, useConsoleEvents } from '../../hooks/console-context.ts';

/** Milliseconds between looks at the inbox: what is asked again by itself tells no event until it knows. */
const lookAgainMs = 10_000;
/** The same while something is being asked, whose next try a person may be watching. */
const watchMs = 2_000;

/** What needs a person, or is being found out. */
export function useAttention() {
  const api = useConsole();
  const query = useQuery({
    queryKey: ['attention.list'],
    queryFn: () => api.call('attention.list', {}),
    refetchInterval: ({ state }) => ((state.data?.tasks.length ?? 0) > 0 ? watchMs : lookAgainMs),
  });
  useConsoleEvents(({ event }) => {
    if (event === 'result' || event === 'outcome_resolved' || event === 'status_changed') void query.refetch();
  });
  return query;
}

/** What is being done about one thing of unknown outcome, as long as it is open. */
export function useRecoveryTask(isIt: (task: RecoveryTaskView) => boolean): RecoveryTaskView | undefined {
  return useAttention().data?.tasks.find(isIt);
}

/** How many things wait, for the rail. */
export function useAttentionCount(): number {
  const { data } = useAttention();
  if (data === undefined) return 0;
  return Object.values(data).reduce((sum, { length }) => sum + length, 0);
}
