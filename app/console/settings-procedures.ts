import type { SettingsChanges, SettingsView } from '../contract/console/settings.ts';
import type { Settings } from '../ports/settings.ts';
import type { Handlers } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';

type SettingsHandlers = Pick<Handlers, 'settings.read' | 'settings.update'>;

/** What the engine takes once, when it starts: a business day must not change its hours while payments are stamped with it. */
const fieldsOfNextStart = ['timeZone', 'dayCutOff'] as const;

/** The till's settings, read and changed; each change is audited with what it was and what it became. */
export function createSettingsHandlers({ settingsStore, journal, clock }: ConsoleDeps): SettingsHandlers {
  const atStart = settingsStore.current();

  function view(settings: Settings): SettingsView {
    return {
      merchantName: settings.merchantName,
      merchantId: settings.merchantId,
      receiptHeader: [...settings.receiptHeader],
      receiptFooter: [...settings.receiptFooter],
      timeZone: settings.timeZone,
      dayCutOff: settings.dayCutOff,
      language: settings.language ?? null,
      offlineSales: settings.offlineSales,
      lockAfterSeconds: settings.lockAfterSeconds,
      refundApprovalAboveMinor: settings.refundApprovalAboveMinor,
      supportContact: settings.supportContact,
      holdDays: settings.holdDays,
      showTrainingHint: settings.showTrainingHint,
      afterRestart: fieldsOfNextStart.filter((field) => settings[field] !== atStart[field]),
    };
  }

  return {
    'settings.read': () => view(settingsStore.current()),
    'settings.update'(call, { changes }) {
      const before = view(settingsStore.current());
      const { language, ...rest } = changes;
      const change = language === undefined ? rest : { ...rest, language: language ?? undefined };
      const after = view(settingsStore.update(change));
      const text = differences(before, after, changes);
      if (text !== '') {
        const entry = { at: nowIso(clock), actor: call.actor, subjectId: 'settings', text } as const;
        journal.commit((unit) => unit.appendAudit({ ...entry, action: 'SETTINGS_CHANGED' }));
      }
      return after;
    },
  };
}

/** `merchantName: "Corner Shop" became "Corner Café"; …`; empty when nothing is different. */
function differences(before: SettingsView, after: SettingsView, changes: SettingsChanges): string {
  const names = Object.keys(changes) as (keyof SettingsChanges)[];
  return names
    .map((name) => [name, JSON.stringify(before[name]), JSON.stringify(after[name])] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name}: ${was} became ${is}`)
    .join('; ');
}
