import { describe, expect, it } from 'vitest';
import { endedOrGivenUp, gaveUp, pause, unlessGivenUp } from '../../drivers/session/give-up.ts';
import { createManualClock, settle } from '../support/zvt-clock.ts';

const never = new AbortController().signal;

function later<T>() {
  let resolve = (_value: T): void => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('a caller who gives up', () => {
  it('is answered at once, and what comes later is given back', async () => {
    const caller = new AbortController();
    const work = later<string>();
    const discarded: string[] = [];
    const waiting = unlessGivenUp(caller.signal, work.promise, (made) => discarded.push(made));
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY', message: gaveUp().message });
    work.resolve('exchange');
    await settle();
    expect(discarded).toEqual(['exchange']);
    await expect(unlessGivenUp(caller.signal, Promise.resolve('x'), () => undefined)).rejects.toMatchObject({
      code: 'TERMINAL_NOT_READY',
    });
  });

  it('who does not gets what was made, or why it was not', async () => {
    expect(await unlessGivenUp(never, Promise.resolve('exchange'), () => expect.unreachable())).toBe('exchange');
    const failing = unlessGivenUp(never, Promise.reject(new Error('refused')), () => expect.unreachable());
    await expect(failing).rejects.toThrow('refused');
  });

  it('waits no longer for the end of a question', async () => {
    const caller = new AbortController();
    const work = later<void>();
    const waiting = endedOrGivenUp(caller.signal, work.promise);
    caller.abort();
    await waiting;
    await endedOrGivenUp(caller.signal, work.promise);
    work.resolve();
    await endedOrGivenUp(never, work.promise);
  });

  it('ends a pause', async () => {
    const clock = createManualClock();
    const caller = new AbortController();
    const ended = pause(clock, 2_000, caller.signal);
    caller.abort();
    expect(await ended).toBe(false);
    expect(await pause(clock, 2_000, caller.signal)).toBe(false);
    expect(clock.pendingTimers()).toBe(0);
    const waited = pause(clock, 2_000, never);
    await clock.advance(2_000);
    expect(await waited).toBe(true);
  });
});
