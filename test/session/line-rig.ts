// An attached line with connections that a test opens, refuses and loses.
import {
  type AttachedLine,
  createAttachedLine,
  type LineConnection,
  type LineDeps,
  type LineEvents,
} from '../../drivers/session/attached-line.ts';
import { TransportError } from '../../drivers/transport/transport.ts';
import { createManualClock, type ManualClock, settle } from '../support/zvt-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';

export interface FakeConnection extends LineConnection {
  /** The terminal ends the connection. */
  drop(reason: string): void;
  /** It is being closed: not open any more, its end not told yet. */
  fade(): void;
  receive(): void;
  closedFor: string | undefined;
}

export interface LineRig {
  readonly clock: ManualClock;
  readonly line: AttachedLine<FakeConnection>;
  /** Every connection that was made, in its order. */
  readonly made: FakeConnection[];
  readonly last: () => FakeConnection;
  /** The states that were told, in their order. */
  readonly told: string[];
  /** From now on the terminal refuses connections; undefined: it takes them. */
  refuse(words: string | undefined): void;
}

export const limits = { minReconnectMs: 500, maxReconnectMs: 4_000, stopWaitMs: 2_000, maxHoldMs: 60_000 };

/** The set-up is ready at once unless the test says otherwise. */
export function createLineRig(given: Partial<LineDeps<FakeConnection>> = {}): LineRig {
  const clock = createManualClock();
  const made: FakeConnection[] = [];
  const told: string[] = [];
  let refusal: string | undefined;

  function makeConnection(events: LineEvents): FakeConnection {
    let isOpen = false;
    let isUp = false;
    const end = (reason: string): void => {
      if (!isUp) return;
      isUp = false;
      isOpen = false;
      events.onDown(reason);
    };
    const connection: FakeConnection = {
      closedFor: undefined,
      async open() {
        await settle();
        if (refusal !== undefined) throw new TransportError('REFUSED', refusal);
        isOpen = true;
        isUp = true;
      },
      isOpen: () => isOpen,
      async close(reason) {
        connection.closedFor = reason;
        end(reason);
      },
      drop: end,
      fade() {
        isOpen = false;
      },
      receive: () => events.onReceived(),
    };
    made.push(connection);
    return connection;
  }

  const line: AttachedLine<FakeConnection> = createAttachedLine({
    clock,
    log: silentLog,
    terminalId: 'T1',
    noun: 'terminal',
    limits,
    makeConnection,
    setUp: async (connection) => line.learn(connection, { isReady: true }),
    onChange: () => told.push(line.state().state),
    ...given,
  });

  return {
    clock,
    line,
    made,
    last() {
      const connection = made.at(-1);
      if (connection === undefined) throw new Error('no connection was made');
      return connection;
    },
    told,
    refuse(words) {
      refusal = words;
    },
  };
}
