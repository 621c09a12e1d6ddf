import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { HostStore } from '../ports/host-store.ts';
import type { NodeBus } from './node-bus.ts';

/** Whether this node hears the others. */
export interface NodePresence {
  /** It has been without the bus for long, and another node is not: terminals that are linked here are reached from nowhere else. */
  isCutOff(): boolean;
  /** Says that it is heard no more; resolves when that is written, or cannot be. */
  stop(): Promise<void>;
}

export interface PresenceSettings {
  /** Milliseconds between two looks, and for which others take a node for heard that has not said so again. */
  readonly lookMs: number;
  readonly heardMs: number;
  /** Milliseconds without the bus after which a node is cut off: longer than a bus takes to start again. */
  readonly cutOffAfterMs: number;
}

const defaultSettings: PresenceSettings = { lookMs: 5_000, heardMs: 20_000, cutOffAfterMs: 30_000 };

interface Deps {
  readonly store: Pick<HostStore, 'noteNode' | 'isAnotherNodeHeard'>;
  readonly bus: Pick<NodeBus, 'node' | 'isConnected' | 'onChange'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Each node writes down that it is heard, and that it is no more: so a node that has lost the bus can tell whether it alone has, or all have. When all
 * have, nobody serves a terminal better than the node that it is linked to.
 */
export function createNodePresence(deps: Deps, settings: PresenceSettings = defaultSettings): NodePresence {
  const { store, bus, clock, log } = deps;
  let inTurn: Promise<void> = Promise.resolve();
  let awaySinceMs: number | undefined;
  let isCutOff = false;
  let isStopped = false;
  let cancelLook = (): void => {};

  function note(lifeMs: number): Promise<void> {
    return store.noteNode(bus.node, lifeMs);
  }

  async function look(): Promise<void> {
    if (bus.isConnected()) {
      awaySinceMs = undefined;
      isCutOff = false;
      await note(settings.heardMs);
      return;
    }
    awaySinceMs ??= clock.monotonicMs();
    await note(0);
    const isLong = clock.monotonicMs() - awaySinceMs >= settings.cutOffAfterMs;
    const next = isLong && (await store.isAnotherNodeHeard(bus.node));
    if (next && !isCutOff) log.warn('this host is cut off from the others: its terminals are to link elsewhere', {});
    isCutOff = next;
  }

  /** One look after the other. What the store does not tell is as it was. */
  function lookInTurn(): void {
    cancelLook();
    inTurn = inTurn
      .then(() => (isStopped ? undefined : look()))
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : 'unknown';
        log.warn('the store does not tell whether other nodes are heard', { reason });
      })
      .finally(() => {
        cancelLook();
        if (!isStopped) cancelLook = clock.after(settings.lookMs, lookInTurn);
      });
  }
  bus.onChange(lookInTurn);
  lookInTurn();

  return {
    isCutOff: () => isCutOff,
    async stop() {
      isStopped = true;
      cancelLook();
      await inTurn;
      await note(0).catch(() => undefined);
    },
  };
}
