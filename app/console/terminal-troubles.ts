import type { TerminalTrouble } from '../contract/console/attention.ts';
import { TERMINAL_TROUBLE_AFTER_SECONDS } from '../contract/console/console-limits.ts';
import type { DeviceState, DeviceStatus } from '../contract/device.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { labelOf } from './terminal-labels.ts';

/** Terminals that are gone or want help, and since when. */
export interface TerminalTroubles {
  /** Those that last for longer than a short outage. */
  current(): TerminalTrouble[];
  close(): void;
}

interface Beginning {
  /** ISO 8601. */
  readonly at: string;
  readonly monotonicMs: number;
}

/** A terminal that connects has not come back yet: a line that never opens would otherwise begin anew with each try. */
const troubledStates: ReadonlySet<DeviceState> = new Set(['DISCONNECTED', 'CONNECTING', 'ERROR']);

/** Follows the terminals from now on: what is asked only when somebody looks would not know since when. */
export function createTerminalTroubles({ till, clock, settingsStore }: ConsoleDeps): TerminalTroubles {
  const beginnings = new Map<string, Beginning>();

  function statuses(): DeviceStatus[] {
    const context = { clientId: 'console', actor: 'console', requestId: 'console', route: 'CONSOLE attention' };
    return till.terminals().map(({ terminalId }) => till.knownHealth({ ...context, terminalId }));
  }

  /** What has begun or ended since the last look; a terminal that was taken away has no trouble any more. */
  function look(): DeviceStatus[] {
    const troubled = statuses().filter(({ state }) => troubledStates.has(state));
    for (const terminalId of beginnings.keys()) {
      if (!troubled.some((status) => status.terminalId === terminalId)) beginnings.delete(terminalId);
    }
    const now = { at: new Date(clock.nowMs()).toISOString(), monotonicMs: clock.monotonicMs() };
    for (const { terminalId } of troubled) {
      if (!beginnings.has(terminalId)) beginnings.set(terminalId, now);
    }
    return troubled;
  }

  function viewOf({ terminalId, state, lastSeenAt }: DeviceStatus): TerminalTrouble[] {
    const beginning = beginnings.get(terminalId);
    const waitMs = TERMINAL_TROUBLE_AFTER_SECONDS * 1000;
    if (beginning === undefined || clock.monotonicMs() - beginning.monotonicMs < waitMs) return [];
    const { name } = labelOf(settingsStore.current(), terminalId);
    return [
      {
        terminalId,
        ...(name === undefined ? {} : { name }),
        kind: state === 'ERROR' ? 'WANTS_HELP' : 'UNREACHABLE',
        since: beginning.at,
        ...(lastSeenAt === undefined ? {} : { lastSeenAt }),
      },
    ];
  }

  const unsubscribe = till.subscribe(({ event }) => {
    if (event === 'status_changed') look();
  });
  look();
  return {
    current: () => look().flatMap(viewOf),
    close: unsubscribe,
  };
}
