import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ConsoleEvent } from '../../app/contract/console/channel.ts';
import type { ConnectionState, ConsoleApi } from '../api/console.ts';

export const ConsoleContext = createContext<ConsoleApi | undefined>(undefined);

/** The connection to the till. */
export function useConsole(): ConsoleApi {
  const api = useContext(ConsoleContext);
  if (api === undefined) throw new Error('used outside of the console');
  return api;
}

export function useConnectionState(): ConnectionState {
  const api = useConsole();
  return useSyncExternalStore(api.onState, api.state);
}

/** Calls the listener for every event while the component is shown. */
export function useConsoleEvents(listener: (event: ConsoleEvent) => void): void {
  const api = useConsole();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => api.onEvent((event) => latest.current(event)), [api]);
}
