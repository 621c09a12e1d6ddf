import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoredSettings } from '../contract/settings.ts';
import { validate } from '../contract/validate.ts';
import type { Settings, SettingsChange, SettingsStore } from '../ports/settings.ts';
import { readStoredSettings, settingsOf, settingsPath } from './settings.ts';

/** Opens the settings of a data folder. @throws BridgeError INVALID_REQUEST naming the file and the field */
export function openSettings(dataDir: string): SettingsStore {
  let stored = readStoredSettings(dataDir);
  let settings = settingsOf(stored);
  const listeners = new Set<(settings: Settings) => void>();
  return {
    current: () => settings,
    update(change) {
      const changed = withChange(stored, change);
      const next = settingsOf(changed);
      writeWhole(settingsPath(dataDir), `${JSON.stringify(changed, null, 2)}\n`);
      stored = changed;
      settings = next;
      for (const listener of listeners) listener(next);
      return next;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function withChange(stored: StoredSettings, change: SettingsChange): StoredSettings {
  const merged = Object.entries({ ...stored, ...change }).filter(([, value]) => value !== undefined);
  return validate(StoredSettings, Object.fromEntries(merged));
}

/** A crash leaves the old file or the new one, never half of it. */
function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
