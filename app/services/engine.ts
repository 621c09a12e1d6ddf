import { BridgeError } from '../contract/errors.ts';
import type { BusinessDayOf } from '../domain/business-day.ts';
import type { EventLog } from './event-log.ts';
import type { IdempotencyGate } from './idempotency-gate.ts';
import type { Lane } from './lane.ts';
import type { CallContext } from './till.ts';
import type { TillDeps } from './till-deps.ts';

/** What the stages and operations of the engine share. */
export interface Engine {
  readonly deps: TillDeps;
  readonly events: EventLog;
  readonly gate: IdempotencyGate;
  readonly businessDay: BusinessDayOf;
  readonly lanes: ReadonlyMap<string, Lane>;
  /** From `start` until `stop` begins. */
  isAccepting(): boolean;
  /** Aborted by `stop`, once running exchanges had their time: what waits ends, what is open is left to the recovery of the next start. */
  readonly stopping: AbortSignal;
  /** Begins (or goes on) to resolve what is open on a terminal; returns at once. */
  recoverSoon(lane: Lane): void;
  /** The same once the caller of this moment has his answer. */
  recoverLater(lane: Lane): void;
  /** When the terminal is asked next by itself about what is open, ISO 8601; not later than now while it is being asked. */
  nextAttemptAt(terminalId: string): string | undefined;
}

export function nowIso(engine: Engine): string {
  return new Date(engine.deps.clock.nowMs()).toISOString();
}

/**
 * The terminal of a call (decisions: Several terminals).
 * @throws BridgeError INVALID_REQUEST when there are several and none is named, NOT_FOUND for an unknown one
 */
export function pickLane(engine: Engine, context: CallContext): Lane {
  const { lanes } = engine;
  if (context.terminalId !== undefined) {
    const named = lanes.get(context.terminalId);
    if (named === undefined)
      throw new BridgeError('NOT_FOUND', 'there is no terminal with this id', { field: 'X-Terminal-Id' });
    return named;
  }
  const [only, ...others] = lanes.values();
  if (only !== undefined && others.length === 0) return only;
  throw new BridgeError('INVALID_REQUEST', 'X-Terminal-Id is required: this till has several terminals', {
    field: 'X-Terminal-Id',
  });
}

/** What was found, as the call may see it: what is another terminal's than its only one is not there (decisions: Cloud POS). */
export function seenBy<Found extends { readonly terminalId: string }>(
  { onlyTerminalId }: Pick<CallContext, 'onlyTerminalId'>,
  found: Found | undefined,
): Found | undefined {
  return onlyTerminalId === undefined || found?.terminalId === onlyTerminalId ? found : undefined;
}

/** @throws BridgeError TERMINAL_NOT_READY before the till has started and while it ends */
export function requireRunning(engine: Engine): void {
  if (!engine.isAccepting()) throw new BridgeError('TERMINAL_NOT_READY', 'the till is starting or ending');
}
