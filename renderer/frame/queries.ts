import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { type ConsoleApi, Refusal } from '../api/console.ts';

/** Answers of the till as the pages keep them: asked again when the connection comes back, and when the till says that nobody is signed in. */
export function createQueries(api: ConsoleApi): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof Refusal && error.refusal.reason === 'SIGN_IN_REQUIRED') refreshSession();
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The till is on this machine or in this shop: what fails is shown, and asked again when the connection is back.
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  function refreshSession(): void {
    void queries.invalidateQueries({ queryKey: ['session.state'] });
  }
  api.onState(() => {
    if (api.state() === 'OPEN') void queries.invalidateQueries();
  });
  api.onSignedOut(refreshSession);
  api.onEvent((event) => {
    if (event.event === 'status_changed') refreshSession();
  });
  return queries;
}
