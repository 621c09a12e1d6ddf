import { queryOptions, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { ProcedureRequest } from '../../app/contract/console/procedures.ts';
import type { SessionState } from '../../app/contract/console/session.ts';
import type { ConsoleApi } from '../api/console.ts';
import { useConsole } from './console-context.ts';

const sessionKey = ['session.state'] as const;

/** Who is signed in, the terminals, and what the frame shows; asked again after every sign-in and out and change of a terminal. */
export function sessionQuery(api: ConsoleApi) {
  return queryOptions({
    queryKey: sessionKey,
    queryFn: () => api.call('session.state', {}),
    // It is told what changes it.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSessionQuery(): UseQueryResult<SessionState> {
  return useQuery(sessionQuery(useConsole()));
}

/** Asks for the session's state again. */
function useSessionRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: sessionKey });
}

export type SignedInSession = SessionState & Required<Pick<SessionState, 'signedIn'>>;

export const SessionContext = createContext<SignedInSession | undefined>(undefined);

/** The session, inside of a page: somebody is signed in there. */
export function useSession(): SignedInSession {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('used outside of a signed-in page');
  return session;
}

export function useSignIn() {
  const api = useConsole();
  const refresh = useSessionRefresh();
  return useMutation({
    mutationFn: (request: ProcedureRequest<'session.signIn'>) => api.call('session.signIn', request),
    onSuccess: refresh,
  });
}

export function useCreateFirstAdministrator() {
  const api = useConsole();
  const refresh = useSessionRefresh();
  return useMutation({
    mutationFn: (request: ProcedureRequest<'session.createFirstAdministrator'>) =>
      api.call('session.createFirstAdministrator', request),
    onSuccess: refresh,
  });
}

/** Signs out, and forgets every answer: the next person may see less. */
export function useSignOut() {
  const api = useConsole();
  const client = useQueryClient();
  const refresh = useSessionRefresh();
  return useMutation({
    mutationFn: () => api.call('session.signOut', {}),
    onSettled: async () => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
      await refresh();
    },
  });
}
