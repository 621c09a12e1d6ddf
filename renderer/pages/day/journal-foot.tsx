import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { XReport } from '../../../app/contract/console/day.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './report.module.css';

export interface JournalFootProps {
  readonly head: XReport['journalHead'];
  readonly children?: ReactNode;
}

/** The foot of a report: up to which row of the journal it counts, and that row's hash, by which it is proven later. */
export function JournalFoot({ head, children }: JournalFootProps) {
  const { t } = useTexts();
  return (
    <footer className={styles.foot}>
      <Text c="dimmed">{t('day:z.journal', { sequence: head.sequence })}</Text>
      <Text className={`code ${styles.hash}`}>{head.hash}</Text>
      {children}
    </footer>
  );
}
