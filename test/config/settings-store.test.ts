import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSettings } from '../../app/config/settings-store.ts';
import type { SettingsChange } from '../../app/ports/settings.ts';
import { temporaryFolder } from '../support/processes.ts';

let folder = temporaryFolder();
afterEach(() => {
  folder.remove();
  folder = temporaryFolder();
});

describe('the settings of a running till', () => {
  it('are in force and on disk after a change, and again at the next start', () => {
    const store = openSettings(folder.path);
    const told: string[] = [];
    store.subscribe(({ merchantName }) => told.push(merchantName));
    expect(store.update({ merchantName: 'Corner Shop', lockAfterSeconds: 120 })).toMatchObject({
      lockAfterSeconds: 120,
    });
    expect(store.current().merchantName).toBe('Corner Shop');
    expect(told).toEqual(['Corner Shop']);
    expect(openSettings(folder.path).current()).toEqual(store.current());
    expect(readdirSync(folder.path)).toEqual(['settings.json']);
  });

  it('go back to the default when a field is taken away', () => {
    const store = openSettings(folder.path);
    const before = store.current();
    store.update({ merchantName: 'Corner Shop', dayCutOff: '04:00' });
    store.update({ merchantName: undefined, dayCutOff: undefined });
    expect(store.current()).toEqual(before);
    expect(readFileSync(join(folder.path, 'settings.json'), 'utf8')).toBe('{}\n');
  });

  it.each([
    ['a wrong form', { dayCutOff: '25:00' }, /dayCutOff/],
    ['a zone that does not exist', { timeZone: 'Europe/Atlantis' }, /timeZone/],
    ['a field that does not exist', { colour: 'red' }, /colour/],
  ])('refuse %s by name and stay as they were', (_name, change, message) => {
    const store = openSettings(folder.path);
    store.update({ merchantName: 'Corner Shop' });
    const told: unknown[] = [];
    store.subscribe((settings) => told.push(settings));
    expect(() => store.update(change as SettingsChange)).toThrow(message);
    expect(store.current().merchantName).toBe('Corner Shop');
    expect(openSettings(folder.path).current()).toEqual(store.current());
    expect(told).toEqual([]);
  });

  it('refuse a stored file that cannot be understood, naming it', () => {
    writeFileSync(join(folder.path, 'settings.json'), '{"merchantName": ""}');
    expect(() => openSettings(folder.path)).toThrow(/settings\.json.*merchantName/);
  });
});
