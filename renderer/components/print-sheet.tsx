import { Portal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './print-sheet.module.css';

/** What a print of the page puts on paper instead of the page: its children, and nothing else. Not on the screen. */
export function PrintSheet({ children }: { readonly children: ReactNode }) {
  return (
    <Portal className={styles.sheet} reuseTargetNode={false}>
      {children}
    </Portal>
  );
}
