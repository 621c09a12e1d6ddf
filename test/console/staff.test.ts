import { afterEach, describe, expect, it } from 'vitest';
import { createConsole } from '../../app/console/create-console.ts';
import { type ConsoleHarness, createConsoleHarness } from './console-harness.ts';

let harness: ConsoleHarness;
afterEach(() => harness.stop());

describe('the first start', () => {
  it('makes one administrator, who is signed in, and no second one', async () => {
    harness = await createConsoleHarness();
    const screen = harness.open();
    expect(await screen.get('session.state', {})).toMatchObject({ firstStart: false, training: false });
    const again = await screen.refusal('session.createFirstAdministrator', { name: 'Eve', pin: '1234' });
    expect(again.error).toBe('ILLEGAL_STATE');
    expect(harness.audit()[0]).toEqual({ actor: 'console', action: 'STAFF_CREATED', text: 'Ada, ADMIN.' });
  });
});

describe('the staff', () => {
  it('is audited: who changed what', async () => {
    harness = await createConsoleHarness();
    const admin = await harness.as('ADMIN');
    const { staffId } = harness.staff.CASHIER;
    await admin.get('staff.update', { staffId, name: 'Änne O’Hara', role: 'MANAGER' });
    await admin.get('staff.setPin', { staffId, pin: '4321' });
    await admin.get('staff.deactivate', { staffId });
    expect(harness.audit().slice(-3)).toEqual([
      { actor: 'console:Ada', action: 'STAFF_UPDATED', text: 'Anna, CASHIER became Änne O’Hara, MANAGER.' },
      { actor: 'console:Ada', action: 'PIN_SET', text: 'Änne O’Hara has a new PIN.' },
      { actor: 'console:Ada', action: 'STAFF_DEACTIVATED', text: 'Änne O’Hara has left.' },
    ]);
    const { staff } = await admin.get('staff.list', {});
    expect(staff.map(({ name }) => name)).toEqual(['Ada', 'Ben', 'Sam', 'Änne O’Hara']);
    expect((await admin.get('session.state', {})).staff.map(({ name }) => name)).toEqual(['Ada', 'Ben', 'Sam']);
  });

  it('has one name for one person, in whatever case, and names that cannot speak for another', async () => {
    harness = await createConsoleHarness();
    const admin = await harness.as('ADMIN');
    const create = (name: string) => admin.refusal('staff.create', { name, role: 'CASHIER', pin: '1234' });
    expect(await create('ANNA')).toMatchObject({ reason: 'NAME_TAKEN', field: 'name' });
    for (const name of ['', ' Anna', 'A\nB', 'a:b', '4111111111111111', 'x'.repeat(41)]) {
      expect(await create(name), JSON.stringify(name)).toMatchObject({ error: 'INVALID_REQUEST', field: 'name' });
    }
    const { staffId } = harness.staff.CASHIER;
    expect(await admin.refusal('staff.update', { staffId, name: 'Ben' })).toMatchObject({ reason: 'NAME_TAKEN' });
    await admin.get('staff.update', { staffId, name: 'ANNA' });
    await admin.get('staff.deactivate', { staffId });
    // A name is free again when its person has left.
    await admin.get('staff.create', { name: 'Anna', role: 'CASHIER', pin: '1234' });
  });

  it('never loses its last administrator', async () => {
    harness = await createConsoleHarness();
    const admin = await harness.as('ADMIN');
    const { staffId } = harness.staff.ADMIN;
    expect(await admin.refusal('staff.deactivate', { staffId })).toMatchObject({ reason: 'LAST_ADMINISTRATOR' });
    expect(await admin.refusal('staff.update', { staffId, role: 'MANAGER' })).toMatchObject({
      reason: 'LAST_ADMINISTRATOR',
    });
    await admin.get('staff.update', { staffId: harness.staff.MANAGER.staffId, role: 'ADMIN' });
    await admin.get('staff.deactivate', { staffId });
    expect(await admin.refusal('staff.list', {})).toMatchObject({ reason: 'SIGN_IN_REQUIRED' });
  });
});

describe('training', () => {
  it('has a ready administrator and says so; the till with real money does not know her', async () => {
    harness = await createConsoleHarness({ settings: { training: true } });
    const screen = harness.open();
    const state = await screen.get('session.state', {});
    expect(state).toMatchObject({ training: true, trainingStaff: { name: 'Training', pin: '0000' } });
    const { staffId = '', pin = '' } = state.trainingStaff ?? {};
    expect(await screen.get('session.signIn', { staffId, pin })).toMatchObject({ role: 'ADMIN' });
    expect(await screen.refusal('staff.setPin', { staffId, pin: '1111' })).toMatchObject({ error: 'ILLEGAL_STATE' });

    const deps = harness.deps();
    const real = await createConsole({ ...deps, settings: { ...deps.settings, training: false } });
    const window = real.connect(screen.cookie, { event() {}, signedOut() {}, virtualTerminal() {} });
    const answer = await window?.call('session.signIn', { staffId, pin });
    expect(answer).toMatchObject({ ok: false, refusal: { reason: 'PIN_WRONG' } });
    expect(JSON.stringify(await window?.call('session.state', {}))).not.toContain('Training');
    real.close();
  });
});
