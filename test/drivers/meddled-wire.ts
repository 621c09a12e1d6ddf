import type { Clock } from '../../app/ports/clock.ts';
import { concatBytes } from '../../drivers/framing/bytes.ts';
import { type Direction, JOIN_MS, type LineFault, type SeenWrite, type Step } from './line-faults.ts';

/** A line in a test's hand. */
export interface TestLine {
  /** Watches the line from now on, and lets this fault happen on it. */
  watch(fault?: LineFault): void;
  /** What was written since the watch began. */
  seen(): readonly SeenWrite[];
  /** Faithful from now on, unless the fault lasts as long as the connection. */
  heal(): void;
  /** Bytes that the till has written, ever. */
  bytesFromTill(): number;
}

export interface WireEnds {
  deliver(direction: Direction, bytes: Uint8Array): void;
  unplug(): void;
}

export interface MeddledWire extends TestLine {
  carry(direction: Direction, bytes: Uint8Array): void;
  /** Ends the connection when everything written before to the till has come out. */
  endBehind(): void;
  /** The connection is over: what is under way is lost, and the next one is faithful. */
  clear(): void;
}

interface Lane {
  index: number;
  offset: number;
  readonly steps: Step[];
  stopWaiting: (() => void) | undefined;
  readonly bundle: Uint8Array[];
}

/** Carries what both sides write through the faults of the line, in order. */
export function createMeddledWire(clock: Clock, ends: WireEnds): MeddledWire {
  const lanes: Readonly<Record<Direction, Lane>> = { TO_TILL: emptyLane(), TO_TERMINAL: emptyLane() };
  let fault: LineFault | undefined;
  let seen: SeenWrite[] = [];
  let fromTill = 0;

  function pump(direction: Direction): void {
    const lane = lanes[direction];
    while (lane.stopWaiting === undefined) {
      const step = lane.steps.shift();
      if (step === undefined) return;
      if (step === 'UNPLUG') {
        ends.unplug();
        return;
      }
      if (step.joins === true) {
        lane.bundle.push(step.bytes);
        lane.stopWaiting = clock.after(JOIN_MS, () => release(direction));
      } else if (step.afterMs !== undefined) {
        lane.bundle.push(step.bytes);
        lane.stopWaiting = clock.after(step.afterMs, () => release(direction));
      } else ends.deliver(direction, step.bytes);
    }
  }

  /** What was held back, and what joined it meanwhile, comes out at once. */
  function release(direction: Direction): void {
    const lane = lanes[direction];
    lane.stopWaiting = undefined;
    while (lane.steps[0] !== undefined && lane.steps[0] !== 'UNPLUG' && lane.steps[0].joins === true) {
      const step = lane.steps.shift();
      if (step !== undefined && step !== 'UNPLUG') lane.bundle.push(step.bytes);
    }
    const bytes = concatBytes(...lane.bundle.splice(0));
    if (bytes.length > 0) ends.deliver(direction, bytes);
    pump(direction);
  }

  return {
    watch(next) {
      fault = next;
      seen = [];
      for (const lane of Object.values(lanes)) {
        lane.index = 0;
        lane.offset = 0;
      }
    },
    seen: () => seen,
    heal() {
      if (fault?.lasts !== true) fault = undefined;
    },
    bytesFromTill: () => fromTill,
    carry(direction, bytes) {
      const lane = lanes[direction];
      const { index, offset } = lane;
      lane.index++;
      lane.offset += bytes.length;
      if (direction === 'TO_TERMINAL') fromTill += bytes.length;
      seen.push({ direction, index, offset, byteCount: bytes.length });
      lane.steps.push(...(fault?.meddle({ direction, bytes, index, offset }) ?? [{ bytes }]));
      pump(direction);
    },
    endBehind() {
      lanes.TO_TILL.steps.push('UNPLUG');
      pump('TO_TILL');
    },
    clear() {
      fault = undefined;
      for (const lane of Object.values(lanes)) {
        lane.steps.length = 0;
        lane.bundle.length = 0;
        lane.stopWaiting?.();
        lane.stopWaiting = undefined;
      }
    },
  };
}

function emptyLane(): Lane {
  return { index: 0, offset: 0, steps: [], stopWaiting: undefined, bundle: [] };
}
