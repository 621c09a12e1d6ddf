import { Text } from '@mantine/core';
import { type Finding, type FindingState, findingWords } from '../../../app/domain/doctor-findings.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './integrations.module.css';

const tones: Readonly<Record<FindingState, Tone>> = { GOOD: 'GOOD', BAD: 'WARN', NOT_TRIED: 'INFO' };

/** What the doctor has found, one line each. */
export function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  const { t } = useTexts();
  return (
    <ul className={styles.list} aria-live="polite">
      {findings.map(({ state, text, values }) => (
        <li key={text}>
          <Text>{t(text, values)}</Text>
          <StatusBadge tone={tones[state]}>{t(findingWords[state])}</StatusBadge>
        </li>
      ))}
    </ul>
  );
}
