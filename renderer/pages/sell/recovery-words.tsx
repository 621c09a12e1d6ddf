import { useTexts } from '../../hooks/use-texts.ts';
import { NextTry } from '../attention/next-try.tsx';
import { reasonText } from '../attention/recovery-texts.ts';
import { useRecoveryTask } from '../attention/use-attention.ts';
import styles from './panel.module.css';

/** What is being done about a payment of unknown outcome, why it is not known yet, and when the terminal is asked next. */
export function RecoveryWords({ transactionId }: { readonly transactionId: string }) {
  const { t } = useTexts();
  const task = useRecoveryTask(({ subject }) => subject.id === transactionId);
  if (task === undefined) return <p className={styles.detail}>{t('sell:recovery.asking')}</p>;
  const { terminalId, attempts } = task;
  return (
    <>
      <p className={styles.detail}>
        {reasonText(t, task)}{' '}
        {task.state === 'NEEDS_PERSON'
          ? t('sell:recovery.needsPerson')
          : `${t('attention:next.asking', { terminal: terminalId })} ${t('sell:recovery.asking')}`}
      </p>
      <p className={styles.detail}>
        {attempts === 0 ? '' : t('sell:recovery.asked', { count: attempts })} <NextTry task={task} />
      </p>
    </>
  );
}
