import type { ActivityDetail } from '../../../app/contract/console/activity.ts';
import { type Tone, toneIcons } from '../../components/status-badge.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { evidenceText } from '../attention/recovery-texts.ts';
import { eventWords } from './event-words.ts';
import { callerName } from './payment-state.ts';
import styles from './timeline.module.css';

interface Step {
  readonly key: string;
  readonly at: string;
  readonly tone: Tone;
  readonly sentence: string;
  readonly detail?: string | undefined;
  /** Particulars for support, as the till wrote them. */
  readonly technical?: string | undefined;
}

/** What happened, oldest first: the steps at the terminal, and what it was asked after something was lost. */
export function Timeline({ detail }: { readonly detail: ActivityDetail }) {
  const { t, formats } = useTexts();
  const clock = formats.dateTime({ timeStyle: 'medium' });
  const begun: Step = {
    key: 'begun',
    at: detail.createdAt,
    tone: 'INFO',
    sentence: t('activity:event.begun', { name: callerName(detail.startedBy) }),
  };
  const events = detail.events.flatMap((event): Step[] => {
    const words = eventWords(t, event);
    return words === undefined ? [] : [{ key: String(event.sequence), at: event.at, ...words }];
  });
  const questions = detail.evidence.map((evidence, index): Step => {
    const { question, answer, technical } = evidenceText(t, evidence);
    return { key: `question-${index}`, at: evidence.at, tone: 'INFO', sentence: question, detail: answer, technical };
  });
  const steps = [begun, ...events, ...questions].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return (
    <ol className={styles.steps}>
      {steps.map(({ key, at, tone, sentence, detail: more, technical }) => {
        const Icon = toneIcons[tone];
        return (
          <li key={key} className={styles.step} data-tone={tone}>
            <Icon size={20} stroke={1.75} aria-hidden className={styles.icon} />
            <span className={styles.text}>
              {sentence}
              {more === undefined ? null : <span className={styles.detail}>{more}</span>}
              {technical === undefined ? null : <span className={`code ${styles.technical}`}>{technical}</span>}
            </span>
            <time className={`figures ${styles.time}`} dateTime={at}>
              {clock.format(new Date(at))}
            </time>
          </li>
        );
      })}
    </ol>
  );
}
