import { useQuery } from '@tanstack/react-query';
import { useConsole, useConsoleEvents } from '../../hooks/console-context.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './panel.module.css';

/** Milliseconds between two looks at what the recovery has found. */
const refetchMs = 2000;

/** What is being done about a payment of unknown outcome. */
export function RecoveryWords({ transactionId }: { readonly transactionId: string }) {
  const { t } = useTexts();
  const api = useConsole();
  const tasks = useQuery({
    queryKey: ['attention.list'],
    queryFn: () => api.call('attention.list', {}),
    refetchInterval: refetchMs,
  });
  useConsoleEvents((event) => {
    if (event.event === 'outcome_resolved') void tasks.refetch();
  });
  const task = tasks.data?.tasks.find(({ subject }) => subject.id === transactionId);
  return (
    <p className={styles.detail}>
      {task?.state === 'NEEDS_PERSON' ? t('sell:recovery.needsPerson') : t('sell:recovery.asking')}{' '}
      {task === undefined || task.attempts === 0 ? '' : t('sell:recovery.asked', { count: task.attempts })}
    </p>
  );
}
