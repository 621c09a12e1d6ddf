import { describe, expect, it } from 'vitest';
import { createTurns } from '../../drivers/session/turns.ts';
import { createManualClock, settle } from '../support/zvt-clock.ts';

describe('turns at a terminal', () => {
  it('come one at a time, first come, first served', async () => {
    const turns = createTurns(createManualClock());
    const first = await turns.take(1_000);
    const order: string[] = [];
    const second = turns.take(1_000).then((turn) => {
      order.push('second');
      turn?.release();
    });
    const third = turns.take(1_000).then((turn) => {
      order.push('third');
      turn?.release();
    });
    await settle();
    expect(order).toEqual([]);
    first?.release();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
    expect(turns.isTaken()).toBe(false);
  });

  it('that do not come in time are given up and leave no trace', async () => {
    const clock = createManualClock();
    const turns = createTurns(clock);
    const held = turns.takeIfFree();
    const waiting = turns.take(1_000);
    await clock.advance(1_000);
    expect(await waiting).toBeUndefined();
    held?.release();
    held?.release();
    expect(turns.takeIfFree()).toBeDefined();
    expect(clock.pendingTimers()).toBe(0);
  });

  it('are given up when the caller gives up', async () => {
    const clock = createManualClock();
    const turns = createTurns(clock);
    turns.takeIfFree();
    const caller = new AbortController();
    const waiting = turns.take(1_000, caller.signal);
    caller.abort();
    expect(await waiting).toBeUndefined();
    expect(await turns.take(1_000, caller.signal)).toBeUndefined();
    expect(clock.pendingTimers()).toBe(0);
  });
});
