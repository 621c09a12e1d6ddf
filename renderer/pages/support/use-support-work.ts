import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../hooks/console-context.ts';

const runningPollMs = 400;

/** How far the bundle and the check of the journal have come; asked often only while one of them runs. */
export function useSupportWork() {
  const api = useConsole();
  return useQuery({
    queryKey: ['support.work'],
    queryFn: () => api.call('support.work', {}),
    refetchInterval: ({ state: { data } }) =>
      data?.bundle.kind === 'RUNNING' || data?.verification.kind === 'RUNNING' ? runningPollMs : false,
  });
}
