import type { ReactNode } from 'react';
import { type Tone, toneIcons } from '../../components/status-badge.tsx';
import styles from './panel.module.css';

/** Where the keypad was: what has happened, by sentence, colour and icon. */
export function OutcomeBox({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  const Icon = toneIcons[tone];
  return (
    <div className={styles.body} data-tone={tone}>
      <Icon className={styles.icon} size={48} stroke={1.75} aria-hidden />
      {children}
    </div>
  );
}
