import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSettings } from '../../app/config/settings-store.ts';
import { createTerminalKeeper, type TerminalKeeper, type TerminalSetup } from '../../app/console/terminal-keeper.ts';
import type { StoredTerminal } from '../../app/contract/settings.ts';
import { Secret } from '../../app/domain/secret.ts';
import type { SettingsStore } from '../../app/ports/settings.ts';
import { createTerminalFinder } from '../../drivers/detection/terminal-finder.ts';
import { ask, call, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';
import { createMemoryDevice, type MemoryDevice } from '../support/memory-terminal.ts';
import { realClock } from '../support/zvt-clock.ts';

const context = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'r' };

let engine: Harness;
let folder: string;
let settings: SettingsStore;
/** What stands at each address, whichever till drives it. */
let devices: Map<string, MemoryDevice>;
let keeper: TerminalKeeper;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-'));
  settings = openSettings(folder);
  settings.update({ terminals: [{ terminalId: 'T1', url: 'zvt+tcp://10.0.0.1:20007' }] });
  devices = new Map();
  engine = createHarness();
  keeper = createTerminalKeeper(settings, setup());
});
afterEach(async () => {
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
});

function deviceAt(url: string, terminalId: string): MemoryDevice {
  const line = finder.lineOf(url);
  const device = devices.get(line) ?? createMemoryDevice({ terminalId });
  devices.set(line, device);
  return device;
}

const finder = createTerminalFinder({ clock: realClock, createTerminal: () => Promise.reject(new Error('not here')) });

/** The real engine; what is attached is a memory terminal. */
function setup(more: Partial<TerminalSetup> = {}): TerminalSetup {
  return {
    isChangedNow: true,
    finder,
    async attach({ terminalId, url }: StoredTerminal) {
      engine.till.attach({ terminal: deviceAt(url, terminalId).attach(), currency: 'EUR', simulated: false });
    },
    detach: (terminalId) => engine.till.detach(terminalId),
    openOn: (terminalId) => engine.till.openOn(terminalId),
    isKnown: (terminalId) => engine.journal.lastTransaction(terminalId) !== undefined,
    ...more,
  };
}

const at = (host: string, name = 'Garden', isDefault = false) => ({
  line: { kind: 'TCP', host, port: 20_007 } as const,
  password: new Secret('123456'),
  currency: 'EUR',
  name,
  isDefault,
});
const ids = () => settings.current().terminals.map(({ terminalId }) => terminalId);

