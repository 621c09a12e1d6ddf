import type { ComponentType } from 'react';
import { administratorOnly, everyRole, type Role } from '../../../app/contract/console/roles.ts';
import { BrowserSection } from './browser-section.tsx';
import { DaySection } from './day-section.tsx';
import { OfflineSection } from './offline-section.tsx';
import { PrintersSection } from './printers-section.tsx';
import { RulesSection } from './rules-section.tsx';
import type { SectionProps } from './section-props.ts';
import { ShopSection } from './shop-section.tsx';
import { StaffSection } from './staff-section.tsx';
import { SupportSection } from './support-section.tsx';

interface SettingsSection {
  readonly name: string;
  /** Who sees it at all. */
  readonly roles: readonly Role[];
  readonly section: ComponentType<SectionProps>;
}

/** The parts of the Settings page, in their order. */
export const settingsSections: readonly SettingsSection[] = [
  { name: 'shop', roles: everyRole, section: ShopSection },
  { name: 'printers', roles: everyRole, section: PrintersSection },
  { name: 'staff', roles: administratorOnly, section: StaffSection },
  { name: 'rules', roles: everyRole, section: RulesSection },
  { name: 'offline', roles: everyRole, section: OfflineSection },
  { name: 'day', roles: everyRole, section: DaySection },
  { name: 'support', roles: everyRole, section: SupportSection },
  { name: 'browser', roles: everyRole, section: BrowserSection },
];
