import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScheduledCloseTime } from '../../app/contract/close-schedule.ts';
import { createScheduledClose, type ScheduledCloseService } from '../../app/services/scheduled-close.ts';
import type { CallContext } from '../../app/services/till.ts';
import { ask, call, createHarness, type Harness, quietLog, saleOf, until } from '../support/engine-harness.ts';
import { settle } from '../support/manual-clock.ts';

const context: CallContext = { clientId: 'client-1', actor: 'pos:x', requestId: 'q', route: 'GET /v1/settlements' };
const hourMs = 3_600_000;
const lookMs = 15_000;

let harness: Harness;
let service: ScheduledCloseService;
let schedule: ScheduledCloseTime | undefined;

beforeEach(() => {
  // 11:00 in Berlin, a Friday.
  harness = createHarness({ startIso: '2026-11-27T10:00:00.000Z' });
  schedule = { time: '23:00' };
  service = start();
});
afterEach(async () => {
  service.stop();
  await harness.stop();
});

function start(): ScheduledCloseService {
  const { till, journal, clock } = harness;
  const settings = () => ({
    timeZone: 'Europe/Berlin',
    ...(schedule === undefined ? {} : { scheduledClose: schedule }),
  });
  const made = createScheduledClose({ till, journal, clock, log: quietLog, settings });
  made.start();
  return made;
}

const closes = () => harness.till.settlements(context, { limit: 25 }).data;
const record = () => harness.journal.scheduledClose('T1');

describe('a scheduled close', () => {
  it('closes at its time, once, and names the schedule', async () => {
    await ask(harness.till, saleOf());
    await harness.clock.advance(11 * hourMs);
    expect(closes()).toEqual([]);
    await harness.clock.advance(1.5 * hourMs);
    expect(closes()).toHaveLength(1);
    expect(harness.journal.findDayCloseOfBatch('T1', 1)?.actor).toBe('system:schedule');
    expect(record()).toMatchObject({ day: '2026-11-27', state: 'CLOSED', attempts: 1 });
    await harness.clock.advance(2 * hourMs);
    expect(closes()).toHaveLength(1);
  });

  it('begins with its next time after it was set', async () => {
    schedule = { time: '10:00' };
    await ask(harness.till, saleOf());
    await harness.clock.advance(hourMs);
    expect(closes()).toEqual([]);
    expect(record()).toMatchObject({ day: '2026-11-27', state: 'SKIPPED' });
    await harness.clock.advance(23 * hourMs);
    expect(closes()).toHaveLength(1);
  });

  it('makes no close of a day on which nothing was paid', async () => {
    await harness.clock.advance(13 * hourMs);
    expect(closes()).toEqual([]);
    expect(record()).toMatchObject({ state: 'NOTHING', attempts: 0 });
  });

  it('waits while a payment runs, and closes when it has ended', async () => {
    await ask(harness.till, saleOf());
    await harness.clock.advance(11.99 * hourMs);
    harness.device.next({ hold: ['CARD'] });
    const running = call(harness.till, saleOf({ amount: 500 }));
    await until(() => harness.device.isHeld('CARD'));
    await harness.clock.advance(60_000);
    expect(closes()).toEqual([]);
    expect(record()).toMatchObject({ state: 'BLOCKED', blockers: [{ reason: 'IN_PROGRESS' }] });
    harness.device.release('CARD');
    await running;
    await harness.clock.advance(2 * lookMs);
    expect(closes()).toMatchObject([{ saleCount: 2, saleAmount: 1_500 }]);
  });

  it('waits for what is of unknown outcome, forces nothing, and closes when a person has resolved it', async () => {
    harness.device.next({ lose: 'STATUS', outcome: { kind: 'UNKNOWN', message: 'lost', evidence: [] } });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'no trace', evidence: [] });
    const sale = call(harness.till, saleOf({ amount: 700 }));
    await harness.clock.advance(60_000);
    const { transactionId } = await sale;
    await harness.clock.advance(12.5 * hourMs);
    expect(closes()).toEqual([]);
    expect(record()).toMatchObject({ state: 'BLOCKED', errorCode: 'DAY_CLOSE_BLOCKED' });
    harness.till.resolve(context, transactionId, { charged: true, evidence: 'the slip' });
    await harness.clock.advance(2 * lookMs);
    expect(closes()).toMatchObject([{ saleCount: 1, saleAmount: 700 }]);
    expect(record()).toMatchObject({ state: 'CLOSED' });
  });

  it('tries again after a refusal of the terminal, and not before some minutes are over', async () => {
    await ask(harness.till, saleOf());
    harness.device.next({
      outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message: 'the host does not answer', receipts: [] },
    });
    await harness.clock.advance(12 * hourMs + lookMs);
    expect(record()).toMatchObject({ state: 'BLOCKED', errorCode: 'TERMINAL_ERROR', attempts: 1 });
    await harness.clock.advance(200_000);
    expect(record()).toMatchObject({ attempts: 1 });
    await harness.clock.advance(200_000);
    expect(closes()).toHaveLength(1);
    expect(record()).toMatchObject({ state: 'CLOSED', attempts: 2 });
  });

  it('that the till missed is done at its start, once, however many were missed', async () => {
    await ask(harness.till, saleOf());
    service.stop();
    harness.clock.jumpWall(72 * hourMs);
    harness.crashAndRestart();
    service = start();
    await harness.clock.advance(lookMs);
    await settle();
    expect(closes()).toHaveLength(1);
    await harness.clock.advance(lookMs * 4);
    expect(closes()).toHaveLength(1);
  });

  it('is not done twice on one day when the clock is set back, and goes on after a clock that was far ahead', async () => {
    await ask(harness.till, saleOf());
    await harness.clock.advance(12 * hourMs + lookMs);
    expect(closes()).toHaveLength(1);
    harness.clock.jumpWall(-hourMs);
    await ask(harness.till, saleOf());
    await harness.clock.advance(2 * hourMs);
    expect(closes()).toHaveLength(1);
    harness.clock.jumpWall(30 * 24 * hourMs);
    await harness.clock.advance(lookMs);
    expect(closes()).toHaveLength(2);
    harness.clock.jumpWall(-30 * 24 * hourMs);
    await harness.clock.advance(lookMs);
    await ask(harness.till, saleOf());
    await harness.clock.advance(25 * hourMs);
    expect(closes()).toHaveLength(3);
  });

  it('asks and sends nothing when the schedule is taken away', async () => {
    await ask(harness.till, saleOf());
    schedule = undefined;
    await harness.clock.advance(30 * hourMs);
    expect(closes()).toEqual([]);
  });
});
