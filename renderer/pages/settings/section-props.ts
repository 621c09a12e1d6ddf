import type { SettingsView } from '../../../app/contract/console/settings.ts';

/** What every part of the Settings page gets. */
export interface SectionProps {
  readonly settings: SettingsView;
}
