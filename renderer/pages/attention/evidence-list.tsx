import { Button } from '@mantine/core';
import { useState } from 'react';
import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './attention-page.module.css';
import { evidenceText } from './recovery-texts.ts';

/** Entries that are seen before the rest is asked for. */
const shownAtFirst = 3;

export interface EvidenceListProps {
  readonly evidence: RecoveryTaskView['evidence'];
  /** Whether the particulars for support are shown, too. */
  readonly isTechnical: boolean;
}

/** What the terminal was asked and what it answered, newest first. */
export function EvidenceList({ evidence, isTechnical }: EvidenceListProps) {
  const { t, formats } = useTexts();
  const [isWhole, setIsWhole] = useState(false);
  const clock = formats.dateTime({ timeStyle: 'medium' });
  const newestFirst = evidence
    .map((entry, index) => ({ at: entry.at, ...evidenceText(t, entry), number: index + 1 }))
    .reverse();
  const shown = isWhole ? newestFirst : newestFirst.slice(0, shownAtFirst);
  const hidden = newestFirst.length - shown.length;
  return (
    <div>
      <ul className={styles.evidence} aria-label={t('attention:evidence.title')}>
        {shown.map(({ number, at, question, answer, technical }) => (
          <li key={number}>
            <time className="figures quiet" dateTime={at}>
              {clock.format(new Date(at))}
            </time>
            <span>
              {question}
              <span className={styles.answer}>{answer}</span>
              {isTechnical && technical !== undefined ? <span className="code">{technical}</span> : null}
            </span>
          </li>
        ))}
      </ul>
      {hidden > 0 ? (
        <Button variant="subtle" onClick={() => setIsWhole(true)}>
          {t('attention:evidence.more', { count: hidden })}
        </Button>
      ) : null}
    </div>
  );
}
