import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type {
  VirtualAction,
  VirtualCard,
  VirtualScript,
  VirtualTerminalView,
} from '../../app/contract/console/virtual.ts';
import { useConsole } from './console-context.ts';

/** Milliseconds between looks: changes are told, this finds a terminal that came back. */
const lookAgainMs = 5_000;

export interface VirtualTerminal {
  readonly view: VirtualTerminalView;
  readonly cards: readonly VirtualCard[];
  readonly script: VirtualScript;
  /** It always waits for a person: there is no choice. */
  readonly isAlwaysInHand: boolean;
  readonly act: (action: VirtualAction) => void;
  /** What the last action was rejected with. */
  readonly error: unknown;
}

/** A virtual terminal as it stands before the customer, live; undefined for a terminal that is no virtual one, or cannot be reached. */
export function useVirtualTerminal(terminalId: string, isTraining: boolean): VirtualTerminal | undefined {
  const api = useConsole();
  const client = useQueryClient();
  const queryKey = ['virtual.state', terminalId];
  const { data } = useQuery({
    queryKey,
    queryFn: () => api.call('virtual.state', { terminalId }),
    refetchInterval: lookAgainMs,
    enabled: isTraining,
  });
  const put = (view: VirtualTerminalView) =>
    client.setQueryData<typeof data>(['virtual.state', terminalId], (known) =>
      known === undefined ? known : { ...known, view },
    );
  useEffect(
    () =>
      api.onVirtualTerminal((changedId, view) => {
        client.setQueryData<typeof data>(['virtual.state', changedId], (known) =>
          known === undefined ? known : { ...known, view },
        );
      }),
    [api, client],
  );
  const action = useMutation({
    // One after the other: digits of a PIN that overtake each other are another PIN.
    scope: { id: `virtual.act ${terminalId}` },
    mutationFn: (wanted: VirtualAction) => api.call('virtual.act', { terminalId, action: wanted }),
    onSuccess: put,
  });
  if (data?.view === undefined || data.script === undefined) return undefined;
  const { view, cards, script, isAlwaysInHand } = data;
  return { view, cards, script, isAlwaysInHand, act: action.mutate, error: action.error };
}