describe('a terminal that is added', () => {
  it('takes payments at once, stands in the settings, and its password is in no answer', async () => {
    expect(await keeper.add(at('10.0.0.2'))).toEqual({ terminalId: 'T2', isAttached: true });
    expect(await ask(engine.till, saleOf(), { terminalId: 'T2' })).toMatchObject({ status: 'APPROVED' });
    expect(openSettings(folder).current().terminals[1]).toMatchObject({ terminalId: 'T2', name: 'Garden' });
    expect(keeper.kept()[1]).toEqual({
      terminalId: 'T2',
      name: 'Garden',
      address: '10.0.0.2:20007',
      isDefault: false,
      isAttached: true,
    });
    expect(JSON.stringify(keeper.kept())).not.toContain('123456');
  });

  it('is refused at the address of another, however that is written', async () => {
    await keeper.add(at('Counter.local'));
    await expect(keeper.add(at('COUNTER.LOCAL'))).rejects.toMatchObject({ reason: 'ADDRESS_TAKEN' });
    expect(() => keeper.requireFree(at('counter.local'))).toThrow(expect.objectContaining({ reason: 'ADDRESS_TAKEN' }));
    expect(ids()).toEqual(['T1', 'T2']);
  });

  it('leaves the settings as they were when it cannot be driven', async () => {
    const failing = createTerminalKeeper(settings, setup({ attach: () => Promise.reject(new Error('no driver')) }));
    await expect(failing.add(at('10.0.0.2'))).rejects.toThrow('no driver');
    expect(ids()).toEqual(['T1']);
  });

  it('becomes the only default', async () => {
    await keeper.add(at('10.0.0.2', 'Garden', true));
    await keeper.add(at('10.0.0.3', 'Cellar', true));
    expect(keeper.kept().filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'Cellar' }]);
    keeper.makeDefault('T1');
    expect(keeper.kept().filter(({ isDefault }) => isDefault)).toMatchObject([{ terminalId: 'T1' }]);
  });

  it('asks for a tip once somebody says so, and the others are left alone', async () => {
    await keeper.add(at('10.0.0.2', 'Garden'));
    keeper.askTip('T1', true);
    expect(settings.current().terminals.map(({ asksTip }) => asksTip)).toEqual([true, undefined]);
    keeper.askTip('T1', false);
    expect(settings.current().terminals[0]?.asksTip).toBe(false);
    expect(() => keeper.askTip('T9', true)).toThrow('the settings have no terminal with this id');
  });

  it('gets no id under which the journal knows another', async () => {
    const known = createTerminalKeeper(settings, setup({ isKnown: (terminalId) => terminalId === 'T2' }));
    expect(await known.add(at('10.0.0.2'))).toMatchObject({ terminalId: 'T3' });
  });

  it('is one of sixteen at most', async () => {
    const many = Array.from({ length: 16 }, (_, index) => ({ terminalId: `T${index}`, url: `zvt+tcp://h${index}` }));
    settings.update({ terminals: many });
    await expect(keeper.add(at('10.0.0.2'))).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('a terminal that is taken away', () => {
  it('is kept, in the settings too, while anything is open on it', async () => {
    await keeper.add(at('10.0.0.2'));
    await ask(engine.till, saleOf(), { terminalId: 'T2' });
    await expect(keeper.remove('T2')).rejects.toMatchObject({ reason: 'TERMINAL_NOT_CLOSED' });
    expect(ids()).toEqual(['T1', 'T2']);
    expect(await ask(engine.till, saleOf(), { terminalId: 'T2' })).toMatchObject({ status: 'APPROVED' });
  });

  it('stays when it is the last one, and is refused when the settings do not have it', async () => {
    await expect(keeper.remove('T1')).rejects.toMatchObject({ reason: 'LAST_TERMINAL' });
    await expect(keeper.remove('T9')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('comes back at its address under its own id with its history, and under a new one elsewhere', async () => {
    await keeper.add(at('10.0.0.2'));
    const { transactionId } = await ask(engine.till, saleOf(), { terminalId: 'T2' });
    devices.get('10.0.0.2:20007')?.setConnected(false);
    await keeper.remove('T2');
    expect(settings.current().formerTerminals).toMatchObject([{ terminalId: 'T2' }]);
    await expect(call(engine.till, saleOf(), { terminalId: 'T2' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await keeper.add(at('10.0.0.3'))).toMatchObject({ terminalId: 'T3' });

    devices.get('10.0.0.2:20007')?.setConnected(true);
    expect(await keeper.add(at('10.0.0.2', 'Garden again'))).toMatchObject({ terminalId: 'T2' });
    const found = engine.till.transaction({ ...context, terminalId: 'T2' }, transactionId);
    expect(found).toMatchObject({ status: 'APPROVED' });
  });

  it('comes back with what was unknown on it, and the terminal is asked at once', async () => {
    await keeper.add(at('10.0.0.2'));
    const device = devices.get('10.0.0.2:20007');
    device?.next({ lose: 'COMPLETION' });
    device?.answer(...Array(20).fill({ kind: 'ASK_AGAIN', reason: 'Silence.', evidence: [] }));
    const unknown = call(engine.till, saleOf(), { terminalId: 'T2' });
    await engine.clock.advance(10_000);
    const { transactionId } = await unknown;
    await expect(keeper.remove('T2')).rejects.toMatchObject({ reason: 'TERMINAL_RESULT_UNKNOWN' });

    // Somebody took it out of the file; the till was started without it.
    const [first, second] = settings.current().terminals;
    settings.update({
      terminals: first === undefined ? [] : [first],
      formerTerminals: second === undefined ? [] : [second],
    });
    device?.cut();
    engine.crashAndRestart();
    device?.clearAnswers();
    expect(await keeper.add(at('10.0.0.2'))).toMatchObject({ terminalId: 'T2' });
    await engine.clock.advance(10_000);
    expect(engine.till.transaction({ ...context, terminalId: 'T2' }, transactionId)).toMatchObject({
      status: 'APPROVED',
    });
    expect(
      engine.till.recoveryTasks({ ...context, terminalId: 'T2' }).data.filter(({ state }) => state === 'ASKING'),
    ).toEqual([]);
    expect(device?.standing()).toEqual([1_000]);
  });
});

describe('the settings of a till that is driven by an option', () => {
  it('are changed for the next start, and the running till is left as it is', async () => {
    const later = createTerminalKeeper(
      settings,
      setup({
        isChangedNow: false,
        attach: () => Promise.reject(new Error('must not be called')),
        detach: () => Promise.reject(new Error('must not be called')),
      }),
    );
    expect(await later.add(at('10.0.0.2'))).toEqual({ terminalId: 'T2', isAttached: false });
    await later.remove('T1');
    await later.remove('T2');
    expect(ids()).toEqual([]);
  });
});
