import { describe, expect, it } from 'vitest';
import type { TerminalOutcome } from '../../app/ports/terminal.ts';
import { createPreparedExchange, type PreparedExchangeDeps } from '../../drivers/session/prepared-exchange.ts';
import { createTurns } from '../../drivers/session/turns.ts';
import { createManualClock, settle } from '../support/zvt-clock.ts';
import { hooks } from '../support/zvt-terminal.ts';

const declined: TerminalOutcome = { kind: 'DECLINED', card: {}, receipts: [] };

function prepared(given: Partial<PreparedExchangeDeps> = {}) {
  const turns = createTurns(createManualClock());
  const turn = turns.takeIfFree();
  if (turn === undefined) throw new Error('the turn is free');
  const busy: boolean[] = [];
  let sends = 0;
  let end = (_outcome: TerminalOutcome): void => undefined;
  const exchange = createPreparedExchange({
    mark: { receipt: 7 },
    turn,
    setBusy: (isBusy) => void busy.push(isBusy),
    run: () => {
      sends++;
      return new Promise((resolve) => {
        end = resolve;
      });
    },
    ...given,
  });
  return { exchange, turns, busy, sends: () => sends, end: (outcome: TerminalOutcome) => end(outcome) };
}

describe('a prepared exchange', () => {
  it('runs once, keeps the terminal busy until its end, and gives the turn back', async () => {
    const rig = prepared();
    expect(rig.exchange.mark).toEqual({ receipt: 7 });
    const running = rig.exchange.run(hooks());
    await expect(rig.exchange.run(hooks())).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    rig.exchange.discard();
    expect([rig.busy, rig.turns.isTaken()]).toEqual([[true], true]);
    rig.end(declined);
    expect(await running).toEqual(declined);
    expect([rig.busy, rig.turns.isTaken(), rig.sends()]).toEqual([[true, false], false, 1]);
    await expect(rig.exchange.run(hooks())).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    expect(await rig.exchange.requestAbort()).toBe('TOO_LATE');
  });

  it('that is discarded sends nothing and gives the turn back', async () => {
    const rig = prepared();
    rig.exchange.discard();
    expect(rig.turns.isTaken()).toBe(false);
    await expect(rig.exchange.run(hooks())).rejects.toMatchObject({ code: 'ILLEGAL_STATE' });
    expect([rig.sends(), await rig.exchange.requestAbort()]).toEqual([0, 'TOO_LATE']);
  });

  it('that is stopped before it runs sends nothing', async () => {
    const rig = prepared();
    expect(await rig.exchange.requestAbort()).toBe('REQUESTED');
    expect(await rig.exchange.run(hooks())).toEqual({ kind: 'CANCELLED', reason: 'POS_REQUEST', receipts: [] });
    expect([rig.sends(), rig.turns.isTaken()]).toEqual([0, false]);
  });

  it('of a protocol without an abort is too late to stop once it runs', async () => {
    const rig = prepared();
    const running = rig.exchange.run(hooks());
    expect(await rig.exchange.requestAbort()).toBe('TOO_LATE');
    rig.end(declined);
    await running;
  });

  it('knows that it was to stop only while the terminal has taken the request', async () => {
    const duringAbort: boolean[] = [];
    let answer: 'REQUESTED' | 'TOO_LATE' = 'TOO_LATE';
    let isRequested = (): boolean => false;
    let end = (): void => undefined;
    const rig = prepared({
      run: async (_hooks, control) => {
        isRequested = control.isAbortRequested;
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        return declined;
      },
      abort: async (control) => {
        duringAbort.push(control.isAbortRequested(), control.isRunning());
        return answer;
      },
    });
    const running = rig.exchange.run(hooks());
    await settle();
    expect([await rig.exchange.requestAbort(), isRequested()]).toEqual(['TOO_LATE', false]);
    answer = 'REQUESTED';
    expect([await rig.exchange.requestAbort(), isRequested()]).toEqual(['REQUESTED', true]);
    answer = 'TOO_LATE';
    expect([await rig.exchange.requestAbort(), isRequested()]).toEqual(['TOO_LATE', true]);
    end();
    await running;
    expect(duringAbort).toEqual([true, true, true, true, true, true]);
  });

  it('tells its abort how it ended', async () => {
    const rig = prepared({
      abort: async (control) => ((await control.ended)?.kind === 'DECLINED' ? 'TOO_LATE' : 'REQUESTED'),
    });
    const running = rig.exchange.run(hooks());
    const aborting = rig.exchange.requestAbort();
    rig.end(declined);
    await running;
    expect(await aborting).toBe('TOO_LATE');
  });

  it('gives the turn back when its run breaks down', async () => {
    const rig = prepared({ run: () => Promise.reject(new Error('a defect')) });
    await expect(rig.exchange.run(hooks())).rejects.toThrow('a defect');
    expect([rig.busy, rig.turns.isTaken()]).toEqual([[true, false], false]);
  });
});
