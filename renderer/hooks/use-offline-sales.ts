import { useQuery } from '@tanstack/react-query';
import type { OfflineSalesView } from '../../app/contract/console/offline-sales.ts';
import { useConsole, useConsoleEvents } from './console-context.ts';

/** Milliseconds between looks: that a host does not answer tells no event. */
const lookAgainMs = 5_000;

/** The sales that wait for their issuer, and whether more are taken; undefined before it is known. */
export function useOfflineSales(): OfflineSalesView | undefined {
  const api = useConsole();
  const query = useQuery({
    queryKey: ['host.offlineSales'],
    queryFn: () => api.call('host.offlineSales', {}),
    refetchInterval: lookAgainMs,
  });
  useConsoleEvents(({ event }) => {
    if (event === 'result' || event === 'outcome_resolved') void query.refetch();
  });
  return query.data;
}
