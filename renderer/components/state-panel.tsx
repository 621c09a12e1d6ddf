import { Group, Stack, Text, Title } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './state-panel.module.css';

export interface StatePanelProps {
  readonly icon: TablerIcon;
  readonly title: string;
  readonly text?: string | undefined;
  readonly actions?: ReactNode;
  /** Announced by a screen reader as soon as it appears. */
  readonly role?: 'status' | 'alert';
}

/** What a page or a part of it shows instead of its content: one icon, one sentence, what to do. */
export function StatePanel({ icon: Icon, title, text, actions, role }: StatePanelProps) {
  return (
    <Stack className={styles.panel} align="center" justify="center" gap="sm" role={role}>
      <Icon size={40} stroke={1.5} aria-hidden className="quiet" />
      <Title order={2} ta="center">
        {title}
      </Title>
      {text === undefined ? null : (
        <Text c="dimmed" ta="center" maw={480}>
          {text}
        </Text>
      )}
      {actions === undefined ? null : <Group mt="sm">{actions}</Group>}
    </Stack>
  );
}
