import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../support/engine-harness.ts';
import { type ConsoleHarness, createConsoleHarness, type Screen } from './console-harness.ts';

let harness: ConsoleHarness;
afterEach(() => harness.stop());

const minuteMs = 60_000;

async function signedInName(screen: Screen): Promise<string | undefined> {
  return (await screen.get('session.state', {})).signedIn?.name;
}

describe('the auto-lock', () => {
  it('signs out after five minutes without a person, and tells every window of the browser', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const second = harness.open(screen.cookie);
    const other = await harness.as('MANAGER');
    expect(await signedInName(second)).toBe('Anna');
    await harness.engine.clock.advance(4 * minuteMs);
    await other.get('session.touch', {});
    await harness.engine.clock.advance(minuteMs);
    expect(screen.signedOut).toEqual(['IDLE']);
    expect(second.signedOut).toEqual(['IDLE']);
    expect(other.signedOut).toEqual([]);
    expect(await signedInName(screen)).toBeUndefined();
    expect(await screen.refusal('day.preview', {})).toMatchObject({ reason: 'SIGN_IN_REQUIRED' });
    expect(await signedInName(other)).toBe('Ben');
  });

  it('is put off by what a person does, not by look-ups in the background', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    await harness.engine.clock.advance(4 * minuteMs);
    await screen.get('session.touch', {});
    await harness.engine.clock.advance(4 * minuteMs);
    await screen.get('attention.list', {});
    expect(screen.signedOut).toEqual([]);
    await harness.engine.clock.advance(minuteMs);
    expect(screen.signedOut).toEqual(['IDLE']);
  });

  it('waits for a running payment, and for another five minutes after it', async () => {
    harness = await createConsoleHarness({ settings: { lockAfterSeconds: 30 } });
    const { device, clock } = harness.engine;
    const screen = await harness.as('CASHIER');
    device.next({ hold: ['CARD'] });
    const sale = screen.get('sell.start', { type: 'SALE', amount: 100, currency: 'EUR', idempotencyKey: 'k' });
    await until(() => device.isHeld('CARD'));
    await clock.advance(minuteMs);
    expect(screen.signedOut).toEqual([]);
    device.release('CARD');
    expect((await sale).status).toBe('APPROVED');
    await clock.advance(29_000);
    expect(screen.signedOut).toEqual([]);
    await clock.advance(1_000);
    expect(screen.signedOut).toEqual(['IDLE']);
  });

  it('locks when the clock was set back: how long nobody was there is not known', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    harness.engine.clock.jumpWall(-minuteMs);
    expect(await signedInName(screen)).toBeUndefined();
    expect(screen.signedOut).toEqual(['IDLE']);
  });

  it('locks after the machine slept', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    harness.engine.clock.jumpWall(10 * minuteMs);
    expect(await screen.refusal('day.preview', {})).toMatchObject({ reason: 'SIGN_IN_REQUIRED' });
  });
});

describe('a restart', () => {
  it('keeps the browser in, and its person signed in as long as the screen would not have locked', async () => {
    harness = await createConsoleHarness();
    const { cookie } = await harness.as('CASHIER');
    await harness.engine.clock.advance(2 * minuteMs);
    await harness.restart();
    const screen = harness.open(cookie);
    expect(await signedInName(screen)).toBe('Anna');
    await harness.engine.clock.advance(3 * minuteMs);
    expect(screen.signedOut).toEqual(['IDLE']);
  });

  it('after the time to lock finds nobody signed in', async () => {
    harness = await createConsoleHarness();
    const { cookie } = await harness.as('CASHIER');
    harness.engine.clock.jumpWall(6 * minuteMs);
    await harness.restart();
    expect(await signedInName(harness.open(cookie))).toBeUndefined();
  });

  it('forgets a browser that nobody touched for a month', async () => {
    harness = await createConsoleHarness();
    const { cookie } = await harness.as('CASHIER');
    harness.engine.clock.jumpWall(31 * 24 * 60 * minuteMs);
    await harness.restart();
    harness.open();
    expect(harness.console.isAdmitted(cookie)).toBe(false);
  });
});

describe('a sign-out', () => {
  it('reaches the other windows of the browser', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const second = harness.open(screen.cookie);
    await screen.get('session.signOut', {});
    expect(second.signedOut).toEqual(['SIGNED_OUT']);
  });

  it('comes with a new role or PIN, or with leaving', async () => {
    harness = await createConsoleHarness();
    const admin = await harness.as('ADMIN');
    const changes = [
      () => admin.get('staff.update', { staffId: harness.staff.CASHIER.staffId, role: 'MANAGER' }),
      () => admin.get('staff.setPin', harness.staff.CASHIER),
      () => admin.get('staff.deactivate', { staffId: harness.staff.CASHIER.staffId }),
    ];
    for (const change of changes) {
      const screen = await harness.as('CASHIER');
      await change();
      expect(screen.signedOut).toEqual(['STAFF_CHANGED']);
    }
    expect(await harness.open().refusal('session.signIn', harness.staff.CASHIER)).toMatchObject({
      reason: 'PIN_WRONG',
    });
    expect(admin.signedOut).toEqual([]);
  });
});
