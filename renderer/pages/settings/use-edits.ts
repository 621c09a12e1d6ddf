import { useState } from 'react';
import type { SettingsChanges, SettingsView } from '../../../app/contract/console/settings.ts';

/** What a person has changed in a form and not saved yet. */
export interface Edits {
  /** The settings as the form shows them. */
  readonly value: SettingsView;
  /** What differs from what is stored. */
  readonly changes: SettingsChanges;
  readonly edit: (change: SettingsChanges) => void;
  readonly clear: () => void;
}

export function useEdits(settings: SettingsView): Edits {
  const [edits, setEdits] = useState<SettingsChanges>({});
  const names = Object.keys(edits) as (keyof SettingsChanges)[];
  const changed = names.filter((name) => JSON.stringify(edits[name]) !== JSON.stringify(settings[name]));
  return {
    value: { ...settings, ...edits },
    changes: Object.fromEntries(changed.map((name) => [name, edits[name]])),
    edit: (change) => setEdits((before) => ({ ...before, ...change })),
    clear: () => setEdits({}),
  };
}
