import { Button } from '@mantine/core';
import { useState } from 'react';
import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './attention-page.module.css';

/** Entries that are seen before the rest is asked for. */
const shownAtFirst = 3;

/** What the terminal was asked and what it answered, newest first. */
export function EvidenceList({ evidence }: { readonly evidence: RecoveryTaskView['evidence'] }) {
  const { t, locale } = useTexts();
  const [isWhole, setIsWhole] = useState(false);
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const newestFirst = evidence.map((entry, index) => ({ ...entry, number: index + 1 })).reverse();
  const shown = isWhole ? newestFirst : newestFirst.slice(0, shownAtFirst);
  const hidden = newestFirst.length - shown.length;
  return (
    <div>
      <ul className={styles.evidence} aria-label={t('attention:evidence.title')}>
        {shown.map(({ number, at, question, answer }) => (
          <li key={number}>
            <time className="figures quiet" dateTime={at}>
              {clock.format(new Date(at))}
            </time>
            <span>
              {question}
              <span className={styles.answer}>{answer}</span>
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
