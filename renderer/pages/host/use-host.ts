import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';

/** Milliseconds between looks: the till finds out by itself, and tells no event of it. */
const lookAgainMs = 5_000;

/** How the terminals stand with their host. */
export function useHostLinks() {
  const api = useConsole();
  return useQuery({
    queryKey: ['host.links'],
    queryFn: () => api.call('host.links', {}),
    refetchInterval: lookAgainMs,
  });
}

/** What the merchant's server has asked for: it comes by itself, and is looked for. */
export function useHostSessions() {
  const api = useConsole();
  return useQuery({
    queryKey: ['host.sessions'],
    queryFn: () => api.call('host.sessions', {}),
    refetchInterval: lookAgainMs,
  });
}

function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const name of ['host.links', 'attention.list', 'terminals.list', 'integrations.clients.list'])
      void queries.invalidateQueries({ queryKey: [name] });
  };
}

export interface TypedPairing {
  readonly code: string;
  /** Empty: the address before. */
  readonly url: string;
}

const approvalOf = (approval: Approval | undefined) => (approval === undefined ? {} : { approval });

export function usePairing(terminalId: string, onDone: () => void) {
  const api = useConsole();
  const refresh = useRefresh();
  return useApprovedCall({
    call: ({ code, url }: TypedPairing, approval) =>
      api.call('host.pair', { terminalId, code, ...(url === '' ? {} : { url }), ...approvalOf(approval) }),
    onSuccess() {
      refresh();
      onDone();
    },
  });
}

export function useUnpairing(terminalId: string, onDone: () => void) {
  const api = useConsole();
  const refresh = useRefresh();
  return useApprovedCall({
    call: (_request: object, approval) => api.call('host.unpair', { terminalId, ...approvalOf(approval) }),
    onSuccess() {
      refresh();
      onDone();
    },
  });
}

/** Asks the host now. */
export function useHostCheck(terminalId: string) {
  const api = useConsole();
  const refresh = useRefresh();
  return useMutation({ mutationFn: () => api.call('host.check', { terminalId }), onSuccess: refresh });
}
