import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconHelpHexagon,
  IconInfoCircle,
  type TablerIcon,
} from '@tabler/icons-react';
import styles from './status-badge.module.css';

/** What a state means for the money: GOOD is done, WARN wants attention, BAD is refused, UNKNOWN must be found out, BUSY runs, INFO only tells. */
export type Tone = 'GOOD' | 'WARN' | 'BAD' | 'UNKNOWN' | 'BUSY' | 'INFO';

export const toneIcons: Readonly<Record<Tone, TablerIcon>> = {
  GOOD: IconCircleCheck,
  WARN: IconAlertTriangle,
  BAD: IconCircleX,
  UNKNOWN: IconHelpHexagon,
  BUSY: IconCircleDashed,
  INFO: IconInfoCircle,
};

/** A state as word, colour and icon together. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  const Icon = toneIcons[tone];
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon size={18} stroke={2} aria-hidden />
      {children}
    </span>
  );
}
