import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useConsole, useConsoleEvents } from '../../hooks/console-context.ts';

/** The terminals, asked again whenever one of them changes. */
export function useTerminals() {
  const api = useConsole();
  const query = useQuery({ queryKey: ['terminals.list'], queryFn: () => api.call('terminals.list', {}) });
  useConsoleEvents(({ event }) => {
    if (event === 'status_changed' || event === 'result') void query.refetch();
  });
  return query;
}

/** Has everything that shows terminals asked again. */
export function useTerminalsChanged(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    void client.invalidateQueries({ queryKey: ['terminals.list'] });
    void client.invalidateQueries({ queryKey: ['session.state'] });
  }, [client]);
}
