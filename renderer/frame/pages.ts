import {
  IconBell,
  IconCalculator,
  IconCalendarCheck,
  IconCloud,
  IconDeviceMobile,
  IconLifebuoy,
  IconListSearch,
  IconPlugConnected,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { type Role, supportRoles } from '../../app/contract/console/roles.ts';
import type { TextKey } from '../i18n/text-key.ts';
import { useAttentionCount } from '../pages/attention/use-attention.ts';
import { SellPage } from '../pages/sell/sell-page.tsx';

/**
 * A page of the console: its place in the rail, its address, and how it is loaded. A page with a detail view takes it as an optional part of its
 * path (`/activity/{-$transactionId}`), so that the detail has an address of its own and the list stays under it.
 */
export interface ConsolePage {
  readonly path: string;
  /** Where the rail leads: the path without its optional part. */
  readonly href: string;
  readonly icon: TablerIcon;
  readonly label: TextKey;
  /** Who finds it in the rail; everybody when absent. The till itself refuses the others. */
  readonly roles?: readonly Role[];
  readonly load: () => Promise<ComponentType>;
  /** The number beside the word in the rail, when it is above zero. */
  readonly useCount?: () => number;
}

/** The pages in the order of the rail, most used first. */
export const pages: readonly ConsolePage[] = [
  {
    path: '/sell',
    href: '/sell',
    icon: IconCalculator,
    label: 'sell:navigation',
    // Part of the first load: nearly everybody begins with it.
    load: async () => SellPage,
  },
  {
    path: '/activity/{-$transactionId}',
    href: '/activity',
    icon: IconListSearch,
    label: 'activity:navigation',
    load: async () => (await import('../pages/activity/activity-page.tsx')).ActivityPage,
  },
  {
    path: '/attention',
    href: '/attention',
    icon: IconBell,
    label: 'attention:navigation',
    load: async () => (await import('../pages/attention/attention-page.tsx')).AttentionPage,
    useCount: useAttentionCount,
  },
  {
    path: '/day/{-$settlementId}',
    href: '/day',
    icon: IconCalendarCheck,
    label: 'day:navigation',
    load: async () => (await import('../pages/day/day-page.tsx')).DayPage,
  },
  {
    path: '/terminals',
    href: '/terminals',
    icon: IconDeviceMobile,
    label: 'terminals:navigation',
    load: async () => (await import('../pages/terminals/terminals-page.tsx')).TerminalsPage,
  },
  {
    path: '/integrations/{-$section}',
    href: '/integrations',
    icon: IconPlugConnected,
    label: 'integrations:navigation',
    load: async () => (await import('../pages/integrations/integrations-page.tsx')).IntegrationsPage,
  },
  {
    path: '/support/{-$section}',
    href: '/support',
    icon: IconLifebuoy,
    label: 'support:navigation',
    roles: supportRoles,
    load: async () => (await import('../pages/support/support-page.tsx')).SupportPage,
  },
  {
    path: '/settings',
    href: '/settings',
    icon: IconSettings,
    label: 'settings:navigation',
    load: async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage,
  },
  // Last: each page keeps the number that people have in their fingers.
  {
    path: '/host',
    href: '/host',
    icon: IconCloud,
    label: 'host:navigation',
    load: async () => (await import('../pages/host/host-page.tsx')).HostPage,
  },
];

/** The pages that somebody of this role finds in the rail. */
export function pagesFor(role: Role): readonly ConsolePage[] {
  return pages.filter(({ roles }) => roles?.includes(role) ?? true);
}
