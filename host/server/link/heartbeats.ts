import type { Clock } from '../../../app/ports/clock.ts';

/** Parts of an interval: of ten thousand links a hundred are pinged at a time. */
const SLOTS = 100;

/** Calls each of many once in every interval. */
export interface Heartbeats<Member> {
  /** The first call comes within an interval. @returns what is called once the member is gone */
  add(member: Member): () => void;
}

/** Spreads the calls over the interval: all of them at once would hold up whatever comes then. */
export function createHeartbeats<Member>(
  clock: Clock,
  intervalMs: number,
  beat: (member: Member) => void,
): Heartbeats<Member> {
  const slots = Array.from({ length: SLOTS }, () => new Set<Member>());
  let count = 0;
  let turn = 0;
  let dueMs = 0;
  let cancel = (): void => {};

  /** By the clock and not by the turn before, so that a busy process pings no later each time. */
  function plan(): void {
    dueMs += intervalMs / SLOTS;
    cancel = clock.after(Math.max(0, dueMs - clock.monotonicMs()), () => {
      for (const member of slots[turn] ?? []) beat(member);
      turn = (turn + 1) % SLOTS;
      if (count > 0) plan();
    });
  }

  /** The emptiest, and of several the one whose turn is furthest away. */
  function slotForNext(): Set<Member> | undefined {
    let found = slots[(turn + SLOTS - 1) % SLOTS];
    for (let back = 2; back <= SLOTS; back += 1) {
      const slot = slots[(turn + SLOTS - back) % SLOTS];
      if (slot !== undefined && found !== undefined && slot.size < found.size) found = slot;
    }
    return found;
  }

  return {
    add(member) {
      const slot = slotForNext();
      slot?.add(member);
      count += 1;
      if (count === 1) {
        dueMs = clock.monotonicMs();
        plan();
      }
      return () => {
        if (!slot?.delete(member)) return;
        count -= 1;
        if (count === 0) cancel();
      };
    },
  };
}
