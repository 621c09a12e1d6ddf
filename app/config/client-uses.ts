import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

/** Milliseconds between two writes: whatever calls in between is written together. */
const writeIntervalMs = 60_000;

export interface ClientUseDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** What was stored before: client → when it called last. */
  stored(): ReadonlyMap<string, string>;
  save(uses: ReadonlyMap<string, string>): void;
  /** True while a payment runs: it is not to wait for this. */
  isBusy(): boolean;
}

/** When each POS client called last: exact in memory, and on disk at most once a minute, never while a payment runs. */
export interface ClientUses {
  note(clientId: string): void;
  /** ISO 8601 UTC; undefined for a client that never called. */
  lastUsedAt(clientId: string): string | undefined;
  /** Writes what is not on disk yet, and nothing after that. */
  close(): void;
}

export function createClientUses({ clock, log, stored, save, isBusy }: ClientUseDeps): ClientUses {
  const known = new Map(stored());
  const unsaved = new Set<string>();
  let cancel: (() => void) | undefined;
  let isClosed = false;

  function write(): void {
    if (unsaved.size === 0) return;
    const uses = new Map([...unsaved].map((clientId) => [clientId, known.get(clientId) ?? '']));
    try {
      save(uses);
      unsaved.clear();
    } catch (error) {
      log.warn('when the POS clients called last could not be written', {
        reason: error instanceof Error ? error.message : 'unknown',
      });
    }
  }

  function due(): void {
    cancel = undefined;
    if (isBusy()) schedule();
    else write();
  }

  function schedule(): void {
    cancel ??= clock.after(writeIntervalMs, due);
  }

  return {
    note(clientId) {
      if (isClosed) return;
      known.set(clientId, new Date(clock.nowMs()).toISOString());
      unsaved.add(clientId);
      schedule();
    },
    lastUsedAt: (clientId) => known.get(clientId),
    close() {
      isClosed = true;
      cancel?.();
      write();
    },
  };
}
