import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hashPin, isRightPin } from '../../app/console/pins.ts';
import { Secret } from '../../app/domain/secret.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { type ConsoleHarness, createConsoleHarness, type Person, type Screen } from './console-harness.ts';

let harness: ConsoleHarness;
afterEach(() => harness?.stop());

const wrong = (person: Person): Person => ({ ...person, pin: '0001' });

async function tryWrong(screen: Screen, person: Person, times: number) {
  const reasons: (string | undefined)[] = [];
  for (let count = 0; count < times; count += 1) {
    reasons.push((await screen.refusal('session.signIn', wrong(person))).reason);
  }
  return reasons;
}

describe('a PIN', () => {
  it('is kept as a salted hash that differs for the same PIN', async () => {
    harness = await createConsoleHarness();
    const [one, two] = await Promise.all([
      hashPin(new Secret('12345678'), nodeIds),
      hashPin(new Secret('12345678'), nodeIds),
    ]);
    expect(one).not.toBe(two);
    expect(await isRightPin(new Secret('12345678'), one ?? '')).toBe(true);
    expect(await isRightPin(new Secret('12345679'), one ?? '')).toBe(false);
  });

  it('is nowhere in the data folder, nor is the cookie', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    for (const file of ['journal.db', 'journal.db-wal']) {
      const bytes = readFileSync(join(harness.engine.dataDir, file));
      for (const { pin } of Object.values(harness.staff)) expect(bytes.includes(pin), file).toBe(false);
      expect(bytes.includes(screen.cookie), file).toBe(false);
    }
  });

  it('is in no answer', async () => {
    harness = await createConsoleHarness();
    const admin = await harness.as('ADMIN');
    const answers = JSON.stringify([
      await admin.get('session.state', {}),
      await admin.get('staff.list', {}),
      await admin.get('staff.setPin', harness.staff.CASHIER),
      await admin.get('integrations.clients.list', {}),
    ]);
    expect(answers).not.toMatch(/scrypt|keyHash|pinHash/);
    for (const { pin } of Object.values(harness.staff)) expect(answers).not.toContain(pin);
  });
});

describe('wrong PINs', () => {
  it('lock the fifth time in a row, also against the right one, and for longer with each further', async () => {
    harness = await createConsoleHarness();
    const { clock } = harness.engine;
    const screen = harness.open();
    const person = harness.staff.CASHIER;
    expect(await tryWrong(screen, person, 5)).toEqual([...Array(4).fill('PIN_WRONG'), 'PIN_LOCKED']);
    expect(await screen.refusal('session.signIn', person)).toMatchObject({
      error: 'RATE_LIMITED',
      reason: 'PIN_LOCKED',
      retryAfterSeconds: 30,
    });
    const waits: (number | undefined)[] = [];
    for (let count = 0; count < 9; count += 1) {
      await clock.advance(((await screen.refusal('session.signIn', person)).retryAfterSeconds ?? 0) * 1000);
      waits.push((await screen.refusal('session.signIn', wrong(person))).retryAfterSeconds);
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
    // Nobody else has to wait.
    await screen.get('session.signIn', harness.staff.MANAGER);
  });

  it('are forgotten with the right one', async () => {
    harness = await createConsoleHarness();
    const screen = harness.open();
    await tryWrong(screen, harness.staff.CASHIER, 4);
    await screen.get('session.signIn', harness.staff.CASHIER);
    expect(await tryWrong(screen, harness.staff.CASHIER, 4)).toEqual(Array(4).fill('PIN_WRONG'));
  });

  it('count across a restart, which ends no lock either', async () => {
    harness = await createConsoleHarness();
    await tryWrong(harness.open(), harness.staff.CASHIER, 3);
    await harness.restart();
    expect(await tryWrong(harness.open(), harness.staff.CASHIER, 2)).toEqual(['PIN_WRONG', 'PIN_LOCKED']);
    await harness.restart();
    expect(await harness.open().refusal('session.signIn', harness.staff.CASHIER)).toMatchObject({
      reason: 'PIN_LOCKED',
    });
  });

  it('side by side get no more tries than one after the other', async () => {
    harness = await createConsoleHarness();
    const screen = harness.open();
    const tries = Array.from({ length: 20 }, () => screen.refusal('session.signIn', wrong(harness.staff.CASHIER)));
    await Promise.all(tries);
    const wrongPins = harness.engine.journal.findStaff(harness.staff.CASHIER.staffId)?.wrongPins;
    expect(wrongPins).toBe(5);
  });

  it('of an approval lock the approver, and are audited', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const approval = wrong(harness.staff.MANAGER);
    const reasons: (string | undefined)[] = [];
    for (let count = 0; count < 5; count += 1) {
      reasons.push((await screen.refusal('day.close', { idempotencyKey: `c${count}`, approval })).reason);
    }
    expect(reasons.at(-1)).toBe('PIN_LOCKED');
    expect(await harness.open().refusal('session.signIn', harness.staff.MANAGER)).toMatchObject({
      reason: 'PIN_LOCKED',
    });
    expect(harness.audit().filter(({ action }) => action === 'PIN_WRONG')).toHaveLength(5);
  });

  it('end their lock when an administrator gives a new PIN', async () => {
    harness = await createConsoleHarness();
    await tryWrong(harness.open(), harness.staff.CASHIER, 5);
    const admin = await harness.as('ADMIN');
    const person = { ...harness.staff.CASHIER, pin: '55667788' };
    await admin.get('staff.setPin', person);
    await harness.open().get('session.signIn', person);
    expect(await harness.open().refusal('session.signIn', harness.staff.CASHIER)).toMatchObject({
      reason: 'PIN_WRONG',
    });
  });
});
