import { IconInbox, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StatePanel } from './state-panel.tsx';

export interface EmptyStateProps {
  readonly title: string;
  readonly text?: string;
  readonly icon?: TablerIcon;
  readonly actions?: ReactNode;
}

/** Nothing is there, and that is in order. */
export function EmptyState({ icon = IconInbox, ...panel }: EmptyStateProps) {
  return <StatePanel icon={icon} {...panel} />;
}
